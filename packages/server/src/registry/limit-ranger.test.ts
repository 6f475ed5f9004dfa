import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Json, openClient } from "../app/app.testing.ts";

const NAMESPACE = "/api/v1/namespaces/default";

async function openWith(...limits: Json[]): Promise<Client> {
  const client = await openClient();
  for (const [index, each] of limits.entries()) {
    const spec = { limits: [each] };
    const range = { apiVersion: "v1", kind: "LimitRange", metadata: { name: `l${index}` }, spec };
    expect((await client.post(`${NAMESPACE}/limitranges`, range)).code).toBe(201);
  }
  return client;
}

const container = (resources: Json, more: Json = {}): Json => ({ name: "c", image: "x", resources, ...more });
const both = (cpu: string): Json => ({ requests: { cpu }, limits: { cpu } });

function pod(spec: Json): Json {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };
}

const create = (client: Client, spec: Json): Promise<Answer> => client.post(`${NAMESPACE}/pods`, pod(spec));

describe("resources that containers leave open", () => {
  test("are filled in, and an annotation of the pod says so", async () => {
    const client = await openWith({
      type: "Container",
      default: { cpu: "300m", memory: "1Gi" },
      defaultRequest: { cpu: "100m" },
    });
    const initContainers = [container({}, { name: "i" })];
    const { json } = await create(client, { containers: [container({ requests: { cpu: "50m" } })], initContainers });
    expect(json.metadata.annotations).toEqual({
      "kubernetes.io/limit-ranger":
        "LimitRanger plugin set: memory request for container c; cpu, memory limit for container c; cpu, memory request for init container i; cpu, memory limit for init container i",
    });
    expect(json.spec.containers[0].resources).toEqual({
      limits: { cpu: "300m", memory: "1Gi" },
      requests: { cpu: "50m", memory: "1Gi" },
    });
    expect(json.spec.initContainers[0].resources.requests).toEqual({ cpu: "100m", memory: "1Gi" });
    expect(json.status.qosClass).toBe("Burstable");
  });

  test("are filled in by every range, and those that are set stay", async () => {
    const client = await openWith(
      { type: "Container", default: { cpu: "1" } },
      { type: "Container", default: { "example.com/x": "2" } },
    );
    const { json } = await create(client, { containers: [container({ limits: { cpu: "2" } })] });
    expect(json.spec.containers[0].resources.limits).toEqual({ cpu: "2", "example.com/x": "2" });
  });

  test("stay open in other namespaces, and when a pod changes", async () => {
    const client = await openWith();
    expect((await create(client, { containers: [container({})] })).code).toBe(201);
    const range = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "l" }, spec: { limits: [] as Json[] } };
    range.spec.limits.push({ type: "Container", min: { cpu: "1" } });
    await client.post(`${NAMESPACE}/limitranges`, range);
    const changed = await client.patch(`${NAMESPACE}/pods/p`, { metadata: { labels: { a: "b" } } });
    expect([changed.code, changed.json.spec.containers[0].resources]).toEqual([200, {}]);
    const other = await client.post("/api/v1/namespaces/kube-public/pods", pod({ containers: [container({})] }));
    expect(other.code).toBe(201);
  });
});

// What is expected was recorded from kube-apiserver.
const REFUSED: [name: string, limit: Json, spec: Json, problem: string][] = [
  [
    "a request below the minimum",
    { type: "Container", min: { cpu: "100m" } },
    { containers: [container({ requests: { cpu: "50m" } })] },
    "minimum cpu usage per Container is 100m, but request is 50m",
  ],
  [
    "a limit above the maximum",
    { type: "Container", max: { cpu: "1" } },
    { containers: [container({ requests: { cpu: "1" }, limits: { cpu: "1500m" } })] },
    "maximum cpu usage per Container is 1, but limit is 1500m",
  ],
  [
    "a pod without resources",
    { type: "Pod", min: { cpu: "100m" }, max: { cpu: "1" } },
    { containers: [container({})] },
    "[minimum cpu usage per Pod is 100m.  No request is specified, maximum cpu usage per Pod is 1.  No limit is specified]",
  ],
  [
    "a pod whose containers are too much together",
    { type: "Pod", max: { cpu: "1" } },
    { containers: [container(both("600m")), container(both("500m"), { name: "d" })] },
    "maximum cpu usage per Pod is 1, but limit is 1100m",
  ],
  [
    "an init container that needs too much alone",
    { type: "Pod", max: { cpu: "1" } },
    { containers: [container(both("600m"))], initContainers: [container(both("2"), { name: "i" })] },
    "maximum cpu usage per Pod is 1, but limit is 2",
  ],
  [
    "a sidecar that is too much beside the others",
    { type: "Pod", max: { cpu: "1" } },
    {
      containers: [container(both("600m"))],
      initContainers: [container(both("500m"), { name: "i", restartPolicy: "Always" })],
    },
    "maximum cpu usage per Pod is 1, but limit is 1100m",
  ],
  [
    "resources of the pod itself",
    { type: "Pod", max: { cpu: "1" } },
    { containers: [container(both("100m"))], resources: both("2") },
    "maximum cpu usage per Pod is 1, but limit is 2",
  ],
  [
    "no request to compare the limit with",
    { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
    { containers: [container({})] },
    "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
  ],
  [
    "a limit far above the request",
    { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
    { containers: [container({ requests: { cpu: "300m" }, limits: { cpu: "1" } })] },
    "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
  ],
];

describe("out of bounds is", () => {
  test.each(REFUSED)("%s", async (_, limit, spec, problem) => {
    const client = await openWith(limit);
    const { code, json } = await create(client, spec);
    expect([code, json.message]).toEqual([403, `pods "p" is forbidden: ${problem}`]);
  });

  test.each([
    ["1Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi"],
    ["5Gi", "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 5Gi"],
  ])("a claim of %s", async (storage, problem) => {
    const client = await openWith({ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } });
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } };
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c" }, spec };
    const { code, json } = await client.post(`${NAMESPACE}/persistentvolumeclaims`, claim);
    expect([code, json.message]).toEqual([403, `persistentvolumeclaims "c" is forbidden: ${problem}`]);
  });
});
