/**
 * Sends the same generated writes to a real API server and to ours and prints the differences.
 *
 *     node conformance/differential/writes/run.mjs --reference URL --server URL --token T [--count N] [--seed S] [--record FILE]
 *
 * With --record the cases and the real responses are written as vectors, in the format of conformance/corpora/vectors.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { generateCase } from "./generate.mjs";
import { definitions } from "./kinds.mjs";
import { randomFrom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    record: { type: "string" },
    show: { type: "string", default: "10" },
  },
});
const group = `w${Date.now().toString(36)}.example.com`;
const reference = new Client(values.reference, values.token, group);
const ours = new Client(values.server, values.token, group);
const seed = Number(values.seed);
let [differing, shown] = [0, 0];
const recorded = [];

for (const client of [reference, ours]) for (const definition of definitions) await client.define(definition);
await Promise.all(Array.from({ length: 4 }, (_, lane) => work(lane)));
for (const client of [reference, ours]) for (const definition of definitions) await client.undefine(definition);
console.log(`${values.count} writes from seed ${seed}: ${differing} answered differently`);
if (values.record !== undefined) {
  const vectors = recorded.sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(values.record, `${JSON.stringify({ suite: "writes", definitions, vectors })}\n`);
}
process.exitCode = differing === 0 ? 0 : 1;

async function work(lane) {
  for (let index = lane; index < Number(values.count); index += 4) {
    const number = seed * 100_000 + index;
    const each = generateCase(randomFrom(number));
    const name = `n${number.toString(36)}`;
    const [wanted, got] = [await reference.run(each, name), await ours.run(each, name)];
    if (wanted.some(({ code }) => code === 0)) continue;
    recorded.push({ ...each, name: `${each.name} ${number}`, expect: wanted });
    if (areAlikeInAnyOrder(wanted, got)) continue;
    differing++;
    if (shown++ < Number(values.show)) showDifference(number, each, wanted, got);
  }
}
