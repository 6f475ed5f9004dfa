/**
 * Edits recorded requests at random, sends them to a real API server and to ours and prints the differences. Values come
 * from other requests, from under the same key, so that many edits get past the decoder.
 *
 *     node conformance/differential/writes/edit-vectors.mjs --reference URL --server URL --token T \
 *       [--suites patches,ratcheting] [--count N] [--seed S]
 *
 * A real server takes new CRDs into use with a delay. A case is therefore sent again before a difference counts.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { collectValues, editStep } from "./edits.mjs";
import { randomFrom } from "./random.mjs";

const ATTEMPTS = 3;
const SUITES = "cel-rules,crd-validation,field-validation,patches,prune-default-listtype,ratcheting,schema-values,ssa";
const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    suites: { type: "string", default: SUITES },
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const vectors = values.suites.split(",").flatMap(readSuite).filter(isEditable);
const pool = collectValues(vectors.flatMap(stepsOf));
const started = Date.now().toString(36);
let [next, differing] = [0, 0];
await Promise.all(Array.from({ length: 8 }, work));
console.log(`${values.count} edited vectors from seed ${values.seed}: ${differing} answered differently`);
process.exitCode = differing === 0 ? 0 : 1;

function readSuite(name) {
  const file = path.join(import.meta.dirname, `../../corpora/vectors/${name}.json.gz`);
  return JSON.parse(gunzipSync(readFileSync(file))).vectors;
}

function stepsOf({ setup = [], steps }) {
  return [...setup, ...steps];
}

/** Only what one user sends once, with something to edit in it. */
function isEditable(vector) {
  const steps = stepsOf(vector);
  const isPlain = ({ as, until, lines }) => as === undefined && until === undefined && lines === undefined;
  return vector.webhooks === undefined && steps.every(isPlain) && steps.some(hasBody);
}

function hasBody({ body, raw }) {
  return body !== undefined || raw !== undefined;
}

async function work() {
  for (let index = next++; index < Number(values.count); index = next++) {
    const number = Number(values.seed) * 100_000 + index;
    const each = edited(number);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answers = await askBoth(each, `${started}x${index}x${attempt}`);
      if (areAlikeInAnyOrder(...answers)) break;
      if (attempt < ATTEMPTS - 1) continue;
      differing++;
      showDifference(number, each, ...answers);
    }
  }
}

/** The answers of both servers, under a group and a name that are used once. */
function askBoth(each, id) {
  const ask = (url) => new Client(url, values.token, `e${id}.example.com`).run(each, `n${id}`);
  return Promise.all([ask(values.reference), ask(values.server)]);
}

/** Set-up requests may be edited too, so their answers are compared like the others. */
function edited(number) {
  const random = randomFrom(number);
  const vector = structuredClone(random.pick(vectors));
  const steps = stepsOf(vector);
  const targets = steps.filter(hasBody);
  for (let edits = 1 + random.below(3); edits > 0; edits--) editStep(random.pick(targets), pool, random);
  return { name: vector.name, setup: [], steps };
}
