import { expect, test } from "vitest";
import {
  type Client,
  DEFINITIONS,
  type Json,
  openClient,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../app/app.testing.ts";

/** Where what is stored and what is read back may differ: defaults of the status, free fields, several versions. */
async function open(): Promise<Client> {
  const definition = widgetDefinition();
  for (const { schema } of definition.spec.versions) {
    const { spec, status } = schema.openAPIV3Schema.properties;
    spec.properties.free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    spec.properties.ratio = { type: "number" };
    status.default = { phase: "New" };
  }
  const client = await openClient();
  await client.post(DEFINITIONS, definition);
  await client.app.settled();
  return client;
}

const V2 = WIDGETS.replace("/v1/", "/v2/");
const apply = { type: "application/apply-patch+yaml" };

// biome-ignore format: a table
const WRITES: { name: string; path?: string; body: Json; raw?: string; method?: string; type?: string }[] = [
  { name: "a plain object",                    body: { spec: { size: 2, free: { b: 1, a: [true, null, "<&>\u2028"] } } } },
  { name: "a status that is dropped",          body: { status: { phase: "Old" } } },
  { name: "unknown fields",                    body: { spec: { sise: 1 } } },
  { name: "every kind of metadata",            body: { metadata: { labels: { a: "b" }, annotations: { z: "", a: "\u0007" }, finalizers: ["a/b"], ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] } } },
  { name: "numbers as they are read",          body: {}, raw: '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"ratio":-0.0,"free":{"a":1.0,"b":1e3,"c":12345678901234567890,"d":[-0]}}}' },
  { name: "a version that is not stored",      body: { apiVersion: "example.com/v2", spec: { size: 3 } }, path: V2 },
  { name: "an apply with unknown fields",      body: { spec: { free: { x: 1 } } }, method: "PATCH", path: `${WIDGETS}/w?fieldManager=m&fieldValidation=Ignore`, ...apply },
];

test.each(WRITES)(
  "$name: the answer to a write is what is read afterwards",
  async ({ body, raw, path, method, type }) => {
    const client = await open();
    const sent = { raw: raw ?? JSON.stringify(widget("w", body)), ...(type !== undefined && { type }) };
    const made = await client.send(method ?? "POST", path ?? WIDGETS, sent);
    expect(made.code).toBe(201);
    const base = path === V2 ? V2 : WIDGETS;
    expect((await client.get(`${base}/w`)).text).toBe(made.text);
    const changed = await client.patch(`${base}/w`, { metadata: { labels: { now: "changed" } }, spec: { size: 7 } });
    expect((await client.get(`${base}/w`)).text).toBe(changed.text);
    const reported = await client.patch(`${base}/w/status`, { status: { phase: "Done" } });
    expect((await client.get(`${base}/w`)).text).toBe(reported.text);
  },
);

test.each([
  { accept: "application/yaml", text: /^apiVersion: example.com\/v1\n/ },
  { accept: "application/json;as=Table;v=v1;g=meta.k8s.io", text: /"kind":"Table"/ },
  { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", text: /"kind":"PartialObjectMetadata"/ },
  { accept: "application/json;pretty=1", text: /\n {2}"kind": "Widget"/ },
])("a write returns $accept on request", async ({ accept, text }) => {
  const client = await open();
  const made = await client.post(WIDGETS, widget("w"), { headers: { accept } });
  expect(made.text).toMatch(text);
});
