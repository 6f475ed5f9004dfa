import { expect, test } from "vitest";
import { decodeDefinition } from "../crd/decode.ts";
import type { JsonObject } from "../value/json.ts";
import type { UpgradeFinding } from "./finding.ts";
import { compareDefinitions } from "./questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "./upgrade.testing.ts";

function findingsOf(old: JsonObject, next: JsonObject): readonly UpgradeFinding[] {
  return compareDefinitions(decodeDefinition(old).value, decodeDefinition(next).value, ENGINE).findings;
}

function codes(findings: readonly UpgradeFinding[]): string[] {
  return findings.map(({ code, verdict, path }) => `${code} ${verdict} ${path}`.trim()).sort();
}

const spec = (properties: PlainSchema, rest: PlainSchema = {}): PlainSchema => ({
  type: "object",
  properties: { spec: { type: "object", properties, ...rest } },
});

const withStatus = (rest: PlainSchema): PlainSchema => ({
  type: "object",
  properties: { spec: { type: "object" }, status: { type: "object", properties: { x: { type: "integer" } } } },
  ...rest,
});

// biome-ignore format: a table
test.each([
  { name: "the same CRD", old: crdOf(spec({})), next: crdOf(spec({})), want: [] },
  { name: "the scope", old: crdOf(spec({})), next: crdOf(spec({}), {}, { scope: "Cluster" }), want: ["upgrade/not-accepted unsafe", "upgrade/scope-changed unsafe"] },
  { name: "a version that is no longer served", old: crdOf(spec({})), next: crdOf(spec({}), { served: false }), want: ["upgrade/version-not-served unsafe"] },
  { name: "the status subresource removed", old: crdOf(spec({}), { subresources: { status: {} } }), next: crdOf(spec({})), want: ["upgrade/status-removed unsafe"] },
  { name: "a status subresource that drops a required status", old: crdOf(withStatus({ required: ["status"] })), next: crdOf(withStatus({ required: ["status"] }), { subresources: { status: {} } }), want: ["upgrade/required unsafe .", "upgrade/status-added unsafe"] },
  { name: "a status subresource that drops what a rule reads", old: crdOf(withStatus({ "x-kubernetes-validations": [{ rule: "has(self.status)" }] })), next: crdOf(withStatus({ "x-kubernetes-validations": [{ rule: "has(self.status)" }] }), { subresources: { status: {} } }), want: ["upgrade/rule unsafe .", "upgrade/status-added unsafe"] },
  { name: "a column removed", old: crdOf(spec({}), { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.a" }] }), next: crdOf(spec({})), want: ["upgrade/column-removed unsafe"] },
  { name: "a field removed", old: crdOf(spec({ a: { type: "string" } })), next: crdOf(spec({})), want: ["upgrade/field-removed unsafe .spec.a"] },
  { name: "a loosened bound is a change for readers", old: crdOf(spec({ a: { type: "integer", maximum: 5 } })), next: crdOf(spec({ a: { type: "integer", maximum: 9 } })), want: ["upgrade/maximum safe .spec.a", "upgrade/reader unsafe .spec.a"] },
  { name: "documentation", old: crdOf(spec({ a: { type: "string", description: "x" } })), next: crdOf(spec({ a: { type: "string", description: "y" } })), want: ["upgrade/noop noop"] },
  { name: "a rule that costs too much", old: crdOf(spec({ a: { type: "array", maxItems: 10, items: { type: "string", maxLength: 5 } } })), next: crdOf(spec({ a: { type: "array", items: { type: "string" }, "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, x == y))" }] } })), want: expect.arrayContaining(["upgrade/not-accepted unsafe"]) },
])("$name", ({ old, next, want }) => {
  expect(codes(findingsOf(old, next))).toEqual(want);
});

test("fields that the server sets on a CRD are not a change", () => {
  const system = {
    uid: "00000000-0000-4000-8000-000000000001",
    creationTimestamp: "2026-01-02T03:04:05Z",
    generation: 1,
  };
  const live = { ...crdOf(spec({})), metadata: { name: "widgets.example.com", ...system } };
  expect(codes(findingsOf(live, crdOf(spec({}))))).toEqual([]);
  expect(codes(findingsOf(crdOf(spec({})), live))).toEqual([]);
});

test("a stored version that is gone is found without a status", () => {
  const next = crdOf(spec({}), { name: "v2" });
  expect(codes(findingsOf(crdOf(spec({})), next))).toEqual(
    expect.arrayContaining(["upgrade/stored-version-removed unsafe", "upgrade/version-removed unsafe"]),
  );
});

// biome-ignore format: a table
test.each([
  { name: "a bound on a leaf blocks edits of the leaf", next: spec({ a: { type: "integer", maximum: 5 }, b: { type: "string" } }), severity: "blocks-touching-edit", refused: ["create", "field"] },
  { name: "a required field blocks every edit of its object", next: spec({ a: { type: "integer" }, b: { type: "string" } }, { required: ["b"] }), severity: "blocks-touching-edit", refused: ["create", "sibling"] },
  { name: "a required field of the root blocks the finalizer", next: { ...spec({ a: { type: "integer" }, b: { type: "string" } }), required: ["spec"] }, severity: "blocks-deletion", refused: ["create", "label", "finalizer"] },
])("$name", ({ next, severity, refused }) => {
  const old = crdOf(spec({ a: { type: "integer" }, b: { type: "string" } }), { subresources: { status: {} } });
  const found = findingsOf(old, crdOf(next, { subresources: { status: {} } })).find(({ blast }) => blast !== undefined);
  expect(found?.blast?.severity).toBe(severity);
  const stopped = found?.blast?.writes.filter(({ outcome }) => outcome === "refused").map(({ write }) => write);
  expect(stopped).toEqual(expect.arrayContaining(refused));
});

// biome-ignore format: a table
test.each([
  { name: "negative replicas were allowed and are refused now", replicas: { type: "integer" }, want: "upgrade/scale-values unsafe .spec.replicas" },
  { name: "the old schema already had the bounds", replicas: { type: "integer", minimum: 0, maximum: 10 }, want: "upgrade/scale-values safe .spec.replicas" },
])("a scale subresource is new: $name", ({ replicas, want }) => {
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { replicas } },
      status: { type: "object", properties: { replicas: { type: "integer", format: "int32", minimum: 0 } } },
    },
  };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const next = crdOf(schema, { subresources: { status: {}, scale } });
  const found = findingsOf(crdOf(schema, { subresources: { status: {} } }), next);
  expect(codes(found)).toEqual([want, "upgrade/scale-values safe .status.replicas"].sort());
  if (want.includes("unsafe")) expect(found[0]?.blast?.severity).toBe("blocks-deletion");
});

const SCALE = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

// biome-ignore format: a table
test.each([
  { name: "a field that was dropped", old: {}, next: { replicas: { type: "integer", format: "int32" } }, want: "unsafe" },
  { name: "a new field with the bounds", old: {}, next: { replicas: { type: "integer", format: "int32", minimum: 0 } }, want: "safe" },
  { name: "a null", old: { replicas: { type: "integer", minimum: 0, maximum: 5, nullable: true } }, next: undefined, want: "unsafe" },
  { name: "bounds that exclude their limit", old: { replicas: { type: "integer", minimum: -1, exclusiveMinimum: true, maximum: 2 ** 31, exclusiveMaximum: true } }, next: undefined, want: "safe" },
  { name: "a default", old: { replicas: { type: "integer", minimum: 0, maximum: 5 } }, next: { replicas: { type: "integer", default: -1 } }, want: "unsafe" },
])("what the scale subresource reads: $name", ({ old, next, want }) => {
  const found = findingsOf(crdOf(spec(old)), crdOf(spec(next ?? old), { subresources: { scale: SCALE } }));
  expect(codes(found)).toContain(`upgrade/scale-values ${want} .spec.replicas`);
});

test("the schema of the version that objects are stored in changes what other versions read", () => {
  const version = (name: string, served: boolean, properties: PlainSchema): PlainSchema => ({
    name,
    served,
    storage: !served,
    schema: { openAPIV3Schema: spec(properties) },
  });
  const both = (stored: PlainSchema): JsonObject => {
    const read = { a: { type: "integer" }, d: { type: "integer", maximum: 5 } };
    return crdOf({}, {}, { versions: [version("v1", true, read), version("v2", false, stored)] });
  };
  const numbers = { a: { type: "integer" }, d: { type: "integer" } };
  const lossy = findingsOf(both(numbers), both({ d: { type: "integer" } }));
  expect(codes(lossy)).toEqual(["upgrade/field-removed unsafe .spec.a"]);
  const filled = findingsOf(both(numbers), both({ ...numbers, d: { type: "integer", default: 7 } }));
  expect(codes(filled)).toEqual(["upgrade/default unsafe .spec", "upgrade/default unsafe .spec.d"]);
});

test("the fingerprint does not depend on the order of fields", () => {
  const old = crdOf(spec({ a: { type: "string" }, b: { type: "string" } }));
  const [one] = findingsOf(old, crdOf(spec({ a: { type: "string", maxLength: 3 }, b: { type: "string" } })));
  const [other] = findingsOf(old, crdOf(spec({ b: { type: "string" }, a: { maxLength: 3, type: "string" } })));
  expect(one?.fingerprint).toMatch(/^[0-9a-f]{12}$/);
  expect(other?.fingerprint).toBe(one?.fingerprint);
});

test("data loss between served versions is reported for its direction", () => {
  const version = (name: string, storage: boolean, properties: PlainSchema): PlainSchema => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: spec(properties) },
  });
  const both = (properties: PlainSchema): JsonObject =>
    crdOf({}, {}, { versions: [version("v1", true, properties), version("v1alpha1", false, {})] });
  const found = findingsOf(both({}), both({ a: { type: "string" } })).filter(({ questions }) =>
    questions.includes("Q8"),
  );
  expect(found.map(({ code, version: to, path }) => `${code} ${to} ${path}`)).toEqual([
    "upgrade/cross-version-lost v1alpha1 .spec.a",
  ]);
});

test("the comparison of a huge pattern and exploding combinators ends in bounded time", { timeout: 60_000 }, () => {
  const huge = "^(a|b)*a(a|b){400}$";
  const branches = Array.from({ length: 40 }, (_, index) => ({ required: [`p${index}`] }));
  const many = Object.fromEntries(branches.map((_, index) => [`p${index}`, { type: "string" }]));
  const old = crdOf(
    spec({
      s: { type: "string", pattern: "^(a|b)*b(a|b){400}$" },
      o: { type: "object", properties: many, oneOf: branches },
    }),
  );
  const next = crdOf(
    spec({
      s: { type: "string", pattern: huge },
      o: { type: "object", properties: many, oneOf: [...branches.slice(1), { required: ["p0", "p1"] }] },
    }),
  );
  const verdicts = findingsOf(old, next)
    .filter(({ change }) => change?.axis === "validity")
    .map(({ verdict }) => verdict);
  expect(verdicts.length).toBeGreaterThanOrEqual(2);
  expect(verdicts.every((verdict) => verdict === "unknown" || verdict === "unsafe")).toBe(true);
});
