/**
 * Twenty edits of each policy, each compared with the original: an edit that matters has a witness, one that does not
 * has a proof. Requests made for the source may not contradict a proof.
 *
 * The normal run takes a share of the example policies. `POLICY_LIBRARY=folder` takes the policies of another library
 * instead, one in each of its folders; `POLICY_MUTANTS=20` sets the number of edits of each policy, `POLICY_SAMPLES` the
 * number of requests of each form. `POLICY_LOG=file` keeps the counts of each policy: a run continues where the one before
 * ended, and `POLICY_MINUTES` ends it in time.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { MUTATION_OPERATORS } from "@portcullis/checker/internal/prove/proof-mutants.testing";
import { Random } from "@portcullis/engine/internal/prove/attack";
import { expect, test } from "vitest";
import { processorMillis } from "../../runners/policy/processor-time.ts";
import { RefutedSource, type Trial } from "./refuter.ts";
import { exampleSources, folderSources, type PolicySource } from "./sources.ts";

const LIBRARY = process.env["POLICY_LIBRARY"];
const MUTANTS = Number(process.env["POLICY_MUTANTS"] ?? 1);
const SAMPLES = Number(process.env["POLICY_SAMPLES"] ?? 20);
const LOG = process.env["POLICY_LOG"];

/** The default of the command line. */
const SECONDS = 5;
const EVERY = process.env["POLICY_MUTANTS"] === undefined ? 8 : 1;

const MINUTES = Number(process.env["POLICY_MINUTES"] ?? Number.POSITIVE_INFINITY);

interface Counts {
  mutants: number;
  equivalent: number;
  different: number;
  unknown: number;
  samples: number;
  /** A policy that the API server refuses. */
  refused: number;
  readonly complaints: string[];
  readonly reasons: string[];
  readonly times: number[];
}

test("each edit of a policy has a witness or a proof", { timeout: 24 * 3600 * 1000 }, async () => {
  const end = performance.now() + MINUTES * 60_000;
  const all = LIBRARY === undefined ? exampleSources() : folderSources(LIBRARY);
  const done = readLog();
  for (const [at, source] of all.entries()) {
    if (at % EVERY > 0 || done[source.name] !== undefined) continue;
    if (performance.now() > end) break;
    done[source.name] = await countMutants(source, at + 1);
    if (LOG !== undefined) writeFileSync(LOG, JSON.stringify({ total: totalOf(done), policies: done }, null, 1));
  }
  expect(Object.values(done).flatMap(({ complaints }) => complaints)).toEqual([]);
});

function readLog(): Record<string, Counts> {
  if (LOG === undefined || !existsSync(LOG)) return {};
  const { policies }: { policies: Record<string, Counts> } = JSON.parse(readFileSync(LOG, "utf8"));
  return policies;
}

async function countMutants(source: PolicySource, number: number): Promise<Counts> {
  const counts: Counts = {
    ...{ mutants: 0, equivalent: 0, different: 0, unknown: 0, samples: 0, refused: 0 },
    ...{ complaints: [], reasons: [], times: [] },
  };
  const opened = await open(source);
  if (opened === undefined) return { ...counts, refused: 1 };
  const random = new Random(number);
  for (let tried = 0; counts.mutants < MUTANTS && tried < MUTANTS * 40; tried++) {
    const start = processorMillis();
    const trial = await opened.mutant(random.pick(MUTATION_OPERATORS) ?? "", number * 1000 + tried);
    if (trial === undefined) continue;
    counts.times.push(Math.round(processorMillis() - start));
    count(counts, trial);
  }
  return { ...counts, samples: opened.sampled };
}

async function open(source: PolicySource): Promise<RefutedSource | undefined> {
  try {
    return await RefutedSource.open(source, { seconds: SECONDS, tries: SAMPLES });
  } catch (refused) {
    if (!(refused instanceof UsageError)) throw refused;
    return undefined;
  }
}

function count(counts: Counts, { name, comparison, complaints }: Trial): void {
  const verdicts = [comparison.newlyDenied, comparison.newlyAllowed];
  const unknown = verdicts.flatMap((each) => (each.verdict === "unknown" ? [each.why] : []));
  counts.mutants++;
  if (verdicts.some(({ verdict }) => verdict === "some")) counts.different++;
  else counts[unknown.length > 0 ? "unknown" : "equivalent"]++;
  counts.complaints.push(...complaints.map((each) => `${name}: ${each}`));
  counts.reasons.push(...unknown.map((each) => `${name}: ${each}`));
}

function totalOf(done: Readonly<Record<string, Counts>>): object {
  const all = Object.values(done);
  const sum = (key: "different" | "equivalent" | "mutants" | "refused" | "samples" | "unknown"): number =>
    all.reduce((total, each) => total + each[key], 0);
  const times = all.flatMap((each) => each.times).sort((left, right) => left - right);
  return {
    policies: all.length - sum("refused"),
    refused: sum("refused"),
    mutants: sum("mutants"),
    equivalent: sum("equivalent"),
    different: sum("different"),
    unknown: sum("unknown"),
    samples: sum("samples"),
    contradicted: all.flatMap(({ complaints }) => complaints).length,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
  };
}
