/** Typical mistakes in policies, each with the response recorded from a v1.36 API server. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Client, DEFINITIONS, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const MAPS = "/api/v1/namespaces/default/configmaps";
const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }];
const policy = (spec: object) => ({ metadata: { name: "x" }, spec: { matchConstraints: { resourceRules }, ...spec } });
const one = (expression: string) => ({ validations: [{ expression }] });

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

describe("malformed policies", () => {
  const handled =
    'ValidatingAdmissionPolicy in version "v1" cannot be handled as a ValidatingAdmissionPolicy: json: cannot unmarshal';

  test.each([
    {
      name: "no JSON",
      raw: '{"metadata": {',
      says: "couldn't get version/kind; json parse error: unexpected end of JSON input",
    },
    { name: "a list", raw: "[]", says: "json: cannot unmarshal array into Go value" },
    {
      name: "a spec that is a text",
      raw: '{"metadata":{"name":"x"},"spec":"x"}',
      says: `${handled} string into Go struct field ValidatingAdmissionPolicy.spec of type v1.ValidatingAdmissionPolicySpec`,
    },
    {
      name: "an expression that is a number",
      raw: JSON.stringify(policy({ validations: [{ expression: 5 }] })),
      says: `${handled} number into Go struct field Validation.spec.validations.expression of type string`,
    },
    {
      name: "validations that are no list",
      raw: JSON.stringify(policy({ validations: { a: 1 } })),
      says: `${handled} object into Go struct field ValidatingAdmissionPolicySpec.spec.validations of type []v1.Validation`,
    },
    {
      name: "another kind",
      raw: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}',
      says: 'Pod in version "v1" cannot be handled as a ValidatingAdmissionPolicy',
    },
  ])("$name", async ({ raw, says }) => {
    const { code, json } = await api.send("POST", POLICIES, { raw });
    expect([code, json.message]).toEqual([400, expect.stringContaining(says)]);
  });

  test("a missing spec is refused", async () => {
    const { code, json } = await api.post(POLICIES, { metadata: { name: "x" } });
    expect(code).toBe(422);
    expect(json.message).toBe(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "x" is invalid: [spec.matchConstraints: Required value, spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
    );
  });
});

describe("variables", () => {
  test.each([
    {
      name: "in a circle",
      variables: [
        ["a", "variables.b"],
        ["b", "variables.a"],
      ],
      says: "spec.variables[0].expression: Invalid value: \"variables.b\": compilation failed: ERROR: <input>:1:10: undefined field 'b'",
    },
    { name: "of itself", variables: [["a", "variables.a + 1"]], says: "undefined field 'a'" },
    {
      name: "that are missing",
      variables: [["c", "1"]],
      says: "spec.validations[0].expression: Invalid value: \"variables.a == 1\": compilation failed: ERROR: <input>:1:10: undefined field 'a'",
    },
    { name: "where there are none", variables: [], says: "undeclared reference to 'variables' (in container '')" },
  ])("$name are refused", async ({ variables, says }) => {
    const named = variables.map(([name, expression]) => ({ name, expression }));
    const { code, json } = await api.post(POLICIES, policy({ variables: named, ...one("variables.a == 1") }));
    expect([code, json.message]).toEqual([422, expect.stringContaining(says)]);
  });
});

async function enact(spec: object, binding: object = {}): Promise<void> {
  expect((await api.post(POLICIES, policy(spec))).code).toBe(201);
  const bound = { policyName: "x", validationActions: ["Deny"], ...binding };
  const made = await api.post(`${GROUP}/validatingadmissionpolicybindings`, { metadata: { name: "x" }, spec: bound });
  expect(made.code).toBe(201);
}

const HEAVY = "lists.range(300).all(x, lists.range(300).all(y, x >= 0 && y >= 0))";
const paramRef = (more: object) => ({ paramRef: { name: "a", parameterNotFoundAction: "Deny", ...more } });

test.each([
  {
    name: "one expression over its limit",
    spec: one("lists.range(10000).all(x, lists.range(10000).all(y, true))"),
    says: "expression 'lists.range(10000).all(x, lists.range(10000).all(y, true))' resulted in error: operation cancelled: actual cost limit exceeded",
  },
  {
    name: "validations over their budget",
    spec: { validations: Array.from({ length: 15 }, () => ({ expression: HEAVY })) },
    says: "validation failed due to running out of cost budget, no further validation rules will be run",
  },
  {
    name: "match conditions over theirs",
    spec: {
      matchConditions: Array.from({ length: 6 }, (_, i) => ({ name: `c${i}`, expression: HEAVY })),
      ...one("true"),
    },
    says: "validation failed due to running out of cost budget, no further validation rules will be run",
  },
  {
    name: "params of a kind that is not served",
    spec: { paramKind: { apiVersion: "none.example.com/v1", kind: "Nope" }, ...one("params.x == 1") },
    binding: paramRef({}),
    says: "failed to configure policy: failed to find resource referenced by paramKind: 'none.example.com/v1, Kind=Nope'",
  },
  {
    name: "a namespace for params that have none",
    spec: { paramKind: { apiVersion: "v1", kind: "Namespace" }, ...one("true") },
    binding: paramRef({ namespace: "default" }),
    says: "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
  },
  {
    name: "params of the wrong kind",
    spec: { paramKind: { apiVersion: "v1", kind: "Namespace" }, ...one("params.data.max == '1'") },
    binding: paramRef({ name: "default" }),
    says: "expression 'params.data.max == '1'' resulted in error: no such key: data",
  },
])("$name", async ({ spec, binding, says }) => {
  await enact(spec, binding);
  const { code, json } = await api.post(MAPS, { metadata: { name: "a" } });
  expect([code, json.message]).toEqual([422, expect.stringMatching(/denied request: /)]);
  expect(json.message.endsWith(says), json.message).toBe(true);
});

describe("objects of 3 MiB", () => {
  const blob = (size: number) => ({
    apiVersion: "example.com/v1",
    kind: "Blob",
    metadata: { name: "b" },
    spec: { blob: "x".repeat(size) },
  });
  const BLOBS = "/apis/example.com/v1/namespaces/default/blobs";

  beforeEach(async () => {
    const schema = {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { blob: { type: "string" } } } },
      },
    };
    const spec = {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "blobs", kind: "Blob" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    };
    await api.post(DEFINITIONS, { metadata: { name: "blobs.example.com" }, spec });
    await api.app.settled();
    const rules = [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["*"], resources: ["blobs"] }];
    const message = { messageExpression: "'blob of ' + string(size(object.spec.blob))" };
    const validations = [{ expression: "object.spec.blob.contains('needle')", ...message }];
    await enact({ matchConstraints: { resourceRules: rules }, validations });
  });

  test("an object within the limit is evaluated by policies", async () => {
    const { code, json } = await api.post(`${BLOBS}?dryRun=All`, blob(2_900_000));
    expect(code).toBe(422);
    expect(json.message).toContain("denied request: blob of 2900000");
  });

  test("an object over the limit is refused before any policy runs", async () => {
    const { code, json } = await api.post(`${BLOBS}?dryRun=All`, blob(3 * 1024 * 1024));
    expect([code, json.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
  });
});

test.each([
  { name: "no spec", spec: undefined },
  { name: "a spec that is a text", spec: "nonsense" },
  { name: "lists that are none", spec: { matchConstraints: { resourceRules: 5 }, validations: "x", variables: {} } },
  { name: "expressions that do not compile", spec: { matchConstraints: { resourceRules }, ...one("1 +") } },
  { name: "no constraints", spec: one("true") },
])("a stored policy with $name keeps the server neither from starting nor from answering", async ({ spec }) => {
  const store = new MemoryStore();
  const head = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "x" } };
  const first = await openClient({ store });
  const types = first.app.context.registry;
  const keyOf = (plural: string) => `${types.find("admissionregistration.k8s.io", "v1", plural)?.storagePrefix}x`;
  await store.create(
    keyOf("validatingadmissionpolicies"),
    JSON.stringify({ ...head, kind: "ValidatingAdmissionPolicy", spec }),
  );
  const bound = { policyName: "x", validationActions: ["Deny"] };
  await store.create(
    keyOf("validatingadmissionpolicybindings"),
    JSON.stringify({ ...head, kind: "ValidatingAdmissionPolicyBinding", spec: bound }),
  );
  const defects: unknown[] = [];
  const second = await openClient({ store, onDefect: (error) => defects.push(error) });
  await second.app.settled();
  const { code } = await second.post(MAPS, { metadata: { name: "a" } });
  expect([201, 422]).toContain(code);
  expect((await second.get(POLICIES)).code).toBe(200);
  expect((await second.delete(`${POLICIES}/x`)).code).toBe(200);
  expect((await second.post(MAPS, { metadata: { name: "b" } })).code).toBe(201);
  expect(defects).toEqual([]);
});
