/**
 * Edits objects of built-in kinds at random, with values from other objects, and writes them in every way: created, put in
 * place of the valid one, patched, applied, as JSON and as YAML.
 *
 *     node conformance/differential/writes/edit-probes.mjs --reference URL --server URL --token T [--count N] [--seed S] \
 *       [--only KIND,KIND]
 */
import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { collectValues, editStep } from "./edits.mjs";
import { allCases } from "./probes.mjs";
import { randomFrom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});
const probes = allCases().filter(isAlone);
const kinds = new Set(values.only === "" ? [] : values.only.split(","));
const objects = probes.filter(({ name }) => kinds.size === 0 || kinds.has(name.split(":")[0])).map(objectOf);
// Versions differ between the servers, and would be shown in messages.
const pool = collectValues(probes.map((each) => ({ body: withoutVersion(objectOf(each).wanted) })));
const started = Date.now().toString(36);
let [next, differing] = [0, 0];
await Promise.all(Array.from({ length: 8 }, work));
console.log(`${values.count} edited objects from seed ${values.seed}: ${differing} answered differently`);
process.exitCode = differing === 0 ? 0 : 1;

/** Neither written by controllers too, nor of a kind whose names are numbers that several cases share. */
function isAlone({ isShared, setup, steps }) {
  return (
    isShared !== true && JSON.stringify([setup, steps]).includes("{{n}}") && !steps[0].path.includes("ipaddresses")
  );
}

/** The object before and after the change of the probe, and where it is. */
function objectOf({ setup, steps }) {
  const [step] = steps;
  const wanted = step.body ?? JSON.parse(step.raw);
  const path = setup[0]?.path ?? step.path;
  return { before: setup[0]?.body, wanted, path, own: steps.at(-1).path, target: step.path };
}

async function work() {
  for (let index = next++; index < Number(values.count); index = next++) {
    const number = Number(values.seed) * 100_000 + index;
    const each = caseFrom(randomFrom(number));
    for (let attempt = 0; attempt < 2; attempt++) {
      const answers = await askBoth(each, `${started}x${index}x${attempt}`);
      if (answers[0].some(({ code }) => code === 0) || areAlikeInAnyOrder(...answers)) break;
      if (attempt === 0) continue;
      differing++;
      showDifference(number, each, ...answers);
    }
  }
}

function askBoth(each, id) {
  const ask = (url) => new Client(url, values.token, "none").run(each, `n${id}`);
  return Promise.all([ask(values.reference), ask(values.server)]);
}

function caseFrom(random) {
  const { before, wanted, path, own, target } = random.pick(objects);
  const edited = { body: structuredClone(withoutVersion(wanted)) };
  for (let edits = 1 + random.below(4); edits > 0; edits--) editBodyOf(edited, random);
  const { body } = edited;
  const get = { method: "GET", path: own };
  const query = random.bool(0.5) ? { fieldValidation: random.pick(["Strict", "Warn", "Ignore"]) } : {};
  const name = `${wanted.kind} ${path}`;
  if (before === undefined) {
    const yaml = random.bool(0.3);
    const contentType = yaml ? "application/yaml" : "application/json";
    const create = { method: "POST", path, query, contentType, body };
    if (random.bool(0.75)) return { name: `${name} created`, setup: [], steps: [create, get] };
    return { name: `${name} applied`, setup: [], steps: [apply(own, body, query), get] };
  }
  const setup = [{ method: "POST", path, body: before }];
  return { name: `${name} changed`, setup, steps: [change({ target, body, before, query }, random), get] };
}

/** Of the edits only those of the body: media types and queries are chosen elsewhere. */
function editBodyOf(step, random) {
  editStep(step, pool, random);
  delete step.query;
}

function change({ target, body, before, query }, random) {
  const ways = {
    put: () => ({ method: "PUT", path: target, query, body: random.bool(0.7) ? withVersion(body) : body }),
    merge: () => patch(target, "merge-patch+json", difference(before, body), query),
    strategic: () => patch(target, "strategic-merge-patch+json", difference(before, body), query),
    apply: () => apply(target, body, query),
  };
  return ways[random.pick(["put", "put", "put", "merge", "strategic", "apply"])]();
}

function apply(path, body, query) {
  return patch(path, "apply-patch+yaml", body, { ...query, fieldManager: "m", force: "true" });
}

function patch(path, type, body, query) {
  return { method: "PATCH", path, query, contentType: `application/${type}`, body };
}

function withVersion(body) {
  const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isMap(body) || !isMap(body.metadata)) return body;
  return { ...body, metadata: { ...body.metadata, resourceVersion: "{{rv}}" } };
}

function withoutVersion(body) {
  if (body?.metadata?.resourceVersion === undefined) return body;
  const { resourceVersion: _, ...metadata } = body.metadata;
  return { ...body, metadata };
}

/** A merge patch from one object to another. */
function difference(from, to) {
  const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isMap(from) || !isMap(to)) return to;
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
  return Object.fromEntries(changed.map((key) => [key, to[key] === undefined ? null : difference(from[key], to[key])]));
}
