/**
 * The exported names of a declaration file with the text of each declaration; re-exports are followed. Reads the
 * compiler's output: one declaration after the other, without nested modules.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

/** Name to declaration: `text` without comments, `full` with those of members, `doc` for the comment before it. */
export function declarationsOf(file, seen = new Set()) {
  const found = new Map();
  if (seen.has(file)) return found;
  seen.add(file);
  const statements = statementsOf(readFileSync(file, "utf8"));
  const imports = new Map(statements.flatMap(({ text }) => importsOf(text, file)));
  const locals = new Map(statements.flatMap((statement) => namesOf(statement.text).map((name) => [name, statement])));
  for (const statement of statements) {
    const list = /^export (?:type )?\{([\s\S]*?)\}(?: from "([^"]+)")?;$/.exec(statement.text);
    const all = /^export (?:type )?\* from "([^"]+)";$/.exec(statement.text);
    if (all !== null) for (const [name, each] of declarationsOf(resolve(file, all[1]), seen)) found.set(name, each);
    else if (list !== null) addList(found, list, { file, imports, locals });
    else if (statement.text.startsWith("export "))
      for (const name of namesOf(statement.text)) found.set(name, tidy(statement));
  }
  return found;
}

function addList(found, [, list, from], { file, imports, locals }) {
  for (const part of list.split(",").map((each) => each.trim().replace(/^type /, ""))) {
    if (part === "") continue;
    const [original, exported = original] = part.split(" as ");
    const [source, name] =
      from === undefined ? (imports.get(original) ?? [undefined, original]) : [resolve(file, from), original];
    const known = source === undefined ? locals.get(original) : lookUp(source, name);
    found.set(exported, known === undefined ? externalExport(exported, from) : renamed(tidy(known), name, exported));
  }
}

/** What another package declares; its comment is there. */
function externalExport(name, from) {
  const text = `export ${name}; // from "${from}"`;
  return { text, full: text, doc: `See \`${from}\`.` };
}

function renamed(declaration, name, exported) {
  if (exported === name) return declaration;
  const alias = (text) => `/* as ${exported} */ ${text}`;
  return { ...declaration, text: alias(declaration.text), full: alias(declaration.full) };
}

function lookUp(source, name) {
  return source === undefined ? undefined : declarationsOf(source).get(name);
}

/** Undefined for what another package declares. */
function resolve(file, specifier) {
  if (!specifier.startsWith(".")) return undefined;
  return path.resolve(path.dirname(file), specifier.replace(/\.(?:js|ts)$/, ".d.ts"));
}

function importsOf(statement, file) {
  const match = /^import (?:type )?\{([\s\S]*?)\} from "([^"]+)";$/.exec(statement);
  if (match === null) return [];
  return match[1].split(",").flatMap((part) => {
    const [original, local = original] = part
      .trim()
      .replace(/^type /, "")
      .split(" as ");
    return original === "" ? [] : [[local, [resolve(file, match[2]), original]]];
  });
}

function namesOf(statement) {
  const match =
    /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/.exec(
      statement,
    );
  return match === null ? [] : [match[1]];
}

function tidy({ doc, text, full }) {
  const plain = (each) => each.replace(/^(?:export )?(?:declare )?/, "export ");
  return { doc, text: plain(text), full: plain(full) };
}

/**
 * Top-level statements with their comments: a line without indentation starts one, unless it only closes brackets.
 */
function statementsOf(text) {
  const statements = [];
  let doc = "";
  for (const part of text.split(/^(\/\*\*[\s\S]*?\*\/)$/m)) {
    if (part.startsWith("/**")) {
      doc = plainComment(part);
      continue;
    }
    for (const line of part.split("\n").filter((each) => each.trim() !== "" && !each.startsWith("//"))) {
      if (/^(?:export|import|declare|interface|type|class|function|const)\b/.test(line)) {
        statements.push({ doc, full: line });
        doc = "";
      } else if (statements.length > 0) statements.at(-1).full += `\n${line}`;
    }
  }
  return mergeOverloads(statements.map((each) => ({ ...each, text: withoutComments(each.full) })));
}

function plainComment(comment) {
  const lines = comment.slice("/**".length, -"*/".length).split("\n");
  return lines
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

function withoutComments(text) {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return bare
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n")
    .trimEnd();
}

/** Overloads of a function are one declaration. */
function mergeOverloads(statements) {
  const merged = [];
  for (const statement of statements) {
    const last = merged.at(-1);
    const [name] = namesOf(statement.text);
    const isOverload = name !== undefined && last !== undefined && namesOf(last.text)[0] === name;
    if (isOverload && / function /.test(statement.text))
      merged.push({
        ...merged.pop(),
        text: `${last.text}\n${statement.text}`,
        full: `${last.full}\n${statement.full}`,
      });
    else merged.push(statement);
  }
  return merged;
}
