import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, NAME, NAMESPACE, NEEDS_OK, post, reviewOf, TestCluster } from "./cluster.testing.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
});
afterEach(() => cluster.stop());

test("a bound policy gets an entry that denies and allows with the server's messages", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  const denied = await cluster.admit("needs-ok");
  expect(denied).toMatchObject({
    allowed: false,
    response: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      status: {
        code: 422,
        reason: "Invalid",
        message: `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'needs-ok' with binding 'needs-ok-binding' denied request: no ok`,
      },
    },
  });
  expect(await cluster.admit("needs-ok", reviewOf({}, { ok: "yes" }))).toMatchObject({ allowed: true });
});

test("an entry matches the policy and excludes the webhook's own namespace", async () => {
  await cluster.startWebhook({ timeoutSeconds: 7 });
  const selector = { matchLabels: { tier: "web" } };
  const resourceRules = [
    { apiGroups: ["*"], apiVersions: ["v1"], resources: ["*"], operations: ["CREATE"], scope: "Namespaced" },
  ];
  const matchConstraints = {
    resourceRules,
    namespaceSelector: selector,
    objectSelector: selector,
    matchPolicy: "Exact",
  };
  await cluster.enforce("all.example.com", { ...NEEDS_OK, failurePolicy: "Ignore", matchConstraints });
  const own = { key: "kubernetes.io/metadata.name", operator: "NotIn", values: [NAMESPACE] };
  const condition = `!(request.resource.group in ["authentication.k8s.io", "authorization.k8s.io"])`;
  expect(await cluster.entry("all.example.com")).toMatchObject({
    name: "all.example.com",
    rules: resourceRules,
    failurePolicy: "Ignore",
    matchPolicy: "Exact",
    sideEffects: "None",
    timeoutSeconds: 7,
    namespaceSelector: { matchLabels: { tier: "web" }, matchExpressions: [own] },
    objectSelector: selector,
    matchConditions: [{ name: "no-access-reviews", expression: condition }],
  });
});

test("changes and removals take effect, in verdicts and in entries", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  expect(await cluster.admit("needs-ok")).toMatchObject({ allowed: false });
  await cluster.changePolicy("needs-ok", (spec) => {
    spec.failurePolicy = "Ignore";
    spec.validations[0].message = "changed";
  });
  await eventually(async () => {
    expect((await cluster.entry("needs-ok")).failurePolicy).toBe("Ignore");
    expect((await cluster.admit("needs-ok")).message).toContain("changed");
  });
  const stale = await cluster.entry("needs-ok");
  await cluster.removePolicy("needs-ok");
  await eventually(async () => expect(await cluster.entries()).toEqual([]));
  const ca = Buffer.from(stale.clientConfig.caBundle, "base64").toString();
  const afterRemoval = await post(stale.clientConfig.url, ca, JSON.stringify(reviewOf({})));
  expect(JSON.parse(afterRemoval.text).response).toMatchObject({ allowed: true });
});

test("a policy without a binding has no entry", async () => {
  await cluster.startWebhook();
  await cluster.addPolicy("unbound", NEEDS_OK);
  await cluster.enforce("bound", NEEDS_OK);
  await cluster.entry("bound");
  expect(await cluster.entries()).toHaveLength(1);
});

test("a changed or removed configuration is restored", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  await cluster.entry("needs-ok");
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${NAME}`;
  await cluster.send("PUT", path, { ...(await cluster.configuration()), webhooks: [] });
  await cluster.entry("needs-ok");
  await cluster.send("DELETE", path);
  await cluster.entry("needs-ok");
});

test("warnings and audit annotations are in the response, with keys without the policy's name", async () => {
  await cluster.startWebhook();
  const auditAnnotations = [{ key: "who", valueExpression: "'by ' + request.userInfo.username" }];
  await cluster.enforce("soft", { ...NEEDS_OK, auditAnnotations }, { validationActions: ["Warn", "Audit"] });
  const { response } = await cluster.admit("soft");
  expect(response.allowed).toBe(true);
  expect(response.warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'soft' with binding 'soft-binding': no ok",
  ]);
  expect(Object.keys(response.auditAnnotations).sort()).toEqual(["validation_failure", "who"]);
  expect(response.auditAnnotations.who).toBe("by alice");
});

const WITH_PARAMS = {
  paramKind: { apiVersion: "v1", kind: "ConfigMap" },
  validations: [{ expression: "params.data.allow == 'yes'", message: "params say no" }],
};

test.each([
  { action: "Deny", allowed: false, message: "no params found for policy binding with `Deny` parameterNotFoundAction" },
  { action: "Allow", allowed: true, message: "" },
])("missing params with parameterNotFoundAction $action, then params that are created and changed", async (row) => {
  await cluster.startWebhook();
  const paramRef = { name: "limits", namespace: "default", parameterNotFoundAction: row.action };
  await cluster.enforce("by-params", WITH_PARAMS, { paramRef });
  const missing = await cluster.admit("by-params");
  expect(missing.allowed).toBe(row.allowed);
  expect(missing.message).toContain(row.message);
  const path = "/api/v1/namespaces/default/configmaps";
  const params = await cluster.create(path, { metadata: { name: "limits" }, data: { allow: "no" } });
  await eventually(async () => expect((await cluster.admit("by-params")).message).toContain("params say no"));
  await cluster.send("PUT", `${path}/limits`, { ...params, data: { allow: "yes" } });
  await eventually(async () => expect((await cluster.admit("by-params")).allowed).toBe(true));
});

test("a paramKind that is not served fails by failurePolicy until its CRD is created", async () => {
  await cluster.startWebhook();
  const paramKind = { apiVersion: "example.com/v1", kind: "Limit" };
  const paramRef = { name: "main", parameterNotFoundAction: "Deny" };
  const validations = [{ expression: "params.spec.allow == true" }];
  await cluster.enforce("closed", { paramKind, validations }, { paramRef });
  await cluster.enforce("open", { paramKind, validations, failurePolicy: "Ignore" }, { paramRef });
  await eventually(async () => {
    expect((await cluster.admit("closed")).message).toContain(
      "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
    );
  });
  expect(await cluster.admit("open")).toMatchObject({ allowed: true });
  await cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", LIMIT_DEFINITION);
  await eventually(async () => {
    const made = { apiVersion: "example.com/v1", kind: "Limit", metadata: { name: "main" }, spec: { allow: true } };
    await cluster.create("/apis/example.com/v1/namespaces/default/limits", made);
  });
  await eventually(async () => expect(await cluster.admit("closed")).toMatchObject({ allowed: true }));
});

const LIMIT_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "limits.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "limits", singular: "limit", kind: "Limit", listKind: "LimitList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

test("a namespace that was just created is known", async () => {
  await cluster.startWebhook();
  await cluster.enforce("by-namespace", {
    validations: [{ expression: "namespaceObject.metadata.labels.tier == 'web'", message: "not web" }],
  });
  await cluster.entry("by-namespace");
  await cluster.create("/api/v1/namespaces", { metadata: { name: "fresh", labels: { tier: "web" } } });
  expect(await cluster.admit("by-namespace", reviewOf({ namespace: "fresh" }))).toMatchObject({ allowed: true });
});

test("expressions see the version that was matched, match conditions the one that was requested", async () => {
  await cluster.startWebhook();
  const rule = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"], operations: ["*"] };
  await cluster.enforce("versions", {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [{ name: "asked-for-beta", expression: "request.resource.version == 'v1beta1'" }],
    validations: [
      {
        expression: "request.resource.version != 'v1'",
        messageExpression: "request.resource.version + object.apiVersion",
      },
    ],
  });
  const converted = reviewOf({
    kind: { group: "apps", version: "v1", kind: "Deployment" },
    resource: { group: "apps", version: "v1", resource: "deployments" },
    requestKind: { group: "apps", version: "v1beta1", kind: "Deployment" },
    requestResource: { group: "apps", version: "v1beta1", resource: "deployments" },
    object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "settings", namespace: "default" } },
  });
  expect((await cluster.admit("versions", converted)).message).toContain("denied request: v1apps/v1");
});

test("a binding that names another version of the same objects applies", async () => {
  await cluster.startWebhook();
  const [version] = LIMIT_DEFINITION.spec.versions;
  const versions = [version, { ...version, name: "v2", storage: false }];
  const spec = { ...LIMIT_DEFINITION.spec, versions };
  await cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { ...LIMIT_DEFINITION, spec });
  const rule = (apiVersion: string): object => {
    return { apiGroups: ["example.com"], apiVersions: [apiVersion], resources: ["limits"], operations: ["*"] };
  };
  const policy = { matchConstraints: { resourceRules: [rule("v1")] }, validations: [{ expression: "false" }] };
  await cluster.enforce("limits", policy, { matchResources: { resourceRules: [rule("v2")] } });
  const kind = { group: "example.com", version: "v1", kind: "Limit" };
  const resource = { group: "example.com", version: "v1", resource: "limits" };
  const review = reviewOf({ kind, resource, requestKind: kind, requestResource: resource });
  await eventually(async () =>
    expect((await cluster.admit("limits", review)).message).toContain("failed expression: false"),
  );
});
