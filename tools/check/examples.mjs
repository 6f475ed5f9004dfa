/**
 * Every public function, class and constant has an example in its comment: `@example`, followed by code on the same line
 * or on the lines after it. `examples.test.mjs` compiles and runs the examples.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { finish, listFiles, read, root } from "./repository.mjs";

/** All public names with their examples: `{ specifier, name, isValue, lines }`; no lines where there is no example. */
export function publicExamples() {
  return publicEntries().flatMap(({ specifier, file }) =>
    [...exportsOf(file)].map(([name, { isValue, doc }]) => ({ specifier, name, isValue, lines: exampleOf(doc) })),
  );
}

/** The entry points of published packages, without those for other packages of this repository. */
function publicEntries() {
  return listFiles("packages/*/package.json").flatMap((manifest) => {
    const { name, exports = {}, private: isPrivate } = JSON.parse(read(manifest));
    if (isPrivate) return [];
    return Object.entries(exports)
      .filter(([entry, target]) => target["portcullis-source"] !== undefined && !entry.startsWith("./internal"))
      .map(([entry, target]) => ({
        specifier: path.posix.join(name, entry),
        file: path.posix.join(path.posix.dirname(manifest), target["portcullis-source"]),
      }));
  });
}

/** Name to declaration; re-exports of the same package are followed. Types that another package declares are left out. */
function exportsOf(file) {
  const text = read(file);
  const found = new Map();
  for (const [, isType, list, from] of text.matchAll(/^export (type )?\{([^}]*)\}(?: from "([^"]+)")?;$/gm))
    for (const part of list.split(",").map((each) => each.trim())) {
      if (part === "") continue;
      const [original, exported = original] = part.replace(/^type /, "").split(" as ");
      const declared = from === undefined ? declarationIn(text, original) : lookUp(resolve(file, from), original);
      const isValue = isType === undefined && !part.startsWith("type ") && declared?.isValue !== false;
      if (declared !== undefined) found.set(exported, { ...declared, isValue });
    }
  for (const [, from] of text.matchAll(/^export \* from "([^"]+)";$/gm))
    for (const [name, each] of exportsOf(resolve(file, from))) found.set(name, each);
  for (const [, name] of text.matchAll(
    /^export (?:declare |abstract |async )*(?:function\*?|class|const|interface|type) ([\w$]+)/gm,
  ))
    found.set(name, declarationIn(text, name));
  return found;
}

function lookUp(file, name) {
  return file === undefined ? undefined : exportsOf(file).get(name);
}

function resolve(file, specifier) {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  return specifier.startsWith(".") && existsSync(path.join(root, target)) ? target : undefined;
}

function declarationIn(text, name) {
  const head = "(?:export )?(?:declare |abstract |async )*";
  const found = new RegExp(
    `^${head}(function\\*?|class|const|interface|type) ${name.replace("$", "\\$")}\\b`,
    "m",
  ).exec(text);
  if (found === null) return undefined;
  // A comment for tools may stand between the documentation and the declaration.
  const doc = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/[^\n]*\n)?$/.exec(text.slice(0, found.index));
  return { isValue: !["interface", "type"].includes(found[1]), doc: doc === null ? "" : plain(doc[1]) };
}

function plain(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  return lines.join("\n").trim();
}

/** The lines of code after `@example`, up to the next tag. */
function exampleOf(doc) {
  const [, code = ""] = /^@example\b[ \t]*([\s\S]*?)(?=^@\w|$(?![\s\S]))/m.exec(doc) ?? [];
  return code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("```"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = publicExamples().filter(({ isValue }) => isValue);
  const missing = all.filter(({ lines }) => lines.length === 0);
  for (const { specifier, name } of missing) console.error(`${specifier}: ${name} has no @example in its comment`);
  finish(`examples: ${all.length} public functions, classes and constants`, missing.length);
}
