import type { AdmissionPlugin } from "@portcullis/engine/internal/review/cluster-view";
import { metaOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

const map = (name: string, data: object = {}): object => ({ metadata: { name }, data });

async function enact(api: Client, expression: string, spec: object = {}, name = "p"): Promise<void> {
  const patchType = expression.startsWith("[") ? "JSONPatch" : "ApplyConfiguration";
  const mutation = {
    patchType,
    ...(patchType === "JSONPatch" ? { jsonPatch: { expression } } : { applyConfiguration: { expression } }),
  };
  const rule = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["configmaps"] };
  const policy = {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule] }, mutations: [mutation], reinvocationPolicy: "Never", ...spec },
  };
  expect((await api.post(`${GROUP}/mutatingadmissionpolicies`, policy)).code).toBe(201);
  const binding = { metadata: { name: `${name}-b` }, spec: { policyName: name } };
  expect((await api.post(`${GROUP}/mutatingadmissionpolicybindings`, binding)).code).toBe(201);
}

test("a policy is in force exactly while its binding exists", async () => {
  const api = await openClient();
  await enact(api, `Object{data: {"x": request.operation}}`);
  expect((await api.post(MAPS, map("a"))).json.data).toEqual({ x: "CREATE" });
  expect((await api.patch(`${MAPS}/a`, { data: { y: "1" } })).json.data).toEqual({ x: "UPDATE", y: "1" });
  await api.delete(`${GROUP}/mutatingadmissionpolicybindings/p-b`);
  expect((await api.post(MAPS, map("b"))).json.data).toBeUndefined();
});

test("validating policies see the mutated object, and mutated fields have no owner", async () => {
  const api = await openClient();
  await enact(api, `Object{data: {"x": "mutated"}}`);
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };
  const validations = [{ expression: "object.data.x == 'mutated'" }];
  const spec = { matchConstraints: { resourceRules: [rule] }, validations };
  await api.post(`${GROUP}/validatingadmissionpolicies`, { metadata: { name: "v" }, spec });
  const bound = { policyName: "v", validationActions: ["Deny"] };
  await api.post(`${GROUP}/validatingadmissionpolicybindings`, { metadata: { name: "v" }, spec: bound });
  const { code, json } = await api.post(MAPS, map("a", { y: "1" }));
  expect([code, json.metadata.managedFields[0].fieldsV1]).toEqual([201, { "f:data": { ".": {}, "f:y": {} } }]);
});

test("all plugins run again after a policy changed the object", async () => {
  const seen: unknown[] = [];
  const plugin: AdmissionPlugin = {
    mutate: async ({ object, operation }) => {
      if (operation === "CREATE" && object?.["kind"] === "ConfigMap") seen.push(object["data"]);
      return object;
    },
  };
  const api = await openClient({ admission: [plugin] });
  await enact(api, `Object{data: {"x": "1"}}`);
  await api.post(MAPS, map("a", { y: "1" }));
  expect(seen).toEqual([{ y: "1" }, { x: "1", y: "1" }]);
});

test("a policy with IfNeeded runs again after a change by an earlier plugin", async () => {
  const plugin: AdmissionPlugin = {
    mutate: async ({ object }, { isAgain }) =>
      object && (isAgain ? withMeta(object, { labels: { again: "yes" } }) : object),
  };
  const api = await openClient({ admission: [plugin] });
  const expression = `Object{data: {"x": has(object.metadata.labels) ? "labelled" : "plain"}}`;
  await enact(api, expression, { reinvocationPolicy: "IfNeeded" });
  expect((await api.post(MAPS, map("a"))).json.data).toEqual({ x: "labelled" });
});

test("managed fields that a policy corrupted are restored with a warning", async () => {
  const api = await openClient();
  await enact(api, `[JSONPatch{op: "add", path: "/metadata/managedFields", value: [{"manager": "m"}]}]`);
  const { json, warnings } = await api.post(MAPS, map("a", { y: "1" }));
  expect(metaOf(json)["managedFields"]).toMatchObject([{ operation: "Update" }]);
  expect(warnings).toContain(".metadata.managedFields was in an invalid state after admission;");
});

test("mutations are counted, whether or not they succeed", async () => {
  const api = await openClient();
  await enact(api, `Object{data: {"x": object.data.y}}`);
  await api.post(MAPS, map("a", { y: "1" }));
  await api.post(MAPS, map("b"));
  const { text } = await api.get("/metrics");
  const counts = text.split("\n").filter((line) => line.startsWith("apiserver_mutating_admission_policy_check_total{"));
  expect(counts.sort()).toEqual([
    'apiserver_mutating_admission_policy_check_total{error_type="invalid_error",policy="p",policy_binding="p-b"} 1',
    'apiserver_mutating_admission_policy_check_total{error_type="no_error",policy="p",policy_binding="p-b"} 1',
  ]);
});

test("a user who binds a policy must be able to read its params; upstream's message swaps the terms", async () => {
  const api = await openClient();
  const rules = [{ apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] }];
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await api.post(`${rbac}/clusterroles`, { metadata: { name: "policies" }, rules });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "policies" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }];
  await api.post(`${rbac}/clusterrolebindings`, { metadata: { name: "policies" }, roleRef, subjects });
  await enact(api, "Object{}", { paramKind: { apiVersion: "v1", kind: "Secret" } });
  const spec = { policyName: "p", paramRef: { name: "s", parameterNotFoundAction: "Deny" } };
  const binding = { metadata: { name: "mine" }, spec };
  const { code, json } = await api.post(`${GROUP}/mutatingadmissionpolicybindings`, binding, { token: "alice" });
  expect([code, json.details.causes[0].message]).toEqual([
    422,
    'Forbidden: user get does not have "&{alice 2 [devs system:authenticated] map[]}" permission on the object referenced by paramRef',
  ]);
});

test("names reserved for policies from files cause a warning", async () => {
  const api = await openClient();
  const spec = { policyName: "p" };
  const { warnings } = await api.post(`${GROUP}/mutatingadmissionpolicybindings`, {
    metadata: { name: "b.static.k8s.io" },
    spec,
  });
  expect(warnings).toContain("are reserved for static manifest-based configurations");
});

test.each([
  `Object{spec: Object.spec{template: Object.spec.template{metadata: Object.spec.template.metadata{labels: {}}}}}`,
  `[JSONPatch{op: "replace", path: "/spec/template/metadata/labels", value: {}}]`,
])("an empty map that a policy leaves is shown by messages: %s", async (expression) => {
  const api = await openClient();
  const rule = { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] };
  await enact(api, expression, { matchConstraints: { resourceRules: [rule] } });
  const template = { metadata: { labels: {} }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  const { json } = await api.post("/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "d" }, spec });
  expect(json.details.causes.map(({ message }: { message: string }) => message)).toEqual([
    "Invalid value: {}: `selector` does not match template `labels`",
  ]);
});
