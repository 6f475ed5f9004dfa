#!/usr/bin/env node
/** What the pre-commit hooks run: the command line of this checkout, built on first use. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundle = path.join(root, "packages/cli/dist/bundle/portcullis.js");

if (!existsSync(bundle)) {
  const { status } = spawnSync("npm", ["run", "build"], { cwd: root, stdio: ["ignore", 2, "inherit"] });
  if (status !== 0) process.exit(3);
}
const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 3;
