/**
 * The generated writes, or the typical mistakes, as vectors without responses: `node vectors.mjs writes|mistakes COUNT
 * > FILE`. `record.mjs` records the responses to the mistakes; the format is that of conformance/corpora/vectors.
 */
import { generateCase } from "./generate.mjs";
import { definitions } from "./kinds.mjs";
import { allCases } from "./probes.mjs";
import { randomFrom } from "./random.mjs";

const [what, count = "400"] = process.argv.slice(2);
const vectors = what === "writes" ? generated(Number(count)) : allCases().map(asVector);
process.stdout.write(`${JSON.stringify({ suite: what, vectors }, null, 1)}\n`);

function generated(total) {
  return Array.from({ length: total }, (_, index) => {
    const each = generateCase(randomFrom(900_000 + index));
    return asVector({ ...each, name: `${index}: ${each.name}` });
  });
}

/** Custom kinds are defined first, each in its own group. */
function asVector({ name, setup, steps }) {
  const text = JSON.stringify(steps);
  const needed = definitions.filter(({ spec }) => text.includes(`/${spec.names.plural}`));
  const defined = needed.map((body) => ({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body,
    wait: "established",
  }));
  return { name, source: "authored", setup: [...defined, ...setup], steps };
}
