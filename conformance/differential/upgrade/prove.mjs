/**
 * All upgrades of `corpora/upgrade/releases`, up to 1,000 accepted objects for every safe verdict: minutes of work.
 * `UPDATE_SCOREBOARD=1` writes the results; otherwise they must be the committed ones.
 */
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  "npx",
  ["--no-install", "vitest", "run", "conformance/differential/upgrade/releases.test.ts"],
  {
    stdio: "inherit",
    env: { ...process.env, UPGRADE_RELEASES: "all" },
    shell: process.platform === "win32",
  },
);
process.exit(status ?? 1);
