/** Hostile work that is more than one request: many at once, watches, and writes that are really made. */
import { crowdedScenarios } from "./crowded-scenarios.mjs";
import { inParallel } from "./workload.mjs";

const JSON_TYPE = "application/json";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const MAPS = "/api/v1/namespaces/scenario/configmaps";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const LISTED = 3_000;
const AT_ONCE = 32;

async function create(api, target, body) {
  const { code } = await api.post(target, body);
  if (code !== 201 && code !== 409) throw new Error(`${target}: ${code}`);
}

/** 3,000 objects of 10 kB. */
async function makeMaps(api) {
  await create(api, "/api/v1/namespaces", { metadata: { name: "scenario" } });
  const data = { text: "x".repeat(10_000) };
  await inParallel(LISTED, 16, (i) =>
    create(api, MAPS, { metadata: { name: `m${i}`, labels: { app: `a${i % 7}` } }, data }),
  );
}

const listsAtOnce = (name, query, accept, headers = {}) => ({
  name: `${AT_ONCE} lists of ${LISTED} objects of 10 kB at once: ${name}`,
  needs: makeMaps,
  run: async (client) => {
    const isCut = () => ({ code: "cut" });
    const send = () => client.send("GET", `${MAPS}${query}`, undefined, JSON_TYPE, accept, headers).catch(isCut);
    return codesOf(await Promise.all(Array.from({ length: AT_ONCE }, send)));
  },
});

/** Each reads until it has seen as many events. */
async function watchAll(client, count, query, expected) {
  const watches = Array.from({ length: count }, async () => {
    let seen = 0;
    let finish = () => {};
    const done = new Promise((resolve) => {
      finish = resolve;
    });
    const watch = await client.watch(`${MAPS}?watch=1&${query}`, () => {
      if (++seen === expected) finish();
    });
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 60_000))]);
    watch.close();
    return seen;
  });
  return Math.min(...(await Promise.all(watches)));
}

const watchesOf = (name, count, queryOf) => ({
  name,
  needs: makeMaps,
  run: async (client) => watchAll(client, count, await queryOf(client), LISTED),
});

/** The revision before the first of the objects. */
async function beforeMaps(client) {
  const first = JSON.parse(await client.must("GET", `${MAPS}/m0`));
  return `resourceVersion=${first.metadata.resourceVersion}`;
}

function crd(index, { rules = 0, fields = 20, versions = 1 } = {}) {
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, i) => [
      `p${i}`,
      { type: "string", description: "d".repeat(200), maxLength: 64 },
    ]),
  );
  const spec = { type: "object", properties };
  if (rules > 0) {
    const rule = (i) => `self.p${i % fields} != 'x${i}' && (self.p0.size() < ${i + 5} || self.p1.startsWith('a'))`;
    spec["x-kubernetes-validations"] = Array.from({ length: rules }, (_, i) => ({ rule: rule(i) }));
  }
  const group = `s${index % 40}.scenario.example.com`;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `kinds${index}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: `kinds${index}`, kind: `Kind${index}` },
      versions: Array.from({ length: versions }, (_, i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: i === 0,
        schema,
      })),
    },
  };
}

const codesOf = (results) => [...new Set(results.map(({ code }) => code))].join(" ");

/** One after the other. */
async function inTurn(count, send) {
  const results = [];
  for (let i = 0; i < count; i++) results.push(await send(i));
  return codesOf(results);
}

const CONVERTED = crd(90_000, { versions: 2 });
const OLD = `/apis/${CONVERTED.spec.group}/v1/namespaces/default/kinds90000`;

async function makeConverted(api) {
  await create(api, CRDS, CONVERTED);
  await api.app.settled();
  await inParallel(10_000, 16, (i) =>
    create(api, OLD, {
      apiVersion: `${CONVERTED.spec.group}/v1`,
      kind: "Kind90000",
      metadata: { name: `o${i}` },
      spec: { p0: "a" },
    }),
  );
}

const SMALL = "/api/v1/namespaces/small/configmaps";

async function makeSmall(api) {
  await create(api, "/api/v1/namespaces", { metadata: { name: "small" } });
  await inParallel(20_000, 16, (i) => create(api, SMALL, { metadata: { name: `s${i}` } }));
}

const policy = (index) => ({
  metadata: { name: `scenario-${index}` },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
    },
    validations: Array.from({ length: 300 }, (_, i) => ({
      expression: `object.spec.replicas > ${i} || object.spec.template.spec.containers.all(c, c.name != 'n${i}')`,
    })),
  },
});

export const scenarios = [
  listsAtOnce("as JSON", "", JSON_TYPE),
  listsAtOnce("as tables", "", TABLE),
  listsAtOnce("compressed", "", JSON_TYPE, { "accept-encoding": "gzip" }),
  listsAtOnce("by a label, in pages of 500", "?limit=500&labelSelector=app%3Da3", JSON_TYPE),
  watchesOf(`a watch that begins with ${LISTED} objects`, 1, async () => "resourceVersion=0"),
  watchesOf(`${AT_ONCE} watches that begin with ${LISTED} objects`, AT_ONCE, async () => "resourceVersion=0"),
  watchesOf(`${AT_ONCE} watches that resume before ${LISTED - 1} events`, AT_ONCE, beforeMaps),
  {
    name: "50 CRDs in a row with 200 rules each",
    isOnce: true,
    run: (client) => inTurn(50, (i) => client.send("POST", CRDS, crd(1_000 + i, { rules: 200 }))),
  },
  {
    name: "800 CRDs in a row, and OpenAPI of all",
    isOnce: true,
    run: async (client) => {
      const codes = await inTurn(800, (i) => client.send("POST", CRDS, crd(2_000 + i, { fields: 60 })));
      await client.send("GET", "/openapi/v3");
      return `${codes}, ${(await client.send("GET", "/openapi/v2")).code}`;
    },
  },
  {
    name: "10 policies with 300 expressions each for all kinds",
    isOnce: true,
    run: (client) => inTurn(10, (i) => client.send("POST", `${ADMISSION}/validatingadmissionpolicies`, policy(i))),
  },
  {
    name: "list of 10,000 objects in another version",
    needs: makeConverted,
    run: async (client) => (await client.send("GET", OLD.replace("/v1/", "/v2/"))).code,
  },
  {
    name: "deletion of a collection of 20,000 objects",
    isOnce: true,
    needs: makeSmall,
    run: async (client) => (await client.send("DELETE", SMALL)).code,
  },
  ...crowdedScenarios,
];
