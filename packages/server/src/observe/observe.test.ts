import { encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { expect, test } from "vitest";
import {
  DEFINITIONS,
  NOW,
  openClient,
  openWithWidgets,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../app/app.testing.ts";
import { parseAuditPolicy } from "./audit-policy.ts";
import { Metrics } from "./metrics.ts";
import { ServerMetrics } from "./server-metrics.ts";

test("a histogram counts what is at or below each bound", () => {
  const metrics = new Metrics();
  const histogram = metrics.histogram("h", "some help", [0.00001, 0.5, 1]);
  for (const value of [0.5, 0.7, 3]) histogram.observe({ b: "x", a: 'q"\n' }, value);
  expect(metrics.text()).toBe(`# HELP h some help
# TYPE h histogram
h_bucket{a="q\\"\\n",b="x",le="1e-05"} 0
h_bucket{a="q\\"\\n",b="x",le="0.5"} 1
h_bucket{a="q\\"\\n",b="x",le="1"} 2
h_bucket{a="q\\"\\n",b="x",le="+Inf"} 3
h_sum{a="q\\"\\n",b="x"} 4.2
h_count{a="q\\"\\n",b="x"} 3
`);
});

test("requests, admission and ratcheting are counted under upstream's names", async () => {
  const api = await openWithWidgets();
  await api.post(WIDGETS, widget("a"));
  await api.patch(`${WIDGETS}/a`, { spec: { size: 2 } });
  await api.get("/apis/nowhere.example.com/v1/things");
  const { text, headers } = await api.get("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const line = (start: string) => text.split("\n").find((each) => each.startsWith(start));
  const labels = 'component="apiserver",dry_run="",group="example.com",resource="widgets",scope="resource"';
  expect(line(`apiserver_request_total{code="201",${labels},subresource="",verb="POST",version="v1"}`)).toMatch(/ 1$/);
  expect(line(`apiserver_request_duration_seconds_count{${labels},subresource="",verb="PATCH"`)).toMatch(/ 1$/);
  expect(line("apiextensions_apiserver_validation_ratcheting_seconds_count")).toMatch(/ 1$/);
  expect(line('field_validation_request_duration_seconds_count{field_validation=""}')).toBeDefined();
  expect(
    line('apiserver_admission_controller_admission_duration_seconds_count{name="NamespaceLifecycle"'),
  ).toBeDefined();
  expect(text).not.toContain("nowhere");
});

test("compiling and evaluating the rules of CRDs is measured in upstream's buckets", async () => {
  const api = await openClient();
  const count = async (what: string) =>
    Number((await api.get("/metrics")).text.match(`apiserver_cel_${what}_duration_seconds_count (\\d+)`)?.[1] ?? 0);
  const definition = widgetDefinition();
  const [v1] = definition.spec.versions;
  v1.schema.openAPIV3Schema.properties.spec["x-kubernetes-validations"] = [{ rule: "self.size < 5" }];
  definition.spec.versions = [v1];
  await api.post(DEFINITIONS, definition);
  await api.app.settled();
  expect(await count("compilation")).toBeGreaterThan(0);
  expect(await count("evaluation")).toBe(0);
  await api.post(WIDGETS, widget("a", { spec: { size: 2 } }));
  expect(await count("evaluation")).toBeGreaterThan(0);
  const { text } = await api.get("/metrics");
  const bounds = [...text.matchAll(/apiserver_cel_evaluation_duration_seconds_bucket\{le="([^"]+)"\}/g)];
  expect(bounds.map(([, bound]) => bound).join(" ")).toBe("0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf");
});

test("the build and the events of watches are counted under upstream's names", async () => {
  const api = await openWithWidgets();
  await api.post(WIDGETS, widget("a"));
  const watch = await api.watch(`${WIDGETS}?watch=true`);
  expect(await watch.next()).toMatchObject({ type: "ADDED" });
  const { text } = await api.get("/metrics");
  const labels = 'group="example.com",resource="widgets",version="v1"';
  expect(text).toContain(`apiserver_watch_events_total{${labels}} 1\n`);
  expect(text).toContain(`apiserver_watch_events_sizes_count{${labels}} 1\n`);
  expect(text).toMatch(/^kubernetes_build_info\{build_date=.*git_version="v1.*major="1",minor="\d+".*\} 1$/m);
  await watch.close();
});

test("an open watch is counted while it is open", async () => {
  const api = await openWithWidgets();
  const open = async () => (await api.get("/metrics")).text.match(/apiserver_longrunning_requests\{.*\} (\d+)/)?.[1];
  const watch = await api.watch(`${WIDGETS}?watch=true`);
  expect(await open()).toBe("1");
  await watch.close();
  expect(await open()).toBe("0");
});

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    nonResourceURLs: ["/metrics", "/openapi/*"]
  - level: RequestResponse
    resources: [{ group: example.com, resources: [widgets] }]
    verbs: [create]
  - level: Metadata
    users: [alice]
`;

test("the audit log follows its policy", async () => {
  const lines: string[] = [];
  const audit = { policy: parseAuditPolicy(POLICY), write: (line: string) => void lines.push(line) };
  const api = await openWithWidgets({ audit });
  lines.length = 0;
  await api.get("/metrics");
  await api.get(WIDGETS);
  await api.post(WIDGETS, widget("a", { spec: { size: 3 } }), { headers: { "audit-id": "own" } });
  await api.get(`${WIDGETS}/a`, { token: "alice" });
  const [created, refused, ...rest] = lines.map((line) => JSON.parse(line));
  expect(rest).toEqual([]);
  expect(created).toMatchObject({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    auditID: "own",
    stage: "ResponseComplete",
    verb: "create",
    user: { username: "admin", groups: ["system:masters", "system:authenticated"] },
    objectRef: { resource: "widgets", namespace: "default", apiGroup: "example.com", apiVersion: "v1" },
    responseStatus: { code: 201 },
    requestObject: { spec: { size: 3 } },
    responseObject: { metadata: { name: "a", resourceVersion: expect.any(String) } },
    requestReceivedTimestamp: "2026-01-02T03:04:05.000000Z",
    annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
  });
  expect(refused).toMatchObject({
    level: "Metadata",
    responseStatus: { code: 403, reason: "Forbidden", status: "Failure" },
    annotations: { "authorization.k8s.io/decision": "forbid" },
  });
  expect(refused.requestObject).toBeUndefined();
});

test("the audit log records impersonation", async () => {
  const lines: string[] = [];
  const api = await openWithWidgets({ audit: { write: (line) => void lines.push(line) } });
  lines.length = 0;
  await api.get("/version", { headers: { "impersonate-user": "bob" } });
  const stages = lines.map((line) => JSON.parse(line));
  expect(stages.map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
  expect(stages[1]).toMatchObject({ user: { username: "admin" }, impersonatedUser: { username: "bob" } });
});

test.each([
  { name: "another kind", text: "kind: List", error: "not a `Policy`" },
  {
    name: "an unknown level",
    text: "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: All}]}",
    error: "unknown level `All`",
  },
])("a policy of $name is refused", ({ text, error }) => {
  expect(() => parseAuditPolicy(text)).toThrow(error);
});

test("labels are equal in any order and differ by name", () => {
  const metrics = new Metrics();
  const counter = metrics.counter("c", "Counts.");
  counter.add({ a: "x", b: "y" });
  counter.add({ b: "y", a: "x" });
  counter.add({ b: "x", a: "y" });
  counter.add({ a: "x", b: "y" });
  counter.add({ a: "x" });
  expect(metrics.text().split("\n").slice(2, -1)).toEqual(['c{a="x"} 1', 'c{a="x",b="y"} 3', 'c{a="y",b="x"} 1']);
});

test("an audit event names the object that was sent, protobuf as JSON, and the mode of impersonation", async () => {
  const lines: string[] = [];
  const policy = parseAuditPolicy("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Request }]");
  const api = await openClient({ audit: { policy, write: (line) => void lines.push(line) } });
  const maps = "/api/v1/namespaces/default/configmaps";
  await api.get(maps, { headers: { "impersonate-user": "joe" } });
  const { authenticationMetadata } = JSON.parse(lines.at(-1) ?? "");
  expect(authenticationMetadata).toEqual({ impersonationConstraint: "impersonate:user-info" });
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" }, data: { k: "v" } };
  const body = new Uint8Array(encodeProtobuf(object) ?? []);
  const headers = { authorization: "Bearer admin", "content-type": "application/vnd.kubernetes.protobuf" };
  await api.app.fetch(new Request(`http://test${maps}`, { method: "POST", headers, body }));
  const { objectRef, requestObject } = JSON.parse(lines.at(-1) ?? "");
  expect([objectRef.name, requestObject.data]).toEqual(["b", { k: "v" }]);
});

test("the metrics count the stored objects of each kind once", async () => {
  const client = await openClient();
  const maps = "/api/v1/namespaces/default/configmaps";
  for (const name of ["a", "b"]) await client.post(maps, { metadata: { name }, data: { text: "x".repeat(1_000) } });
  const { text } = await client.get("/metrics");
  const count = (line: string): number => Number(new RegExp(`^${line} (\\d+)$`, "m").exec(text)?.[1]);
  expect(count('apiserver_resource_objects{group="",resource="configmaps"}')).toBeGreaterThanOrEqual(2);
  expect(count('apiserver_storage_objects{resource="flowschemas.flowcontrol.apiserver.k8s.io"}')).toBe(11);
  expect(count('apiserver_resource_size_estimate_bytes{group="",resource="configmaps"}')).toBeGreaterThan(2_000);
  expect(text.match(/^apiserver_storage_objects\{resource="leases.coordination.k8s.io"\}/gm)).toHaveLength(1);
});

test("writes and reads of the store are timed by operation and kind, of custom resources too", async () => {
  const api = await openWithWidgets();
  await api.post(WIDGETS, widget("a"));
  await api.post(WIDGETS, widget("a"));
  await api.patch(`${WIDGETS}/a`, { spec: { size: 2 } });
  await api.post("/api/v1/namespaces/default/services", { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } });
  await api.delete(`${WIDGETS}/a`);
  const { text } = await api.get("/metrics");
  const line = (name: string, labels: string) =>
    text
      .split("\n")
      .find((each) => each.startsWith(`${name}{${labels}} `))
      ?.split(" ")
      .at(-1);
  expect(line("etcd_requests_total", 'group="example.com",operation="create",resource="widgets"')).toBe("2");
  expect(line("etcd_request_errors_total", 'group="example.com",operation="create",resource="widgets"')).toBe("1");
  expect(line("etcd_request_duration_seconds_count", 'group="example.com",operation="update",resource="widgets"')).toBe(
    "1",
  );
  expect(line("etcd_requests_total", 'group="example.com",operation="delete",resource="widgets"')).toBe("1");
  expect(line("etcd_requests_total", 'group="",operation="create",resource="services"')).toBe("2");
  // One is that of the server itself.
  expect(text).not.toContain('resource="specs"');
});

test("deprecated versions that were requested are shown with the release that removes them", async () => {
  const api = await openClient();
  await api.get("/api/v1/componentstatuses");
  await api.get("/api/v1/componentstatuses");
  await api.get("/api/v1/namespaces/default/endpoints", { token: "alice" });
  const { text } = await api.get("/metrics");
  const shown = text.match(/^apiserver_requested_deprecated_apis\{.*$/gm);
  expect(shown).toEqual([
    'apiserver_requested_deprecated_apis{group="",removed_release="",resource="componentstatuses",subresource="",version="v1"} 1',
  ]);
});

test("authentication, client certificates and queues of controllers are measured", async () => {
  const api = await openClient();
  await api.get("/api/v1/namespaces/default", { token: "wrong" });
  await api.post("/api/v1/namespaces", { metadata: { name: "new" } });
  await api.app.settled();
  await api.app.handle({
    method: "GET",
    target: "/version",
    peer: { commonName: "", organizations: [], isClient: false, isProxy: false, expires: NOW + 3_000_000 },
    header: () => undefined,
    headerValues: () => [],
    headerNames: () => [],
    readBody: async () => new Uint8Array(),
  });
  const { text } = await api.get("/metrics");
  const line = (start: string) =>
    text
      .split("\n")
      .find((each) => each.startsWith(`${start} `))
      ?.split(" ")
      .at(-1);
  expect(line('authentication_duration_seconds_count{result="failure"}')).toBe("1");
  expect(line('authenticated_user_requests{username="admin"}')).toBe("2");
  expect(line('apiserver_client_certificate_expiration_seconds_bucket{le="1800"}')).toBe("0");
  expect(line('apiserver_client_certificate_expiration_seconds_bucket{le="3600"}')).toBe("1");
  expect(text).toContain('apiserver_client_certificate_expiration_seconds_bucket{le="2.592e+06"} 1');
  const queue = '{name="crd_naming_condition_controller"}';
  expect([line(`workqueue_adds_total${queue}`), line(`workqueue_depth${queue}`)]).toEqual(["0", "0"]);
  expect(Number(line('workqueue_work_duration_seconds_count{name="garbage_collector_attempt_to_delete"}'))).toBe(
    Number(line('workqueue_adds_total{name="garbage_collector_attempt_to_delete"}')),
  );
  expect(text).toContain('workqueue_queue_duration_seconds_bucket{name="ipaddresses",le="9.999999999999999e-06"}');
});

test("a watch measures the time until it has sent the state that it begins with", async () => {
  const api = await openClient();
  const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watch = await api.watch(`/api/v1/namespaces?${query}`);
  for (let type = ""; type !== "BOOKMARK"; ) ({ type } = await watch.next());
  await watch.close();
  const { text } = await api.get("/metrics");
  expect(text).toContain(
    'apiserver_watch_list_duration_seconds_count{group="",resource="namespaces",scope="cluster",version="v1"} 1',
  );
});

test("the usage of the process is read once for each text", async () => {
  let reads = 0;
  const metrics = new ServerMetrics(() => 0);
  metrics.addProcess(() => ({ cpu: ++reads, memory: 0, start: 0 }));
  expect(metrics.text()).toContain("process_cpu_seconds_total 1\n");
  expect(reads).toBe(1);
  await Promise.resolve();
  expect(metrics.text()).toContain("process_cpu_seconds_total 2\n");
});
