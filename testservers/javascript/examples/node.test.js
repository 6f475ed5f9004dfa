import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { testServer } from "portcullis-testserver";
import { CRD, countWidgets, createWidget } from "./widgets.js";

const api = testServer({ beforeAll: before, beforeEach, afterAll: after }, { load: [CRD] });

test("a widget is stored", async () => {
  await createWidget(api, "one", 1);
  assert.equal(await countWidgets(api), 1);
});

test("tests do not see each other's objects, and refusals have the server's message", async () => {
  assert.equal(await countWidgets(api), 0);
  await assert.rejects(createWidget(api, "none", 0), /should be greater than or equal to 1/);
});

test("an object that cannot be created is an error that says why", async () => {
  const bad = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "Bad_Name" } };
  await assert.rejects(api.create(bad), /ConfigMap Bad_Name: 422 .*lowercase RFC 1123 subdomain/);
  assert.match(api.output(), /configmaps/);
});
