/**
 * Records the responses of a real API server to the typical mistakes as vectors, in the format of
 * conformance/corpora/vectors, and keeps those on which our server agrees.
 *
 *     node conformance/differential/writes/record.mjs --reference URL --server URL --token T --output FILE.json.gz
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { Client } from "./client.mjs";
import { allCases, areAlike } from "./probes.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    output: { type: "string" },
  },
});
const reference = new Client(values.reference, values.token, "none");
const ours = new Client(values.server, values.token, "none");
const VOLATILE = new Set(["managedFields", "selfLink", "storageVersionHash"]);
/**
 * Accepted objects of these kinds have addresses, ports and times that the server chooses, or are written by
 * controllers.
 */
const CHOSEN = /"kind":"(Service|PersistentVolume|Job|FlowSchema|APIService)"|"timeAdded"|"lastProbeTime"|<uid>/;
const cases = allCases();
const started = Date.now().toString(36);
const vectors = [];
let next = 0;
await Promise.all(Array.from({ length: 4 }, work));
vectors.sort((a, b) => (a.name < b.name ? -1 : 1));
writeFileSync(values.output, gzipSync(`${JSON.stringify({ suite: "mistakes", vectors })}\n`, { level: 9 }));
console.log(`${vectors.length} of ${cases.length} recorded`);

async function work() {
  for (let index = next++; index < cases.length; index = next++) {
    const each = cases[index];
    // As long as the names that are used when vectors are replayed.
    const name = `n${`${started}x${index}`.slice(-12).padStart(12, "0")}`;
    const [wanted, got] = [await reference.run(each, name), await ours.run(each, name)];
    if (wanted.some(({ code }) => code === 0) || !areAlike(each, wanted, got)) continue;
    // Leftovers of a refused object need not be requested repeatedly.
    const count = wanted[0].code >= 400 ? 1 : wanted.length;
    const expect = wanted.slice(0, count).map(plain);
    if (expect.some(({ object }) => object !== undefined && CHOSEN.test(JSON.stringify(object)))) continue;
    vectors.push({ name: each.name, setup: each.setup, steps: each.steps.slice(0, count), expect });
  }
}

/** Without random values and without managed fields. */
function plain(answer) {
  return answer.object === undefined ? answer : { ...answer, object: withoutVolatile(answer.object) };
}

function withoutVolatile(value) {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.keys(value).filter((key) => !VOLATILE.has(key));
  return Object.fromEntries(kept.map((key) => [key, withoutVolatile(value[key])]));
}
