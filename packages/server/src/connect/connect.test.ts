import { expect, test } from "vitest";
import { type Json, openClient } from "../app/app.testing.ts";
import type { CallWebhook } from "../conversion/call-webhook.ts";

const PODS = "/api/v1/namespaces/default/pods";

async function open(allowed: boolean) {
  const requests: Json[] = [];
  const call: CallWebhook = async ({ body }) => {
    const { apiVersion, kind, request } = JSON.parse(body);
    requests.push(request);
    const answer = JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed } });
    return { code: 200, contentType: "application/json", body: new TextEncoder().encode(answer) };
  };
  const api = await openClient({ callWebhook: call });
  await api.post(PODS, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } });
  await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "c" },
    webhooks: [
      {
        name: "a.b.c",
        clientConfig: { url: "https://example.com" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CONNECT"], resources: ["pods/*"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  });
  return { api, requests };
}

test("admission runs for exec before the pod is looked up", async () => {
  const { api, requests } = await open(false);
  const { code } = await api.get(`${PODS}/missing/exec?command=ls&command=-l&stdin=true&tty=0`);
  expect(code).toBe(400);
  expect(requests).toMatchObject([
    {
      operation: "CONNECT",
      kind: { kind: "PodExecOptions" },
      subResource: "exec",
      object: { kind: "PodExecOptions", stdin: true, command: ["ls", "-l"] },
      oldObject: null,
      options: null,
    },
  ]);
});

test.each([
  ["GET", "/p/exec?command=x", 400, "pod p does not have a host assigned"],
  ["POST", "/p/attach?container=z", 400, "container z is not valid for pod p"],
  ["GET", "/p/portforward?ports=x", 400, 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
  ["GET", "/missing/portforward", 404, 'pods "missing" not found'],
  ["DELETE", "/http:p:80/proxy/a/b", 400, "address not allowed"],
  ["PUT", "/p/exec", 405, "the server does not allow this method on the requested resource"],
])("%s %s is refused as a cluster refuses it", async (method, path, code, message) => {
  const { api } = await open(true);
  const answer = await api.send(method, `${PODS}${path}`);
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test("the path behind a proxy is part of its options", async () => {
  const { api, requests } = await open(true);
  await api.get(`${PODS}/p/proxy/a/b/?x=y`);
  expect(requests[0].object).toEqual({ kind: "PodProxyOptions", apiVersion: "v1", path: "/a/b/" });
});

test.each([
  { version: "1.36", code: 403, message: 'pods "p" is forbidden: ' },
  { version: "1.34", code: 400, message: "pod p does not have a host assigned" },
] as const)("who may only get pods/exec gets $code in $version", async ({ version, code, message }) => {
  const api = await openClient({ version });
  await api.post(PODS, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } });
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const rules = [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["get"] }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
  await api.post(`${rbac}/roles`, { metadata: { name: "r" }, rules });
  await api.post(`${rbac}/rolebindings`, {
    metadata: { name: "r" },
    roleRef,
    subjects: [{ kind: "User", name: "alice" }],
  });
  const exec = await api.get(`${PODS}/p/exec?command=x`, { token: "alice" });
  expect([exec.code, exec.json.message]).toEqual([code, message]);
});
