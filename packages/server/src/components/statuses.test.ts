import { createServer } from "node:net";
import { expect, test } from "vitest";
import { type Json, openClient } from "../app/app.testing.ts";
import { checkComponent } from "../node/component-check.ts";

const PATH = "/api/v1/componentstatuses";

const open = () =>
  openClient({
    checkComponent: async (url) => ({ isHealthy: url.includes("10259"), message: url.includes("10259") ? "ok" : "no" }),
  });

test("the list has every component, in no version", async () => {
  const { json, warnings } = await (await open()).get(PATH);
  expect([json.kind, json.metadata]).toEqual(["ComponentStatusList", {}]);
  expect(json.items).toEqual([
    { metadata: { name: "scheduler" }, conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
    { metadata: { name: "controller-manager" }, conditions: [{ type: "Healthy", status: "False", message: "no" }] },
    { metadata: { name: "etcd-0" }, conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
  ]);
  expect(warnings).toContain("v1 ComponentStatus is deprecated in v1.19+");
});

test.each([
  ["?fieldSelector=metadata.name%3Detcd-0", ["etcd-0"]],
  ["?labelSelector=a%3Db", []],
  ["?limit=1", ["scheduler", "controller-manager", "etcd-0"]],
])("of the list %s picks %j", async (query, names) => {
  const { json } = await (await open()).get(`${PATH}${query}`);
  expect(json.items.map((each: Json) => each.metadata.name)).toEqual(names);
});

test("one component is shown alone and in a table", async () => {
  const client = await open();
  expect((await client.get(`${PATH}/etcd-0`)).json).toEqual({
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name: "etcd-0" },
    conditions: [{ type: "Healthy", status: "True", message: "ok" }],
  });
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const { json } = await client.get(`${PATH}/controller-manager`, { headers: { accept } });
  expect(json.columnDefinitions.map((each: Json) => each.name)).toEqual(["Name", "Status", "Message", "Error"]);
  expect(json.rows[0].cells).toEqual(["controller-manager", "Unhealthy", "no", ""]);
});

test.each([
  ["GET", `${PATH}/nope`, 404, 'componentstatus "nope" not found'],
  ["GET", `${PATH}?watch=1`, 405, 'watch is not supported on resources of kind "componentstatuses"'],
  ["POST", PATH, 405, "the server does not allow this method on the requested resource"],
])("%s %s is refused", async (method, path, code, message) => {
  const answer = await (await open()).send(method, path);
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test("without a health check the components are unknown", async () => {
  const { json } = await (await openClient()).get(`${PATH}/scheduler`);
  expect(json.conditions).toEqual([
    { type: "Healthy", status: "Unknown", error: "components cannot be reached from here" },
  ]);
});

test("an unreachable component is reported with Go's message", async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
  const url = `https://127.0.0.1:${port}/healthz`;
  expect(await checkComponent(url)).toEqual({
    isHealthy: false,
    message: `Get "${url}": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  });
});
