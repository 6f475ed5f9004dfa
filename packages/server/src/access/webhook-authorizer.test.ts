import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";
import { type CallWebhook, type WebhookRequest, WebhookUnreachable } from "../conversion/call-webhook.ts";
import type { AuthorizationMode, WebhookMode } from "./modes.ts";

const PODS = "/api/v1/namespaces/default/pods";
const ALICE = { token: "alice" };

const MODE: WebhookMode = {
  type: "Webhook",
  name: "first",
  connection: { url: "https://hooks.example.com/authorize", user: { token: "sesame" } },
  version: "v1",
  timeoutMs: 3000,
  authorizedTtl: 1000,
  unauthorizedTtl: 1000,
  failurePolicy: "NoOpinion",
  matchConditions: [],
};

class Hook {
  readonly sent: (WebhookRequest & { readonly spec: Json })[] = [];
  status: object = { allowed: true };

  readonly call: CallWebhook = async (sent) => {
    const review = JSON.parse(sent.body);
    this.sent.push({ ...sent, spec: review.spec });
    const body = new TextEncoder().encode(JSON.stringify({ ...review, status: this.status }));
    return { code: 200, contentType: "application/json", body };
  };
}

async function open(mode: Partial<WebhookMode> = {}, more: AuthorizationMode[] = []) {
  const hook = new Hook();
  const authorizationModes = [{ ...MODE, ...mode }, ...more];
  const api: Client = await openClient({ callWebhook: hook.call, authorizationModes });
  return { hook, api };
}

test("the webhook sees the request as a review, with the requirements of selectors", async () => {
  const { hook, api } = await open();
  const selectors = "fieldSelector=spec.nodeName%3Dx,metadata.name!%3Db&labelSelector=b in (z,a),!c,d,e>5";
  expect((await api.get(`${PODS}?${selectors}`, ALICE)).code).toBe(200);
  expect(hook.sent).toHaveLength(1);
  const [{ url, headers, spec } = { url: "", headers: {}, spec: {} }] = hook.sent;
  expect(url).toBe("https://hooks.example.com/authorize?timeout=3s");
  expect(headers).toEqual({ authorization: "Bearer sesame" });
  expect(spec).toEqual({
    resourceAttributes: {
      namespace: "default",
      verb: "list",
      version: "v1",
      resource: "pods",
      fieldSelector: {
        requirements: [
          { key: "metadata.name", operator: "NotIn", values: ["b"] },
          { key: "spec.nodeName", operator: "In", values: ["x"] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: "b", operator: "In", values: ["a", "z"] },
          { key: "c", operator: "DoesNotExist" },
          { key: "d", operator: "Exists" },
        ],
      },
    },
    user: "alice",
    groups: ["devs", "system:authenticated"],
    uid: "2",
  });
});

test("version v1beta1 has another name for groups, and paths are asked about as such", async () => {
  const { hook, api } = await open({ version: "v1beta1" });
  await api.get("/healthz", ALICE);
  expect(hook.sent[0]?.body).toContain('"apiVersion":"authorization.k8s.io/v1beta1"');
  expect(hook.sent[0]?.spec).toMatchObject({ group: ["devs", "system:authenticated"] });
  expect(hook.sent[0]?.spec.nonResourceAttributes).toEqual({ path: "/healthz", verb: "get" });
});

test("answers are kept for their time", async () => {
  const { hook, api } = await open();
  for (const _ of [1, 2, 3]) await api.get(PODS, ALICE);
  expect(hook.sent).toHaveLength(1);
  const without = await open({ authorizedTtl: 0 });
  for (const _ of [1, 2, 3]) await without.api.get(PODS, ALICE);
  expect(without.hook.sent).toHaveLength(3);
});

test("administrators are not asked about", async () => {
  const { hook, api } = await open();
  await api.get(PODS);
  expect(hook.sent).toEqual([]);
});

test.each([
  { status: { allowed: false, reason: "why" }, code: 200, reason: "" },
  { status: { denied: true, reason: "never" }, code: 403, reason: ": never" },
  { status: { allowed: true, denied: true }, code: 500, reason: "both allow and deny response" },
])("the status $status leads to $code, with another authorizer behind it", async ({ status, code, reason }) => {
  const { hook, api } = await open({}, ["AlwaysAllow"]);
  hook.status = status;
  const answer = await api.get(PODS, ALICE);
  expect(answer.code).toBe(code);
  if (code !== 200) expect(answer.json?.message ?? answer.text).toContain(reason);
});

test.each([
  { failurePolicy: "NoOpinion", code: 200 },
  { failurePolicy: "Deny", code: 500 },
] as const)("a failure is $code under the policy $failurePolicy", async ({ failurePolicy, code }) => {
  const callWebhook: CallWebhook = async () => {
    throw new WebhookUnreachable("dial tcp 127.0.0.1:1: connect: connection refused");
  };
  const api = await openClient({ callWebhook, authorizationModes: [{ ...MODE, failurePolicy }, "AlwaysAllow"] });
  const answer = await api.get(`${PODS}?x=<`, ALICE);
  expect(answer.code).toBe(code);
  if (code === 200) return;
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.text).toBe(
    `Internal Server Error: "${PODS}?x=%3C": Post "https://hooks.example.com/authorize?timeout=3s": dial tcp 127.0.0.1:1: connect: connection refused\n`,
  );
});

test("failures that may pass are tried again", async () => {
  const hook = new Hook();
  let calls = 0;
  const callWebhook: CallWebhook = async (sent) =>
    ++calls === 1 ? { code: 500, contentType: "text/plain", body: new Uint8Array() } : hook.call(sent);
  const api = await openClient({ callWebhook, authorizationModes: [MODE] });
  expect((await api.get(PODS, ALICE)).code).toBe(200);
  expect(calls).toBe(2);
});

test.each([
  { expression: "request.user == 'bob'", code: 403, calls: 0 },
  { expression: "request.resourceAttributes.namespace == 'default'", code: 200, calls: 1 },
  { expression: "request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a')", code: 200, calls: 1 },
  { expression: "request.extra['x'].size() > 0", code: 500, calls: 0 },
])("the condition $expression leads to $code", async ({ expression, code, calls }) => {
  const { hook, api } = await open({ matchConditions: [expression], failurePolicy: "Deny" });
  expect((await api.get(`${PODS}?labelSelector=a=b`, ALICE)).code).toBe(code);
  expect(hook.sent).toHaveLength(calls);
});

test("access reviews pass requirements on in their order, and show errors", async () => {
  const { hook, api } = await open({ failurePolicy: "Deny" });
  const fieldSelector = {
    requirements: [
      { key: "z", operator: "In", values: ["1"] },
      { key: "a", operator: "NotIn", values: ["2"] },
      { key: "q", operator: "Foo" },
    ],
  };
  const resourceAttributes = { verb: "list", resource: "pods", fieldSelector };
  const review = { spec: { user: "bob", extra: { Key: ["v"] }, resourceAttributes } };
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  await api.post(path, review);
  expect(hook.sent[0]?.spec.extra).toEqual({ Key: ["v"] });
  expect(hook.sent[0]?.spec.resourceAttributes.fieldSelector).toEqual({
    requirements: fieldSelector.requirements.slice(0, 2),
  });
  hook.status = { allowed: true, denied: true };
  const { json } = await api.post(path, { spec: { user: "carol", resourceAttributes } });
  expect(json.status).toEqual({
    allowed: false,
    denied: true,
    evaluationError:
      "webhook subject access review returned both allow and deny response; spec.resourceAttributes.fieldSelector partially ignored due to parse error",
  });
});

test("a webhook has no rules to list", async () => {
  const { api } = await open({}, ["RBAC"]);
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const { json } = await api.post(path, { spec: { namespace: "default" } }, ALICE);
  expect(json.status.incomplete).toBe(true);
  expect(json.status.evaluationError).toBe("webhook authorizer does not support user rule resolution");
  expect(json.status.resourceRules.length).toBeGreaterThan(0);
});

test("decisions and calls are counted", async () => {
  const { api } = await open();
  await api.get(PODS, ALICE);
  const text = await api.app.metrics();
  expect(text).toContain('apiserver_authorization_decisions_total{decision="allowed",name="first",type="Webhook"} 1');
  expect(text).toContain('apiserver_authorization_webhook_evaluations_total{name="first",result="success"} 1');
  expect(text).toContain('apiserver_authorization_webhook_duration_seconds_count{name="first",result="success"} 1');
});
