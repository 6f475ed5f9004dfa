/**
 * Hostile requests whose texts can be divided in many ways, which a backtracking search tries one after the other, and
 * lists whose items are compared with each other. Many are small.
 */
import type { Client, Json } from "../app/app.testing.ts";
import { DEFINITIONS } from "../app/app.testing.ts";
import {
  create,
  define,
  definition,
  definitionWith,
  type HostileRequest,
  inGroup,
  inPod,
  JSON_TYPE,
  makeLiveMap,
  many,
  manyKeys,
  NAMESPACE,
  object,
  patch,
  podSpec,
  policy,
  properties,
} from "./hostile-requests.testing.ts";

const RBAC = "rbac.authorization.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io/v1";
const APPLY_LIVE = `${NAMESPACE}/configmaps/live`;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const text = (value: Json): string => JSON.stringify(value).slice(1, -1);

const read = (
  name: string,
  path: string,
  headers: Record<string, string> = {},
  needs?: HostileRequest["needs"],
): HostileRequest => ({
  ...{ name, method: "GET", path, headers },
  ...(needs && { needs }),
});

const claim = (amount: string): string =>
  `"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"${amount}"}}}`;

const withColumn = (what: string, jsonPath: () => string): HostileRequest =>
  create(DEFINITIONS, `CustomResourceDefinition: ${what}`, () => {
    const crd = definition("other.example.com", "others", { type: "object" });
    const [version] = (crd["spec"] as { versions: Json[] }).versions;
    const additionalPrinterColumns = [{ name: "c", type: "string", jsonPath: jsonPath() }];
    Object.assign(version as object, { additionalPrinterColumns });
    return JSON.stringify(crd);
  });

const withPattern = (what: string, pattern: () => string): HostileRequest =>
  definitionWith(`a pattern of ${what}`, () => ({ type: "string", pattern: pattern() }));

const volume = (rest: string): string =>
  `"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"persistentVolumeReclaimPolicy":"Recycle",${rest}}`;

const webhook = (what: string, hook: () => Json): HostileRequest =>
  inGroup(ADMISSION, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", what, () => {
    const client = { url: "https://127.0.0.1:1/" };
    const base = { name: "w.example.com", clientConfig: client, sideEffects: "None", admissionReviewVersions: ["v1"] };
    return `"webhooks":[${JSON.stringify({ ...base, ...hook() })}]`;
  });

const MATCHED = {
  resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
};

async function store(api: Client, path: string, body: Json): Promise<void> {
  const made = await api.post(path, body);
  if (made.code !== 201 && made.code !== 409) throw new Error(`${path}: ${made.text.slice(0, 500)}`);
}

const FORMATS = [
  "date-time",
  "duration",
  "email",
  "uri",
  "ipv6",
  "cidr",
  "isbn13",
  "creditcard",
  "rgbcolor",
  "ssn",
  "uuid",
  "hostname",
  "mac",
  "byte",
  "bsonobjectid",
  "datetime",
  "int-or-string",
];

/** A field for each format. */
async function makeFormats(api: Client): Promise<void> {
  const spec = {
    type: "object",
    properties: Object.fromEntries(FORMATS.map((format) => [format, { type: "string", format }])),
  };
  await define(api, definition("formats.example.com", "formats", spec));
}

const FORMATTED = "/apis/formats.example.com/v1/namespaces/default/formats";

/** A field of each format, filled with the same text. */
const formatted = (what: string, value: () => string): HostileRequest =>
  create(
    FORMATTED,
    `custom resource: ${FORMATS.length} formats, ${what}`,
    () =>
      object(
        "formats.example.com/v1",
        "Format",
        `"spec":${JSON.stringify(Object.fromEntries(FORMATS.map((format) => [format, value()])))}`,
      ),
    makeFormats,
  );

async function makeRuntime(api: Client): Promise<void> {
  const tolerations = range(9_000).map((i) => ({ key: `k${i}`, operator: "Exists" }));
  const nodeSelector = Object.fromEntries(range(9_000).map((i) => [`s${i}`, "v"]));
  const body = { metadata: { name: "hostile" }, handler: "h", scheduling: { nodeSelector, tolerations } };
  await store(api, "/apis/node.k8s.io/v1/runtimeclasses", body);
  await store(api, `${NAMESPACE}/serviceaccounts`, { metadata: { name: "default" } });
}

async function makeManagers(api: Client): Promise<void> {
  const managedFields = range(5_000).map((i) => ({
    ...{ manager: `m${i}`, operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" },
    fieldsV1: { "f:data": { "f:a": {}, [`f:k${i}`]: {} } },
  }));
  await store(api, `${NAMESPACE}/configmaps`, { metadata: { name: "managed", managedFields }, data: { a: "1" } });
}

/** Alice may do 4,000 things. */
async function makeNarrow(api: Client): Promise<void> {
  const rules = range(4_000).map((i) => ({ apiGroups: ["a"], resources: [`r${i}`], verbs: ["get"] }));
  await store(api, `/apis/${RBAC}/clusterroles`, {
    metadata: { name: "narrow" },
    rules: [...rules, { apiGroups: ["*"], resources: ["clusterroles"], verbs: ["create"] }],
  });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "narrow" };
  const subjects = [{ kind: "User", name: "narrow", apiGroup: "rbac.authorization.k8s.io" }];
  await store(api, `/apis/${RBAC}/clusterrolebindings`, { metadata: { name: "narrow" }, roleRef, subjects });
  await api.app.settled();
}

/** A user whose one rule is a path with as many stars as may be stored. */
async function makeStars(api: Client): Promise<void> {
  const rules = [{ nonResourceURLs: [`/${"*".repeat(1_000_000)}x*`], verbs: ["get"] }];
  await store(api, `/apis/${RBAC}/clusterroles`, { metadata: { name: "stars" }, rules });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "stars" };
  const subjects = [{ kind: "User", name: "stars", apiGroup: "rbac.authorization.k8s.io" }];
  await store(api, `/apis/${RBAC}/clusterrolebindings`, { metadata: { name: "stars" }, roleRef, subjects });
  await api.app.settled();
}

const doubling = (): string => {
  const copies = range(60).map((i) => ({
    op: "copy",
    from: i === 0 ? "/data" : `/metadata/annotations/x${i - 1}`,
    path: `/metadata/annotations/x${i}`,
  }));
  return JSON.stringify([{ op: "add", path: "/metadata/annotations", value: {} }, ...copies]);
};

/** Each copy has the one before it twice. */
const nestedCopies = (): string =>
  JSON.stringify([
    { op: "add", path: "/data", value: { a: "x" } },
    ...range(40).flatMap((i) => [
      { op: "copy", from: "/data", path: `/data/l${i}` },
      { op: "copy", from: "/data", path: `/data/r${i}` },
    ]),
  ]);

const protobuf = (name: string, kind: string, raw: () => Uint8Array): HostileRequest => ({
  name: `protobuf: ${name}`,
  method: "POST",
  path: `${NAMESPACE}/${kind}s?dryRun=All`,
  type: "application/vnd.kubernetes.protobuf",
  body: () => new Uint8Array(envelope(kind, raw())),
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

function field(number: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(value.length)]), value]);
}

function envelope(kind: string, raw: Uint8Array): Uint8Array {
  const kinds: Record<string, string> = { configmap: "ConfigMap", pod: "Pod" };
  const type = Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from(kinds[kind] ?? ""))]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, raw)]);
}

const times = (count: number, part: Uint8Array): Uint8Array => Buffer.concat(range(count).map(() => part));

// biome-ignore format: a table
export const ambiguousRequests: readonly HostileRequest[] = [
  inGroup("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "an amount of 5,000 zeros and a mark", () => claim(`${"0".repeat(5_000)}!`)),
  inGroup("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "an amount of a million digits and a mark", () => claim(`${"1".repeat(1_000_000)}!`)),
  inGroup("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "an amount of a million letters", () => claim(`1${"E".repeat(1_000_000)}`)),
  inGroup("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "an exponent of a million digits", () => claim(`1e${"9".repeat(1_000_000)}`)),
  inGroup("v1", "PersistentVolume", "persistentvolumes", "a path of 50,000 slashes and a letter", () => volume(`"hostPath":{"path":"${"/".repeat(50_000)}x"}`)),
  inGroup("v1", "PersistentVolume", "persistentvolumes", "a path of 50,000 dots and slashes", () => volume(`"hostPath":{"path":"${"/.".repeat(50_000)}x"}`)),
  inGroup("v1", "PersistentVolume", "persistentvolumes", "a target of 50,000 colons", () => volume(`"iscsi":{"targetPortal":"a","lun":0,"iqn":"iqn.${":a".repeat(50_000)}!"}`)),
  inPod("a path of 50,000 slashes in a volume", () => "", () => `,"volumes":[{"name":"v","configMap":{"name":"c","items":[{"key":"k","path":"a${"/".repeat(50_000)}x"}]}}]`),
  create(`${NAMESPACE}/pods`, "Pod: an image of 900,000 separators", () => object("v1", "Pod", `"spec":{"containers":[{"name":"c","image":"${"a-_.".repeat(220_000)}!"}]}`)),
  inPod("a mount path of 900,000 dots", () => `,"volumeMounts":[{"name":"v","mountPath":"/${"../".repeat(300_000)}"}]`),
  inPod("a million references in one argument", () => `,"args":["${"$(A)".repeat(600_000)}"]`),
  inPod("a million dollars in one argument", () => `,"args":["${"$".repeat(2_000_000)}"],"env":[{"name":"A","value":"${"$(".repeat(400_000)}"}]`),
  inPod("60,000 variables that use one another", () => `,"env":${many(60_000, (i) => ({ name: `A${i}`, value: `$(A${i - 1})` }))}`),
  inPod("60,000 rules for restarts", () => `,"restartPolicy":"Always","restartPolicyRules":${many(60_000, () => ({ action: "Restart", exitCodes: { operator: "In", values: [1] } }))}`),
  inPod("a domain of a million dots", () => "", () => `,"hostname":"${"a.".repeat(500_000)}","subdomain":"${"a.".repeat(500_000)}","dnsConfig":{"searches":["${"a.".repeat(200_000)}"],"nameservers":["${"1.".repeat(200_000)}"]}`),
  inPod("tolerations and selectors that a runtime has too", () => "", () => `,"runtimeClassName":"hostile","nodeSelector":${manyKeys(40_000, (i) => `s${i}`, "v")},"tolerations":${many(40_000, (i) => ({ key: `k${i}`, operator: "Equal" }))}`),
  { ...inPod("tolerations and selectors of a runtime that is there", () => "", () => `,"runtimeClassName":"hostile","nodeSelector":${manyKeys(40_000, (i) => `s${i}`, "v")},"tolerations":${many(40_000, (i) => ({ key: `k${i}`, operator: "Exists" }))}`), needs: makeRuntime },
  inPod("annotations of 60,000 containers", () => "", () => `,"securityContext":{"supplementalGroups":${many(200_000, (i) => i)}},"hostAliases":${many(30_000, (i) => ({ ip: "1.1.1.1", hostnames: [`h${i}`] }))}`),
  inGroup("v1", "Service", "services", "150,000 node ports", () => `"spec":{"type":"NodePort","ports":${many(150_000, (i) => ({ port: i }))}}`),
  inGroup("v1", "Service", "services", "60,000 ranges of sources", () => `"spec":{"type":"LoadBalancer","ports":[{"port":1}],"loadBalancerSourceRanges":${many(60_000, (i) => `10.${i % 256}.0.0/33`)}}`),
  create(`${NAMESPACE}/services`, "Service: an annotation of 200,000 ranges", () => `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","annotations":{"service.beta.kubernetes.io/load-balancer-source-ranges":"${range(180_000).map((i) => `10.${i % 256}.0.0/16`).join(",")}"}},"spec":{"type":"LoadBalancer","ports":[{"port":1}]}}`),
  inGroup("batch/v1", "CronJob", "cronjobs", "a schedule of a million commas", () => `"spec":{"schedule":"${"1,".repeat(500_000)}1 * * * *","jobTemplate":{"spec":{"template":{"spec":${podSpec("")}}}}}`),
  inGroup("batch/v1", "CronJob", "cronjobs", "a schedule of a million blanks", () => `"spec":{"schedule":"TZ=${"a".repeat(500_000)}${" ".repeat(500_000)}x","jobTemplate":{"spec":{"template":{"spec":${podSpec("")}}}}}`),
  inGroup("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "150,000 ports with names", () => `"addressType":"IPv4","endpoints":[],"ports":${many(150_000, (i) => ({ name: `p${i}`, port: 1 }))}`),
  inGroup("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "1,000 endpoints with 1,000 hints", () => `"addressType":"IPv4","endpoints":${many(1_000, (i) => ({ addresses: [`10.0.0.${i % 256}`], hints: { forZones: range(120).map((z) => ({ name: `z${z}` })) } }))}`),
  inGroup("networking.k8s.io/v1", "Ingress", "ingresses", "a path of a million escapes", () => `"spec":{"rules":[{"http":{"paths":[{"path":"/${"%2f".repeat(500_000)}!","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":1}}}}]}}]}`),
  inGroup(RBAC, "ClusterRole", "clusterroles", "a rule of 600,000 paths", () => `"rules":[{"verbs":["get"],"nonResourceURLs":${many(600_000, () => "/*")}}]`),
  { ...inGroup(RBAC, "ClusterRole", "clusterroles", "30,000 rules by a user with 4,000", () => `"rules":${many(30_000, (i) => ({ apiGroups: ["a"], resources: [`r${i}`], verbs: ["get"] }))}`), needs: makeNarrow, headers: { "impersonate-user": "narrow" } },
  { ...inGroup(RBAC, "ClusterRole", "clusterroles", "a rule of 200,000 resources by a user with 4,000", () => `"rules":[{"apiGroups":["a"],"resources":${many(200_000, (i) => `r${i}`)},"verbs":["get"]}]`), needs: makeNarrow, headers: { "impersonate-user": "narrow" } },
  read("a path for a user with a rule of a million stars", "/metrics", { "impersonate-user": "stars" }, makeStars),
  { ...read("a path of 900,000 slashes and a letter", `/${"/".repeat(900_000)}x`), isMissing: true },
  { ...read("discovery of 900,000 slashes and a letter", `/apis${"/".repeat(900_000)}x`), isMissing: true },
  { ...read("OpenAPI of 900,000 slashes and a letter", `/openapi/v3${"/".repeat(900_000)}x`), isMissing: true },
  { ...read("a log of 900,000 slashes and a letter", `/logs${"/".repeat(900_000)}x`), isMissing: true },
  read("a media type with 900,000 blanks", `${NAMESPACE}/configmaps?limit=1`, { accept: `application/json;${" ".repeat(900_000)}x` }),
  read("a media type whose parameters have 900,000 blanks", `${NAMESPACE}/configmaps?limit=1`, { accept: `application/json;a${" ".repeat(400_000)}b=${" ".repeat(400_000)}c` }),
  read("900,000 quotes in a media type", `${NAMESPACE}/configmaps?limit=1`, { accept: `application/json;a="${'\\"'.repeat(400_000)}` }),
  read("encodings of 900,000 blanks", `${NAMESPACE}/configmaps?limit=1`, { "accept-encoding": `gzip;${" ".repeat(900_000)}q=1` }),
  read("an encoding of 400,000 commas", `${NAMESPACE}/configmaps?limit=1`, { "accept-encoding": "a,".repeat(400_000) }),
  read("an authorization of 900,000 blanks", `${NAMESPACE}/configmaps?limit=1`, { authorization: `Bearer${" ".repeat(900_000)}x` }),
  read("a trace of 900,000 digits", `${NAMESPACE}/configmaps?limit=1`, { traceparent: `00-${"0".repeat(900_000)}-0-01` }),
  read("a trace state of 900,000 commas", `${NAMESPACE}/configmaps?limit=1`, { traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01`, tracestate: ",".repeat(900_000) }),
  read("an agent of 900,000 slashes", `${NAMESPACE}/configmaps?limit=1`, { "user-agent": "/ ".repeat(450_000) }),
  read("an entity tag of 900,000 commas", "/openapi/v2", { "if-none-match": '"a",'.repeat(200_000) }),
  read("an impersonated user of 900,000 colons", `${NAMESPACE}/configmaps?limit=1`, { "impersonate-user": `system:serviceaccount:${":a".repeat(400_000)}` }),
  read("an impersonated extra of 900,000 escapes", `${NAMESPACE}/configmaps?limit=1`, { "impersonate-user": "u", "impersonate-extra-a": "%41".repeat(300_000) }),
  read("a continue token of 900,000 characters", `${NAMESPACE}/configmaps?limit=1&continue=${"A".repeat(900_000)}`),
  read("a resource version of 900,000 digits", `${NAMESPACE}/configmaps?resourceVersion=${"1".repeat(900_000)}`),
  read("a limit of 900,000 digits", `${NAMESPACE}/configmaps?limit=${"1".repeat(900_000)}`),
  read("a timeout of 900,000 units", `${NAMESPACE}/configmaps?limit=1&timeout=${"1h".repeat(400_000)}x`),
  read("a selector of 300,000 bad keys", `${NAMESPACE}/configmaps?labelSelector=${"a/b/c,".repeat(100_000)}`),
  read("a selector of 200,000 exclamation marks", `${NAMESPACE}/configmaps?labelSelector=${"!".repeat(200_000)}a`),
  read("a field selector of 400,000 backslashes", `${NAMESPACE}/configmaps?fieldSelector=${"%5C".repeat(250_000)}`),
  read("a field selector of 300,000 equals signs", `${NAMESPACE}/configmaps?fieldSelector=metadata.name${"=".repeat(700_000)}`),
  withColumn("a column that compares 900,000 times", () => `.a[?(@.b${"=".repeat(900_000)}\n1)]`),
  withColumn("a column with a number of a million digits", () => `.a[?(@.b==${"1".repeat(1_000_000)}+)]`),
  withColumn("a column of 300,000 filters in one another", () => `.a${"[?(@".repeat(300_000)}`),
  withColumn("a column of 300,000 brackets in one another", () => `.a${"[".repeat(300_000)}${"]".repeat(300_000)}`),
  withColumn("a column of a million commas", () => `.a[${"1,".repeat(500_000)}1]`),
  withColumn("a column of a text of a million escapes", () => `.a[?(@.b=="${'\\\\"'.repeat(300_000)}")]`),
  withPattern("a million openings of classes", () => "[[:".repeat(900_000)),
  withPattern("a million openings of groups", () => "(?<".repeat(900_000)),
  withPattern("300,000 groups of one name", () => "(?P<a>)".repeat(300_000)),
  withPattern("a class of 300,000 classes", () => `[${"\\pL".repeat(300_000)}]`),
  withPattern("300,000 classes", () => "[a-z]|".repeat(300_000)),
  withPattern("a million stars", () => "a*".repeat(600_000)),
  withPattern("300,000 texts without case", () => `(?i)${range(300_000).map((i) => `b${i}`).join("|")}`),
  withPattern("900 groups that may be missing", () => `${"(".repeat(900)}a${")?".repeat(900)}`),
  definitionWith("a rule with 3 MB of blanks", () => ({ type: "object", "x-kubernetes-validations": [{ rule: `true${" ".repeat(2_900_000)}x` }] })),
  definitionWith("a rule with a pattern of 90 kB", () => ({ type: "string", maxLength: 10, "x-kubernetes-validations": [{ rule: `self.matches('${"(a|b)".repeat(18_000)}')` }] })),
  definitionWith("a rule of 400 conditionals in one another", () => ({ type: "string", "x-kubernetes-validations": [{ rule: `${"true ? (".repeat(200)}true${") : false".repeat(200)}` }] })),
  definitionWith("a rule of a text of 900,000 escapes", () => ({ type: "string", "x-kubernetes-validations": [{ rule: `self != '${"\\\\u0041".repeat(150_000)}'` }] })),
  definitionWith("3,000 messages that are expressions", () => ({ type: "object", properties: properties(3_000, () => ({ type: "string", "x-kubernetes-validations": [{ rule: "self != ''", messageExpression: "'a' + self + string(self.size())" }] })) })),
  definitionWith("10,000 properties that all are required twice", () => ({ type: "object", properties: properties(10_000, () => ({ type: "string" })), required: [...range(10_000), ...range(10_000)].map((i) => `p${i}`) })),
  definitionWith("a list of 10,000 with keys that all have defaults", () => ({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": range(10_000).map((i) => `p${i}`), items: { type: "object", properties: properties(10_000, () => ({ type: "string", default: "" })) } })),
  definitionWith("an enum of 200,000 texts with a rule", () => ({ type: "string", enum: range(200_000).map((i) => `e${i}`), "x-kubernetes-validations": [{ rule: "self != 'x'" }] })),
  definitionWith("an enum of 60,000 objects", () => ({ type: "object", enum: range(60_000).map((i) => ({ a: i, b: [i] })) })),
  definitionWith("30,000 descriptions of 90 bytes", () => ({ type: "object", properties: properties(20_000, (i) => ({ type: "string", description: `d${i} `.repeat(10) })) })),
  formatted("100,000 zeros and a mark", () => `${"0".repeat(100_000)}!`),
  formatted("100,000 dots", () => ".".repeat(100_000)),
  formatted("100,000 colons", () => "0:".repeat(50_000)),
  formatted("100,000 blanks", () => `1${" ".repeat(100_000)}x`),
  formatted("100,000 parts of a name", () => "a.".repeat(50_000)),
  formatted("100,000 at signs", () => "a@".repeat(50_000)),
  formatted("100,000 opening brackets", () => "([<\"".repeat(25_000)),
  formatted("100,000 escapes", () => "http://%".repeat(12_000)),
  webhook("300,000 review versions", () => ({ admissionReviewVersions: range(300_000).map((i) => `v${i}`) })),
  webhook("a selector of 100,000 expressions", () => ({ objectSelector: { matchExpressions: range(60_000).map((i) => ({ key: `k${i}`, operator: "Exists" })) } })),
  policy("rules with 300,000 names", () => ({ validations: [{ expression: "true" }], matchConstraints: { resourceRules: [{ ...MATCHED.resourceRules[0], resourceNames: range(300_000).map((i) => `n${i}`) }] } })),
  policy("50,000 audit annotations", () => ({ auditAnnotations: range(50_000).map((i) => ({ key: `k${i}`, valueExpression: "''" })) })),
  policy("20,000 conditions", () => ({ validations: [{ expression: "true" }], matchConditions: range(20_000).map((i) => ({ name: `c${i}`, expression: "true" })) })),
  policy("an expression of 200 patterns that repeat", () => ({ validations: [{ expression: range(200).map((i) => `object.metadata.name.matches('(a{1,30}){1,30}${i}')`).join(" || ") }] })),
  policy("formats of 200 texts", () => ({ validations: [{ expression: `'${"%s".repeat(200)}'.format([${range(200).map(() => "object.metadata.name").join(",")}]) != ''` }] })),
  inGroup(ADMISSION, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "300,000 actions", () => text({ spec: { policyName: "p", validationActions: range(300_000).map((i) => `a${i}`) } })),
  patch("copies that double", APPLY_LIVE, "json-patch", doubling, makeLiveMap),
  patch("copies of all in all", APPLY_LIVE, "json-patch", nestedCopies, makeLiveMap),
  patch("an object of 5,000 managers", `${NAMESPACE}/configmaps/managed`, "apply", () => object("v1", "ConfigMap", '"data":{"a":"2","b":"3"}').replace('"a"', '"managed"'), makeManagers),
  { ...patch("a conflict with 5,000 managers", `${NAMESPACE}/configmaps/managed`, "apply", () => object("v1", "ConfigMap", '"data":{"a":"2"}').replace('"a"', '"managed"'), makeManagers), path: `${NAMESPACE}/configmaps/managed?dryRun=All&fieldManager=other` },
  patch("directives of 100,000 lists", APPLY_LIVE, "strategic-merge-patch", () => `{"metadata":{"finalizers":${many(60_000, (i) => `a.b/c${i}`)},"$setElementOrder/finalizers":${many(60_000, (i) => `a.b/c${i}`)},"$deleteFromPrimitiveList/finalizers":${many(60_000, (i) => `a.b/c${i}`)}}}`, makeLiveMap),
  patch("owners in reverse order", APPLY_LIVE, "strategic-merge-patch", () => `{"metadata":{"$setElementOrder/ownerReferences":${many(20_000, (i) => ({ uid: `u${20_000 - i}` }))},"ownerReferences":${many(15_000, (i) => ({ apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}` }))}}}`, makeLiveMap),
  protobuf("a config map of 300,000 keys", "configmap", () => Buffer.concat(range(200_000).map((i) => field(2, Buffer.concat([field(1, Buffer.from(`k${i}`)), field(2, Buffer.from("v"))]))))),
  protobuf("a pod of 500,000 empty containers", "pod", () => field(2, times(500_000, field(2, new Uint8Array(0))))),
  protobuf("a million unknown fields", "configmap", () => times(1_000_000, Buffer.from([0xf8, 0x7f, 0x01]))),
  protobuf("groups in one another", "configmap", () => Buffer.from(new Uint8Array(1_000_000).fill(0x0b))),
  protobuf("a million empty names", "configmap", () => field(1, times(1_000_000, field(1, new Uint8Array(0))))),
  { name: "SelfSubjectRulesReview of a user with 4,000 rules", needs: makeNarrow, method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", headers: { "impersonate-user": "narrow" }, type: JSON_TYPE, body: () => '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectRulesReview","spec":{"namespace":"default"}}' },
];
