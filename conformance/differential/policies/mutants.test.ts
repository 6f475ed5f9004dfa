/**
 * Twenty edits of each policy, each compared with the original: an edit that matters has a witness, one that does not
 * has a proof. Requests made for the source may not contradict a proof.
 *
 * The normal run takes a share of the example policies. `POLICY_LIBRARY=folder` takes the policies of another library
 * instead, one in each of its folders; `POLICY_MUTANTS=20` sets the number of edits of each policy, `POLICY_SAMPLES` the
 * number of requests of each form; `POLICY_LOG=file` keeps the counts.
 */
import { writeFileSync } from "node:fs";
import { MUTATION_OPERATORS } from "@portcullis/checker/internal/prove/proof-mutants.testing";
import { Random } from "@portcullis/engine/internal/prove/attack";
import { expect, test } from "vitest";
import { processorMillis, RefutedSource, type Trial } from "./refuter.ts";
import { exampleSources, folderSources, type PolicySource } from "./sources.ts";

const LIBRARY = process.env["POLICY_LIBRARY"];
const MUTANTS = Number(process.env["POLICY_MUTANTS"] ?? 1);
const SAMPLES = Number(process.env["POLICY_SAMPLES"] ?? 20);
const LOG = process.env["POLICY_LOG"];

/** The default of the command line. */
const SECONDS = 5;
const EVERY = process.env["POLICY_MUTANTS"] === undefined ? 8 : 1;

const counts = { policies: 0, mutants: 0, equivalent: 0, different: 0, unknown: 0, samples: 0 };
const complaints: string[] = [];
const reasons: string[] = [];
const times: number[] = [];

test("each edit of a policy has a witness or a proof", { timeout: 24 * 3600 * 1000 }, async () => {
  const all = LIBRARY === undefined ? exampleSources() : folderSources(LIBRARY);
  for (const source of all.filter((_, at) => at % EVERY === 0)) {
    await countMutants(source);
    if (LOG !== undefined) writeFileSync(LOG, JSON.stringify({ ...counts, p95: p95(), complaints, reasons }, null, 1));
  }
  expect(complaints).toEqual([]);
});

async function countMutants(source: PolicySource): Promise<void> {
  const opened = await RefutedSource.open(source, { seconds: SECONDS, tries: SAMPLES });
  const random = new Random(counts.policies + 1);
  counts.policies++;
  let made = 0;
  for (let tried = 0; made < MUTANTS && tried < MUTANTS * 40; tried++) {
    const start = processorMillis();
    const trial = await opened.mutant(random.pick(MUTATION_OPERATORS) ?? "", counts.policies * 1000 + tried);
    if (trial === undefined) continue;
    made++;
    times.push(processorMillis() - start);
    count(trial);
  }
  counts.samples += opened.sampled;
}

function count({ name, comparison, complaints: own }: Trial): void {
  const verdicts = [comparison.newlyDenied, comparison.newlyAllowed];
  const unknown = verdicts.flatMap((each) => (each.verdict === "unknown" ? [each.why] : []));
  counts.mutants++;
  if (verdicts.some(({ verdict }) => verdict === "some")) counts.different++;
  else counts[unknown.length > 0 ? "unknown" : "equivalent"]++;
  complaints.push(...own.map((each) => `${name}: ${each}`));
  reasons.push(...unknown.map((each) => `${name}: ${each}`));
}

function p95(): number {
  return Math.round([...times].sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0);
}
