import { expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

const pod = (spec: object = {}, name = "p"): object => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

test("DefaultIngressClass gives the newest default class to an ingress without one", async () => {
  const api = await openClient();
  const ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
  const spec = { defaultBackend: { service: { name: "s", port: { number: 80 } } } };
  const isDefault = { "ingressclass.kubernetes.io/is-default-class": "true" };
  for (const name of ["b", "a"]) {
    await api.post("/apis/networking.k8s.io/v1/ingressclasses", {
      metadata: { name, annotations: isDefault },
      spec: { controller: "example.com/x" },
    });
  }
  expect((await api.post(ingresses, { metadata: { name: "x" }, spec })).json.spec.ingressClassName).toBe("a");
  const annotations = { "kubernetes.io/ingress.class": "" };
  const named = await api.post(ingresses, { metadata: { name: "y", annotations }, spec });
  expect(named.json.spec.ingressClassName).toBeUndefined();
});

test("PersistentVolumeClaimResize lets bound claims grow if their class allows it", async () => {
  const api = await openClient();
  for (const [name, allowVolumeExpansion] of [
    ["fixed", false],
    ["growing", true],
  ]) {
    await api.post("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name },
      provisioner: "example.com/x",
      allowVolumeExpansion,
    });
  }
  const grow = async (storageClassName: string, phase: string) => {
    const resources = { requests: { storage: "1Gi" } };
    const name = `${storageClassName}-${phase.toLowerCase()}`;
    const spec = { accessModes: ["ReadWriteOnce"], storageClassName, resources, volumeName: "v" };
    await api.post(CLAIMS, { metadata: { name }, spec });
    await api.patch(`${CLAIMS}/${name}/status`, { status: { phase } });
    return api.patch(`${CLAIMS}/${name}`, { spec: { resources: { requests: { storage: "2Gi" } } } });
  };
  expect((await grow("growing", "Bound")).code).toBe(200);
  expect((await grow("fixed", "Bound")).json.message).toBe(
    'persistentvolumeclaims "fixed-bound" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
});

test("TaintNodesByCondition taints new nodes unless it is disabled", async () => {
  const create = async (api: Client) => (await api.post("/api/v1/nodes", { metadata: { name: "n" } })).json.spec.taints;
  expect(await create(await openClient())).toEqual([{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]);
  const without = await openClient({ admissionPlugins: { disable: ["TaintNodesByCondition"] } });
  expect(await create(without)).toBeUndefined();
});

test("PodTopologyLabels copies the labels of the node, also to pods that are bound", async () => {
  const api = await openClient();
  const labels = { "topology.kubernetes.io/zone": "z", "kubernetes.io/os": "linux" };
  await api.post("/api/v1/nodes", { metadata: { name: "n", labels } });
  const created = await api.post(PODS, pod({ nodeName: "n" }));
  expect(created.json.metadata.labels).toEqual({ "topology.kubernetes.io/zone": "z" });
  await api.post(PODS, pod({}, "q"));
  await api.post(`${PODS}/q/binding`, { metadata: { name: "q" }, target: { kind: "Node", name: "n" } });
  expect((await api.get(`${PODS}/q`)).json.metadata.labels).toEqual({ "topology.kubernetes.io/zone": "z" });
  const old = await openClient({ version: "1.34" });
  await old.post("/api/v1/nodes", { metadata: { name: "n", labels } });
  expect((await old.post(PODS, pod({ nodeName: "n" }))).json.metadata.labels).toBeUndefined();
});

test("PodResizeValidator refuses more than the node has", async () => {
  const api = await openClient();
  await api.post("/api/v1/nodes", { metadata: { name: "n" } });
  await api.patch("/api/v1/nodes/n/status", { status: { capacity: { cpu: "2", memory: "1Gi" } } });
  const sized = (cpu: string) => [{ name: "c", image: "i", resources: { requests: { cpu } } }];
  await api.post(PODS, pod({ nodeName: "n", containers: sized("1") }));
  const resize = (cpu: string) =>
    api.send("PATCH", `${PODS}/p/resize`, {
      type: "application/strategic-merge-patch+json",
      body: { spec: { containers: sized(cpu) } },
    });
  expect((await resize("2")).code).toBe(200);
  const { code, json } = await resize("3");
  expect([code, json.message, json.details.causes]).toEqual([
    403,
    `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000`,
    [{ reason: "NodeCapacity" }],
  ]);
});

test("privileged containers are refused where they are not allowed", async () => {
  const api = await openClient({ allowsPrivileged: false });
  const containers = [{ name: "c", image: "i", securityContext: { privileged: true } }];
  const { code, json } = await api.post(PODS, pod({ containers }));
  expect([code, json.message]).toEqual([
    422,
    'Pod "p" is invalid: spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
  ]);
  const template = { metadata: { labels: { a: "b" } }, spec: { containers } };
  const jobs = "/apis/batch/v1/namespaces/default/cronjobs";
  const job = { schedule: "* * * * *", jobTemplate: { spec: { template } } };
  const body = { metadata: { name: "j" }, spec: { ...job } };
  Object.assign(template.spec, { restartPolicy: "Never" });
  expect((await api.post(jobs, body)).json.message).toContain(
    "spec.jobTemplate.spec.template.spec.containers[0].securityContext.privileged: Forbidden",
  );
  const allowed = await openClient();
  expect((await allowed.post(PODS, pod({ containers }))).code).toBe(201);
});

test("the seconds of default tolerations can be set", async () => {
  const api = await openClient({ tolerationSeconds: { notReady: 7, unreachable: 8 } });
  const { tolerations } = (await api.post(PODS, pod())).json.spec;
  expect(tolerations.map((each: { tolerationSeconds: number }) => each.tolerationSeconds)).toEqual([7, 8]);
});
