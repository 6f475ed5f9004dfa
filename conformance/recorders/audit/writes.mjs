/** Random writes: many kinds, verbs and subresources, valid and invalid, by several users. */
import { gadgets, widgets } from "./setup.mjs";

const USERS = [
  { name: "alice", groups: ["devs"] },
  { name: "bob", groups: ["devs"], extra: { team: ["blue"] } },
  { name: "carol", groups: ["ops"] },
];
/** It may write in one namespace only. */
const ROBOT = {
  name: "system:serviceaccount:dev:robot",
  groups: ["system:serviceaccounts", "system:serviceaccounts:dev"],
};

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

const core = (plural, kind) => ({ group: "", version: "v1", plural, kind, namespaced: true });
const CONFIG_MAPS = core("configmaps", "ConfigMap");
const KINDS = {
  configmaps: CONFIG_MAPS,
  secrets: core("secrets", "Secret"),
  services: core("services", "Service"),
  serviceaccounts: core("serviceaccounts", "ServiceAccount"),
  pods: core("pods", "Pod"),
  deployments: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment", namespaced: true },
  widgets: { group: "shop.example.com", version: "v1", plural: "widgets", kind: "Widget", namespaced: true },
  oldWidgets: { group: "shop.example.com", version: "v1beta1", plural: "widgets", kind: "Widget", namespaced: true },
  gadgets: { group: "shop.example.com", version: "v1", plural: "gadgets", kind: "Gadget", namespaced: false },
  autoscalers: hpa("v2"),
  oldAutoscalers: hpa("v1"),
  classes: {
    group: "scheduling.k8s.io",
    version: "v1",
    plural: "priorityclasses",
    kind: "PriorityClass",
    namespaced: false,
  },
};

function define(body) {
  return { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", isChange: true, body };
}

function hpa(version) {
  return {
    group: "autoscaling",
    version,
    plural: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    namespaced: true,
  };
}

export function pathOf(kind, namespace, name = "", subresource = "") {
  const base = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope = kind.namespaced ? `/namespaces/${namespace}` : "";
  return `${base}${scope}/${kind.plural}${name && `/${name}`}${subresource && `/${subresource}`}`;
}

/** A generator of writes; the same seed makes the same ones, but for what they read from the server. */
export class Writer {
  constructor(seed) {
    this.state = seed;
    this.count = 0;
  }

  random() {
    this.state = (this.state * 1_664_525 + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.random() * limit);
  }

  isOneIn(limit) {
    return this.below(limit) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** `{method, path, body, contentType, query, user}`; `read` is an object that is read first and changed by `edit`. */
  next() {
    this.count += 1;
    const user = this.isOneIn(12) ? ROBOT : this.pick(USERS);
    const namespace = this.isOneIn(15) ? "made" : this.pick(["dev", "dev", "prod", "prod", "plain"]);
    const write =
      this.count <= 2
        ? define(this.count === 1 ? widgets(40) : gadgets)
        : this.pick(WRITES).call(this, namespace, user);
    const query = { ...write.query };
    if (this.isOneIn(14)) query.dryRun = "All";
    if (this.isOneIn(9) && write.contentType !== APPLY && write.method !== "DELETE")
      query.fieldManager = this.pick(["tool", "evil", "helm"]);
    if (this.isOneIn(12) && write.method !== "DELETE") query.fieldValidation = this.pick(["Strict", "Warn", "Ignore"]);
    return { ...write, query, user };
  }

  metadata(namespace, kind, name) {
    const labels = {};
    for (const [key, values] of [
      ["owner", ["alice", "bob"]],
      ["protected", ["true"]],
      ["kept", ["a", "b"]],
      ["team", ["unset"]],
      ["frozen", ["1"]],
    ]) {
      if (this.isOneIn(key === "owner" ? 2 : 5)) labels[key] = this.pick(values);
    }
    const annotations = {};
    if (this.isOneIn(4)) annotations.weight = this.pick(["3", "70", "heavy"]);
    if (this.isOneIn(9)) annotations.ns = "x";
    const named = this.isOneIn(8) ? { generateName: this.pick(["gen-", "g", "generated-name-"]) } : { name };
    return {
      ...named,
      ...(kind.namespaced && !this.isOneIn(6) && { namespace }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(this.isOneIn(15) && { finalizers: ["example.com/hold"] }),
    };
  }

  name(kind) {
    const digit = this.below(3);
    return `${{ gadgets: "gad", services: "web", pods: "pod" }[kind.plural] ?? kind.plural.slice(0, 6)}-${digit}${!kind.namespaced && this.isOneIn(4) ? "-x" : ""}`;
  }

  object(kind, namespace, name) {
    const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    return { apiVersion, kind: kind.kind, metadata: this.metadata(namespace, kind, name), ...this.content(kind) };
  }

  content(kind) {
    const image = this.pick(["web:1", "web:latest", "db:2", "db"]);
    const spec = {
      containers: [{ name: "main", image, ...(this.isOneIn(2) && { env: [{ name: "A", value: "b" }] }) }],
    };
    switch (kind.plural) {
      case "configmaps":
        return this.isOneIn(10)
          ? {}
          : {
              data: { ...(this.isOneIn(2) && { tier: this.pick(["1", "2"]) }), count: this.pick(["1", "12", "many"]) },
            };
      case "secrets":
        return { type: "Opaque", data: { [this.pick(["open", "shut"])]: "eA==" } };
      case "services":
        return {
          spec: {
            ports: [{ port: this.pick([80, 9000]) }],
            type: this.pick(["ClusterIP", "NodePort"]),
            selector: { a: this.pick(["b", "c"]) },
          },
        };
      case "serviceaccounts":
        return this.isOneIn(2) ? {} : { automountServiceAccountToken: false };
      case "pods":
        return { spec: { ...spec, terminationGracePeriodSeconds: 0 } };
      case "deployments":
        return {
          spec: {
            ...(this.isOneIn(5) ? {} : { replicas: this.below(14) }),
            selector: { matchLabels: { app: "a" } },
            template: { metadata: { labels: { app: this.isOneIn(15) ? "z" : "a" } }, spec },
          },
        };
      case "widgets":
        return {
          spec: {
            size: this.pick([1, 5, 6, 13, 30, 50, "big"]),
            ...(this.isOneIn(2) && { colour: this.pick(["red", "blue"]) }),
            ...(this.isOneIn(3) && { parts: ["a", "b"] }),
            ...(this.isOneIn(5) && { unknown: 1 }),
          },
        };
      case "gadgets":
        return { spec: { width: this.pick([3, 7, 9]), other: { deep: [1, 2.5] } } };
      case "horizontalpodautoscalers":
        return {
          spec: {
            maxReplicas: this.pick([3, 9, 15]),
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
            ...(kind.version === "v1"
              ? { targetCPUUtilizationPercentage: 50 }
              : {
                  metrics: [
                    {
                      type: "Resource",
                      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 40 } },
                    },
                    ...(this.isOneIn(2)
                      ? [
                          {
                            type: "Resource",
                            resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } },
                          },
                        ]
                      : []),
                  ],
                }),
          },
        };
      default:
        return { value: this.below(100), description: this.pick(["a", "b"]) };
    }
  }

  kind() {
    const name = this.pick([
      "configmaps",
      "configmaps",
      "configmaps",
      "secrets",
      "services",
      "serviceaccounts",
      "pods",
      "pods",
      "deployments",
      "deployments",
      "widgets",
      "widgets",
      "oldWidgets",
      "gadgets",
      "autoscalers",
      "oldAutoscalers",
      "classes",
    ]);
    return KINDS[name];
  }

  create(namespace) {
    const kind = this.kind();
    const name = this.name(kind);
    return { method: "POST", path: pathOf(kind, namespace), body: this.object(kind, namespace, name) };
  }

  update(namespace) {
    const kind = this.kind();
    const name = this.name(kind);
    const path = pathOf(kind, namespace, name);
    const fresh = this.object(kind, namespace, name);
    fresh.metadata.name = name;
    delete fresh.metadata.generateName;
    if (this.isOneIn(4)) return { method: "PUT", path, body: fresh };
    const isStale = this.isOneIn(10);
    const edit = (live) => ({
      ...live,
      ...(kind.plural === "pods" ? {} : fresh),
      metadata: {
        ...live.metadata,
        labels: fresh.metadata.labels,
        annotations: fresh.metadata.annotations,
        ...(isStale && { resourceVersion: "1" }),
        ...(this.isOneIn(3) && { finalizers: [] }),
      },
      ...(kind.plural === "services" && { spec: { ...live.spec, selector: fresh.spec.selector } }),
      ...(live.status && { status: live.status }),
    });
    return { method: "PUT", path, read: path, edit };
  }

  patch(namespace) {
    const kind = this.kind();
    const path = pathOf(kind, namespace, this.name(kind));
    const isCustom = kind.group === "shop.example.com";
    const label = this.pick(["owner", "kept", "protected", "team"]);
    const content = this.content(kind);
    const patch = { metadata: { labels: { [label]: this.pick(["a", "b", null, "true"]) } } };
    if (kind.plural === "pods")
      return { method: "PATCH", path, body: patch, contentType: this.pick([MERGE, STRATEGIC]) };
    switch (this.below(4)) {
      case 0:
        return { method: "PATCH", path, body: { ...patch, ...content }, contentType: MERGE };
      case 1:
        return {
          method: "PATCH",
          path,
          body: { ...(this.isOneIn(2) && patch), ...content },
          contentType: isCustom ? MERGE : STRATEGIC,
        };
      case 2:
        return { method: "PATCH", path, body: this.jsonPatch(content), contentType: JSON_PATCH };
      default:
        return this.strange(path, kind, isCustom);
    }
  }

  strange(path, kind, isCustom) {
    const body = this.pick([
      { metadata: { resourceVersion: "1", labels: { kept: "z" } } },
      { metadata: { finalizers: this.pick([[], ["example.com/hold"], null]) } },
      { data: null, metadata: { annotations: { weight: "80" } } },
      kind.plural === "deployments"
        ? { spec: { template: { spec: { containers: [{ name: "side", image: "side:latest" }] } } } }
        : { $patch: "replace", data: { tier: "9" } },
      kind.plural === "deployments"
        ? {
            spec: {
              template: {
                spec: {
                  containers: [
                    { name: "main", $patch: "delete" },
                    { name: "n", image: "n:1" },
                  ],
                },
              },
            },
          }
        : {},
    ]);
    return { method: "PATCH", path, body, contentType: isCustom ? MERGE : this.pick([MERGE, STRATEGIC]) };
  }

  jsonPatch(content) {
    return this.pick([
      [{ op: "add", path: "/metadata/labels", value: { kept: this.pick(["a", "b"]), owner: "x" } }],
      [{ op: "remove", path: "/metadata/labels" }],
      Object.entries(content).map(([key, value]) => ({ op: "add", path: `/${key}`, value })),
      [
        { op: "test", path: "/metadata/labels/kept", value: "a" },
        { op: "replace", path: "/metadata/labels/kept", value: "b" },
      ],
      [{ op: "copy", from: "/metadata/name", path: "/metadata/annotations" }],
    ]);
  }

  apply(namespace) {
    const kind = this.kind();
    const name = this.name(kind);
    const body = this.object(kind, namespace, name);
    body.metadata.name = name;
    delete body.metadata.generateName;
    const manager = this.pick(["one", "two", "three", "four"]);
    return {
      method: "PATCH",
      path: pathOf(kind, namespace, name),
      body,
      contentType: APPLY,
      query: { fieldManager: manager, ...(this.isOneIn(2) && { force: "true" }) },
    };
  }

  delete(namespace) {
    const kind = this.kind();
    const body = this.isOneIn(3)
      ? {
          apiVersion: "v1",
          kind: "DeleteOptions",
          ...(this.isOneIn(2) && { gracePeriodSeconds: this.pick([0, 7]) }),
          ...(this.isOneIn(3) && { propagationPolicy: this.pick(["Orphan", "Foreground", "Background"]) }),
          ...(this.isOneIn(5) && { preconditions: { uid: "00000000-0000-0000-0000-000000000000" } }),
        }
      : undefined;
    return { method: "DELETE", path: pathOf(kind, namespace, this.name(kind)), ...(body && { body }) };
  }

  deleteMany(namespace) {
    const kind = this.kind();
    const query = this.pick([
      {},
      { labelSelector: "owner" },
      { labelSelector: "kept in (a,b),!protected" },
      { fieldSelector: `metadata.name=${this.name(kind)}` },
    ]);
    const isAll = Object.keys(query).length === 0 && kind.plural === "priorityclasses";
    return { method: "DELETE", path: pathOf(kind, namespace), query: isAll ? { labelSelector: "owner" } : query };
  }

  subresource(namespace, user) {
    const to = (plural, subresource, kind = KINDS[plural]) => pathOf(kind, namespace, this.name(kind), subresource);
    const replicas = this.below(12);
    const phase = this.pick(["Failed", "Running", "Pending"]);
    const pod = this.name(KINDS.pods);
    const pair = (path, body) => ({ method: "PATCH", path, body, contentType: MERGE });
    return this.pick([
      () => pair(to("deployments", "scale"), { spec: { replicas } }),
      () => ({
        method: "PUT",
        path: to("deployments", "scale"),
        read: to("deployments", "scale"),
        edit: (live) => ({ ...live, spec: { replicas } }),
      }),
      () => pair(to("widgets", "scale"), { spec: { replicas } }),
      () => pair(to("widgets", "status"), { status: { phase }, spec: { colour: "green" } }),
      () => ({
        method: "PATCH",
        path: to("widgets", "status"),
        body: [{ op: "add", path: "/status", value: { phase } }],
        contentType: JSON_PATCH,
      }),
      () => ({ method: "PATCH", path: to("pods", "status"), body: { status: { phase } }, contentType: STRATEGIC }),
      () => pair(to("services", "status"), { status: { loadBalancer: {} }, metadata: { labels: { kept: "q" } } }),
      () => ({
        method: "POST",
        path: pathOf(KINDS.pods, namespace, pod, "eviction"),
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace } },
      }),
      () => ({
        method: "POST",
        path: pathOf(KINDS.pods, namespace, pod, "binding"),
        body: {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name: pod, namespace },
          target: { apiVersion: "v1", kind: "Node", name: "node-1" },
        },
      }),
      () => ({
        method: "PATCH",
        path: pathOf(KINDS.pods, namespace, pod, "ephemeralcontainers"),
        body: {
          spec: {
            ephemeralContainers: [{ name: `debug-${this.below(3)}`, image: this.pick(["busybox", "busybox:latest"]) }],
          },
        },
        contentType: STRATEGIC,
      }),
      () => ({
        method: "PATCH",
        path: pathOf(KINDS.pods, namespace, pod, "resize"),
        body: { spec: { containers: [{ name: "main", resources: { requests: { cpu: "1m" } } }] } },
        contentType: STRATEGIC,
      }),
      () => ({
        method: "POST",
        path: pathOf(KINDS.serviceaccounts, namespace, "default", "token"),
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } },
      }),
    ]).call(this, user);
  }

  /** Changes of what policies read: params, labels of namespaces, permissions, definitions. */
  surroundings() {
    const patch = (path, body, rest = {}) => ({
      method: "PATCH",
      path,
      body,
      contentType: MERGE,
      isChange: true,
      ...rest,
    });
    const limit = CONFIG_MAPS;
    return this.pick([
      () => patch(pathOf(limit, "dev", "limit"), { data: { max: this.pick(["3", "5", "9", "none"]) } }),
      () => patch(pathOf(limit, "prod", "limit"), { metadata: { labels: { use: this.pick(["limits", "nothing"]) } } }),
      () => ({ method: "DELETE", path: pathOf(limit, "prod", "limit"), isChange: true }),
      () => ({
        method: "POST",
        path: pathOf(limit, "prod"),
        isChange: true,
        body: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "limit", labels: { use: "limits" } },
          data: { max: "6" },
        },
      }),
      () => patch("/api/v1/namespaces/plain", { metadata: { labels: { env: this.pick(["prod", "dev", null]) } } }),
      () => patch("/api/v1/namespaces/dev", { metadata: { labels: { locked: this.pick(["1", null, null]) } } }),
      () =>
        patch("/apis/rbac.authorization.k8s.io/v1/namespaces/prod/rolebindings/approver-bob", {
          subjects: this.pick([[], [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }]]),
        }),
      () => ({
        method: "POST",
        path: "/api/v1/namespaces",
        isChange: true,
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "made", labels: { env: "prod" } } },
      }),
      () =>
        patch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.shop.example.com", {
          spec: widgets(this.pick([20, 40])).spec,
        }),
      () => define(this.pick([gadgets, widgets(40)])),
    ])();
  }
}

const { prototype: by } = Writer;
const times = (count, write) => Array.from({ length: count }, () => write);
// biome-ignore format: a table
const WRITES = [
  ...times(10, by.create), ...times(6, by.update), ...times(9, by.patch), ...times(7, by.apply),
  ...times(4, by.delete), ...times(1, by.deleteMany), ...times(8, by.subresource), ...times(1, by.surroundings),
];
