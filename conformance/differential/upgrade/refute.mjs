/**
 * Long runs of the refuter, about twice as fast as in the test runner:
 *
 *     node conformance/differential/upgrade/refute.mjs --author edits --seed 1 --seeds 20000 --log counts.json
 *
 * The log has the counts of all seeds so far, and every complaint. A run with the same log continues where it stopped.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const TRIES = 150;

const { values } = parseArgs({
  options: {
    author: { type: "string", default: "edits" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1000" },
    log: { type: "string" },
  },
});
const first = Number(values.seed);
const { runRefuter, worstVerdict } = await bundledRefuter();
const counts = known() ?? {
  author: values.author,
  first,
  seeds: 0,
  pairs: 0,
  safe: 0,
  unsafe: 0,
  unknown: 0,
  complaints: [],
};
for (const end = counts.seeds + Number(values.seeds); counts.seeds < end; counts.seeds++) {
  const seed = counts.first + counts.seeds;
  const run = runRefuter(seed, TRIES, counts.author);
  if (run !== undefined) {
    counts.pairs++;
    counts[worstVerdict(run)]++;
    counts.complaints.push(...run.complaints.map((each) => `seed ${seed}: ${each}: ${JSON.stringify(run.pair)}`));
  }
  if (counts.seeds % 200 === 199) save({ ...counts, seeds: counts.seeds + 1 });
}
save(counts);
console.log(JSON.stringify(counts, undefined, 1));
process.exitCode = counts.complaints.length === 0 ? 0 : 1;

function known() {
  return values.log !== undefined && existsSync(values.log) ? JSON.parse(readFileSync(values.log, "utf8")) : undefined;
}

function save(all) {
  if (values.log !== undefined) writeFileSync(values.log, `${JSON.stringify(all, undefined, 1)}\n`);
}

/** One module from the sources: the test runner's access to imports takes longer than many of the calls. */
async function bundledRefuter() {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-refuter-"));
  const outfile = path.join(folder, "refuter.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("refuter.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    outfile,
    logLevel: "error",
  });
  const refuter = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return refuter;
}
