/**
 * Brings a fresh clone to the state that `npm start` and `npm test` need, and does nothing when it is already there:
 * installs when the lock file changed since the last install, and with `--build` compiles (incrementally).
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stamp = path.join(root, "node_modules", ".portcullis-installed");

installIfNeeded();
if (process.argv.includes("--build")) {
  run("npx", ["--no-install", "tsc", "-b", "packages/cli", "packages/embed"]);
  run("node", ["tools/bundle-cli.mjs"]);
  run("node", ["packages/playground/build.mjs"]);
  run("node", ["packages/embed/build.mjs"]);
}

function installIfNeeded() {
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && statSync(stamp).isFile() && readFileSync(stamp, "utf8") === lock) return;
  // Not `npm ci`: it insists on builds for every platform that some package registries do not carry.
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund"]);
  writeFileSync(stamp, lock);
}

function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}
