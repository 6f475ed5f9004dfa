/**
 * The input of the command line benchmark: typical manifests, one per file, and the schemas that kubeconform needs for
 * the same kinds, made from the data of our own engine.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { structAt, structOfKind } from "@portcullis/engine/internal/builtin/types";
import { fixedSchema, structName, structSchema } from "@portcullis/engine/internal/openapi/builtin-schema";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const ROUTES = path.join(
  here,
  "../conformance/corpora/engine/real/httproutes.gateway.networking.k8s.io-standard.json.gz",
);
const ROUTE_KIND = "HTTPRoute";
const FILES_PER_FOLDER = 100;

/** One in this many is broken, in a way that both tools can see. */
const BROKEN_EVERY = 200;

/** Writes `count` manifests below `folder`/manifests and returns how many are broken. */
export function writeManifests(folder, count) {
  let broken = 0;
  for (let index = 0; index < count; index++) {
    const home = path.join(
      folder,
      "manifests",
      `team-${String(Math.floor(index / FILES_PER_FOLDER)).padStart(4, "0")}`,
    );
    if (index % FILES_PER_FOLDER === 0) mkdirSync(home, { recursive: true });
    const isBroken = index % BROKEN_EVERY === BROKEN_EVERY - 1;
    if (isBroken) broken++;
    const make = KINDS[index % KINDS.length];
    writeFileSync(path.join(home, `${String(index).padStart(6, "0")}.yaml`), make(`app-${index}`, index, isBroken));
  }
  return broken;
}

/** The CRD with its rules, as our side reads it. */
export function writeDefinition(folder) {
  const file = path.join(folder, "crds", "httproutes.json");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, gunzipSync(readFileSync(ROUTES)));
  return path.dirname(file);
}

/** kubeconform's layout: `VERSION-standalone-strict/KIND-GROUP-VERSION.json`, each self-contained. */
export function writeSchemas(folder) {
  const home = path.join(folder, "schemas", "master-standalone-strict");
  mkdirSync(home, { recursive: true });
  for (const [group, version, kind] of BUILT_IN) {
    const parts = [kind, group.split(".")[0], version].filter((part) => part !== "");
    writeFileSync(
      path.join(home, `${parts.join("-").toLowerCase()}.json`),
      JSON.stringify(kindSchema(group, version, kind)),
    );
  }
  const definition = JSON.parse(gunzipSync(readFileSync(ROUTES)));
  const { openAPIV3Schema } = definition.spec.versions.find(({ name }) => name === "v1").schema;
  writeFileSync(path.join(home, "httproute-gateway-v1.json"), JSON.stringify(toStrict(openAPIV3Schema)));
  return path.dirname(home);
}

function kindSchema(group, version, kind) {
  const definitions = {};
  const add = (struct) => {
    const name = structName(struct);
    if (definitions[name] !== undefined) return;
    definitions[name] = {};
    const refer = (other, inner) => {
      if (inner !== undefined && fixedSchema(other, 3) === undefined) add(structAt(inner.index));
      else definitions[other] ??= plain(fixedSchema(other, 3) ?? {});
    };
    definitions[name] = toStrict(plain(structSchema(struct, { refer, version: 3, groupVersions: [] })));
  };
  const root = structOfKind(group, version, kind);
  add(root);
  return { $schema: "http://json-schema.org/draft-04/schema#", $ref: `#/definitions/${structName(root)}`, definitions };
}

/** Draft 4, without the Kubernetes extensions; unknown fields are refused as with `-strict`. */
function toStrict(schema) {
  if (Array.isArray(schema)) return schema.map(toStrict);
  if (typeof schema !== "object" || schema === null) return schema;
  const out = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties")
      out.properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toStrict(each)]));
    else if (key === "$ref") out.$ref = value.replace("#/components/schemas/", "#/definitions/");
    else if (!key.startsWith("x-kubernetes") && key !== "default" && key !== "description" && key !== "nullable")
      out[key] = toStrict(value);
  }
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (out.properties !== undefined && out.type === "object" && !isOpen) out.additionalProperties ??= false;
  // The API server drops a null in an optional field; kubeconform's published schemas allow it in the same way.
  if (typeof out.type === "string") out.type = [out.type, "null"];
  return out;
}

function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

const BUILT_IN = [
  ["apps", "v1", "Deployment"],
  ["apps", "v1", "StatefulSet"],
  ["", "v1", "Service"],
  ["", "v1", "ConfigMap"],
  ["", "v1", "ServiceAccount"],
  ["networking.k8s.io", "v1", "Ingress"],
  ["networking.k8s.io", "v1", "NetworkPolicy"],
  ["batch", "v1", "CronJob"],
  ["autoscaling", "v2", "HorizontalPodAutoscaler"],
  ["policy", "v1", "PodDisruptionBudget"],
  ["rbac.authorization.k8s.io", "v1", "Role"],
  ["rbac.authorization.k8s.io", "v1", "RoleBinding"],
];

const head = (apiVersion, kind, name) => `# rendered for ${name}
apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: shop
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/part-of: shop
    app.kubernetes.io/managed-by: Helm
  annotations:
    checksum/config: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
`;

/** Broken: a number instead of a list, a text or another type, or an unknown field. */
const podSpec = (name, index, isBroken) => `securityContext:
  runAsNonRoot: true
  runAsUser: 1000
serviceAccountName: ${name}
containers:
- name: main
  image: "registry.example.com/${name}:1.${index % 40}.3"
  imagePullPolicy: IfNotPresent
  ${isBroken ? "command: 5" : `args: ["--listen", ":8080", "--log-level=info"]`}
  env:
  - name: POD_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: ${name}-db
        key: url
  - name: FEATURES
    value: "a,b,c"
  ports:
  - name: http
    containerPort: 8080
    protocol: TCP
  livenessProbe:
    httpGet:
      path: /healthz
      port: http
    initialDelaySeconds: 5
  readinessProbe:
    httpGet:
      path: /ready
      port: 8080
    periodSeconds: 10
  resources:
    limits:
      cpu: 500m
      memory: 256Mi
    requests:
      cpu: 100m
      memory: 128Mi
  volumeMounts:
  - name: config
    mountPath: /etc/app
    readOnly: true
volumes:
- name: config
  configMap:
    name: ${name}
`;

const indent = (text, by) => text.replace(/^(?=.)/gm, " ".repeat(by));

const template = (name, index, isBroken) => `metadata:
  labels:
    app: ${name}
spec:
${indent(podSpec(name, index, isBroken), 2)}`;

const KINDS = [
  (name, index, isBroken) => `${head("apps/v1", "Deployment", name)}spec:
  replicas: ${(index % 5) + 1}
  selector:
    matchLabels:
      app: ${name}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 0
  template:
${indent(template(name, index, isBroken), 4)}`,
  (name, _, isBroken) => `${head("v1", "Service", name)}spec:
  type: ClusterIP
  selector:
    app: ${name}
  ports:
  - name: http
    port: 80
    targetPort: http
    ${isBroken ? "protocl: TCP" : "protocol: TCP"}
`,
  (name, index, isBroken) => `${head("v1", "ConfigMap", name)}data:
  LOG_LEVEL: info
  ${isBroken ? "WORKERS: 4" : `WORKERS: "4"`}
  application.yaml: |
    server:
      port: 8080
      shutdown: graceful
    cache:
      ttl: ${index}s
      size: 1000
    upstreams:
    - name: catalog
      url: http://catalog.shop.svc:8080
    - name: orders
      url: http://orders.shop.svc:8080
`,
  (name, _, isBroken) => `${head("networking.k8s.io/v1", "Ingress", name)}spec:
  ingressClassName: nginx
  tls:
  - hosts:
    - ${name}.example.com
    secretName: ${name}-tls
  rules:
  - host: ${name}.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: ${name}
            port:
              ${isBroken ? "number: eighty" : "number: 80"}
`,
  (name, index, isBroken) => `${head("apps/v1", "StatefulSet", name)}spec:
  serviceName: ${name}
  replicas: 3
  selector:
    matchLabels:
      app: ${name}
  template:
${indent(template(name, index, isBroken), 4)}  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 10Gi
`,
  (name, index, isBroken) => `${head("batch/v1", "CronJob", name)}spec:
  schedule: "*/${(index % 50) + 5} * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        metadata:
          labels:
            app: ${name}
        spec:
          restartPolicy: OnFailure
${indent(podSpec(name, index, isBroken), 10)}`,
  (name, index, isBroken) => `${head("autoscaling/v2", "HorizontalPodAutoscaler", name)}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${name}
  minReplicas: 1
  maxReplicas: ${isBroken ? "many" : (index % 7) + 3}
  metrics:
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: 80
`,
  (name, _, isBroken) => `${head("networking.k8s.io/v1", "NetworkPolicy", name)}spec:
  podSelector:
    matchLabels:
      app: ${name}
  ${isBroken ? "policyTypes: Ingress" : "policyTypes: [Ingress, Egress]"}
  ingress:
  - from:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: shop
    ports:
    - protocol: TCP
      port: 8080
  egress:
  - to:
    - ipBlock:
        cidr: 10.0.0.0/8
        except: [10.1.0.0/16]
`,
  (name, _, isBroken) => `${head("policy/v1", "PodDisruptionBudget", name)}spec:
  ${isBroken ? "minAvailable: [1]" : "minAvailable: 1"}
  selector:
    matchLabels:
      app: ${name}
`,
  (name, _, isBroken) => `${head("rbac.authorization.k8s.io/v1", "Role", name)}rules:
- apiGroups: [""]
  resources: ["configmaps", "secrets"]
  verbs: ["get", "list", "watch"]
- apiGroups: ["apps"]
  resources: ["deployments"]
  ${isBroken ? "verbs: get" : 'verbs: ["get", "patch"]'}
`,
  (name, index, isBroken) => `${head("gateway.networking.k8s.io/v1", ROUTE_KIND, name)}spec:
  parentRefs:
  - name: edge
    namespace: infra
    sectionName: https
  hostnames:
  - ${name}.example.com
  rules:
  - name: api
    matches:
    - path:
        type: PathPrefix
        value: /v${index % 9}/items
      headers:
      - name: x-version
        value: v${index % 9}
      method: GET
    - path:
        type: Exact
        value: /login
    filters:
    - type: RequestHeaderModifier
      requestHeaderModifier:
        set:
        - name: x-rule
          value: api
    backendRefs:
    - name: ${name}
      port: ${isBroken ? "eighty" : 8080}
      weight: 90
    - name: ${name}-canary
      port: 8080
      weight: 10
    timeouts:
      request: 10s
      backendRequest: 2s
  - name: rest
    matches:
    - path:
        type: PathPrefix
        value: /
    backendRefs:
    - name: ${name}
      port: 8080
`,
];
