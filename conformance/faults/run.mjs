/**
 * `npm run faults -- [--minutes N] [--seed N]`: the fault suite for this long, an hour by default, and from this seed.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at === -1 ? otherwise : process.argv[at + 1];
};
const env = {
  ...process.env,
  PORTCULLIS_FAULT_MINUTES: option("--minutes", "60"),
  PORTCULLIS_FAULT_SEED: option("--seed", String(Date.now() % 1_000_000)),
};
console.log(`seed ${env.PORTCULLIS_FAULT_SEED}`);
const root = fileURLToPath(new URL("../..", import.meta.url));
const { status } = spawnSync("npx", ["vitest", "run", "conformance/faults"], { cwd: root, env, stdio: "inherit" });
process.exit(status ?? 1);
