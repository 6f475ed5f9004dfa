/**
 * Functions, constants and classes that are exported, but that no other module imports. Types may be exported for the
 * signatures they are part of. An entry point of a package is public, so its exports count as used. Exports
 * without users are listed in pending/unused.txt until they are removed.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { checkPending, finish, listFiles, listSources, read, root } from "./repository.mjs";

const sources = listSources();
const users = listFiles("packages", "conformance", "bench", "tools").filter(
  (name) => /\.(?:ts|mjs)$/.test(name) && !name.startsWith("conformance/corpora/"),
);
const entries = entryPoints();
/** Module to the names that others import, or "*" for all. */
const used = new Map();
for (const name of users) for (const [target, names] of importsOf(name)) for (const each of names) use(target, each);

const found = new Map();
let count = 0;
for (const name of sources) {
  const names = exportsOf(read(name));
  count += names.length;
  const taken = used.get(name) ?? new Set();
  if (entries.includes(name) || taken.has("*")) continue;
  const unused = names.filter((each) => !taken.has(each));
  if (unused.length > 0)
    found.set(
      name,
      unused.map((each) => `${name}: ${each} is exported, but no module imports it`),
    );
}
finish(`unused: ${count} exports in ${sources.length} modules`, checkPending("unused", found));

function use(target, name) {
  used.set(target, (used.get(target) ?? new Set()).add(name));
}

function exportsOf(text) {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm,
  );
  return [...declared].map(([, name]) => name);
}

function importsOf(name) {
  const text = read(name);
  const found = [];
  for (const [, all, list, specifier] of text.matchAll(
    /^\s*(?:import|export)\s+(?:type\s+)?(?:(\*)(?:\s+as\s+\w+)?|(?:\w+,\s*)?\{([^}]*)\})\s+from\s+"([^"]+)"/gm,
  )) {
    const target = resolve(name, specifier);
    if (target !== undefined) found.push([target, all === "*" ? ["*"] : namesIn(list)]);
  }
  // Modules that are named in other ways, such as workers and dynamic imports, count as used entirely.
  for (const [, specifier] of text.matchAll(/(?:import\(|new URL\(|typeof import\()\s*["'`]([^"'`]+)["'`]/g)) {
    const target = resolve(name, specifier);
    if (target !== undefined) found.push([target, ["*"]]);
  }
  for (const [, list, specifier] of text.matchAll(/export \{([^}]*)\} from \\?["'](@portcullis\/[^"'\\]+)/g)) {
    const target = resolve(name, specifier);
    if (target !== undefined) found.push([target, namesIn(list)]);
  }
  return found;
}

function namesIn(list) {
  return list.split(",").map(
    (part) =>
      part
        .trim()
        .replace(/^type /, "")
        .split(/\s+as\s+/)[0],
  );
}

function resolve(name, specifier) {
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(name), specifier);
  const own = /^(?:@portcullis\/([a-z]+)|(portcullis))(?:\/(.*))?$/.exec(specifier);
  if (own === null) return undefined;
  const folder = `packages/${own[1] ?? "cli"}`;
  const { exports = {} } = JSON.parse(read(`${folder}/package.json`));
  const entry = exports[own[3] === undefined ? "." : `./${own[3]}`]?.["portcullis-source"];
  if (entry !== undefined) return path.posix.join(folder, entry);
  const module = `${folder}/src/${own[3].replace(/^internal\//, "")}.ts`;
  return existsSync(path.join(root, module)) ? module : undefined;
}

/** What `exports` in package.json names, and what the bundles start from. */
function entryPoints() {
  return listFiles("packages/*/package.json").flatMap((manifest) => {
    const { exports = {} } = JSON.parse(read(manifest));
    return Object.values(exports)
      .map((target) => target["portcullis-source"])
      .filter((target) => target !== undefined && !target.includes("*"))
      .map((target) => path.posix.join(path.posix.dirname(manifest), target));
  });
}
