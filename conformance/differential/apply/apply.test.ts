/**
 * Our merge against the real one on random scripts. Needs Go, so it is only run manually:
 *
 *     (cd conformance/oracle && go build -o oracle.bin .)
 *     ORACLE=conformance/oracle/oracle.bin npx vitest run conformance/differential/apply
 *
 * `SCRIPTS` (default 5000) and `SEED` (default 1) select the scripts.
 */
import { expect, test } from "vitest";
import { compareWithOracle } from "./compare.ts";

const oracle = process.env["ORACLE"] ?? "";
const scripts = Number(process.env["SCRIPTS"] ?? 5000);
const seed = Number(process.env["SEED"] ?? 1);

test.skipIf(oracle === "")(
  "random scripts come to the same objects, owners and errors",
  () => {
    const run = compareWithOracle(oracle, scripts, seed);
    const summary = `${run.disagreements.length} of ${run.scripts} scripts disagree (${run.steps} steps, ${run.refused} refused)`;
    expect(run.steps, "the oracle answered").toBeGreaterThan(scripts);
    expect(run.disagreements.length, [summary, ...run.disagreements.slice(0, 5)].join("\n\n")).toBe(0);
  },
  600_000,
);
