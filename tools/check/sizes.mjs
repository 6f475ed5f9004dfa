/**
 * Limits of CONTRIBUTING, measured by the linter with sizes.biome.json: lines per file and per function, parameters per
 * function. Files over a limit are listed in pending/sizes.txt.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { checkPending, finish, listSources, root } from "./repository.mjs";

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
if (result.status !== 0 && found.size === 0) throw new Error(`the linter failed: ${result.stderr}`);
finish(`sizes: ${sources.length} files`, checkPending("sizes", found));
