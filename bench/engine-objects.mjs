/** The input of the engine benchmark: CRDs of the conformance corpus, and objects of a given size for them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const real = path.join(here, "..", "conformance", "corpora", "engine", "real");

/** The schema of a version of a published CRD, as JSON text. */
export function schemaOf(name, version) {
  const definition = JSON.parse(gunzipSync(readFileSync(path.join(real, `${name}.json.gz`))));
  return definition.spec.versions.find((each) => each.name === version).schema.openAPIV3Schema;
}

const metadata = { name: "a", namespace: "default", resourceVersion: "1", labels: { app: "shop", tier: "web" } };
const range = (count) => Array.from({ length: count }, (_, index) => index);

/** Rules with three matches, filters and three backends each; the API allows 16. Twelve are 16 KB. */
export function httpRoute(rules) {
  const match = (rule, index) => ({
    path: { type: "PathPrefix", value: `/shop/v${rule}/items/${index}` },
    headers: [
      { name: `x-version-${index}`, type: "Exact", value: `v${rule}.${index}` },
      { name: "x-canary", type: "RegularExpression", value: "^(true|always)$" },
    ],
    queryParams: [{ name: `variant${index}`, value: "b" }],
    method: ["GET", "POST", "PUT"][index],
  });
  const filters = (rule) => [
    {
      type: "RequestHeaderModifier",
      requestHeaderModifier: { set: [{ name: "x-rule", value: String(rule) }], remove: ["x-debug"] },
    },
    { type: "URLRewrite", urlRewrite: { path: { type: "ReplaceFullPath", replaceFullPath: `/v${rule}` } } },
  ];
  const backend = (rule, index) => ({
    name: `backend-${rule}-${index}`,
    port: 8080 + index,
    weight: 10 * (index + 1),
    kind: "Service",
    group: "",
  });
  return widget({
    parentRefs: [
      { name: "edge", namespace: "infra", sectionName: "https" },
      { name: "internal", port: 8443 },
    ],
    hostnames: ["shop.example.com", "*.shop.example.com"],
    rules: range(rules).map((rule) => ({
      name: `rule-${rule}`,
      matches: range(3).map((index) => match(rule, index)),
      filters: filters(rule),
      backendRefs: range(3).map((index) => backend(rule, index)),
      timeouts: { request: "10s", backendRequest: "2s" },
    })),
  });
}

/** A Prometheus with this many containers, remote writes, volumes and tolerations. */
export function prometheus(count) {
  const relabeling = (index) => ({
    action: "replace",
    sourceLabels: ["__name__", "job"],
    targetLabel: `label_${index}`,
    regex: "(.*)",
    replacement: "$1",
    separator: ";",
  });
  const container = (index) => ({
    name: `sidecar-${index}`,
    image: `registry.example.com/sidecar:${index}`,
    args: range(4).map((each) => `--flag-${each}=value-${index}`),
    env: range(5).map((each) => ({ name: `VAR_${each}`, value: `value-${index}-${each}` })),
    ports: [{ name: `port-${index}`, containerPort: 9000 + index, protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: 1, memory: "256Mi" } },
    volumeMounts: range(2).map((each) => ({ name: `volume-${each}`, mountPath: `/data/${index}/${each}` })),
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, initialDelaySeconds: 5, periodSeconds: 10 },
  });
  const remoteWrite = (index) => ({
    url: `https://remote-${index}.example.com/api/v1/write`,
    name: `remote-${index}`,
    remoteTimeout: "30s",
    queueConfig: { capacity: 10000, maxShards: 50, maxSamplesPerSend: 2000, batchSendDeadline: "5s" },
    writeRelabelConfigs: range(3).map(relabeling),
    basicAuth: {
      username: { name: `secret-${index}`, key: "username" },
      password: { name: `secret-${index}`, key: "password" },
    },
  });
  return widget({
    replicas: 2,
    version: "v3.5.0",
    retention: "15d",
    retentionSize: "50GB",
    scrapeInterval: "30s",
    evaluationInterval: "30s",
    serviceAccountName: "prometheus",
    serviceMonitorSelector: {
      matchLabels: { team: "shop" },
      matchExpressions: [{ key: "env", operator: "In", values: ["prod", "staging"] }],
    },
    resources: { requests: { memory: "2Gi" } },
    securityContext: { fsGroup: 2000, runAsNonRoot: true, runAsUser: 1000 },
    storage: {
      volumeClaimTemplate: {
        spec: {
          storageClassName: "fast",
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "100Gi" } },
        },
      },
    },
    alerting: {
      alertmanagers: range(3).map((index) => ({
        name: `alertmanager-${index}`,
        namespace: "monitoring",
        port: "web",
        scheme: "https",
        timeout: "10s",
      })),
    },
    tolerations: range(count).map((index) => ({
      key: `key-${index}`,
      operator: "Equal",
      value: "x",
      effect: "NoSchedule",
    })),
    volumes: range(count).map((index) => ({
      name: `volume-${index}`,
      configMap: { name: `config-${index}`, items: [{ key: "a", path: "a.yaml" }] },
    })),
    containers: range(count).map(container),
    remoteWrite: range(count).map(remoteWrite),
    externalLabels: Object.fromEntries(range(count).map((index) => [`label${index}`, `value-${index}`])),
  });
}

/** Objects get the kind that the benchmark serves every schema under. */
function widget(spec) {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata, spec };
}
