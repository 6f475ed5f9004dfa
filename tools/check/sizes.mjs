/**
 * Limits of CONTRIBUTING, measured by the linter with sizes.biome.json: lines per file and per function, parameters per
 * function. Files over a limit are listed in pending/sizes.txt. Members of an object are written out: a spread of a literal
 * would only save lines.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { checkPending, finish, listSources, read, root } from "./repository.mjs";

const sources = listSources();
const args = [
  "biome",
  "lint",
  "--config-path=tools/check/sizes.biome.json",
  "--reporter=github",
  "--max-diagnostics=none",
];
const result = spawnSync("npx", ["--no-install", ...args, "packages"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 28,
  shell: process.platform === "win32",
});
const found = new Map();
for (const line of result.stdout.split("\n")) {
  const match = /^::\w+ title=lint\/\w+\/(\w+),file=([^,]+),line=(\d+)/.exec(line);
  if (match === null) continue;
  const [, rule, name, at] = match;
  const file = path.relative(root, path.resolve(root, name)).replaceAll(path.sep, "/");
  const key = `${rule} ${file}`;
  found.set(key, [...(found.get(key) ?? []), `${file}:${at}: ${rule}`]);
}
for (const file of sources)
  for (const { index } of read(file).matchAll(/\.\.\.\{/g)) {
    const key = `spread ${file}`;
    const at = read(file).slice(0, index).split("\n").length;
    found.set(key, [...(found.get(key) ?? []), `${file}:${at}: write the members instead of a spread of a literal`]);
  }
if (result.status !== 0 && found.size === 0) throw new Error(`the linter failed: ${result.stderr}`);
finish(`sizes: ${sources.length} files`, checkPending("sizes", found));
