import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";

const LABEL = "pod-security.kubernetes.io/";
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: "a", image: "i" }], ...spec },
});

async function open(labels: Record<string, string>): Promise<Client> {
  const api = await openClient();
  const own = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${LABEL}${key}`, value]));
  expect((await api.post("/api/v1/namespaces", { metadata: { name: "n", labels: own } })).code).toBe(201);
  return api;
}

const PODS = "/api/v1/namespaces/n/pods";

test("pods are refused by the level that their namespace enforces", async () => {
  const api = await open({ enforce: "baseline" });
  const { code, json } = await api.post(PODS, pod("x", { hostPID: true }));
  expect([code, json.message]).toEqual([
    403,
    'pods "x" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  ]);
  expect((await api.post(PODS, pod("x"))).code).toBe(201);
  expect((await api.get("/metrics")).text).toContain(
    'pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="baseline",policy_version="latest",request_operation="create",resource="pod",subresource=""} 1',
  );
});

test("a deployment is created with a warning", async () => {
  const api = await open({ enforce: "restricted" });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "i" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  const { code, warnings } = await api.post("/apis/apps/v1/namespaces/n/deployments", {
    metadata: { name: "d" },
    spec,
  });
  expect(code).toBe(201);
  expect(warnings).toContain('would violate PodSecurity \\"restricted:latest\\"');
});

test("a stricter level warns of the pods that are there", async () => {
  const api = await open({});
  await api.post(PODS, pod("x", { hostPID: true }));
  const { code, warnings } = await api.patch("/api/v1/namespaces/n", {
    metadata: { labels: { [`${LABEL}enforce`]: "baseline" } },
  });
  expect(code).toBe(200);
  expect(warnings).toContain("x: host namespaces");
});

test("a namespace with a wrong label is refused", async () => {
  const api = await open({});
  const { code, json } = await api.patch("/api/v1/namespaces/n", { metadata: { labels: { [`${LABEL}warn`]: "x" } } });
  expect([code, json.reason]).toEqual([422, "Invalid"]);
});

test("an AppArmor annotation counts like the field that it becomes", async () => {
  const api = await open({ enforce: "baseline" });
  const annotations = { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" };
  const { json } = await api.post(PODS, { ...pod("x"), metadata: { name: "x", annotations } });
  expect(json.message).toContain('container "a" and annotation must not set AppArmor profile type to "Unconfined"');
});

test("counters of pods are shown before anything was counted", async () => {
  const { text } = await (await openClient()).get("/metrics");
  const labels = 'request_operation="create",resource="controller",subresource=""';
  expect(text).toContain(`pod_security_exemptions_total{${labels}} 0`);
});
