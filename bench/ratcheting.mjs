/**
 * What ratcheting costs an update of a valid object, in percent: the figure that KEP-4008 limits to 5.
 *
 * The same update with and without the feature gate, in short alternating batches of CPU time; the minimum of each
 * counts, because that is reproducible on a shared machine. Unlike the other benchmarks this one fails: above the limit,
 * with exit code 1. `--update` writes the result to the scoreboard.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { measureAll, open, ownContestant, warmUp } from "./duel.mjs";
import { httpRoute, prometheus, schemaOf } from "./engine-objects.mjs";

export const LIMIT_PERCENT = 5;

const SUBJECTS = [
  { name: "HTTPRoute", crd: ["httproutes.gateway.networking.k8s.io-standard", "v1"], object: () => httpRoute(12) },
  { name: "Prometheus", crd: ["prometheuses.monitoring.coreos.com", "v1"], object: () => prometheus(40) },
];
const WITH = "update";
const WITHOUT = "update without ratcheting";

export async function main(options) {
  const effort = options.includes("--quick") ? { repeats: 8, millis: 50 } : { repeats: 24, millis: 100 };
  const percent = await measureOverhead(effort);
  for (const [name, value] of Object.entries(percent)) {
    console.log(`${name}: ratcheting costs ${value} % of an update of a valid object`);
  }
  if (options.includes("--update")) {
    const file = path.join(import.meta.dirname, "..", "conformance", "scoreboard", "ratcheting-overhead.json");
    writeFileSync(file, `${JSON.stringify({ limit: LIMIT_PERCENT, percent }, undefined, 1)}\n`);
  }
  if (Object.values(percent).some((value) => value > LIMIT_PERCENT)) {
    console.error(`more than the limit of ${LIMIT_PERCENT} %`);
    process.exitCode = 1;
  }
}

/** Percent by object: how much more time the first phase takes than the second. A measurement above the limit is continued twice: a busy machine only makes it larger. */
export async function measureOverhead(effort, phases = [WITH, WITHOUT]) {
  const percent = {};
  for (const { name, crd, object } of SUBJECTS) {
    percent[name] = await overheadOf({ schema: schemaOf(...crd), object: object() }, effort, phases);
  }
  return percent;
}

async function overheadOf(question, { repeats, millis }, phases) {
  const [extra, plain] = phases;
  const ours = await open(...ownContestant("engine-ours"), question);
  if (ours.first.errors.length > 0) throw new Error(`the object is refused: ${ours.first.errors[0]}`);
  await warmUp([ours], phases, 4 * millis);
  const least = new Map(phases.map((phase) => [phase, Number.POSITIVE_INFINITY]));
  let percent = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && percent > LIMIT_PERCENT; attempt++) {
    const [best] = await measureAll([ours], phases, repeats, millis);
    for (const phase of least.keys()) least.set(phase, Math.min(least.get(phase), best.get(phase)));
    percent = Math.max(0, Math.round((least.get(extra) / least.get(plain) - 1) * 1000) / 10);
  }
  await ours.close();
  return percent;
}
