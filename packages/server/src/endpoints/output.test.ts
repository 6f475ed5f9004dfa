/** Forms that a result does not have, and numbers that no float64 holds; recorded from kube-apiserver 1.36. */
import { beforeAll, expect, test } from "vitest";
import { type Client, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const as = (kind: string) => ({ headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` } });
const map = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more });

let api: Client;

beforeAll(async () => {
  api = await openWithWidgets();
  await api.post(WIDGETS, widget("one", { spec: { replicas: 1 } }));
});

test.each([
  { path: `${WIDGETS}/one`, code: 500, message: "content is not a list" },
  { path: `${WIDGETS}/one/status`, code: 500, message: "content is not a list" },
  {
    path: `${WIDGETS}/one/scale`,
    code: 406,
    message: "you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Scale)",
  },
])("$path as a list of metadata is refused with $code", async ({ path, code, message }) => {
  expect((await api.get(path, as("PartialObjectMetadataList"))).json).toMatchObject({ code, message });
});

const BAD_INCLUDE = `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`;

test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("%s refuses a bad includeObject of a table", async (method) => {
  const name = `table-${method.toLowerCase()}`;
  if (method !== "POST") await api.post(MAPS, map(name));
  const path = method === "POST" ? MAPS : `${MAPS}/${name}`;
  const body = ["POST", "PUT"].includes(method) ? { body: map(name) } : method === "PATCH" ? { body: {} } : {};
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const { json } = await api.send(method, `${path}?includeObject=Foo`, { ...as("Table"), ...body, type });
  expect(json).toMatchObject({ code: 400, reason: "BadRequest", message: BAD_INCLUDE });
  // The write itself has happened.
  expect((await api.get(`${MAPS}/${name}`)).code).toBe(method === "DELETE" ? 404 : 200);
});

const huge = (more: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"},${more}}`;

test.each([
  { body: huge('"foo":1e400'), code: 201, warning: 'unknown field \\"foo\\"' },
  { body: huge('"foo":{"a":[-1e999,2]}'), code: 201, warning: 'unknown field \\"foo\\"' },
  { body: huge('"foo":1e400,"foo":2'), code: 201, warning: 'unknown field \\"foo\\"' },
  {
    body: huge('"immutable":1e400'),
    code: 400,
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.immutable of type bool',
  },
])("a huge number in $body: $code", async ({ body, code, message, warning }) => {
  const answer = await api.send("POST", `${MAPS}?dryRun=All`, { raw: body });
  expect([answer.code, answer.json.message]).toEqual([code, message]);
  expect(answer.warnings).toBe(warning === undefined ? "" : `299 - "${warning}"`);
  const strict = await api.send("POST", `${MAPS}?dryRun=All&fieldValidation=Strict`, { raw: body });
  expect(strict.json.message).toContain(message ?? 'strict decoding error: unknown field "foo"');
});

test("a huge number in a known field of a built-in kind is shown as it was written", async () => {
  const spec = '{"terminationGracePeriodSeconds":1e400,"containers":[{"name":"a","image":"b"}]}';
  const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":${spec}}`;
  const { json } = await api.send("POST", "/api/v1/namespaces/default/pods", { raw: body });
  expect(json.message).toBe(
    'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number 1e400 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
  );
});

test("a huge number in a custom resource is refused wherever it is", async () => {
  const body = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"n"},"foo":1e400}';
  const { json } = await api.send("POST", WIDGETS, { raw: body });
  expect(json.message).toBe(
    'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number 1e400 into Go value of type float64',
  );
});
