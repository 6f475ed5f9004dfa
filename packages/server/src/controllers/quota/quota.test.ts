import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, DEFINITIONS, openClient, WIDGETS, widgetDefinition } from "../../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

afterEach(() => api.app.close());

const NS = "/api/v1/namespaces/default";
const QUOTAS = `${NS}/resourcequotas`;

async function limit(name: string, spec: object): Promise<void> {
  expect((await api.post(QUOTAS, { metadata: { name }, spec })).code).toBe(201);
  await api.app.settled();
}

const used = async (name: string): Promise<object> => (await api.get(`${QUOTAS}/${name}`)).json.status.used;

const pod = (name: string, resources: object = {}, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i", resources }], ...spec },
});

describe("objects are counted", () => {
  test("the status is written when a quota is created", async () => {
    await limit("q", { hard: { "count/configmaps": "2", pods: "1" } });
    const { status } = (await api.get(`${QUOTAS}/q`)).json;
    expect(status).toEqual({
      hard: { "count/configmaps": "2", pods: "1" },
      used: { "count/configmaps": "0", pods: "0" },
    });
  });

  test("a create beyond the quota is refused with upstream's text", async () => {
    await limit("q", { hard: { configmaps: "1", "count/configmaps": "1" } });
    expect((await api.post(`${NS}/configmaps`, { metadata: { name: "a" } })).code).toBe(201);
    expect(await used("q")).toEqual({ configmaps: "1", "count/configmaps": "1" });
    const { code, json } = await api.post(`${NS}/configmaps`, { metadata: { name: "b" } });
    expect(code).toBe(403);
    expect(json.message).toBe(
      'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1,count/configmaps=1, used: configmaps=1,count/configmaps=1, limited: configmaps=1,count/configmaps=1',
    );
  });

  test("a deleted object frees its share", async () => {
    await limit("q", { hard: { secrets: "1" } });
    await api.post(`${NS}/secrets`, { metadata: { name: "a" } });
    expect(await used("q")).toEqual({ secrets: "1" });
    await api.delete(`${NS}/secrets/a`);
    await api.app.settled();
    expect(await used("q")).toEqual({ secrets: "0" });
  });

  test("custom resources are counted too", async () => {
    await api.post(DEFINITIONS, widgetDefinition());
    await api.app.settled();
    await limit("q", { hard: { "count/widgets.example.com": "1" } });
    const widget = (name: string) => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name } });
    expect((await api.post(WIDGETS, widget("a"))).code).toBe(201);
    const { json } = await api.post(WIDGETS, widget("b"));
    expect(json.message).toContain("exceeded quota: q, requested: count/widgets.example.com=1, used:");
  });

  test("a dry run is checked and not charged", async () => {
    await limit("q", { hard: { configmaps: "1" } });
    expect((await api.post(`${NS}/configmaps?dryRun=All`, { metadata: { name: "a" } })).code).toBe(201);
    expect(await used("q")).toEqual({ configmaps: "0" });
  });

  test("concurrent creates do not get past the quota", async () => {
    await limit("q", { hard: { configmaps: "5" } });
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => api.post(`${NS}/configmaps`, { metadata: { name: `m${at}` } })),
    );
    expect(codes.filter(({ code }) => code === 201)).toHaveLength(5);
  });
});

describe("pods", () => {
  test("every container must request what is limited", async () => {
    await limit("q", { hard: { "requests.cpu": "1", "limits.memory": "1Gi" } });
    const { json } = await api.post(`${NS}/pods`, pod("p"));
    expect(json.message).toBe(
      'pods "p" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
    );
  });

  test("compute resources are added up", async () => {
    await limit("q", { hard: { cpu: "1", pods: "10" } });
    expect((await api.post(`${NS}/pods`, pod("a", { requests: { cpu: "600m" } }))).code).toBe(201);
    expect(await used("q")).toEqual({ cpu: "600m", pods: "1" });
    const { json } = await api.post(`${NS}/pods`, pod("b", { requests: { cpu: "500m" } }));
    expect(json.message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: cpu=500m, used: cpu=600m, limited: cpu=1',
    );
  });

  test("what a pod requests itself counts, huge pages too", async () => {
    await limit("q", { hard: { "requests.hugepages-2Mi": "4Mi", "requests.cpu": "2" } });
    const requests = { cpu: "1", memory: "1Gi", "hugepages-2Mi": "4Mi" };
    const resources = { requests, limits: { "hugepages-2Mi": "4Mi" } };
    const spec = { containers: [{ name: "c", image: "i" }], resources };
    expect((await api.post(`${NS}/pods`, { metadata: { name: "a" }, spec })).code).toBe(201);
    expect(await used("q")).toEqual({ "requests.hugepages-2Mi": "4Mi", "requests.cpu": "1" });
  });

  test("a scope selects the pods that count", async () => {
    await limit("q", { hard: { pods: "1" }, scopes: ["BestEffort"] });
    expect((await api.post(`${NS}/pods`, pod("a"))).code).toBe(201);
    expect((await api.post(`${NS}/pods`, pod("b", { requests: { cpu: "1" } }))).code).toBe(201);
    expect((await api.post(`${NS}/pods`, pod("c"))).code).toBe(403);
  });

  test("a pod that is done no longer counts, but is still there", async () => {
    await limit("q", { hard: { pods: "1", "count/pods": "5" } });
    await api.post(`${NS}/pods`, pod("a"));
    await api.patch(`${NS}/pods/a/status`, { status: { phase: "Succeeded" } });
    await api.app.settled();
    expect(await used("q")).toEqual({ pods: "0", "count/pods": "1" });
  });
});

test("services count their node ports and load balancers", async () => {
  await limit("q", { hard: { services: "5", "services.nodeports": "2", "services.loadbalancers": "1" } });
  const service = (name: string, type: string) => ({ metadata: { name }, spec: { type, ports: [{ port: 80 }] } });
  await api.post(`${NS}/services`, service("a", "NodePort"));
  expect(await used("q")).toEqual({ services: "2", "services.nodeports": "1", "services.loadbalancers": "0" });
  await api.post(`${NS}/services`, service("b", "LoadBalancer"));
  const { json } = await api.post(`${NS}/services`, service("c", "NodePort"));
  expect(json.message).toContain(
    "requested: services.nodeports=1, used: services.nodeports=2, limited: services.nodeports=2",
  );
  await api.patch(`${NS}/services/a`, { spec: { type: "ClusterIP" } });
  await api.app.settled();
  expect(await used("q")).toMatchObject({ "services.nodeports": "1" });
});

test("claims count their storage, by class too", async () => {
  const byClass = "gold.storageclass.storage.k8s.io/requests.storage";
  await limit("q", { hard: { "requests.storage": "10Gi", [byClass]: "5Gi" } });
  const claim = (name: string, storage: string, storageClassName: string) => ({
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, storageClassName },
  });
  await api.post(`${NS}/persistentvolumeclaims`, claim("a", "4Gi", "gold"));
  expect(await used("q")).toEqual({ "requests.storage": "4Gi", [byClass]: "4Gi" });
  const { json } = await api.post(`${NS}/persistentvolumeclaims`, claim("b", "2Gi", "gold"));
  expect(json.message).toContain(`requested: ${byClass}=2Gi, used: ${byClass}=4Gi, limited: ${byClass}=5Gi`);
  expect((await api.post(`${NS}/persistentvolumeclaims`, claim("b", "2Gi", "silver"))).code).toBe(201);
});

test("without the controller a quota has no status and limits nothing", async () => {
  await api.app.close();
  api = await openClient({ controllers: ["*", "-resourcequota-controller"] });
  await limit("q", { hard: { configmaps: "0" } });
  expect((await api.post(`${NS}/configmaps`, { metadata: { name: "a" } })).code).toBe(201);
});

test("a quota whose usage is not known yet refuses what it limits", async () => {
  await api.app.close();
  api = await openClient({ controllers: ["*", "-resourcequota-controller"] });
  await limit("q", { hard: { configmaps: "5" } });
  await api.patch(`${QUOTAS}/q/status`, { status: { hard: { configmaps: "5" } } });
  const { json } = await api.post(`${NS}/configmaps`, { metadata: { name: "a" } });
  expect(json.message).toBe('configmaps "a" is forbidden: status unknown for quota: q, resources: configmaps');
});
