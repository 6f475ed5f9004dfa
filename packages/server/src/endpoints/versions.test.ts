import { expect, test } from "vitest";
import { type Json, openClient, openWithWidgets, WIDGETS } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { Entry } from "../storage/store.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const FUTURE = 1_000_000;

const tooLarge = (current: number, retryAfterSeconds?: number): Json => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: `Timeout: Too large resource version: ${FUTURE}, current: ${current}`,
  reason: "Timeout",
  details: {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    ...(retryAfterSeconds && { retryAfterSeconds }),
  },
  code: 504,
});

test.each(["resourceVersionMatch=Exact", "limit=1", "limit=1&resourceVersionMatch=Exact"])(
  "a list of exactly a version that is still to come is refused at once (%s)",
  async (query) => {
    const { get, store } = await openClient();
    const answer = await get(`${MAPS}?resourceVersion=${FUTURE}&${query}`);
    expect(answer.json).toEqual(tooLarge(await store.revision()));
    expect(answer.headers.get("retry-after")).toBeNull();
  },
);

test("so is the deletion of a collection", async () => {
  const { send, store } = await openClient();
  const answer = await send("DELETE", `${MAPS}?resourceVersion=${FUTURE}`);
  expect(answer.json).toEqual(tooLarge(await store.revision()));
});

test("a version from the future is awaited, and then refused with a retry hint", async () => {
  const { get, watch, store } = await openClient();
  const revision = await store.revision();
  const initial = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const stream = await watch(`${MAPS}?resourceVersion=${FUTURE}&${initial}`);
  const answers = await Promise.all([
    get(`${MAPS}?resourceVersion=${FUTURE}`),
    get(`${MAPS}?resourceVersion=${FUTURE}&limit=1&resourceVersionMatch=NotOlderThan`),
    get(`${MAPS}/a?resourceVersion=${FUTURE}`),
  ]);
  for (const { json, headers } of answers) {
    expect(json).toEqual(tooLarge(revision, 1));
    expect(headers.get("retry-after")).toBe("1");
  }
  expect(await stream.next()).toEqual({ type: "ERROR", object: tooLarge(revision, 1) });
  expect(await stream.next()).toBeUndefined();
});

test("a watch from a future version sends nothing, not even bookmarks", async () => {
  const { watch } = await openClient();
  const stream = await watch(`${MAPS}?watch=1&resourceVersion=${FUTURE}&allowWatchBookmarks=true&timeoutSeconds=3`);
  expect(await stream.next()).toBeUndefined();
});

const PROTOBUF = "application/vnd.kubernetes.protobuf";

// biome-ignore format: a table
test.each([
  { name: "a missing object",            path: `${MAPS}/none`,                        accept: PROTOBUF, code: 404, type: PROTOBUF },
  { name: "a bad selector",               path: `${MAPS}?labelSelector=a b`,           accept: PROTOBUF, code: 400, type: PROTOBUF },
  { name: "wrong credentials",            path: MAPS, token: "wrong",                  accept: PROTOBUF, code: 401, type: PROTOBUF },
  { name: "no permission",                path: MAPS, token: "alice",                  accept: PROTOBUF, code: 403, type: PROTOBUF },
  { name: "a custom resource",            path: WIDGETS,                               accept: PROTOBUF, code: 406, type: PROTOBUF },
  { name: "a custom resource or JSON",    path: `${WIDGETS}/none`, accept: `${PROTOBUF}, application/json`, code: 404, type: PROTOBUF },
  { name: "a form that a Status lacks",   path: `${WIDGETS}/none`, accept: `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, code: 404, type: "application/json" },
  { name: "YAML",                         path: `${MAPS}/none`,                        accept: "application/yaml", code: 404, type: "application/yaml" },
  { name: "a format that is not known",   path: `${MAPS}/none`,                        accept: "application/xml", code: 406, type: "application/json" },
  { name: "the version in protobuf",      path: "/version",                            accept: PROTOBUF, code: 406, type: PROTOBUF },
])("a refusal has the requested format: $name", async ({ path, accept, code, type, token }) => {
  const { get } = await openWithWidgets();
  const answer = await get(path, { headers: { accept }, ...(token === undefined ? {} : { token }) });
  expect([answer.code, answer.headers.get("content-type")]).toEqual([code, type]);
  if (type === PROTOBUF) expect(answer.text).toMatch(/^k8s\0/);
});

test("the metadata of custom resources has a protobuf form", async () => {
  const { get, post } = await openWithWidgets();
  await post(WIDGETS, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } });
  const accept = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
  const { code, text, headers } = await get(WIDGETS, { headers: { accept } });
  expect([code, headers.get("content-type")]).toEqual([200, PROTOBUF]);
  expect(text).toContain("PartialObjectMetadataList");
});

test.each([
  { method: "POST", path: `${MAPS}/a` },
  { method: "PUT", path: MAPS },
  { method: "PATCH", path: MAPS },
  { method: "POST", path: "/api/v1/configmaps" },
])("$path does not allow $method", async ({ method, path }) => {
  const { send } = await openClient();
  const { code, json } = await send(method, path, { body: {} });
  expect([code, json.message]).toEqual([405, "the server does not allow this method on the requested resource"]);
});

/** A store whose writes fail. */
class FailingStore extends MemoryStore {
  definite: boolean | undefined;
  needsOperator = false;

  override async create(key: string, value: string): Promise<Entry> {
    const { definite, needsOperator } = this;
    if (definite !== undefined) throw new StoreUnavailable("no leader", { definite, needsOperator });
    return super.create(key, value);
  }
}

test("an unavailable store is not a bug, and the response says whether to retry", async () => {
  const store = new FailingStore();
  const defects: unknown[] = [];
  const { post } = await openClient({ store, onDefect: (error) => defects.push(error) });
  store.definite = true;
  const later = await post(MAPS, { metadata: { name: "a" } });
  expect([later.code, later.json.reason, later.json.message, later.headers.get("retry-after")]).toEqual([
    500,
    "ServerTimeout",
    "The create operation against configmaps could not be completed at this time, please try again.",
    "2",
  ]);
  store.definite = false;
  const unknown = await post(MAPS, { metadata: { name: "a" } });
  expect([unknown.code, unknown.json.reason, unknown.json.message, unknown.headers.get("retry-after")]).toEqual([
    504,
    "Timeout",
    "Timeout: request did not complete within the allotted timeout",
    null,
  ]);
  [store.definite, store.needsOperator] = [true, true];
  const full = await post(MAPS, { metadata: { name: "a" } });
  expect([full.code, full.json.reason, full.json.message, full.headers.get("retry-after")]).toEqual([
    500,
    undefined,
    "no leader",
    null,
  ]);
  expect(defects).toEqual([]);
});
