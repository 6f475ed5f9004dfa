import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../node/start.ts";

let api: RunningServer;

beforeAll(async () => {
  api = await startServer({ tls: "none", version: "1.36", servesResource: () => true });
});

afterAll(() => api.stop());

const GROUP = "/apis/admissionregistration.k8s.io";

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { code: response.status, warning: response.headers.get("warning"), json: await response.json() };
}

const policy = (version: string) => ({
  apiVersion: `admissionregistration.k8s.io/${version}`,
  kind: "MutatingAdmissionPolicy",
  metadata: { name: version },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    },
    reinvocationPolicy: "Never",
    mutations: [
      {
        patchType: "ApplyConfiguration",
        applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"by": "policy"}}}' },
      },
    ],
  },
});

test("a policy that is written in v1beta1 is read in all versions, and is in force", async () => {
  const created = await send("POST", `${GROUP}/v1beta1/mutatingadmissionpolicies`, policy("v1beta1"));
  expect(created).toMatchObject({ code: 201, json: { apiVersion: "admissionregistration.k8s.io/v1beta1" } });
  expect(await send("GET", `${GROUP}/v1/mutatingadmissionpolicies/v1beta1`)).toMatchObject({
    json: { apiVersion: "admissionregistration.k8s.io/v1", spec: { failurePolicy: "Fail" } },
  });
  await send("POST", `${GROUP}/v1alpha1/mutatingadmissionpolicybindings`, {
    apiVersion: "admissionregistration.k8s.io/v1alpha1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: "b" },
    spec: { policyName: "v1beta1" },
  });
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  expect(await send("POST", "/api/v1/namespaces/default/configmaps", map)).toMatchObject({
    json: { metadata: { labels: { by: "policy" } } },
  });
});

test("a deprecated version answers with a warning", async () => {
  const { warning } = await send("GET", `${GROUP}/v1alpha1/mutatingadmissionpolicies`);
  expect(warning).toBe(
    '299 - "admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy is deprecated in v1.35+, unavailable in v1.38+"',
  );
  expect((await send("GET", `${GROUP}/v1beta1/mutatingadmissionpolicies`)).warning).toBeNull();
});

test("the body must have the version of the path", async () => {
  const { code, json } = await send("POST", `${GROUP}/v1beta1/mutatingadmissionpolicies`, policy("v1"));
  expect([code, json.message]).toEqual([
    400,
    "the API version in the data (admissionregistration.k8s.io/v1) does not match the expected API version (admissionregistration.k8s.io/v1beta1)",
  ]);
});

test("discovery lists the versions with the stable one first", async () => {
  const { json } = await send("GET", GROUP);
  expect(json.versions.map(({ version }: { version: string }) => version)).toEqual(["v1", "v1beta1", "v1alpha1"]);
});

test("without being asked for they are not served", async () => {
  const plain = await startServer({ tls: "none", version: "1.36" });
  const { status } = await fetch(`${plain.url}${GROUP}/v1beta1`, {
    headers: { authorization: `Bearer ${plain.token}` },
  });
  await plain.stop();
  expect(status).toBe(404);
});
