/**
 * Sends random CRDs to a real API server and to ours, and random objects of those that are accepted.
 *
 *     node conformance/differential/writes/random-crds-run.mjs --reference URL --server URL --token T [--count N] [--seed S] \
 *       [--objects N]
 *
 * Without objects CRDs are only tried (a dry run). With objects each accepted CRD is created, and then edited: objects are
 * created, changed and read before and after.
 */
import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { randomFrom } from "./random.mjs";
import { randomCrd, randomSchema } from "./random-crds.mjs";
import { randomValue } from "./random-values.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    objects: { type: "string", default: "0" },
    lanes: { type: "string", default: "8" },
  },
});
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const started = Date.now().toString(36);
const counts = { crds: 0, accepted: 0, requests: 0, differing: 0 };
let next = 0;
await Promise.all(Array.from({ length: Number(values.lanes) }, work));
console.log(`${JSON.stringify(counts)} from seed ${values.seed}`);
process.exitCode = counts.differing === 0 ? 0 : 1;

async function work() {
  for (let index = next++; index < Number(values.count); index = next++) {
    const number = Number(values.seed) * 100_000 + index;
    const random = randomFrom(number);
    const crd = randomCrd(random);
    const tried = {
      name: "crd",
      setup: [],
      steps: [{ method: "POST", path: CRDS, query: { dryRun: "All" }, body: crd }],
    };
    counts.crds++;
    const [{ code }] = await compare(number, tried, `${index}`);
    if (code !== 201) continue;
    counts.accepted++;
    if (Number(values.objects) > 0) await compare(number, withObjects(crd, random), `${index}o`);
  }
}

/** The answers of the real server. */
async function compare(number, each, id) {
  const name = `c${started}x${id}x`;
  for (let attempt = 0; ; attempt++) {
    const ask = (url) => new Client(url, values.token, `e${name}${attempt}.example.com`).run(each, name);
    const [wanted, got] = await Promise.all([ask(values.reference), ask(values.server)]);
    counts.requests += wanted.length;
    // A real server panics on some.
    if (wanted.some(({ code }) => code === 0) || areAlikeInAnyOrder(wanted, got)) return wanted;
    // A real server takes new schemas into use with a delay.
    if (attempt < 2) continue;
    counts.differing++;
    showDifference(number, each, wanted, got);
    if (process.env.SHOW_CASE !== undefined) console.log(JSON.stringify(each));
    return wanted;
  }
}

function withObjects(crd, random) {
  const version = crd.spec.versions.find(({ served }) => served) ?? crd.spec.versions[0];
  const isCluster = crd.spec.scope === "Cluster";
  const path = `/apis/{{g}}/${version.name}${isCluster ? "" : "/namespaces/default"}/{{n}}s`;
  const schema = version.schema?.openAPIV3Schema ?? {};
  const make = (from) => objectOf(from, version, crd, random);
  const steps = [{ method: "POST", path: CRDS, body: crd, wait: "established" }];
  for (let count = Number(values.objects); count > 0; count--) steps.push(...writes(path, make, schema, random));
  const edited = editedCrd(crd, random);
  steps.push({
    method: "PUT",
    path: `${CRDS}/${crd.metadata.name}`,
    raw: JSON.stringify(versioned(edited)),
    wait: "established",
  });
  const after = edited.spec.versions[0].schema?.openAPIV3Schema ?? {};
  for (let count = Math.ceil(Number(values.objects) / 2); count > 0; count--)
    steps.push(...writes(path, make, random.bool(0.5) ? schema : after, random));
  steps.push({ method: "DELETE", path: `${CRDS}/${crd.metadata.name}`, query: {} });
  return { name: "crd with objects", setup: [], steps };
}

function versioned(object) {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "{{rv}}" } };
}

function writes(path, make, schema, random) {
  const query = { fieldValidation: random.pick(["Strict", "Warn", "Ignore"]) };
  const own = `${path}/{{n}}`;
  const status = random.bool(0.2) ? "/status" : "";
  const ways = [
    () => ({ method: "POST", path, query, body: make(schema) }),
    () => ({ method: "POST", path, query, body: make(schema) }),
    () => ({ method: "PUT", path: `${own}${status}`, query, raw: JSON.stringify(versioned(make(schema))) }),
    () => ({ method: "PUT", path: `${own}${status}`, query, raw: JSON.stringify(versioned(make(schema))) }),
    () =>
      patch(
        `${own}${status}`,
        "merge-patch+json",
        { spec: make(schema).spec, metadata: { labels: { a: "b" } } },
        query,
      ),
    () =>
      patch(
        `${own}${status}`,
        "merge-patch+json",
        { metadata: { annotations: { c: random.pick(["d", "e", null]) } } },
        query,
      ),
    () =>
      patch(own, "apply-patch+yaml", make(schema), {
        ...query,
        fieldManager: random.pick(["m1", "m2"]),
        ...(random.bool(0.5) && { force: "true" }),
      }),
    () =>
      patch(
        own,
        "json-patch+json",
        [
          {
            op: random.pick(["add", "replace", "remove", "test"]),
            path: random.pick(["/spec", "/spec/a", "/spec/a/0", "/status"]),
            value: make(schema).spec ?? null,
          },
        ],
        query,
      ),
    () => patch(own, "strategic-merge-patch+json", {}, query),
    () => ({ method: "GET", path: own }),
    () => ({ method: "GET", path: `${own}/scale` }),
    () => patch(`${own}/scale`, "merge-patch+json", { spec: { replicas: random.pick([0, 3, -1]) } }, query),
    () => ({ method: "DELETE", path: own }),
  ];
  return [random.pick(ways)(), { method: "GET", path: own }];
}

function patch(path, type, body, query) {
  return { method: "PATCH", path, query, contentType: `application/${type}`, body };
}

function objectOf(schema, { name }, { spec }, random) {
  const value = randomValue({ ...schema, type: "object", enum: undefined, nullable: false }, random);
  const own = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  return { ...own, apiVersion: `{{g}}/${name}`, kind: spec.names.kind, metadata: { name: "{{n}}" } };
}

/** With another schema in one place. */
function editedCrd(crd, random) {
  const copy = structuredClone(crd);
  const schema = copy.spec.versions[0].schema?.openAPIV3Schema;
  if (schema?.properties === undefined) return copy;
  const target = schema.properties.spec;
  const names = Object.keys(target?.properties ?? {});
  if (names.length > 0 && random.bool(0.8)) target.properties[random.pick(names)] = randomSchema(random, 1);
  else schema.properties.spec = randomSchema(random, 2);
  return copy;
}
