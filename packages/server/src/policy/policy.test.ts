import { beforeEach, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { MemoryStore } from "../storage/memory.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

const policy = (spec: object): object => ({
  metadata: { name: "p" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    },
    ...spec,
  },
});

const binding = (spec: object = {}): object => ({
  metadata: { name: "b" },
  spec: { policyName: "p", validationActions: ["Deny"], ...spec },
});

const map = (name: string, data: object = {}): object => ({ metadata: { name }, data });

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

async function enact(spec: object, bound: object = {}): Promise<void> {
  expect((await api.post(`${GROUP}/validatingadmissionpolicies`, policy(spec))).code).toBe(201);
  expect((await api.post(`${GROUP}/validatingadmissionpolicybindings`, binding(bound))).code).toBe(201);
}

test("a policy is in force exactly while its binding exists", async () => {
  await enact({ validations: [{ expression: "object.metadata.name != 'bad'" }] });
  const { code, json } = await api.post(MAPS, map("bad"));
  expect([code, json.message]).toEqual([
    422,
    `configmaps "bad" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.metadata.name != 'bad'`,
  ]);
  await api.delete(`${GROUP}/validatingadmissionpolicybindings/b`);
  expect((await api.post(MAPS, map("bad"))).code).toBe(201);
});

test("a dry run is validated too", async () => {
  await enact({ validations: [{ expression: "false" }] });
  expect((await api.post(`${MAPS}?dryRun=All`, map("a"))).code).toBe(422);
});

test("params, namespaces and permissions are looked up when an expression needs them", async () => {
  await api.post(MAPS, map("limits", { max: "3" }));
  await api.patch("/api/v1/namespaces/default", { metadata: { labels: { tier: "gold" } } });
  const expression = [
    "params.data.max == '3'",
    "namespaceObject.metadata.labels.tier == 'gold'",
    "authorizer.group('').resource('secrets').check('get').allowed()",
  ].join(" && ");
  const paramRef = { name: "limits", namespace: "default", parameterNotFoundAction: "Deny" };
  await enact({ paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression }] }, { paramRef });
  expect((await api.post(MAPS, map("a"))).code).toBe(201);
  await api.patch("/api/v1/namespaces/default", { metadata: { labels: { tier: "tin" } } });
  expect((await api.post(MAPS, map("b"))).code).toBe(422);
});

test("a warning does not refuse", async () => {
  await enact({ validations: [{ expression: "false", message: "think twice" }] }, { validationActions: ["Warn"] });
  const { code, warnings } = await api.post(MAPS, map("a"));
  expect(code).toBe(201);
  expect(warnings).toContain("think twice");
});

test("a policy that does not compile is refused", async () => {
  const { code, json } = await api.post(
    `${GROUP}/validatingadmissionpolicies`,
    policy({ validations: [{ expression: "1 +" }] }),
  );
  expect([code, json.details.causes[0].field]).toEqual([422, "spec.validations[0].expression"]);
});

test("types are checked against the served kinds, and again when these change", async () => {
  await enact({ validations: [{ expression: "object.dta.size() > 0" }] });
  await api.app.settled();
  const { json } = await api.get(`${GROUP}/validatingadmissionpolicies/p`);
  expect(json.status.observedGeneration).toBe(1);
  expect(json.status.typeChecking.expressionWarnings[0]).toMatchObject({
    fieldRef: "spec.validations[0].expression",
    warning: expect.stringContaining("undefined field 'dta'"),
  });
});

test.each([
  { name: "a patch is an update", send: () => api.patch(`${MAPS}/a?fieldManager=me`, {}), kind: "UpdateOptions" },
  {
    name: "an apply patch that brings the object about is a creation",
    send: () =>
      api.send("PATCH", `${MAPS}/b?fieldManager=me&force=true`, {
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
        type: "application/apply-patch+yaml",
      }),
    kind: "CreateOptions",
  },
  {
    name: "a deletion has options of the internal version whatever the body says",
    send: () => api.send("DELETE", `${MAPS}/a`, { body: { kind: "DeleteOptions", apiVersion: "v1" } }),
    kind: "DeleteOptions",
  },
])("in request.options, $name", async ({ send, kind }) => {
  await api.post(MAPS, map("a"));
  const shown = "request.options.kind + ' ' + request.options.apiVersion + ' ' + string(has(request.options.force))";
  await enact({ validations: [{ expression: "false", messageExpression: `string(${shown})` }] });
  expect((await send()).json.message).toContain(`denied request: ${kind} meta.k8s.io/v1 false`);
});

test("deleting a namespace has its uid as precondition, deleting an unscheduled pod has no grace period", async () => {
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["namespaces", "pods"] },
  ];
  const validations = [
    {
      expression: "has(request.options.preconditions) && request.options.preconditions.uid == oldObject.metadata.uid",
      message: "no uid",
    },
    {
      expression: "has(request.options.gracePeriodSeconds) && request.options.gracePeriodSeconds == 0",
      message: "time given",
    },
  ];
  await enact({ matchConstraints: { resourceRules }, validations }, { validationActions: ["Warn"] });
  await api.post("/api/v1/namespaces", { metadata: { name: "n" } });
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  await api.post("/api/v1/namespaces/default/pods", pod);
  expect((await api.delete("/api/v1/namespaces/n?dryRun=All")).warnings).not.toContain("no uid");
  expect((await api.delete("/api/v1/namespaces/default/pods/p?dryRun=All")).warnings).not.toContain("time given");
});

test("the old scale of an update has no managed fields", async () => {
  const resourceRules = [
    { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments/scale"] },
  ];
  await enact({
    matchConstraints: { resourceRules },
    validations: [{ expression: "!has(oldObject.metadata.managedFields)" }],
  });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  await api.post("/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "d" }, spec });
  const scale = "/apis/apps/v1/namespaces/default/deployments/d/scale";
  expect((await api.patch(scale, { spec: { replicas: 3 } })).code).toBe(200);
});

test("a server with external policy status writes none", async () => {
  api = await openClient({ controllers: ["*", "-validatingadmissionpolicy-status-controller"] });
  await enact({ validations: [{ expression: "object.dta.size() > 0" }] });
  await api.app.settled();
  expect((await api.get(`${GROUP}/validatingadmissionpolicies/p`)).json.status).toEqual({});
});

test("a server of an older version has only its own CEL functions", async () => {
  api = await openClient({ version: "1.31" });
  const spec = { validations: [{ expression: "isSemver('1.0.0')" }] };
  const { json } = await api.post(`${GROUP}/validatingadmissionpolicies`, policy(spec));
  expect(json.message).toContain("undeclared reference to 'isSemver'");
});

test("policies apply to token requests", async () => {
  api = await openClient({ tokenKey: await openTokenKey(new MemoryStore()) });
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["serviceaccounts/token"] };
  const shown = "request.kind.kind + ' for ' + object.metadata.name + ' ' + string(object.spec.expirationSeconds)";
  const validations = [{ expression: "object.spec.expirationSeconds <= 3600", messageExpression: `string(${shown})` }];
  await enact({ matchConstraints: { resourceRules: [rule] }, validations });
  await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  const ask = (expirationSeconds: number) =>
    api.post("/api/v1/namespaces/default/serviceaccounts/robot/token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences: ["a"], expirationSeconds },
    });
  const { code, json } = await ask(7200);
  expect([code, json.message]).toEqual([
    422,
    `serviceaccounts "robot" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: TokenRequest for robot 7200`,
  ]);
  expect((await ask(3600)).code).toBe(201);
});
