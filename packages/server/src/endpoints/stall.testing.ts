/** Requests that are as large as the limits allow and try to keep the server busy, for every sort of list, map and text. */
import type { Client, Json } from "../app/app.testing.ts";
import { DEFINITIONS } from "../app/app.testing.ts";

export interface HostileRequest {
  readonly name: string;
  /** What has to be there before. Made once for all requests that ask for it. */
  readonly needs?: Preparation;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly body?: () => string;
}

export type Preparation = (api: Client) => Promise<void>;

const LIMIT = 3 * 1024 * 1024;

/** As many items as fit into a body, at most so many. */
function many(count: number, make: (index: number) => unknown): string {
  const parts: string[] = [];
  for (let [index, length] = [0, 0]; index < count && length < LIMIT - 4096; index++) {
    const part = JSON.stringify(make(index));
    parts.push(part);
    length += part.length + 1;
  }
  return `[${parts.join(",")}]`;
}

function manyKeys(count: number, key: (index: number) => string, value: unknown = ""): string {
  const parts: string[] = [];
  const text = JSON.stringify(value);
  for (let [index, length] = [0, 0]; index < count && length < LIMIT - 4096; index++) {
    const part = `${JSON.stringify(key(index))}:${text}`;
    parts.push(part);
    length += part.length + 1;
  }
  return `{${parts.join(",")}}`;
}

const NAMESPACE = "/api/v1/namespaces/default";
const THINGS = "/apis/hostile.example.com/v1/namespaces/default/things";

/** An object of a built-in kind, with a part that is text already. */
const object = (apiVersion: string, kind: string, rest: string): string =>
  `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},${rest}}`;

const withMeta = (kind: string, meta: string): string =>
  `{"apiVersion":"v1","kind":"${kind}","metadata":{"name":"a",${meta}}}`;

const podSpec = (container: string, rest = ""): string =>
  `{"containers":[{"name":"c","image":"i"${container}}]${rest}}`;

const pod = (container: string, rest = ""): string => object("v1", "Pod", `"spec":${podSpec(container, rest)}`);

const thing = (spec: string): string => object("hostile.example.com/v1", "Thing", `"spec":${spec}`);

const create = (path: string, name: string, body: () => string, needs?: Preparation): HostileRequest => ({
  name,
  method: "POST",
  path: `${path}?dryRun=All`,
  body,
  ...(needs && { needs }),
});

const inPod = (name: string, container: () => string, rest?: () => string): HostileRequest =>
  create(`${NAMESPACE}/pods`, `Pod: ${name}`, () => pod(container(), rest?.()));

const inMap = (name: string, meta: () => string): HostileRequest =>
  create(`${NAMESPACE}/configmaps`, `metadata: ${name}`, () => withMeta("ConfigMap", meta()));

const inThing = (name: string, spec: () => string): HostileRequest =>
  create(THINGS, `custom resource: ${name}`, () => thing(spec()), defineThings);

const inGroup = (group: string, kind: string, plural: string, what: string, rest: () => string): HostileRequest => {
  const [, version = ""] = group.split("/");
  const path = version === "" ? `/api/${group}` : `/apis/${group}`;
  const place = CLUSTER_SCOPED.has(kind) ? plural : `namespaces/default/${plural}`;
  return create(`${path}/${place}`, `${kind}: ${what}`, () => object(group, kind, rest()));
};

const CLUSTER_SCOPED = new Set(["ClusterRole", "Node", "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"]);

const patch = (name: string, path: string, type: string, body: () => string, needs?: Preparation): HostileRequest => ({
  name: `${type}: ${name}`,
  method: "PATCH",
  path: `${path}?dryRun=All&fieldManager=m${type === "apply" ? "&force=true" : ""}`,
  type: type === "apply" ? "application/apply-patch+yaml" : `application/${type}+json`,
  body,
  ...(needs && { needs }),
});

const schemaOf = (spec: Json): Json => ({
  openAPIV3Schema: { type: "object", properties: { spec } },
});

const definition = (group: string, plural: string, spec: Json): Json => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural, kind: plural.charAt(0).toUpperCase() + plural.slice(1, -1) },
    versions: [{ name: "v1", served: true, storage: true, schema: schemaOf(spec) }],
  },
});

const THING_SPEC: Json = {
  type: "object",
  properties: {
    numbers: { type: "array", items: { type: "integer" } },
    words: { type: "array", items: { type: "string", maxLength: 5, pattern: "^[a-z]+$" } },
    enums: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
    set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    numberSet: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
    list: {
      type: "array",
      items: {
        type: "object",
        required: ["k"],
        properties: { k: { type: "string" }, d: { type: "integer", default: 7 }, n: { type: "integer" } },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    rules: {
      type: "array",
      maxItems: 100000,
      items: {
        type: "object",
        properties: { n: { type: "integer" } },
        "x-kubernetes-validations": [{ rule: "!has(self.n) || self.n > 0" }],
      },
    },
    map: { type: "object", additionalProperties: { type: "string" } },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    quantities: { type: "array", items: { "x-kubernetes-int-or-string": true } },
    dates: { type: "array", items: { type: "string", format: "date-time" } },
    choice: {
      type: "array",
      items: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
    },
  },
};

/** On a busy machine the time of a request may be over while an earlier one is still under way. */
async function define(api: Client, crd: Json): Promise<void> {
  for (let tries = 0; ; tries++) {
    const made = await api.post(DEFINITIONS, crd);
    if (made.code === 201 || made.code === 409) break;
    if (made.code !== 504 || tries === 5) throw new Error(made.text);
  }
  await api.app.settled();
}

async function defineThings(api: Client): Promise<void> {
  await define(api, definition("hostile.example.com", "things", THING_SPEC));
  const live = await api.post(THINGS, JSON.parse(thing("{}").replace('"a"', '"live"')));
  if (live.code !== 201) throw new Error(live.text);
}

/** A CRD whose schema takes seconds to compile as a whole. */
async function definePatterns(api: Client): Promise<void> {
  const spec = {
    type: "object",
    properties: properties(10_000, (i) => ({ type: "string", pattern: `^(a|b){1,50}${i}$` })),
  };
  await define(api, definition("patterns.example.com", "patterns", spec));
}

const PATTERNS = "/apis/patterns.example.com/v1/namespaces/default/patterns";

/** A CRD that an update changes in 1,000 places. */
async function defineChanging(api: Client): Promise<void> {
  await define(api, changing("string"));
}

const changing = (type: string): Json =>
  definition("changing.example.com", "changes", { type: "object", properties: properties(1_000, () => ({ type })) });

/** A live object with a map of 100,000 keys and all that owns them. */
async function makeLargeMap(api: Client): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, "v"]));
  const made = await api.post(`${NAMESPACE}/configmaps`, { metadata: { name: "large" }, data });
  if (made.code !== 201) throw new Error(made.text);
}

async function makeLiveMap(api: Client): Promise<void> {
  const made = await api.post(`${NAMESPACE}/configmaps`, { metadata: { name: "live" }, data: { a: "1" } });
  if (made.code !== 201) throw new Error(made.text);
}

const LISTED = 3_000;

async function makeManyMaps(api: Client): Promise<void> {
  await api.post("/api/v1/namespaces", { metadata: { name: "many" } });
  const data = { text: "x".repeat(10_000) };
  for (let i = 0; i < LISTED; i++) {
    const labels = { app: `a${i % 7}`, tier: `t${i}` };
    const made = await api.post("/api/v1/namespaces/many/configmaps", { metadata: { name: `m${i}`, labels }, data });
    if (made.code !== 201) throw new Error(made.text);
  }
}

const MANY_MAPS = "/api/v1/namespaces/many/configmaps";

const list = (name: string, query: string, accept: string): HostileRequest => ({
  name: `list of ${LISTED} objects of 10 kB: ${name}`,
  needs: makeManyMaps,
  method: "GET",
  path: `${MANY_MAPS}${query}`,
  headers: { accept },
});

const JSON_TYPE = "application/json";

const definitionWith = (name: string, spec: () => Json): HostileRequest =>
  create(DEFINITIONS, `CustomResourceDefinition: ${name}`, () =>
    JSON.stringify(definition("other.example.com", "others", spec())),
  );

const properties = (count: number, make: (index: number) => Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));

const nested = (levels: number): Json =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };

const longSum = (terms: number): string => Array.from({ length: terms }, () => "1").join("+");

const policy = (what: string, spec: () => Json): HostileRequest =>
  inGroup("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", what, () => {
    const matchConstraints = {
      resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
    };
    return `"spec":${JSON.stringify({ matchConstraints, ...spec() })}`;
  });

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const yaml = (name: string, body: () => string): HostileRequest => ({
  name: `YAML: ${name}`,
  needs: defineThings,
  method: "POST",
  path: `${THINGS}?dryRun=All`,
  type: "application/yaml",
  body,
});

const YAML_HEAD = "apiVersion: hostile.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n";

const lines = (count: number, make: (index: number) => string): string => {
  let text = "";
  for (let i = 0; i < count && text.length < LIMIT - 4096; i++) text += make(i);
  return text;
};

// biome-ignore format: a table
export const hostileRequests: readonly HostileRequest[] = [
  inGroup("v1", "Service", "services", "60,000 ports", () => `"spec":{"ports":${many(60_000, (i) => ({ name: `p${i}`, port: (i % 65535) + 1 }))}}`),
  inGroup("v1", "Service", "services", "60,000 equal ports", () => `"spec":{"ports":${many(60_000, () => ({ port: 1 }))}}`),
  inGroup("v1", "Service", "services", "60,000 external addresses", () => `"spec":{"ports":[{"port":1}],"externalIPs":${many(60_000, (i) => `x${i}`)}}`),
  inPod("60,000 bad names of variables", () => `,"env":${many(60_000, (i) => ({ name: `=${i}` }))}`),
  inPod("60,000 variables", () => `,"env":${many(60_000, (i) => ({ name: `A${i}`, value: "v" }))}`),
  inPod("60,000 equal variables", () => `,"env":${many(60_000, () => ({ name: "A", value: "v" }))}`),
  inPod("60,000 ports", () => `,"ports":${many(60_000, (i) => ({ containerPort: (i % 65535) + 1 }))}`),
  inPod("60,000 equal ports", () => `,"ports":${many(60_000, () => ({ containerPort: 80 }))}`),
  inPod("60,000 bad ports", () => `,"ports":${many(60_000, () => ({ containerPort: 0 }))}`),
  inPod("60,000 mounts without a volume", () => `,"volumeMounts":${many(60_000, (i) => ({ name: `v${i}`, mountPath: `/m${i}` }))}`),
  inPod("60,000 equal mounts", () => `,"volumeMounts":${many(60_000, () => ({ name: "v", mountPath: "/m" }))}`),
  inPod("30,000 containers", () => "", () => `,"initContainers":${many(30_000, (i) => ({ name: `i${i}`, image: "i" }))}`),
  inPod("30,000 equal containers", () => "", () => `,"initContainers":${many(30_000, () => ({ name: "i", image: "i" }))}`),
  inPod("60,000 volumes", () => "", () => `,"volumes":${many(60_000, (i) => ({ name: `v${i}`, emptyDir: {} }))}`),
  inPod("60,000 equal volumes", () => "", () => `,"volumes":${many(60_000, () => ({ name: "v", emptyDir: {} }))}`),
  inPod("60,000 tolerations", () => "", () => `,"tolerations":${many(60_000, (i) => ({ key: `k${i}`, operator: "Exists" }))}`),
  inPod("60,000 host aliases", () => "", () => `,"hostAliases":${many(60_000, (i) => ({ ip: `x${i}` }))}`),
  inPod("60,000 pull secrets", () => "", () => `,"imagePullSecrets":${many(60_000, () => ({ name: "s" }))}`),
  inPod("60,000 spread constraints", () => "", () => `,"topologySpreadConstraints":${many(60_000, () => ({ maxSkew: 1, topologyKey: "k", whenUnsatisfiable: "ScheduleAnyway" }))}`),
  inPod("60,000 sysctls", () => "", () => `,"securityContext":{"sysctls":${many(60_000, () => ({ name: "a", value: "1" }))}}`),
  inPod("60,000 resource names", () => `,"resources":{"limits":${manyKeys(60_000, (i) => `a.b/r${i}`, "1")}}`),
  inPod("100,000 node selectors", () => "", () => `,"nodeSelector":${manyKeys(100_000, (i) => `k${i}`)}`),
  inPod("60,000 affinity terms", () => "", () => `,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":${many(60_000, () => ({ topologyKey: "k" }))}}}`),
  inPod("300,000 arguments", () => `,"args":${many(300_000, (i) => `$(A${i})`)}`),
  inMap("40,000 owner references", () => `"ownerReferences":${many(40_000, (i) => ({ apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}` }))}`),
  inMap("40,000 controllers", () => `"ownerReferences":${many(40_000, (i) => ({ apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}`, controller: true }))}`),
  inMap("100,000 labels", () => `"labels":${manyKeys(100_000, (i) => `k${i}`)}`),
  inMap("100,000 bad labels", () => `"labels":${manyKeys(100_000, (i) => `=${i}`, "=")}`),
  inMap("100,000 bad annotations", () => `"annotations":${manyKeys(100_000, (i) => `=${i}`)}`),
  inMap("200,000 finalizers", () => `"finalizers":${many(200_000, (i) => `f${i}`)}`),
  inMap("20,000 managers", () => `"managedFields":${many(20_000, (i) => ({ manager: `m${i}`, operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": { "f:a": {} } } }))}`),
  inMap("a manager of 200,000 fields", () => `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":${manyKeys(200_000, (i) => `f:k${i}`, {})}}}]`),
  inGroup("v1", "ConfigMap", "configmaps", "120,000 keys", () => `"data":${manyKeys(120_000, (i) => `k${i}`)}`),
  inGroup("v1", "ConfigMap", "configmaps", "120,000 bad keys", () => `"data":${manyKeys(120_000, (i) => `=${i}`)}`),
  inGroup("v1", "ConfigMap", "configmaps", "a text of 3 MB", () => `"data":{"a":"${"x".repeat(3_000_000)}"}`),
  inGroup("v1", "ConfigMap", "configmaps", "200,000 unknown fields", () => manyKeys(200_000, (i) => `u${i}`, 1).slice(1, -1)),
  inGroup("v1", "Secret", "secrets", "100,000 keys that are not base64", () => `"data":${manyKeys(100_000, (i) => `k${i}`, "=")}`),
  inGroup("v1", "Node", "nodes", "60,000 taints", () => `"spec":{"taints":${many(60_000, (i) => ({ key: `k${i}`, effect: "NoSchedule" }))}}`),
  inGroup("v1", "ResourceQuota", "resourcequotas", "100,000 resources", () => `"spec":{"hard":${manyKeys(100_000, (i) => `r${i}`, "1")}}`),
  inGroup("v1", "LimitRange", "limitranges", "30,000 limits", () => `"spec":{"limits":${many(30_000, (i) => ({ type: `t${i}`, max: { cpu: "1" } }))}}`),
  inGroup("v1", "Endpoints", "endpoints", "60,000 addresses", () => `"subsets":[{"addresses":${many(60_000, (i) => ({ ip: `10.0.${(i >> 8) % 256}.${i % 256}` }))},"ports":[{"port":1}]}]`),
  inGroup("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "60,000 endpoints", () => `"addressType":"IPv4","endpoints":${many(60_000, () => ({ addresses: ["10.0.0.1"] }))}`),
  inGroup("apps/v1", "Deployment", "deployments", "60,000 expressions", () => `"spec":{"selector":{"matchExpressions":${many(60_000, (i) => ({ key: `k${i}`, operator: "Exists" }))}},"template":{"metadata":{"labels":{"a":"b"}},"spec":${podSpec("")}}}`),
  inGroup("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", "60,000 blocks", () => `"spec":{"podSelector":{},"ingress":[{"from":${many(60_000, (i) => ({ ipBlock: { cidr: `x${i}` } }))}}]}`),
  inGroup("networking.k8s.io/v1", "Ingress", "ingresses", "30,000 paths", () => `"spec":{"rules":[{"http":{"paths":${many(30_000, () => ({ path: "/a", pathType: "Prefix", backend: { service: { name: "s", port: { number: 1 } } } }))}}}]}`),
  inGroup("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", "60,000 rules", () => `"rules":${many(60_000, () => ({ apiGroups: [""], resources: ["a"], verbs: ["get"] }))}`),
  inGroup("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", "60,000 empty rules", () => `"rules":${many(60_000, () => ({}))}`),
  inGroup("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "30,000 metrics", () => `"spec":{"maxReplicas":1,"scaleTargetRef":{"kind":"a","name":"b"},"metrics":${many(30_000, () => ({ type: "x" }))}}`),
  policy("5,000 validations", () => ({ validations: Array.from({ length: 5_000 }, (_, i) => ({ expression: `object.spec.replicas > ${i}` })) })),
  policy("an expression of 90,000 terms", () => ({ validations: [{ expression: longSum(90_000) }] })),
  policy("an expression of 3,000 terms", () => ({ validations: [{ expression: longSum(3_000) }] })),
  policy("an expression that is nested deeply", () => ({ validations: [{ expression: `${"(".repeat(240)}1${")".repeat(240)} == 1` }] })),
  definitionWith("20,000 properties", () => ({ type: "object", properties: properties(20_000, () => ({ type: "string" })) })),
  definitionWith("20,000 properties without a type", () => ({ type: "object", properties: properties(20_000, () => ({})) })),
  definitionWith("200,000 values of an enum", () => ({ type: "string", enum: Array.from({ length: 200_000 }, (_, i) => `e${i}`) })),
  definitionWith("1,500 levels", () => nested(1_500)),
  definitionWith("5,000 rules", () => ({ type: "object", properties: properties(5_000, () => ({ type: "string", "x-kubernetes-validations": [{ rule: "self.size() > 0" }] })) })),
  definitionWith("10,000 defaults", () => ({ type: "object", properties: properties(10_000, () => ({ type: "string", default: 1 })) })),
  definitionWith("10,000 patterns", () => ({ type: "object", properties: properties(10_000, (i) => ({ type: "string", pattern: `^(a|b){1,50}${i}$` })) })),
  { name: "CustomResourceDefinition: 1,000 changed properties, compared", needs: defineChanging, method: "PATCH", path: `${DEFINITIONS}/changes.changing.example.com?dryRun=All`, type: "application/merge-patch+json", body: () => JSON.stringify(changing("integer")) },
  create(PATTERNS, "custom resource: a small one of a kind with 10,000 patterns", () => object("patterns.example.com/v1", "Pattern", '"spec":{"p1":"ab1"}'), definePatterns),
  inThing("700,000 values of a wrong type", () => `{"numbers":${many(700_000, () => "x")}}`),
  inThing("a million wrong items", () => `{"words":${many(1_000_000, () => 1)}}`),
  inThing("300,000 texts that are too long", () => `{"words":${many(300_000, () => "abcdefg")}}`),
  inThing("300,000 texts that do not match", () => `{"words":${many(300_000, (i) => `${i}`)}}`),
  inThing("300,000 values that are not in the enum", () => `{"enums":${many(300_000, (i) => `${i}`)}}`),
  inThing("a set of 350,000 texts", () => `{"set":${many(350_000, (i) => `s${i}`)}}`),
  inThing("a set of 600,000 equal texts", () => `{"set":${many(600_000, () => "s")}}`),
  inThing("a set of 350,000 numbers", () => `{"numberSet":${many(350_000, (i) => i)}}`),
  inThing("a list of 200,000 keys", () => `{"list":${many(200_000, (i) => ({ k: `k${i}` }))}}`),
  inThing("a list of 300,000 equal keys", () => `{"list":${many(300_000, () => ({ k: "k" }))}}`),
  inThing("a list of a million empty items", () => `{"list":${many(1_000_000, () => ({}))}}`),
  inThing("100,000 items that break a rule", () => `{"rules":${many(100_000, () => ({ n: 0 }))}}`),
  inThing("a map of 300,000 wrong values", () => `{"map":${manyKeys(300_000, (i) => `k${i}`, 1)}}`),
  inThing("300,000 unknown fields", () => manyKeys(300_000, (i) => `u${i}`, 1)),
  inThing("400,000 free fields", () => `{"free":${manyKeys(400_000, (i) => `u${i}`, 1)}}`),
  inThing("9,000 levels", () => `{"free":${deep(9_000)}}`),
  inThing("300,000 dates that are none", () => `{"dates":${many(300_000, () => "x")}}`),
  inThing("300,000 items that fail anyOf", () => `{"choice":${many(300_000, () => ({}))}}`),
  inThing("400,000 numbers or texts that are neither", () => `{"quantities":${many(400_000, () => ({}))}}`),
  { ...inThing("300,000 unknown fields, strictly", () => manyKeys(300_000, (i) => `u${i}`, 1)), path: `${THINGS}?dryRun=All&fieldValidation=Strict` },
  { ...inThing("300,000 equal fields, strictly", () => manyKeys(300_000, () => "set", [])), path: `${THINGS}?dryRun=All&fieldValidation=Strict` },
  patch("120,000 keys", `${NAMESPACE}/configmaps/new`, "apply", () => object("v1", "ConfigMap", `"data":${manyKeys(120_000, (i) => `k${i}`)}`).replace('"a"', '"new"')),
  patch("60,000 other keys of a large object", `${NAMESPACE}/configmaps/large`, "apply", () => object("v1", "ConfigMap", `"data":${manyKeys(60_000, (i) => `o${i}`)}`).replace('"a"', '"large"'), makeLargeMap),
  patch("60,000 keys that others own", `${NAMESPACE}/configmaps/large`, "apply", () => object("v1", "ConfigMap", `"data":${manyKeys(60_000, (i) => `k${i}`, "w")}`).replace('"a"', '"large"'), makeLargeMap),
  { ...patch("60,000 keys in conflict", `${NAMESPACE}/configmaps/large`, "apply", () => object("v1", "ConfigMap", `"data":${manyKeys(60_000, (i) => `k${i}`, "w")}`).replace('"a"', '"large"'), makeLargeMap), path: `${NAMESPACE}/configmaps/large?dryRun=All&fieldManager=m` },
  patch("a set of 350,000", `${THINGS}/live`, "apply", () => thing(`{"set":${many(350_000, (i) => `s${i}`)}}`).replace('"a"', '"live"'), defineThings),
  patch("a list of 200,000 keys", `${THINGS}/live`, "apply", () => thing(`{"list":${many(200_000, (i) => ({ k: `k${i}` }))}}`).replace('"a"', '"live"'), defineThings),
  patch("400,000 free fields", `${THINGS}/live`, "apply", () => thing(`{"free":${manyKeys(400_000, (i) => `u${i}`, 1)}}`).replace('"a"', '"live"'), defineThings),
  patch("1,000 moves in a list of 400,000", `${THINGS}/live`, "json-patch", () => `[{"op":"add","path":"/spec/numbers","value":${many(400_000, () => 1)}},${JSON.stringify(Array.from({ length: 1_000 }, () => ({ op: "move", from: "/spec/numbers/0", path: "/spec/numbers/-" }))).slice(1)}`, defineThings),
  patch("9,000 additions at the front of a list of 400,000", `${THINGS}/live`, "json-patch", () => `[{"op":"add","path":"/spec/numbers","value":${many(400_000, () => 1)}},${JSON.stringify(Array.from({ length: 9_000 }, () => ({ op: "add", path: "/spec/numbers/0", value: 1 }))).slice(1)}`, defineThings),
  patch("9,000 tests of a list of 100,000", `${THINGS}/live`, "json-patch", () => `[{"op":"add","path":"/spec/numbers","value":${many(100_000, () => 1)}},${JSON.stringify(Array.from({ length: 9_000 }, () => ({ op: "test", path: "/spec/numbers", value: [1] }))).slice(1)}`, defineThings),
  patch("9,000 copies", `${THINGS}/live`, "json-patch", () => `[{"op":"add","path":"/spec/free","value":{"a":"${"x".repeat(100)}"}},${JSON.stringify(Array.from({ length: 9_000 }, (_, i) => ({ op: "copy", from: "/spec/free/a", path: `/spec/free/c${i}` }))).slice(1)}`, defineThings),
  patch("300,000 keys", `${NAMESPACE}/configmaps/live`, "merge-patch", () => `{"data":${manyKeys(300_000, (i) => `k${i}`)}}`, makeLiveMap),
  patch("300,000 deletions", `${NAMESPACE}/configmaps/live`, "merge-patch", () => `{"data":${manyKeys(300_000, (i) => `k${i}`, null)}}`, makeLiveMap),
  patch("200,000 finalizers", `${NAMESPACE}/configmaps/live`, "strategic-merge-patch", () => `{"metadata":{"finalizers":${many(200_000, (i) => `a.b/c${i}`)}}}`, makeLiveMap),
  patch("a new order of 100,000 finalizers", `${NAMESPACE}/configmaps/live`, "strategic-merge-patch", () => `{"metadata":{"$setElementOrder/finalizers":${many(90_000, (i) => `a.b/c${i}`)},"finalizers":${many(90_000, (i) => `a.b/c${i}`)}}}`, makeLiveMap),
  patch("20,000 owners", `${NAMESPACE}/configmaps/live`, "strategic-merge-patch", () => `{"metadata":{"ownerReferences":${many(20_000, (i) => ({ apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}` }))}}}`, makeLiveMap),
  yaml("300,000 lines", () => `${YAML_HEAD}  map:\n${lines(300_000, (i) => `    k${i}: v\n`)}`),
  yaml("a flow of 700,000 items", () => `${YAML_HEAD}  numbers: [${lines(700_000, () => "1, ")}1]\n`),
  yaml("200,000 anchors", () => `${YAML_HEAD}  free:\n${lines(200_000, (i) => `    k${i}: &a${i} 1\n`)}`),
  yaml("a text of 3 MB in lines", () => `${YAML_HEAD}  map:\n    a: |\n${lines(300_000, () => "      xxxxx\n")}`),
  yaml("a quoted text of 3 MB", () => `${YAML_HEAD}  map:\n    a: "${"\\n".repeat(1_500_000)}"\n`),
  list("as JSON", "", JSON_TYPE),
  list("as a table", "", "application/json;as=Table;g=meta.k8s.io;v=v1"),
  list("as YAML", "", "application/yaml"),
  list("indented", "?pretty=1", JSON_TYPE),
  list("as protobuf", "", "application/vnd.kubernetes.protobuf"),
  list("metadata only", "", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
  list("by 1,000 labels", `?labelSelector=${Array.from({ length: 1_000 }, (_, i) => `tier!=x${i}`).join(",")}`, JSON_TYPE),
  list("by a set of 5,000 values", `?labelSelector=tier%20notin%20(${Array.from({ length: 5_000 }, (_, i) => `x${i}`).join(",")})`, JSON_TYPE),
  { name: `deletion of a collection of ${LISTED}`, needs: makeManyMaps, method: "DELETE", path: `${MANY_MAPS}?dryRun=All` },
  { name: "review of 100,000 groups", method: "POST", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews", body: () => `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u","groups":${many(100_000, (i) => `g${i}`)},"nonResourceAttributes":{"path":"/","verb":"get"}}}` },
];
