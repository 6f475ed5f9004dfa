import { openApiV2 } from "@portcullis/engine/internal/openapi/document";
import { enumOf } from "@portcullis/engine/internal/openapi/enums";
import { openApiV2Protobuf } from "@portcullis/engine/internal/openapi/protobuf";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { SERVER_VERSION } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { expect, test } from "vitest";
import { DEFINITIONS, type Json, openWithWidgets, widgetDefinition } from "../app/app.testing.ts";
import { schemaPublisher, toPublished } from "./publisher.ts";

const PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const WIDGETS_V1 = "/openapi/v3/apis/example.com/v1";

async function hashOf(api: Awaited<ReturnType<typeof openWithWidgets>>, place: string): Promise<string> {
  const { paths } = JSON.parse((await api.get("/openapi/v3")).text);
  return paths[place]?.serverRelativeURL;
}

test("the list of documents leads to each by its hash", async () => {
  const api = await openWithWidgets();
  const url = await hashOf(api, "apis/example.com/v1");
  const { code, json, headers } = await api.get(url);
  expect([code, headers.get("cache-control")]).toEqual([200, "public, immutable"]);
  expect(json.components.schemas["com.example.v1.Widget"].properties.spec.properties.size.default).toBe(1);
});

test("an old hash redirects to the current one, and an unchanged document is not sent again", async () => {
  const api = await openWithWidgets();
  const stale = await api.get(`${WIDGETS_V1}?hash=ABC`);
  expect([stale.code, stale.headers.get("location")]).toEqual([301, await hashOf(api, "apis/example.com/v1")]);
  const etag = (await api.get(WIDGETS_V1)).headers.get("etag") ?? "";
  expect((await api.get(WIDGETS_V1, { headers: { "if-none-match": etag } })).code).toBe(304);
});

test("a changed CRD changes only its own documents", async () => {
  const api = await openWithWidgets();
  const before = [await hashOf(api, "apis/example.com/v1"), await hashOf(api, "api/v1")];
  const { json: stored } = await api.get(`${DEFINITIONS}/widgets.example.com`);
  for (const { schema } of stored.spec.versions) {
    schema.openAPIV3Schema.properties.spec.properties.extra = { type: "string" };
  }
  expect((await api.put(`${DEFINITIONS}/widgets.example.com`, stored)).code).toBe(200);
  expect(await hashOf(api, "apis/example.com/v1")).not.toBe(before[0]);
  expect(await hashOf(api, "api/v1")).toBe(before[1]);
  const { json } = await api.get("/openapi/v2");
  expect(json.definitions["com.example.v1.Widget"].properties.spec.properties.extra).toEqual({ type: "string" });
});

test("parameters of version 2 are referred to, but for those that clients look for", async () => {
  const api = await openWithWidgets();
  const { paths, parameters } = (await api.get("/openapi/v2")).json;
  const { post } = paths["/apis/example.com/v1/namespaces/{namespace}/widgets"];
  const named = post.parameters.map((each: Json) => each.name ?? each.$ref.replace(/-[\w-]{8}$/, ""));
  expect(named).toEqual(["body", "dryRun", "#/parameters/fieldManager", "fieldValidation"]);
  for (const { $ref } of post.parameters) {
    if ($ref !== undefined) expect(parameters[$ref.slice("#/parameters/".length)].in).toBe("query");
  }
});

test("a deleted CRD removes its documents", async () => {
  const api = await openWithWidgets();
  await api.delete(`${DEFINITIONS}/${widgetDefinition().metadata.name}`);
  await api.app.settled();
  expect(await hashOf(api, "apis/example.com/v1")).toBeUndefined();
  expect((await api.get(WIDGETS_V1)).code).toBe(404);
});

test("a document assembled from parts equals one built at once", async () => {
  const publisher = schemaPublisher(SERVER_VERSION);
  const api = await openWithWidgets();
  const types = api.app.context.registry.all();
  const whole = openApiV2(types.map(toPublished), { version: SERVER_VERSION, enumOf });
  const isSame = (await api.get("/openapi/v2")).text === canonicalJson(whole);
  expect(isSame).toBe(true);
  const protobuf = await publisher.v2Protobuf(types, () => undefined);
  expect(Buffer.from(openApiV2Protobuf(sorted(whole))).equals(protobuf)).toBe(true);
  const widgets = types.filter(({ group }) => group === "example.com");
  expect(widgets.length).toBeGreaterThan(0);
  const json = new TextDecoder().decode(await publisher.v3Json(widgets, () => undefined));
  expect(json).toBe(canonicalJson(publisher.v3(widgets)));
});

/** Entries come in the order of their names. */
function sorted(document: JsonObject): JsonObject {
  return JSON.parse(canonicalJson(document));
}

test.each([
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/com.github.proto-openapi.spec.v2@v1.0+protobuf", PROTOBUF],
  [PROTOBUF, PROTOBUF],
  [`application/json;q=0.5,${PROTOBUF}`, PROTOBUF],
  [`application/yaml,application/json,${PROTOBUF}`, "application/json"],
])("version 2 for %s is %s", async (accept, type) => {
  const api = await openWithWidgets();
  const { code, headers, text } = await api.get("/openapi/v2", { headers: { accept } });
  expect([code, headers.get("content-type"), headers.get("vary")]).toEqual([200, type, "Accept"]);
  expect(text).toContain("com.example.v1.Widget");
  const etag = headers.get("etag") ?? "";
  expect(etag).toBe((await api.get("/openapi/v2")).headers.get("etag"));
  expect((await api.get("/openapi/v2", { headers: { accept, "if-none-match": etag } })).code).toBe(304);
});

test("version 2 in protobuf follows the CRDs", async () => {
  const api = await openWithWidgets();
  const get = async () => (await api.get("/openapi/v2", { headers: { accept: PROTOBUF } })).text;
  expect(await get()).toContain("com.example.v1.Widget");
  await api.delete(`${DEFINITIONS}/widgets.example.com`);
  await api.app.settled();
  expect(await get()).not.toContain("com.example.v1.Widget");
});

test("version 2 is not acceptable in other formats", async () => {
  const api = await openWithWidgets();
  const { code, text } = await api.get("/openapi/v2", { headers: { accept: "application/vnd.kubernetes.protobuf" } });
  expect([code, text]).toEqual([406, ""]);
});
