/**
 * All upgrades of `corpora/upgrade/releases`, up to 1,000 accepted objects for every safe verdict: minutes of work.
 * `UPDATE_SCOREBOARD=1` writes the results; otherwise they must be the committed ones. With a kube-apiserver at hand,
 * `--server https://127.0.0.1:6443 --token TOKEN` replays every witness there, under groups of its own.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { server: { type: "string" }, token: { type: "string", default: "" } } });
const server = values.server === undefined ? {} : { UPGRADE_SERVER: values.server, UPGRADE_TOKEN: values.token };

const { status } = spawnSync(
  "npx",
  ["--no-install", "vitest", "run", "conformance/differential/upgrade/releases.test.ts"],
  {
    stdio: "inherit",
    env: { ...process.env, ...server, UPGRADE_RELEASES: "all" },
    shell: process.platform === "win32",
  },
);
process.exit(status ?? 1);
