import { decodeProtobuf, encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { openClient, openWithWidgets, WIDGETS } from "../app/app.testing.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MAPS = "http://test/api/v1/namespaces/default/configmaps";
const MAP = { group: "", version: "v1", kind: "ConfigMap" };

const headers = (more: Record<string, string> = {}): Record<string, string> => ({
  authorization: "Bearer admin",
  accept: PROTOBUF,
  ...more,
});

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function encoded(plain: object): Uint8Array<ArrayBuffer> {
  const object = fromPlain(plain);
  const bytes = isObject(object) ? encodeProtobuf(object) : undefined;
  if (bytes === undefined) throw new Error("not a built-in kind");
  return new Uint8Array(bytes);
}

test("a protobuf request gets a protobuf response", async () => {
  const { app } = await openClient();
  const body = encoded({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } });
  const request = new Request(MAPS, { method: "POST", headers: headers({ "content-type": PROTOBUF }), body });
  const response = await app.fetch(request);
  expect([response.status, response.headers.get("content-type")]).toEqual([201, PROTOBUF]);
  const object: JsonObject = decodeProtobuf(await bytesOf(response), MAP);
  expect(object).toMatchObject({ kind: "ConfigMap", data: { k: "v" }, metadata: { name: "a", namespace: "default" } });
});

test("lists are sent in protobuf too, and in JSON if that comes first", async () => {
  const { app } = await openClient();
  const response = await app.fetch(new Request(MAPS, { headers: headers() }));
  const list = decodeProtobuf(await bytesOf(response), { ...MAP, kind: "ConfigMapList" });
  expect(list["kind"]).toBe("ConfigMapList");
  const both = await app.fetch(new Request(MAPS, { headers: headers({ accept: `application/json, ${PROTOBUF}` }) }));
  expect(both.headers.get("content-type")).toBe("application/json");
});

test("custom resources have no protobuf form", async () => {
  const api = await openWithWidgets();
  expect((await api.get(WIDGETS, { headers: { accept: PROTOBUF } })).code).toBe(406);
  const both = await api.get(WIDGETS, { headers: { accept: `${PROTOBUF},application/json` } });
  expect(both.json.kind).toBe("WidgetList");
  expect((await api.send("POST", WIDGETS, { raw: "k8s", type: PROTOBUF })).code).toBe(415);
});

test("tables are JSON", async () => {
  const api = await openClient();
  const accept = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1`;
  const { json } = await api.get("/api/v1/namespaces", { headers: { accept } });
  expect(json.kind).toBe("Table");
});

test("a watch frames its messages by length", async () => {
  const { app } = await openClient();
  const url = "http://test/api/v1/namespaces?watch=true&fieldSelector=metadata.name=default";
  const response = await app.fetch(new Request(url, { headers: headers() }));
  expect(response.headers.get("content-type")).toBe(`${PROTOBUF};stream=watch`);
  const reader = response.body?.getReader();
  const chunk: unknown = (await reader?.read())?.value;
  await reader?.cancel();
  if (!(chunk instanceof Uint8Array)) throw new Error("no event");
  expect(new DataView(chunk.buffer, chunk.byteOffset).getUint32(0)).toBe(chunk.length - 4);
});
