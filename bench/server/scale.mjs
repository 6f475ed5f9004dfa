/**
 * Many CRDs and many objects on one server: time, size, memory, and how long a small GET waits meanwhile.
 *
 * Generated CRDs, about 20 KB each, and objects are put into the embedded store without the server, because it is not the
 * rate of creation that is measured with them. CRDs of a folder are installed in all servers.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openSqliteStore } from "@portcullis/server";
import { probed } from "./probe.mjs";
import { inParallel } from "./workload.mjs";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const PROTOBUF2 = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const CRD_PREFIX = "/registry/apiextensions.k8s.io/customresourcedefinitions/";
/** How many are installed through the API beside those in the store. */
const MORE = 100;
/** CRDs of one group. */
const GROUP = 20;

/** The processor time is that of the server during one of the GETs, which on a busy machine take longer. */
const HEAD = ["", "ms", "MB sent", "GET delay ms", "GET CPU ms", "memory MB", "CPU ms"];
const row = (cells) => cells.map((cell, i) => (i === 0 ? String(cell).padEnd(40) : String(cell).padStart(14))).join("");
const print = (cells) => console.log(row(cells));

/** `source` is the number of CRDs to generate, or the folder to take them from. */
export async function manyDefinitions(contestants, folder, source) {
  if (!Number.isNaN(Number(source))) return generatedDefinitions(contestants[0], folder, Number(source));
  const bodies = readFolder(source);
  const bytes = bodies.reduce((sum, { text }) => sum + text.length, 0);
  console.log(`${bodies.length} CRDs, ${(bytes / bodies.length / 1024).toFixed(0)} KB each`);
  for (const { name, start } of contestants) {
    const own = path.join(folder, name.replace(" ", "-"));
    mkdirSync(own, { mode: 0o700 });
    console.log(`\n${name}`);
    print(HEAD);
    let server = await start(own);
    try {
      await measureDefinitions(server, bodies);
      if (server.restart === undefined) continue;
      server = await server.restart();
      print(["restart", server.startMillis.toFixed(0), "", "", "", server.memory().toFixed(0)]);
      await measureDocuments(server, bodies[0]);
    } finally {
      server.stop();
    }
  }
}

async function generatedDefinitions({ start }, folder, count) {
  const bodies = generate(count + MORE);
  const store = await openSqliteStore({ dataDir: path.join(folder, "data") });
  await inParallel(count, 256, (i) => store.create(`${CRD_PREFIX}${bodies[i].name}`, established(bodies[i].text)));
  await store.compact(await store.revision());
  await store.close();
  console.log(`${count} CRDs, ${(bodies[0].text.length / 1024).toFixed(0)} KB each`);
  const server = await start(folder);
  try {
    print(HEAD);
    print(["start", server.startMillis.toFixed(0), "", "", "", server.memory().toFixed(0), server.cpu()]);
    const { client } = server;
    const step = stepper(server);
    const get = (target, accept) => () => client.must("GET", target, undefined, undefined, accept);
    await step("discovery, first", get("/apis", AGGREGATED));
    await step("OpenAPI v3 index, first", get("/openapi/v3"));
    await step("OpenAPI v3 of one group, first", get(`/openapi/v3/apis/${bodies[0].group}/v1`));
    await step("list of 500 CRDs", get(`${CRDS}?limit=500`));
    await step(`install ${MORE} more`, () =>
      inParallel(MORE, 8, (i) => client.must("POST", CRDS, bodies[count + i].text)),
    );
    await step("discovery after that", get("/apis", AGGREGATED));
    await step("create an object of the first", () =>
      client.must("POST", `/apis/${bodies[0].group}/v1/namespaces/default/things0`, {
        apiVersion: `${bodies[0].group}/v1`,
        kind: "Thing0",
        metadata: { name: "a" },
        spec: { section0: { field1: 1 } },
      }),
    );
  } finally {
    server.stop();
  }
}

/** As the server stores it once its names are accepted. */
function established(text) {
  const { apiVersion, kind, metadata, spec } = JSON.parse(text);
  const time = "2026-01-01T00:00:00Z";
  const condition = (type, reason) => ({ lastTransitionTime: time, message: "", reason, status: "True", type });
  const conditions = [condition("NamesAccepted", "NoConflicts"), condition("Established", "InitialNamesAccepted")];
  const status = { acceptedNames: spec.names, conditions, storedVersions: ["v1"] };
  const own = { creationTimestamp: time, generation: 1, name: metadata.name, uid: `uid-${metadata.name}` };
  return JSON.stringify({
    apiVersion,
    kind,
    metadata: own,
    spec: { conversion: { strategy: "None" }, ...spec },
    status,
  });
}

async function measureDefinitions(server, bodies) {
  const { client } = server;
  const step = stepper(server);
  await step("install", () =>
    inParallel(bodies.length, 8, (i) => client.must("POST", CRDS, bodies[i].text, bodies[i].type)),
  );
  const last = bodies.at(-1).name;
  const isDone = async () => /"type":"Established","?/.test((await client.must("GET", `${CRDS}/${last}`)).toString());
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
  // kube-apiserver publishes documents some time after the CRD.
  const document = `/openapi/v3/apis/${bodies[0].group}/${bodies[0].version}`;
  while ((await client.send("GET", document)).code !== 200) await new Promise((resolve) => setTimeout(resolve, 500));
  await measureDocuments(server, bodies[0]);
}

async function measureDocuments(server, first) {
  const { client } = server;
  const step = stepper(server);
  const get = (target, accept) => () => client.must("GET", target, undefined, undefined, accept);
  await step("discovery, first", get("/apis", AGGREGATED));
  await step("discovery, again", get("/apis", AGGREGATED));
  await step("OpenAPI v3 index, first", get("/openapi/v3"));
  await step("OpenAPI v3 of one group, first", get(`/openapi/v3/apis/${first.group}/${first.version}`));
  await step("list of the first 500 CRDs", get(`${CRDS}?limit=500`));
  await step("OpenAPI v2, first", get("/openapi/v2"));
  await step("OpenAPI v2, again", get("/openapi/v2"));
  await step("OpenAPI v2 as protobuf, first", get("/openapi/v2", PROTOBUF2));
}

function stepper(server) {
  return async (name, work) => {
    const cpu = server.cpu();
    const { result, millis, delay, busy } = await probed(server, work);
    const sent = Buffer.isBuffer(result) ? (result.length / 1e6).toFixed(1) : "";
    const figures = [millis, delay, busy, server.memory(), server.cpu() - cpu].map((each) => each.toFixed(0));
    print([name, figures[0], sent, ...figures.slice(1)]);
    return result;
  };
}

function readFolder(folder) {
  return readdirSync(folder)
    .filter((file) => /\.(yaml|json)$/.test(file))
    .map((file) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      const [, name = ""] = /^ {2}name: (\S+)$/m.exec(text) ?? [];
      const [, group = ""] = /^ {2}group: (\S+)$/m.exec(text) ?? [];
      const [, version = ""] = /^ {4}name: (\S+)$/m.exec(text) ?? [];
      return { name, group, version, text: text.replace(/^---\n/, ""), type: "application/yaml" };
    });
}

function generate(count) {
  return Array.from({ length: count }, (_, i) => {
    const group = `g${Math.floor(i / GROUP)}.example.com`;
    const [plural, kind] = [`things${i}`, `Thing${i}`];
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, kind, singular: `thing${i}`, listKind: `${kind}List`, shortNames: [`t${i}`] },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema() } }],
      },
    };
    return { name: `${plural}.${group}`, group, version: "v1", text: JSON.stringify(crd), type: "application/json" };
  });
}

/** As generated from Go types: mostly descriptions. */
function schema() {
  const describe = (i) => `Field ${i} is what the controller reads to decide about the object it manages. `.repeat(2);
  const leaf = (i) =>
    [
      { type: "string", description: describe(i), maxLength: 253, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" },
      { type: "integer", format: "int32", description: describe(i), minimum: 0 },
      { type: "boolean", description: describe(i), default: false },
      { type: "array", description: describe(i), items: { type: "string" }, "x-kubernetes-list-type": "set" },
    ][i % 4];
  const many = (prefix, count, make) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, make(i)]));
  const section = (i) => ({ type: "object", description: describe(i), properties: many("field", 9, leaf) });
  const spec = { type: "object", properties: many("section", 7, section), required: ["section0"] };
  const status = { type: "object", properties: many("state", 8, leaf) };
  return { type: "object", description: describe(0), properties: { spec, status } };
}

export async function manyObjects({ start }, folder, count) {
  const data = path.join(folder, "data");
  const began = performance.now();
  const store = await openSqliteStore({ dataDir: data });
  await inParallel(count, 2_048, (i) => store.create(keyOf(i), mapOf(i)));
  await store.compact(await store.revision());
  await store.close();
  console.log(`${count} ConfigMaps stored in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const server = await start(folder);
  try {
    print(HEAD);
    print(["start", server.startMillis.toFixed(0), "", "", "", server.memory().toFixed(0), server.cpu()]);
    const list = stepper(server);
    const target = "/api/v1/namespaces/many/configmaps?limit=500";
    await list("first page of 500", () => server.client.must("GET", target));
    await list(`all ${count} in pages of 500`, () => readPages(server.client, target));
    await list(`all ${count} again`, () => readPages(server.client, target));
    await list("one object", () => server.client.must("GET", `/api/v1/namespaces/many/configmaps/${nameOf(7)}`));
  } finally {
    server.stop();
  }
}

async function readPages(client, target) {
  let token = "";
  let seen = 0;
  do {
    const page = await client.must("GET", `${target}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`);
    const text = page.toString();
    seen += text.split('"uid":').length - 1;
    [, token = ""] = /"continue":"([^"]*)"/.exec(text.slice(0, 2_000)) ?? [];
  } while (token !== "");
  return seen;
}

const nameOf = (i) => `map-${String(i).padStart(7, "0")}`;
const keyOf = (i) => `/registry/configmaps/many/${nameOf(i)}`;
const mapOf = (i) =>
  JSON.stringify({
    apiVersion: "v1",
    data: { key: `value ${i}` },
    kind: "ConfigMap",
    metadata: {
      creationTimestamp: "2026-01-01T00:00:00Z",
      name: nameOf(i),
      namespace: "many",
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    },
  });
