/** Hostile requests for further lists, maps and texts: of pods and workloads, of CRDs, and of reads with long parameters. */
import type { Client, Json } from "../app/app.testing.ts";
import {
  create,
  define,
  definition,
  definitionWith,
  type HostileRequest,
  inGroup,
  inMap,
  inPod,
  JSON_TYPE,
  LISTED,
  MANY_MAPS,
  makeLargeMap,
  makeLiveMap,
  makeManyMaps,
  many,
  manyKeys,
  NAMESPACE,
  object,
  patch,
  podSpec,
} from "./hostile-requests.testing.ts";

const letters = (count: number): string => "x".repeat(count);
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const template = `"template":{"metadata":{"labels":{"a":"b"}},"spec":${podSpec("")}}`;

const read = (name: string, path: string, accept: string, needs: HostileRequest["needs"]): HostileRequest => ({
  ...{ name, method: "GET", path, headers: { accept } },
  ...(needs && { needs }),
});

const large = (name: string, accept: string, query = ""): HostileRequest =>
  read(`GET of an object with 60,000 keys: ${name}`, `${NAMESPACE}/configmaps/large${query}`, accept, makeLargeMap);

/** Of less than the megabyte that the head of a request may have. */
const longList = (make: (index: number) => string): string => {
  let text = "";
  for (let i = 0; text.length < 700_000; i++) text += `${i === 0 ? "" : ","}${make(i)}`;
  return encodeURIComponent(text)
    .slice(0, 900_000)
    .replace(/%.?$|%2C[^%]*$/, "");
};

const listBy = (name: string, query: () => string): HostileRequest =>
  read(`list of ${LISTED} by ${name}`, `${MANY_MAPS}?limit=10&${query()}`, JSON_TYPE, makeManyMaps);

/** Objects with ten levels, and columns that search all of them. */
async function makeColumns(api: Client): Promise<void> {
  const crd = definition("columns.example.com", "rows", {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  });
  const [version] = (crd["spec"] as { versions: Json[] }).versions;
  const columns = range(200).map((i) => ({
    name: `c${i}`,
    type: "string",
    jsonPath: i % 2 === 0 ? ".spec..z" : ".spec.a[*].b[*].c",
  }));
  Object.assign(version as object, { additionalPrinterColumns: columns });
  await define(api, crd);
  const spec = { a: range(30).map(() => ({ b: range(30).map((i) => ({ c: i, z: `${i}` })) })) };
  for (const i of range(20)) {
    const made = await api.post(ROWS, {
      apiVersion: "columns.example.com/v1",
      kind: "Row",
      metadata: { name: `r${i}` },
      spec,
    });
    if (made.code !== 201) throw new Error(made.text);
  }
}

const ROWS = "/apis/columns.example.com/v1/namespaces/default/rows";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

async function makeJob(api: Client): Promise<void> {
  const spec = {
    ...{ completions: 100_000, parallelism: 1, completionMode: "Indexed", suspend: true },
    template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } },
  };
  const made = await api.post("/apis/batch/v1/namespaces/default/jobs", { metadata: { name: "indexed" }, spec });
  if (made.code !== 201) throw new Error(made.text);
}

const indexes = (step: number, start: number): string =>
  range(45_000)
    .map((i) => i * step + start)
    .join(",");

/** Ten objects of 1.4 MB. */
async function makeHuge(api: Client): Promise<void> {
  await api.post("/api/v1/namespaces", { metadata: { name: "huge" } });
  const data = Object.fromEntries(range(90_000).map((i) => [`k${i}`, "v"]));
  for (const i of range(10)) {
    const made = await api.post("/api/v1/namespaces/huge/configmaps", { metadata: { name: `h${i}` }, data });
    if (made.code !== 201) throw new Error(made.text);
  }
}

const HUGE = "/api/v1/namespaces/huge/configmaps";
const versions = (count: number): Json[] =>
  range(count).map((i) => ({
    ...{ name: `v${i + 1}`, served: true, storage: i === 0 },
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "string" } } } },
  }));

const crdWith = (name: string, change: () => { readonly spec?: Json; readonly version?: Json }): HostileRequest =>
  create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", `CustomResourceDefinition: ${name}`, () => {
    const crd = definition("other.example.com", "others", { type: "object" });
    const spec = crd["spec"] as { versions: Json[] };
    const { spec: more, version } = change();
    Object.assign(spec.versions[0] as object, version);
    return JSON.stringify({ ...crd, spec: { ...spec, ...more } });
  });

// biome-ignore format: a table
export const partRequests: readonly HostileRequest[] = [
  large("as JSON", JSON_TYPE),
  large("indented", JSON_TYPE, "?pretty=1"),
  large("as YAML", "application/yaml"),
  large("as a table", TABLE),
  large("as a table with the object", TABLE, "?includeObject=Object"),
  large("as metadata", PARTIAL),
  large("as protobuf", "application/vnd.kubernetes.protobuf"),
  read("list of 10 objects of 1.4 MB", HUGE, JSON_TYPE, makeHuge),
  read("list of 10 objects of 1.4 MB: as a table", HUGE, TABLE, makeHuge),
  read("list of 10 objects of 1.4 MB: indented", `${HUGE}?pretty=1`, JSON_TYPE, makeHuge),
  read("list of 10 objects of 1.4 MB: a label that none has", `${HUGE}?labelSelector=a%3Db`, JSON_TYPE, makeHuge),
  listBy("700 kB of labels that must differ", () => `labelSelector=${longList((i) => `tier!=v${i}`)}`),
  listBy("700 kB of labels that must be missing", () => `labelSelector=${longList((i) => `!k${i}`)}`),
  listBy("a set of 700 kB", () => `labelSelector=tier%20notin%20(${longList((i) => `v${i}`)})`),
  listBy("700 kB of fields", () => `fieldSelector=${longList((i) => `metadata.name!=n${i}`)}`),
  listBy("700 kB that are not a selector", () => `labelSelector=${"(".repeat(700_000)}`),
  read("a path of 900 kB", `${NAMESPACE}/configmaps/${letters(900_000)}`, JSON_TYPE, undefined),
  read("a path of 450,000 segments", `/api/v1${"/a".repeat(450_000)}`, JSON_TYPE, undefined),
  read("900 kB of escapes", `${NAMESPACE}/configmaps/${"%41".repeat(300_000)}`, JSON_TYPE, undefined),
  read("100,000 parameters", `${NAMESPACE}/configmaps?limit=1&${range(100_000).map((i) => `a${i}`).join("&")}`, JSON_TYPE, undefined),
  read("70,000 media types in ascending order", `${NAMESPACE}/configmaps?limit=1`, range(70_000).map((i) => `a/b;q=0.${String(i).padStart(5, "0")}`).join(","), undefined),
  read("100,000 clauses of media types", `${NAMESPACE}/configmaps?limit=1`, "application/x;q=0.1,".repeat(40_000), undefined),
  read("a table with 200 columns that search", ROWS, TABLE, makeColumns),
  inPod("200,000 capabilities", () => `,"securityContext":{"capabilities":{"add":${many(200_000, (i) => `C${i}`)}}}`),
  inPod("300,000 supplemental groups", () => "", () => `,"securityContext":{"supplementalGroups":${many(300_000, () => -1)}}`),
  inPod("60,000 readiness gates", () => "", () => `,"readinessGates":${many(60_000, (i) => ({ conditionType: `=${i}` }))}`),
  inPod("60,000 equal scheduling gates", () => "", () => `,"schedulingGates":${many(60_000, () => ({ name: "a" }))}`),
  inPod("60,000 claims of devices", () => `,"resources":{"claims":${many(60_000, () => ({ name: "c" }))}}`, () => `,"resourceClaims":${many(20_000, (i) => ({ name: `r${i}`, resourceClaimName: "c" }))}`),
  inPod("60,000 policies of resizing", () => `,"resizePolicy":${many(60_000, () => ({ resourceName: "cpu", restartPolicy: "x" }))}`),
  inPod("60,000 equal devices of volumes", () => `,"volumeDevices":${many(60_000, () => ({ name: "a", devicePath: "/a" }))}`),
  inPod("60,000 references of fields", () => `,"env":${many(60_000, (i) => ({ name: `E${i}`, valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${i}']` } } }))}`),
  inPod("60,000 projected sources", () => "", () => `,"volumes":[{"name":"v","projected":{"sources":${many(60_000, (i) => ({ configMap: { name: `c${i}`, items: [{ key: "k", path: "p" }] } }))}}}]`),
  inPod("60,000 projected items at one path", () => "", () => `,"volumes":[{"name":"v","configMap":{"name":"c","items":${many(60_000, (i) => ({ key: `k${i}`, path: "same" }))}}}]`),
  inPod("30,000 ephemeral containers", () => "", () => `,"ephemeralContainers":${many(30_000, (i) => ({ name: `e${i}`, image: "i" }))}`),
  inPod("20,000 containers and 20,000 first ones", () => "", () => `,"initContainers":${many(20_000, (i) => ({ name: `c${i}`, image: "i", ports: [{ containerPort: 1, hostPort: 1 }] }))}`),
  inMap("60,000 annotations for containers", () => `"annotations":${manyKeys(60_000, (i) => `container.apparmor.security.beta.kubernetes.io/c${i}`, "x")}`),
  inMap("a creation time of 2.9 MB", () => `"creationTimestamp":"${"1".repeat(2_900_000)}"`),
  inGroup("v1", "Secret", "secrets", "a docker configuration of 500,000 levels", () => `"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"${Buffer.from(`{"auths":${'{"a":'.repeat(400_000)}`).toString("base64")}"}`),
  inGroup("v1", "Secret", "secrets", "a docker configuration of 2 MB", () => `"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"${Buffer.from(`{"auths":${manyKeys(60_000, (i) => `r${i}`, { auth: "a" })}}`).toString("base64").slice(0, 2_900_000)}"}`),
  inGroup("apps/v1", "Deployment", "deployments", "a share of 2.9 million digits", () => `"spec":{"selector":{"matchLabels":{"a":"b"}},"strategy":{"rollingUpdate":{"maxSurge":"${"1".repeat(2_900_000)}%"}},${template}}`),
  inGroup("node.k8s.io/v1", "RuntimeClass", "runtimeclasses", "60,000 tolerations and amounts", () => `"handler":"h","scheduling":{"tolerations":${many(30_000, () => ({ key: "k", operator: "Exists" }))}},"overhead":{"podFixed":${manyKeys(40_000, (i) => `r${i}`, "1")}}`),
  inGroup("networking.k8s.io/v1", "ServiceCIDR", "servicecidrs", "100,000 ranges", () => `"spec":{"cidrs":${many(100_000, (i) => `10.${i % 256}.0.0/24`)}}`),
  inGroup("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", "attributes of 100,000 keys", () => `"spec":{"attacher":"a.b/c","nodeName":"n","source":{"inlineVolumeSpec":{"capacity":{"storage":"1"},"accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h","volumeAttributes":${manyKeys(100_000, (i) => `k${i}`, "v")}}}}}`),
  inGroup("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "prioritylevelconfigurations", "200,000 unknown fields", () => `"spec":{"type":"Exempt","exempt":{},${manyKeys(200_000, (i) => `u${i}`, 1).slice(1)}`),
  { ...patch("completed indexes that overlap failed ones", "/apis/batch/v1/namespaces/default/jobs/indexed/status", "merge-patch", () => `{"status":{"completedIndexes":"${indexes(2, 0)}","failedIndexes":"${indexes(2, 1)}"}}`, makeJob) },
  { ...patch("completed indexes in reverse", "/apis/batch/v1/namespaces/default/jobs/indexed/status", "merge-patch", () => `{"status":{"completedIndexes":"${indexes(2, 0).split(",").reverse().join(",")}"}}`, makeJob) },
  patch("20,000 conditions", "/apis/batch/v1/namespaces/default/jobs/indexed/status", "strategic-merge-patch", () => `{"status":{"conditions":${many(20_000, (i) => ({ type: `T${i}`, status: "True" }))}}}`, makeJob),
  patch("60,000 keys to retain", `${NAMESPACE}/configmaps/live`, "strategic-merge-patch", () => `{"data":{"$retainKeys":${many(60_000, (i) => `k${i}`)}},"$retainKeys":${many(60_000, (i) => `k${i}`)}}`, makeLiveMap),
  patch("one label of an object with 60,000 keys", `${NAMESPACE}/configmaps/large`, "merge-patch", () => '{"metadata":{"labels":{"a":"b"}}}', makeLargeMap),
  patch("9,000 tests of a large object", `${NAMESPACE}/configmaps/large`, "json-patch", () => JSON.stringify(range(9_000).map(() => ({ op: "test", path: "", value: {} }))), makeLargeMap),
  crdWith("10,000 versions", () => ({ spec: { versions: versions(10_000) } })),
  crdWith("200,000 short names and categories", () => ({ spec: { names: { plural: "others", kind: "Other", shortNames: range(100_000).map((i) => `s${i}`), categories: range(100_000).map(() => "all") } } })),
  crdWith("20,000 columns", () => ({ version: { additionalPrinterColumns: range(20_000).map((i) => ({ name: `c${i}`, type: "string", jsonPath: `.spec.a${i}[?(@.b=="c")].d` })) } })),
  crdWith("a column of 2 MB", () => ({ version: { additionalPrinterColumns: [{ name: "c", type: "string", jsonPath: `.spec${"..a".repeat(700_000)}` }] } })),
  crdWith("50,000 fields to select", () => ({ version: { selectableFields: range(50_000).map((i) => ({ jsonPath: `.spec.f${i}` })) } })),
  crdWith("a conversion with 200,000 review versions", () => ({ spec: { conversion: { strategy: "Webhook", webhook: { clientConfig: { url: "https://a.example.com/" }, conversionReviewVersions: range(200_000).map((i) => `v${i}`) } } } })),
  definitionWith("200,000 required fields that are equal", () => ({ type: "object", required: range(200_000).map(() => "a"), properties: { a: { type: "string" } } })),
  definitionWith("a list with 50,000 keys", () => ({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": range(50_000).map((i) => `k${i}`), items: { type: "object", properties: { k0: { type: "string" } } } })),
  definitionWith("an anyOf within an anyOf, 400 times", () => range(400).reduce((inner: Json) => ({ anyOf: [inner, { not: inner["anyOf"] === undefined ? inner : {} }] }), { required: ["a"] })),
  definitionWith("a default of 1,000 levels", () => ({ type: "object", "x-kubernetes-preserve-unknown-fields": true, default: range(1_000).reduce((inner: Json) => ({ a: inner }), {}) })),
  create("/apis/policy/v1/namespaces/default/poddisruptionbudgets", "PodDisruptionBudget: a share of 2.9 million digits", () => object("policy/v1", "PodDisruptionBudget", `"spec":{"minAvailable":"${"1".repeat(2_900_000)}%"}`)),
  create("/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews", "LocalSubjectAccessReview: a user of 2.9 MB", () => `{"apiVersion":"authorization.k8s.io/v1","kind":"LocalSubjectAccessReview","metadata":{"namespace":"default"},"spec":{"user":"${letters(2_900_000)}","resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}}`),
];
