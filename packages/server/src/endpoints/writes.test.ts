import { beforeEach, describe, expect, test } from "vitest";
import { type Client, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openWithWidgets();
});

describe("create", () => {
  test("returns 201 with defaults, a uid, generation 1 and a resourceVersion", async () => {
    const { code, json } = await api.post(WIDGETS, widget("a", { spec: {} }));
    expect(code).toBe(201);
    expect(json.spec).toEqual({ size: 1 });
    expect(json.metadata).toMatchObject({ name: "a", namespace: "default", generation: 1 });
    expect(json.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(json.metadata.resourceVersion)).toBeGreaterThan(0);
  });

  test("drops a status, which has its own endpoint", async () => {
    const { json } = await api.post(WIDGETS, widget("a", { status: { phase: "x" } }));
    expect(json.status).toBeUndefined();
  });

  test("of a name that is taken is refused", async () => {
    await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.post(WIDGETS, widget("a"));
    expect(code).toBe(409);
    expect(json).toMatchObject({
      kind: "Status",
      reason: "AlreadyExists",
      message: 'widgets.example.com "a" already exists',
      details: { name: "a", group: "example.com", kind: "widgets" },
    });
  });

  // A header comes as bytes, one for each character.
  test.each([
    { agent: "dr\u00c3\u00b6ger/1", manager: "dr\u00f6ger" },
    { agent: "\u00ff\u00fex/1", manager: "\ufffd\ufffdx" },
    { agent: "/x", manager: "unknown" },
  ])("by the program $agent is managed by $manager", async ({ agent, manager }) => {
    const { json } = await api.post(WIDGETS, widget("a", { spec: { size: 2 } }), { headers: { "user-agent": agent } });
    expect(json.metadata.managedFields[0].manager).toBe(manager);
  });

  test("in a missing namespace is refused", async () => {
    const { code, json } = await api.post(WIDGETS.replace("default", "nowhere"), widget("a"));
    expect([code, json.message]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  test("with generateName generates a name", async () => {
    const { json } = await api.post(WIDGETS, widget("", { metadata: { generateName: "w-" } }));
    expect(json.metadata.name).toMatch(/^w-.{5}$/);
  });

  test("with a generated name that is always taken gives up with a retry hint", async () => {
    const fixed = { uid: () => "u", now: () => "2026-01-02T03:04:05Z", suffix: () => "aaaaa" };
    const stuck = await openWithWidgets({ system: fixed });
    const body = widget("", { metadata: { generateName: "w-" } });
    expect((await stuck.post(WIDGETS, body)).code).toBe(201);
    const { code, json, headers } = await stuck.post(WIDGETS, body);
    expect(code).toBe(409);
    expect(json.message).toContain("was not able to generate a unique name");
    expect(headers.get("retry-after")).toBe("1");
  });

  test.each([
    { version: "1.30", code: 409 },
    { version: "1.31", code: 201 },
  ] as const)("with a generated name that is taken once is a $code in $version", async ({ version, code }) => {
    const suffixes = ["taken", "taken", "other"];
    const system = { uid: () => "u", now: () => "2026-01-02T03:04:05Z", suffix: () => suffixes.shift() ?? "last" };
    const client = await openWithWidgets({ system, version });
    const body = widget("", { metadata: { generateName: "w-" } });
    expect((await client.post(WIDGETS, body)).code).toBe(201);
    expect((await client.post(WIDGETS, body)).code).toBe(code);
  });

  test("with a resourceVersion is refused", async () => {
    const { code, json } = await api.post(WIDGETS, widget("a", { metadata: { resourceVersion: "5" } }));
    expect(code).toBe(500);
    expect(json.message).toBe("resourceVersion should not be set on objects to be created");
  });

  test("as a dry run stores nothing but detects names that are taken", async () => {
    const dry = `${WIDGETS}?dryRun=All`;
    const { code, json } = await api.post(dry, widget("a"));
    expect(code).toBe(201);
    expect(json.metadata.resourceVersion).toBeUndefined();
    expect((await api.get(`${WIDGETS}/a`)).code).toBe(404);
    await api.post(WIDGETS, widget("a"));
    expect((await api.post(dry, widget("a"))).code).toBe(409);
  });

  test("as a dry run returns the object as stored, also in a version that is not stored", async () => {
    const body = { ...widget("a", { spec: {} }), apiVersion: "example.com/v2" };
    const { json } = await api.post(`${WIDGETS.replace("v1", "v2")}?dryRun=All`, body);
    expect(json).toMatchObject({ apiVersion: "example.com/v2", spec: { size: 1 } });
  });

  test("of an invalid object names the fields", async () => {
    const { code, json } = await api.post(WIDGETS, widget("a", { spec: { size: -1 } }));
    expect(code).toBe(422);
    expect(json.details.causes).toMatchObject([{ reason: "FieldValueInvalid", field: "spec.size" }]);
  });
});

describe("unknown fields", () => {
  const body = widget("a", { spec: { nope: 1 } });

  test.each([
    { query: "", code: 201, warnings: '299 - "unknown field \\"spec.nope\\""' },
    { query: "?fieldValidation=Warn", code: 201, warnings: '299 - "unknown field \\"spec.nope\\""' },
    { query: "?fieldValidation=Ignore", code: 201, warnings: "" },
    { query: "?fieldValidation=Strict", code: 400, warnings: "" },
    { query: "?fieldValidation=Nope", code: 422, warnings: "" },
  ])("with $query answer $code", async ({ query, code, warnings }) => {
    const answer = await api.post(WIDGETS + query, body);
    expect([answer.code, answer.warnings]).toEqual([code, warnings]);
  });

  test("are never stored", async () => {
    await api.post(WIDGETS, body);
    expect((await api.get(`${WIDGETS}/a`)).json.spec).toEqual({ size: 1 });
  });
});

describe("update", () => {
  test("needs the current resourceVersion", async () => {
    const { json: made } = await api.post(WIDGETS, widget("a"));
    const without = await api.put(`${WIDGETS}/a`, widget("a"));
    expect([without.code, without.json.message]).toEqual([
      422,
      'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
    await api.patch(`${WIDGETS}/a`, { spec: { size: 2 } });
    const stale = await api.put(`${WIDGETS}/a`, made);
    expect([stale.code, stale.json.reason]).toEqual([409, "Conflict"]);
  });

  test("counts changes outside metadata as a new generation", async () => {
    await api.post(WIDGETS, widget("a"));
    expect((await api.patch(`${WIDGETS}/a`, { metadata: { labels: { x: "y" } } })).json.metadata.generation).toBe(1);
    expect((await api.patch(`${WIDGETS}/a`, { spec: { size: 2 } })).json.metadata.generation).toBe(2);
  });

  test("that changes nothing keeps the resourceVersion and sends no event", async () => {
    const { json: made } = await api.post(WIDGETS, widget("a"));
    const before = await api.store.revision();
    const { json } = await api.put(`${WIDGETS}/a`, made);
    expect(json.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect(await api.store.revision()).toBe(before);
  });

  test("checks the uid it names", async () => {
    const { json: made } = await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.put(`${WIDGETS}/a`, { ...made, metadata: { ...made.metadata, uid: "other" } });
    expect(code).toBe(409);
    expect(json.message).toContain("Precondition failed: UID in precondition: other");
  });

  test("of another name than the URL's is refused", async () => {
    await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.put(`${WIDGETS}/a`, widget("b"));
    expect([code, json.message]).toEqual([400, "the name of the object (b) does not match the name on the URL (a)"]);
  });

  test("of another namespace than the URL's is refused, even if there is no such object", async () => {
    const { code, json } = await api.put(`${WIDGETS}/a`, widget("b", { metadata: { namespace: "other" } }));
    expect([code, json.message]).toEqual([
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ]);
  });

  test("of a missing object is not found", async () => {
    expect((await api.put(`${WIDGETS}/a`, widget("a", { metadata: { resourceVersion: "1" } }))).code).toBe(404);
  });
});

describe("patch", () => {
  test("never conflicts without a resourceVersion, even with many concurrent writers", async () => {
    await api.post(WIDGETS, widget("a", { spec: {} }));
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.patch(`${WIDGETS}/a`, { metadata: { labels: { [`l${i}`]: "x" } } })),
    );
    expect(all.every(({ code }) => code === 200)).toBe(true);
    expect(Object.keys((await api.get(`${WIDGETS}/a`)).json.metadata.labels)).toHaveLength(20);
  });

  test("that fails has one fixed text", async () => {
    await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.patch(`${WIDGETS}/a`, [{ op: "remove", path: "/nope" }], {
      type: "application/json-patch+json",
    });
    expect([code, json.reason, json.message]).toEqual([
      422,
      "Invalid",
      "the server rejected our request due to an error in our request",
    ]);
  });

  test("of a type that custom resources do not support is refused", async () => {
    await api.post(WIDGETS, widget("a"));
    const type = "application/strategic-merge-patch+json";
    const { code, json } = await api.patch(`${WIDGETS}/a`, {}, { type });
    expect(code).toBe(415);
    expect(json.message).toContain("accepted media types include: application/json-patch+json");
  });

  test("of an unknown type for a built-in kind is refused by the router", async () => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
    await api.post("/api/v1/namespaces/default/configmaps", configMap);
    const { code, json } = await api.patch("/api/v1/namespaces/default/configmaps/c", {}, { type: "text/plain" });
    expect([code, json.message]).toEqual([415, "415: Unsupported Media Type"]);
  });

  test("of more than ten thousand operations is refused", async () => {
    await api.post(WIDGETS, widget("a"));
    const operations = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind", value: "Widget" }));
    const { code } = await api.patch(`${WIDGETS}/a`, operations, { type: "application/json-patch+json" });
    expect(code).toBe(413);
  });
});

describe("status", () => {
  test("changes nothing else, and nothing else changes it", async () => {
    await api.post(WIDGETS, widget("a", { spec: { size: 2 } }));
    const changed = await api.patch(`${WIDGETS}/a/status`, { spec: { size: 3 }, status: { phase: "up" } });
    expect(changed.json).toMatchObject({ spec: { size: 2 }, status: { phase: "up" }, metadata: { generation: 1 } });
    await api.patch(`${WIDGETS}/a`, { status: { phase: "down" } });
    expect((await api.get(`${WIDGETS}/a/status`)).json.status).toEqual({ phase: "up" });
  });

  test("of another kind is refused by the name of that kind, but only for other reasons", async () => {
    const { json: made } = await api.post(WIDGETS, widget("a"));
    const other = { ...made, kind: "Other" };
    const { json } = await api.put(`${WIDGETS}/a/status`, { ...other, status: { phase: 1 } });
    expect(json.message).toContain('Other.example.com "a" is invalid: status.phase: Invalid value: "integer"');
    expect((await api.put(`${WIDGETS}/a/status`, { ...other, status: { phase: "up" } })).json).toMatchObject({
      kind: "Widget",
      status: { phase: "up" },
    });
  });
});

describe("scale", () => {
  test("shows and sets the replicas", async () => {
    await api.post(WIDGETS, widget("a", { spec: { replicas: 2 } }));
    const { json } = await api.get(`${WIDGETS}/a/scale`);
    expect(json).toMatchObject({ kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 2 } });
    await api.patch(`${WIDGETS}/a/scale`, { spec: { replicas: 5 } });
    expect((await api.get(`${WIDGETS}/a`)).json).toMatchObject({ spec: { replicas: 5 }, metadata: { generation: 2 } });
  });

  test("keeps its kind when a patch removes kind and version, and cannot change it", async () => {
    await api.post(WIDGETS, widget("a", { spec: { replicas: 2 } }));
    const bare = await api.patch(`${WIDGETS}/a/scale`, { kind: null, apiVersion: null, spec: { replicas: 4 } });
    expect([bare.code, bare.json.kind, bare.json.spec]).toEqual([200, "Scale", { replicas: 4 }]);
    const other = await api.patch(`${WIDGETS}/a/scale`, { kind: "Other" });
    expect(other.code).toBe(422);
    expect(other.json.message).toContain('no kind "Other" is registered for version "autoscaling/v1" in scheme');
  });

  test("cannot be read if no replicas are set", async () => {
    await api.post(WIDGETS, widget("a", { spec: {} }));
    const { code, json } = await api.get(`${WIDGETS}/a/scale`);
    expect(code).toBe(500);
    expect(json.message).toBe('Internal error occurred: the spec replicas field ".spec.replicas" does not exist');
  });
});

describe("delete", () => {
  test("returns a Status that names the deleted object", async () => {
    const { json: made } = await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.delete(`${WIDGETS}/a`);
    expect(code).toBe(200);
    expect(json).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "a", group: "example.com", kind: "widgets", uid: made.metadata.uid },
    });
    expect((await api.get(`${WIDGETS}/a`)).code).toBe(404);
  });

  test("without a body may have any media type", async () => {
    await api.post(WIDGETS, widget("a"));
    const { code } = await api.delete(`${WIDGETS}/a`, { headers: { "content-type": "text/plain" } });
    expect(code).toBe(200);
  });

  test("waits for finalizers and deletes the object with the last one", async () => {
    await api.post(WIDGETS, widget("a", { metadata: { finalizers: ["e.com/f"] } }));
    const { json } = await api.delete(`${WIDGETS}/a`);
    expect(json.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2, finalizers: ["e.com/f"] });
    expect(json.metadata.deletionTimestamp).toBeDefined();
    const added = await api.patch(`${WIDGETS}/a`, { metadata: { finalizers: ["e.com/f", "e.com/g"] } });
    expect(added.code).toBe(422);
    const again = await api.post(WIDGETS, widget("a"));
    expect(again.json.message).toBe('object is being deleted: widgets.example.com "a" already exists');
    expect((await api.patch(`${WIDGETS}/a`, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await api.get(`${WIDGETS}/a`)).code).toBe(404);
  });

  test("checks its preconditions", async () => {
    await api.post(WIDGETS, widget("a"));
    const { code, json } = await api.delete(`${WIDGETS}/a`, { body: { preconditions: { uid: "other" } } });
    expect(code).toBe(409);
    expect(json.message).toContain(
      'Operation cannot be fulfilled on Widget.example.com "a": the UID in the precondition',
    );
  });

  test("in the foreground leaves a finalizer for the garbage collector", async () => {
    await api.post(WIDGETS, widget("a"));
    const { json } = await api.delete(`${WIDGETS}/a?propagationPolicy=Foreground`);
    expect(json.metadata.finalizers).toEqual(["foregroundDeletion"]);
  });

  test("of a collection returns the deleted objects, by selector", async () => {
    for (const name of ["a", "b"]) await api.post(WIDGETS, widget(name, { metadata: { labels: { name } } }));
    const { json } = await api.delete(`${WIDGETS}?labelSelector=name%3Da`);
    expect(json).toMatchObject({ kind: "WidgetList", items: [{ metadata: { name: "a" } }] });
    expect((await api.get(WIDGETS)).json.items).toHaveLength(1);
  });
});

describe("bodies", () => {
  test("larger than three mebibytes are refused", async () => {
    const { code, json } = await api.post(WIDGETS, widget("a", { spec: { color: "x".repeat(3_200_000) } }));
    expect([code, json.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
  });

  test("may be YAML", async () => {
    const raw = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 7}\n";
    const { code, json } = await api.send("POST", WIDGETS, { raw, type: "application/yaml" });
    expect([code, json.spec.size]).toEqual([201, 7]);
  });

  test.each([
    { raw: "{", problem: "couldn't get version/kind; json parse error: unexpected end of JSON input ({)" },
    { raw: "", problem: "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)" },
    {
      raw: '{"kind":1,"kind":"Widget"}',
      problem:
        'couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1,"kind":"Widget"})',
    },
    {
      raw: '{"kind":"Widget","apiversion":"a/b/c"}',
      problem: 'unexpected GroupVersion string: a/b/c ({"kind":"Widget","apiversion": ...)',
    },
    { raw: "null", problem: "Object 'Kind' is missing in 'null' (6e756c6c)" },
  ])("that cannot be read say why: $raw", async ({ raw, problem }) => {
    const { code, json } = await api.send("POST", WIDGETS, { raw });
    expect(code).toBe(400);
    expect(json.message).toBe(`the object provided is unrecognized (must be of type Widget): ${problem}`);
  });

  test.each([
    {
      raw: '{"apiVersion":"example.com/v1","kind":"Widget","kind":"Other"}',
      message: 'Other in version "v1" cannot be handled as a Other: strict decoding error: duplicate field "kind"',
    },
    {
      raw: '{"kind":"Widget","kind":"Widget"}',
      message: "Object 'apiVersion' is missing in 'object has no apiVersion field'",
    },
    {
      raw: '{"apiVersion":"/v1","kind":"Widget"}',
      message: "the API version in the data (v1) does not match the expected API version (example.com/v1)",
    },
    {
      // By the schema of no version, all fields are unknown.
      raw: '{"apiVersion":"example.com/v9","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1}}',
      message: 'Widget in version "v9" cannot be handled as a Widget: strict decoding error: unknown field "spec"',
    },
  ])("are decoded as the kind they claim to be: $raw", async ({ raw, message }) => {
    const { code, json } = await api.send("POST", `${WIDGETS}?fieldValidation=Strict`, { raw });
    expect([code, json.message]).toEqual([400, message]);
  });
});
