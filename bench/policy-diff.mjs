/** The time to compare two policies, for the pairs of the corpus of proofs: reading, proofs, witnesses and replays. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import { comparePolicies } from "@portcullis/engine/internal/prove/compare-policies";
import { fromPlain } from "@portcullis/engine/internal/value/copy";

const folder = path.join(import.meta.dirname, "../conformance/corpora/policy-proofs");
const read = (name) => readFileSync(path.join(folder, name), "utf8");

/** Every n-th pair. */
export async function comparedPolicies(engine, step) {
  const shared = JSON.parse(read("objects.json"));
  const lines = read("pairs.jsonl").split("\n");
  const pairs = lines.filter((line, index) => line !== "" && index % step === 0).map((line) => JSON.parse(line));
  const times = [];
  let unknown = 0;
  for (const { old, new: next, objects } of pairs) {
    const sides = [old, next].map(({ policy, binding }) => [policy, binding].map(fromPlain));
    const others = objects.map((name) => fromPlain(shared[name]));
    const start = performance.now();
    const inputs = await proofInputs(sides, others, {
      engine,
      seconds: 5,
      bindsAll: false,
      now: () => performance.now(),
    });
    const verdicts = Object.values(comparePolicies(...inputs.sides, inputs.options));
    times.push(performance.now() - start);
    unknown += verdicts.filter(({ verdict }) => verdict === "unknown").length;
  }
  times.sort((left, right) => left - right);
  const at = (share) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  console.log("\npolicy pairs   unknown   p50 ms   p95 ms   max ms");
  const cells = [
    [times.length, 12],
    [unknown, 10],
    [at(0.5), 9],
    [at(0.95), 9],
    [at(0.9999), 9],
  ];
  console.log(cells.map(([cell, width]) => String(cell).padStart(width)).join(""));
}
