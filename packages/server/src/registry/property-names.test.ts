/** The gate `CRDPropertyNameSchemas` while CRDs with key schemas are stored: off, nobody sees them; on again, they hold. */
import { expect, test } from "vitest";
import { type Client, DEFINITIONS, openClient, WIDGETS, widget, widgetDefinition } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";

const NAME = `${DEFINITIONS}/widgets.example.com`;
const KEYWORD = "x-kubernetes-property-names";
const AT = `spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.labels.${KEYWORD}`;

function withKeys(): ReturnType<typeof widgetDefinition> {
  const definition = widgetDefinition();
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          labels: {
            type: "object",
            additionalProperties: { type: "string" },
            [KEYWORD]: { type: "string", format: "k8s-label-key" },
          },
        },
      },
    },
  };
  definition.spec.versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  return definition;
}

const labelled = (name: string, key: string) => ({ ...widget(name), spec: { labels: { [key]: "x" } } });

/** A server on data that may have been another server's. */
function start(store: MemoryStore, isOn: boolean): Promise<Client> {
  return openClient({ store, gates: { CRDPropertyNameSchemas: isOn } });
}

async function stored(store: MemoryStore): Promise<string> {
  return (await store.get("/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com"))?.value ?? "";
}

test("with the gate off the field is unknown in bodies", async () => {
  const api = await openClient({ gates: { CRDPropertyNameSchemas: false } });
  const strict = await api.post(`${DEFINITIONS}?fieldValidation=Strict`, withKeys());
  expect([strict.code, strict.json.message]).toEqual([
    400,
    `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: unknown field "${AT}"`,
  ]);
  const warned = await api.post(DEFINITIONS, withKeys());
  expect(warned.code).toBe(201);
  expect(warned.warnings).toBe(`299 - "unknown field \\"${AT}\\""`);
  expect(warned.text).not.toContain(KEYWORD);
});

test("off, on and off again: the field goes from reads, stays in storage and is enforced again", async () => {
  const store = new MemoryStore();
  const before = await start(store, true);
  await before.post(DEFINITIONS, withKeys());
  await before.app.settled();
  expect((await before.post(WIDGETS, labelled("refused", "a b"))).json.message).toContain(
    'spec.labels key "a b" in body must be of type k8s-label-key: "a b"',
  );

  const off = await start(store, false);
  await off.app.settled();
  for (const path of [NAME, DEFINITIONS, `${NAME}/status`]) expect((await off.get(path)).text).not.toContain(KEYWORD);
  expect((await off.get("/openapi/v3/apis/example.com/v1")).text).not.toContain("Keys must");
  expect((await off.post(WIDGETS, labelled("tolerated", "a b"))).code).toBe(201);
  const read = (await off.get(NAME)).json;
  const put = await off.put(NAME, { ...read, metadata: { ...read.metadata, labels: { seen: "yes" } } });
  expect([put.code, put.json.metadata.generation]).toEqual([200, 1]);
  expect((await off.patch(NAME, { metadata: { annotations: { a: "b" } } })).text).not.toContain(KEYWORD);
  expect(await stored(store)).toContain('"format":"k8s-label-key"');

  const on = await start(store, true);
  await on.app.settled();
  expect((await on.get(NAME)).text).toContain(KEYWORD);
  expect((await on.post(WIDGETS, labelled("again", "a b"))).code).toBe(422);
  expect((await on.patch(`${WIDGETS}/tolerated`, { spec: { labels: { good: "x" } } })).code).toBe(200);
});

test("a map that is gone takes its key schema along while the gate is off", async () => {
  const store = new MemoryStore();
  const before = await start(store, true);
  await before.post(DEFINITIONS, withKeys());
  await before.app.settled();
  const off = await start(store, false);
  const read = (await off.get(NAME)).json;
  read.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.labels = { type: "string" };
  expect((await off.put(NAME, read)).code).toBe(200);
  expect(await stored(store)).not.toContain(KEYWORD);
});
