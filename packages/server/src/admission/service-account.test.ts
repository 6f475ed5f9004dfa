import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

const open = (controllers: readonly string[] = ["*"]) =>
  openClient({ admissionPlugins: { enable: ["ServiceAccount"] }, controllers });

test("a pod runs as the default account, with a token", async () => {
  const api = await open();
  await api.app.settled();
  const { spec } = (await api.post(PODS, pod("p"))).json;
  expect([spec.serviceAccountName, spec.serviceAccount]).toEqual(["default", "default"]);
  const [volume] = spec.volumes;
  expect(volume).toEqual({
    name: expect.stringMatching(/^kube-api-access-/),
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: 420,
    },
  });
  expect(spec.containers[0].volumeMounts).toEqual([
    { name: volume.name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
  ]);
});

test("an account that is missing refuses the pod", async () => {
  const api = await open();
  const { code, json } = await api.post(PODS, pod("p", { serviceAccountName: "none" }));
  expect([code, json.message]).toEqual([
    403,
    'pods "p" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
  ]);
});

test("pods and accounts can do without a token, and accounts bring pull secrets", async () => {
  const api = await open();
  const account = { automountServiceAccountToken: false, imagePullSecrets: [{ name: "pull" }] };
  await api.post(ACCOUNTS, { metadata: { name: "quiet" }, ...account });
  const { spec } = (await api.post(PODS, pod("p", { serviceAccountName: "quiet" }))).json;
  expect([spec.volumes, spec.imagePullSecrets]).toEqual([undefined, [{ name: "pull" }]]);
});

test("a mirror pod may not use an account or secrets", async () => {
  const api = await open();
  const annotations = { "kubernetes.io/config.mirror": "x" };
  const refused = async (spec: object) => (await api.post(PODS, pod("p", spec, { annotations }))).json.message;
  expect(await refused({ serviceAccountName: "default" })).toBe(
    'pods "p" is forbidden: a mirror pod may not reference service accounts',
  );
  expect(await refused({ volumes: [{ name: "v", secret: { secretName: "s" } }] })).toBe(
    'pods "p" is forbidden: a mirror pod may not reference secrets',
  );
});

test("an account may limit the secrets of its pods", async () => {
  const api = await open();
  await api.post(ACCOUNTS, {
    metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
    secrets: [{ name: "known" }],
  });
  const envFrom = [{ secretRef: { name: "other" } }];
  const containers = [{ name: "c", image: "i", envFrom }];
  const { json } = await api.post(PODS, pod("p", { serviceAccountName: "strict", containers }));
  expect(json.message).toBe(
    'pods "p" is forbidden: container c with envFrom referencing secret.secretName="other" is not allowed because service account strict does not reference that secret',
  );
  const volumes = [{ name: "v", secret: { secretName: "known" } }];
  expect((await api.post(PODS, pod("q", { serviceAccountName: "strict", volumes }))).code).toBe(201);
});

test("the plugin is off unless it is enabled", async () => {
  const api = await openClient({ controllers: ["*", "-serviceaccount-controller"] });
  expect((await api.post(PODS, pod("p"))).json.spec.serviceAccountName).toBeUndefined();
});
