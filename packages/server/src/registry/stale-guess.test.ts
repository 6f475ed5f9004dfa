/** Updates on a store where reads have to ask others: the version that is known here is tried first. */
import { beforeEach, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { Entry } from "../storage/store.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const KEY = "/registry/configmaps/default/a";

/** Shows what the test says instead of the newest version. */
class LaggingStore extends MemoryStore {
  known: Entry | undefined;

  peek(key: string): Entry | undefined {
    return key === KEY ? this.known : undefined;
  }
}

let store: LaggingStore;
let api: Client;

beforeEach(async () => {
  store = new LaggingStore();
  api = await openClient({ store });
  await api.post(MAPS, { metadata: { name: "a" }, data: { n: "1" } });
  store.known = await store.get(KEY);
  const { json } = await api.put(`${MAPS}/a`, { metadata: { name: "a" }, data: { n: "2" } });
  expect(json.data).toEqual({ n: "2" });
});

test("a patch is applied to the newest version", async () => {
  expect((await api.patch(`${MAPS}/a`, { data: { m: "3" } })).json.data).toEqual({ m: "3", n: "2" });
});

test("an update that would not have changed the older version is written", async () => {
  expect((await api.patch(`${MAPS}/a`, { data: { n: "1" } })).json.data).toEqual({ n: "1" });
  expect((await api.get(`${MAPS}/a`)).json.data).toEqual({ n: "1" });
});

test("the resourceVersion is compared with that of the newest version", async () => {
  const old = String(store.known?.revision);
  const { json } = await api.get(`${MAPS}/a`);
  const { resourceVersion } = json.metadata;
  const put = (version: string) =>
    api.put(`${MAPS}/a`, { metadata: { name: "a", resourceVersion: version }, data: { n: version } });
  expect((await put(old)).code).toBe(409);
  expect((await put(resourceVersion)).code).toBe(200);
});

test("an object that is gone is not found", async () => {
  await api.delete(`${MAPS}/a`);
  expect((await api.patch(`${MAPS}/a`, { data: { m: "3" } })).code).toBe(404);
});

test("a refusal of the newest version stands", async () => {
  store.known = await store.get(KEY);
  const answer = await api.patch(`${MAPS}/a`, { data: { "not a key": "3" } });
  expect([answer.code, answer.json.details.causes.length]).toEqual([422, 1]);
});
