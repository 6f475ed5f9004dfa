import { afterEach, expect, test } from "vitest";
import { type Client, DEFINITIONS, type Json, openClient, type SendOptions } from "../app/app.testing.ts";
import { startServer } from "../node/start.ts";
import { ACKNOWLEDGE_ANNOTATION, type DefinitionUpgradeCheck } from "./crd-upgrade.ts";

const GADGETS = `${DEFINITIONS}/gadgets.example.com`;

function gadgets(spec: object, rest: object = {}, annotations?: Record<string, string>): Json {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com", ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec, ...rest } } },
          },
        },
      ],
    },
  };
}

const SIZE = { size: { type: "integer", maximum: 10 }, color: { type: "string" } };
const SMALLER = { ...SIZE, size: { type: "integer", maximum: 5 } };
const LARGER = { ...SIZE, size: { type: "integer", maximum: 50 } };

const open: Client[] = [];
afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close();
});

async function withGadgets(check?: DefinitionUpgradeCheck): Promise<Client> {
  const client = await openClient(check === undefined ? {} : { definitionUpgrades: check });
  open.push(client);
  await client.post(DEFINITIONS, gadgets(SIZE));
  await client.app.settled();
  return client;
}

/** A merge patch of the schema: nothing has to be read first. */
const update = (client: Client, body: Json, options?: SendOptions) => client.patch(GADGETS, body, options);

test("without the check every valid update is accepted", async () => {
  const client = await withGadgets();
  expect((await update(client, gadgets(SMALLER))).code).toBe(200);
});

test("an unsafe update is refused with an object that shows it", async () => {
  const client = await withGadgets({ mode: "error" });
  const { code, json } = await update(client, gadgets(SMALLER));
  expect(code).toBe(403);
  expect(json).toMatchObject({ kind: "Status", reason: "Forbidden" });
  expect(json.message).toMatch(
    /^customresourcedefinitions\.apiextensions\.k8s\.io "gadgets\.example\.com" is forbidden: unsafe CRD upgrade: v1 \.spec\.size: `maximum` changed from `10` to `5`; /,
  );
  expect(json.message).toContain('"spec":{"size":10}');
  expect(json.message).toContain("spec.size in body should be less than or equal to 5");
  expect(json.details.causes).toEqual([
    { reason: "upgrade/maximum", field: "v1 .spec.size", message: expect.stringContaining("`maximum` changed") },
  ]);
  const live = await client.get(GADGETS);
  expect(live.json.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maximum).toBe(10);
});

test("a dry run gives the same result", async () => {
  const client = await withGadgets({ mode: "error" });
  expect((await client.patch(`${GADGETS}?dryRun=All`, gadgets(SMALLER))).code).toBe(403);
});

test("a PUT is checked like a PATCH", async () => {
  const client = await withGadgets({ mode: "error" });
  const { json } = await client.get(GADGETS);
  json.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = SMALLER;
  expect((await client.put(GADGETS, json)).code).toBe(403);
});

test("server-side apply is checked too", async () => {
  const client = await withGadgets({ mode: "error" });
  const { code } = await client.send("PATCH", `${GADGETS}?fieldManager=me&force=true`, {
    body: gadgets(SMALLER),
    type: "application/apply-patch+yaml",
  });
  expect(code).toBe(403);
});

// biome-ignore format: a table
test.each([
  { name: "a proved one", body: gadgets(LARGER) },
  { name: "one that changes only labels", body: { metadata: { labels: { a: "b" } } } },
  { name: "a new optional field", body: gadgets({ ...SIZE, more: { type: "string" } }) },
])("a safe update is accepted: $name", async ({ body }) => {
  const client = await withGadgets({ mode: "error" });
  const { code, warnings } = await update(client, body);
  expect({ code, warnings }).toEqual({ code: 200, warnings: "" });
});

test("an update that drops data is refused and shows the result", async () => {
  const client = await withGadgets({ mode: "error" });
  const { json } = await client.get(GADGETS);
  delete json.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.color;
  const refused = await client.put(GADGETS, json);
  expect(refused.code).toBe(403);
  expect(refused.json.message).toContain("v1 .spec.color: `color` was removed");
});

test("mode warn accepts it with a warning", async () => {
  const client = await withGadgets({ mode: "warn" });
  const { code, warnings } = await update(client, gadgets(SMALLER));
  expect(code).toBe(200);
  expect(warnings).toContain("v1 .spec.size: `maximum` changed from `10` to `5`");
});

async function fingerprintOf(client: Client): Promise<string> {
  const { json } = await update(client, gadgets(SMALLER));
  return /\[([0-9a-f]{12})\]/.exec(json.message)?.[1] ?? "";
}

test("an acknowledged update is accepted", async () => {
  const client = await withGadgets({ mode: "error" });
  const fingerprint = await fingerprintOf(client);
  const body = gadgets(SMALLER, {}, { [ACKNOWLEDGE_ANNOTATION]: `0123456789ab, ${fingerprint}` });
  expect((await update(client, body)).code).toBe(200);
});

// biome-ignore format: a table
test.each([
  { name: "one with owner, reason and a day to come counts", expires: "2026-01-02", code: 200 },
  { name: "an expired one does not", expires: "2026-01-01", code: 403 },
])("acknowledgements as JSON: $name", async ({ expires, code }) => {
  const client = await withGadgets({ mode: "error" });
  const fingerprint = await fingerprintOf(client);
  const list = JSON.stringify([{ fingerprint, owner: "team", reason: "nobody uses it", expires }]);
  expect((await update(client, gadgets(SMALLER, {}, { [ACKNOWLEDGE_ANNOTATION]: list }))).code).toBe(code);
});

test("acknowledgements that cannot be read are refused", async () => {
  const client = await withGadgets({ mode: "error" });
  const { code, json } = await update(client, gadgets(SMALLER, {}, { [ACKNOWLEDGE_ANNOTATION]: "[{}]" }));
  expect(code).toBe(403);
  expect(json.message).toContain("the acknowledgements cannot be read: ");
});

const OPAQUE = {
  size: { type: "integer", maximum: 10 },
  color: { type: "string", format: "duration", pattern: "^.{2}$" },
};
const UNDECIDED = {
  ...OPAQUE,
  color: { ...OPAQUE.color, "x-kubernetes-validations": [{ rule: "self.getHours() < 100000" }] },
};

// biome-ignore format: a table
test.each([
  { failMode: "closed", code: 403 },
  { failMode: "open", code: 200 },
] as const)("what is neither proved nor shown: failMode $failMode", async ({ failMode, code }) => {
  const client = await openClient({ definitionUpgrades: { mode: "error", failMode } });
  open.push(client);
  await client.post(DEFINITIONS, gadgets(OPAQUE));
  const answer = await update(client, gadgets(UNDECIDED));
  expect(answer.code, answer.text).toBe(code);
  if (code === 403) expect(answer.json.message).toContain("neither proved safe nor shown unsafe");
});

test("startServer takes the same option", async () => {
  const server = await startServer({ tls: "none", definitionUpgrades: { mode: "error" } });
  try {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const made = await fetch(`${server.url}${DEFINITIONS}`, {
      method: "POST",
      headers,
      body: JSON.stringify(gadgets(SIZE)),
    });
    expect(made.status).toBe(201);
    await made.text();
    const response = await fetch(`${server.url}${GADGETS}`, {
      method: "PATCH",
      headers: { ...headers, "content-type": "application/merge-patch+json" },
      body: JSON.stringify(gadgets(SMALLER)),
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("unsafe CRD upgrade");
  } finally {
    await server.stop();
  }
});
