/**
 * The exported names of a declaration file with the text of each declaration, re-exports followed. Reads what the compiler
 * writes: one declaration after the other, without nesting of modules.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

/** Name to declaration, comments left out. */
export function declarationsOf(file, seen = new Set()) {
  const found = new Map();
  if (seen.has(file)) return found;
  seen.add(file);
  const statements = statementsOf(readFileSync(file, "utf8"));
  const imports = new Map(statements.flatMap((statement) => importsOf(statement, file)));
  const locals = new Map(statements.flatMap((statement) => namesOf(statement).map((name) => [name, statement])));
  for (const statement of statements) {
    const list = /^export (?:type )?\{([\s\S]*?)\}(?: from "([^"]+)")?;$/.exec(statement);
    const all = /^export (?:type )?\* from "([^"]+)";$/.exec(statement);
    if (all !== null) for (const [name, text] of declarationsOf(resolve(file, all[1]), seen)) found.set(name, text);
    else if (list !== null) addList(found, list, { file, imports, locals });
    else if (statement.startsWith("export ")) for (const name of namesOf(statement)) found.set(name, tidy(statement));
  }
  return found;
}

function addList(found, [, list, from], { file, imports, locals }) {
  for (const part of list.split(",").map((each) => each.trim().replace(/^type /, ""))) {
    if (part === "") continue;
    const [original, exported = original] = part.split(" as ");
    const [source, name] =
      from === undefined ? (imports.get(original) ?? [undefined, original]) : [resolve(file, from), original];
    const text = source === undefined ? locals.get(original) : lookUp(source, name);
    const alias = exported === name ? "" : `/* as ${exported} */ `;
    found.set(exported, `${alias}${text === undefined ? `export ${exported}; // from "${from}"` : tidy(text)}`);
  }
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

function tidy(statement) {
  return statement.replace(/^(?:export )?(?:declare )?/, "export ");
}

/** Top-level statements: a line without indentation begins one, unless it only closes brackets. */
function statementsOf(text) {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const statements = [];
  for (const line of plain.split("\n").filter((each) => each.trim() !== "")) {
    if (/^(?:export|import|declare|interface|type|class|function|const)\b/.test(line)) statements.push(line);
    else if (statements.length > 0) statements.push(`${statements.pop()}\n${line}`);
  }
  return mergeOverloads(statements.map((each) => each.trimEnd()));
}

/** Overloads of a function are one declaration. */
function mergeOverloads(statements) {
  const merged = [];
  for (const statement of statements) {
    const [name] = namesOf(statement);
    const [last] = merged.length === 0 ? [] : namesOf(merged.at(-1));
    if (name !== undefined && name === last && / function /.test(statement))
      merged.push(`${merged.pop()}\n${statement}`);
    else merged.push(statement);
  }
  return merged;
}
