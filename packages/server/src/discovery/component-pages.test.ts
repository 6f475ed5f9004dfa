import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

const flags = new Map([
  ["secure-port", "6443"],
  ["bind-address", "<any>"],
]);

const open = (options: object = {}) =>
  openClient({ flags, processUsage: () => ({ cpu: 0, memory: 0, start: 1_767_323_045 }), ...options });

test("a browser gets text about the server and its flags", async () => {
  const client = await open();
  const { text } = await client.get("/statusz");
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      "apiserver statusz",
      "Started: Fri Jan  2 03:04:05 UTC 2026",
      "Paths: /flagz /healthz /livez /metrics /readyz /statusz /version",
    ]),
  );
  expect((await client.get("/flagz")).text).toMatch(/only\.\nbind-address: &lt;any&gt;\nsecure-port: 6443\n$/);
});

test.each([
  { accept: "application/json;g=config.k8s.io;v=v1beta1;as=Flagz", code: 200 },
  { accept: "application/json;g=config.k8s.io;v=v1beta1;as=Statusz", code: 406 },
  { accept: "application/json", code: 406 },
  { accept: "text/html", code: 406 },
  { accept: "text/html, text/*", code: 200 },
])("$accept gets $code", async ({ accept, code }) => {
  const client = await open();
  const response = await client.get("/flagz", { headers: { accept } });
  expect(response.code).toBe(code);
  if (accept.includes("Flagz")) {
    const { kind, apiVersion, flags: shown } = response.json;
    expect([kind, apiVersion, shown]).toEqual(["Flagz", "config.k8s.io/v1beta1", Object.fromEntries(flags)]);
  }
});

test.each([
  { what: "a gate that is off", options: { featureGates: new Map([["ComponentStatusz", false]]) } },
  { what: "an older version", options: { version: "1.35" } },
])("$what leaves the page out", async ({ options }) => {
  expect((await (await open(options)).get("/statusz")).code).toBe(404);
});
