/** Hostile requests for the lists and maps of kinds beyond pods, services and config maps. */
import type { Client, Json } from "../app/app.testing.ts";
import {
  create,
  type HostileRequest,
  inGroup,
  JSON_TYPE,
  makeLiveMap,
  many,
  manyKeys,
  NAMESPACE,
  patch,
  podSpec,
  policy,
} from "./hostile-requests.testing.ts";

const RBAC = "rbac.authorization.k8s.io/v1";
const STORAGE = "storage.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io/v1";
const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

const repeated = (count: number, item: Json): string => many(count, () => item);
const text = (value: Json): string => JSON.stringify(value).slice(1, -1);
const template = `"template":{"metadata":{"labels":{"a":"b"}},"spec":${podSpec("")}}`;
const selector = '"selector":{"matchLabels":{"a":"b"}}';

const review = (what: string, attributes: () => string): HostileRequest => ({
  name: `SubjectAccessReview: ${what}`,
  method: "POST",
  path: REVIEWS,
  body: () =>
    `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u",${attributes()}}}`,
});

const webhook = (what: string, count: number, make: (index: number) => Json): HostileRequest =>
  inGroup(ADMISSION, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", what, () => {
    const base = {
      clientConfig: { url: "https://127.0.0.1:1/" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      failurePolicy: "Ignore",
    };
    return `"webhooks":${many(count, (i) => ({ name: `w${i}.example.com`, ...base, ...make(i) }))}`;
  });

/** A Deployment with as many variables as fit, which a strategic merge patch has to find by name. */
async function makeLargeDeployment(api: Client): Promise<void> {
  const env = Array.from({ length: 20_000 }, (_, i) => ({ name: `A${i}`, value: "v" }));
  const spec = {
    replicas: 0,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i", env }] } },
  };
  const made = await api.post("/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "large" }, spec });
  if (made.code !== 201) throw new Error(made.text);
}

async function makeAccount(api: Client): Promise<void> {
  const made = await api.post(`${NAMESPACE}/serviceaccounts`, { metadata: { name: "hostile" } });
  if (made.code !== 201) throw new Error(made.text);
}

const LARGE = "/apis/apps/v1/namespaces/default/deployments/large";
const container = (rest: string): string => `{"spec":{"template":{"spec":{"containers":[{"name":"c",${rest}}]}}}}`;
const inLarge = (what: string, rest: () => string): HostileRequest =>
  patch(what, LARGE, "strategic-merge-patch", () => container(rest()), makeLargeDeployment);

// biome-ignore format: a table
export const kindRequests: readonly HostileRequest[] = [
  inGroup(RBAC, "ClusterRoleBinding", "clusterrolebindings", "60,000 subjects", () => `"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"a"},"subjects":${many(60_000, (i) => ({ kind: "User", name: `u${i}` }))}`),
  inGroup(RBAC, "ClusterRole", "clusterroles", "20,000 selectors of roles", () => `"aggregationRule":{"clusterRoleSelectors":${many(20_000, (i) => ({ matchLabels: { a: `b${i}` } }))}}`),
  inGroup(RBAC, "ClusterRole", "clusterroles", "a rule of 300,000 resources", () => `"rules":[{"apiGroups":[""],"verbs":["get"],"resources":${many(300_000, (i) => `r${i}`)}}]`),
  inGroup("v1", "Namespace", "namespaces", "200,000 finalizers", () => `"spec":{"finalizers":${many(200_000, (i) => `a.b/f${i}`)}}`),
  inGroup("v1", "ServiceAccount", "serviceaccounts", "100,000 secrets", () => `"secrets":${many(100_000, (i) => ({ name: `s${i}` }))},"imagePullSecrets":${many(1_000, (i) => ({ name: `s${i}` }))}`),
  inGroup("v1", "ReplicationController", "replicationcontrollers", "100,000 labels to select", () => `"spec":{"selector":${manyKeys(100_000, (i) => `k${i}`)},${template}}`),
  inGroup("v1", "PersistentVolume", "persistentvolumes", "50,000 terms of affinity", () => `"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/a"},"nodeAffinity":{"required":{"nodeSelectorTerms":${many(50_000, (i) => ({ matchExpressions: [{ key: `k${i}`, operator: "Exists" }] }))}}}}`),
  inGroup("v1", "PersistentVolume", "persistentvolumes", "200,000 mount options and modes", () => `"spec":{"capacity":{"storage":"1Gi"},"accessModes":${repeated(100_000, "ReadWriteOnce")},"hostPath":{"path":"/a"},"mountOptions":${repeated(100_000, "o")}}`),
  inGroup("v1", "PersistentVolumeClaim", "persistentvolumeclaims", "200,000 modes", () => `"spec":{"accessModes":${many(200_000, (i) => `m${i}`)},"resources":{"requests":{"storage":"1Gi"}}}`),
  inGroup("v1", "ResourceQuota", "resourcequotas", "200,000 scopes", () => `"spec":{"scopes":${many(200_000, (i) => `s${i}`)}}`),
  inGroup("v1", "ResourceQuota", "resourcequotas", "60,000 expressions of scopes", () => `"spec":{"scopeSelector":{"matchExpressions":${many(60_000, () => ({ scopeName: "PriorityClass", operator: "In", values: ["a"] }))}}}`),
  inGroup("v1", "LimitRange", "limitranges", "60,000 resources in each of four maps", () => `"spec":{"limits":[{"type":"Container",${["max", "min", "default", "defaultRequest"].map((name) => `"${name}":${manyKeys(40_000, (i) => `r${i}`, "1")}`).join(",")}}]}`),
  inGroup("v1", "Node", "nodes", "100,000 ranges of pods", () => `"spec":{"podCIDRs":${many(100_000, (i) => `10.${i % 256}.0.0/16`)}}`),
  inGroup(STORAGE, "StorageClass", "storageclasses", "30,000 topologies", () => `"provisioner":"a.b/c","allowedTopologies":${many(30_000, (i) => ({ matchLabelExpressions: [{ key: "k", values: [`v${i}`] }] }))}`),
  inGroup(STORAGE, "StorageClass", "storageclasses", "30,000 equal topologies", () => `"provisioner":"a.b/c","allowedTopologies":${repeated(30_000, { matchLabelExpressions: [{ key: "k", values: ["v", "w"] }] })}`),
  inGroup(STORAGE, "StorageClass", "storageclasses", "a topology of 200,000 values", () => `"provisioner":"a.b/c","allowedTopologies":[{"matchLabelExpressions":[{"key":"k","values":${many(200_000, (i) => `v${i}`)}}]}]`),
  inGroup(STORAGE, "StorageClass", "storageclasses", "100,000 parameters", () => `"provisioner":"a.b/c","parameters":${manyKeys(100_000, (i) => `k${i}`, "v")}`),
  inGroup(STORAGE, "CSINode", "csinodes", "30,000 drivers", () => `"spec":{"drivers":${many(30_000, (i) => ({ name: `d${i}`, nodeID: `n${i}`, topologyKeys: [`k${i}`] }))}}`),
  inGroup(STORAGE, "CSINode", "csinodes", "a driver with 200,000 keys", () => `"spec":{"drivers":[{"name":"d","nodeID":"n","topologyKeys":${many(200_000, (i) => `k${i}`)}}]}`),
  inGroup(STORAGE, "CSIDriver", "csidrivers", "60,000 requests of tokens", () => `"spec":{"tokenRequests":${many(60_000, (i) => ({ audience: `a${i}` }))}}`),
  inGroup("batch/v1", "Job", "jobs", "20,000 rules of a policy for failures", () => `"spec":{${template},"podFailurePolicy":{"rules":${many(20_000, () => ({ action: "Ignore", onExitCodes: { operator: "In", values: [1, 2, 3] } }))}}}`),
  inGroup("batch/v1", "Job", "jobs", "a rule with 400,000 exit codes", () => `"spec":{${template},"podFailurePolicy":{"rules":[{"action":"Ignore","onExitCodes":{"operator":"In","values":${many(400_000, (i) => i + 1)}}}]}}`),
  inGroup("batch/v1", "Job", "jobs", "60,000 successful indexes", () => `"spec":{${template},"completionMode":"Indexed","completions":100000,"parallelism":1,"successPolicy":{"rules":[{"succeededIndexes":"${Array.from({ length: 60_000 }, (_, i) => i * 2).join(",")}"}]}}`),
  inGroup("apps/v1", "StatefulSet", "statefulsets", "20,000 claims", () => `"spec":{${selector},"serviceName":"s",${template},"volumeClaimTemplates":${many(20_000, (i) => ({ metadata: { name: `c${i}` }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } }))}}`),
  inGroup("apps/v1", "DaemonSet", "daemonsets", "a selector of 200,000 values", () => `"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"In","values":${many(200_000, (i) => `v${i}`)}}]},${template}}`),
  inGroup("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "60,000 policies of scaling", () => `"spec":{"maxReplicas":1,"scaleTargetRef":{"kind":"a","name":"b"},"behavior":{"scaleUp":{"policies":${many(60_000, () => ({ type: "x", value: 0, periodSeconds: 0 }))}}}}`),
  inGroup("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", "60,000 bad expressions", () => `"spec":{"selector":{"matchExpressions":${many(60_000, () => ({ key: "=", operator: "x" }))}}}`),
  inGroup("networking.k8s.io/v1", "Ingress", "ingresses", "30,000 rules and hosts", () => `"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":1}}},"tls":[{"hosts":${many(50_000, (i) => `h${i}.example.com`)}}],"rules":${many(20_000, (i) => ({ host: `h${i}.example.com` }))}}`),
  inGroup("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", "20,000 ports and 20,000 exceptions", () => `"spec":{"podSelector":{},"egress":[{"ports":${many(20_000, (i) => ({ port: i + 1, endPort: i }))},"to":[{"ipBlock":{"cidr":"10.0.0.0/8","except":${many(20_000, (i) => `11.${i % 256}.0.0/16`)}}}]}]}`),
  inGroup("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "1,000 endpoints of 100 wrong addresses", () => `"addressType":"IPv4","endpoints":${many(1_000, () => ({ addresses: Array.from({ length: 100 }, (_, i) => `x${i}`) }))},"ports":${many(20_000, (i) => ({ name: `p${i}`, port: 1 }))}`),
  inGroup("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "flowschemas", "20,000 rules with 3 subjects", () => `"spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":5,"distinguisherMethod":{"type":"ByUser"},"rules":${many(20_000, (i) => ({ subjects: [{ kind: "User", user: { name: `u${i}` } }], resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["r"], namespaces: ["*"] }] }))}}`),
  inGroup("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "flowschemas", "a rule of 200,000 verbs and groups", () => `"spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":5,"rules":[{"subjects":[{"kind":"User","user":{"name":"u"}}],"resourceRules":[{"verbs":${repeated(100_000, "get")},"apiGroups":${many(50_000, (i) => `g${i}`)},"resources":["a"],"clusterScope":true}]}]}`),
  inGroup("resource.k8s.io/v1", "ResourceSlice", "resourceslices", "20,000 devices", () => `"spec":{"driver":"d.example.com","nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":${many(20_000, (i) => ({ name: `d${i}`, attributes: { a: { string: "b" } }, capacity: { c: { value: "1" } } }))}}`),
  inGroup("resource.k8s.io/v1", "DeviceClass", "deviceclasses", "5,000 selectors", () => `"spec":{"selectors":${many(5_000, (i) => ({ cel: { expression: `device.driver == "d${i}.example.com"` } }))}}`),
  inGroup("resource.k8s.io/v1", "ResourceClaim", "resourceclaims", "20,000 requests and constraints", () => `"spec":{"devices":{"requests":${many(10_000, (i) => ({ name: `r${i}`, exactly: { deviceClassName: "c" } }))},"constraints":${many(10_000, (i) => ({ requests: [`r${i}`], matchAttribute: "a.example.com/b" }))}}}`),
  inGroup("v1", "Event", "events", "a message of 3 MB", () => `"involvedObject":{"namespace":"default"},"message":"${"m".repeat(3_000_000)}"`),
  webhook("10,000 webhooks", 10_000, () => ({ rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["CREATE"] }] })),
  webhook("10,000 equal webhooks", 10_000, () => ({ name: "w.example.com" })),
  webhook("a webhook with 30,000 rules", 1, () => ({ rules: Array.from({ length: 20_000 }, (_, i) => ({ apiGroups: [`g${i}`], apiVersions: ["*"], resources: ["*", "a/*"], operations: ["*"] })) })),
  webhook("a rule with 150,000 resources", 1, () => ({ rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: Array.from({ length: 150_000 }, (_, i) => `r${i}/*`) }] })),
  webhook("3,000 webhooks with 10 conditions each", 3_000, (i) => ({ matchConditions: Array.from({ length: 10 }, (_, j) => ({ name: `c${j}`, expression: `object.metadata.name != "n${i}"` })) })),
  policy("a rule for 150,000 resources", () => ({ validations: [{ expression: "true" }], matchConstraints: { resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: Array.from({ length: 150_000 }, (_, i) => `r${i}`) }] } })),
  policy("20,000 rules", () => ({ validations: [{ expression: "true" }], matchConstraints: { resourceRules: Array.from({ length: 20_000 }, (_, i) => ({ apiGroups: [`g${i}`], apiVersions: ["v1"], operations: ["*"], resources: ["a", "a/*", "*/b"] })) } })),
  policy("5,000 variables that use one another", () => ({ variables: Array.from({ length: 5_000 }, (_, i) => ({ name: `v${i}`, expression: i === 0 ? "1" : `variables.v${i - 1} + 1` })), validations: [{ expression: "variables.v9 > 1" }] })),
  policy("variables whose type doubles 60 times", () => ({ variables: Array.from({ length: 60 }, (_, i) => ({ name: `v${i}`, expression: i === 0 ? "[1]" : `[variables.v${i - 1}, variables.v${i - 1}]` })), validations: [{ expression: "variables.v59.size() > 1" }] })),
  policy("5,000 audit annotations", () => ({ auditAnnotations: Array.from({ length: 5_000 }, (_, i) => ({ key: `k${i}`, valueExpression: "object.metadata.name" })) })),
  policy("1,000 validations with messages for all kinds", () => ({ matchConstraints: { resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }] }, validations: Array.from({ length: 1_000 }, (_, i) => ({ expression: `object.spec.replicas > ${i}`, messageExpression: "'a' + object.metadata.name" })) })),
  policy("30 comprehensions within one another", () => ({ validations: [{ expression: `${Array.from({ length: 30 }, (_, i) => `[1, 2].all(x${i}, `).join("")}true${")".repeat(30)}` }] })),
  policy("a list of 100,000 constants", () => ({ validations: [{ expression: `1 in [${Array.from({ length: 100_000 }, (_, i) => i).join(",")}]` }] })),
  inGroup(ADMISSION, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "20,000 rules", () => text({ spec: { policyName: "p", validationActions: ["Deny"], matchResources: { resourceRules: Array.from({ length: 20_000 }, (_, i) => ({ apiGroups: [`g${i}`], apiVersions: ["v1"], operations: ["*"], resources: ["a"] })) } } })),
  inGroup("certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", "a request of 3 MB", () => `"spec":{"signerName":"a.b/c","usages":${repeated(10_000, "client auth")},"request":"${Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${"MIIC".repeat(500_000)}\n-----END CERTIFICATE REQUEST-----\n`).toString("base64")}"}`),
  inGroup("certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", "DER of 300,000 levels", () => `"spec":{"signerName":"a.b/c","usages":["client auth"],"request":"${Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from("3080".repeat(300_000), "hex").toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`).toString("base64")}"}`),
  inGroup("apiregistration.k8s.io/v1", "APIService", "apiservices", "a bundle of 2 MB", () => `"spec":{"group":"g","version":"v1","groupPriorityMinimum":1,"versionPriority":1,"service":{"name":"s","namespace":"n"},"caBundle":"${"QUJD".repeat(500_000)}"}`),
  create("/apis/authentication.k8s.io/v1/tokenreviews", "TokenReview: a token of 3 MB", () => `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"${"eyJhbGciOiJub25lIn0".repeat(150_000)}"}}`),
  create("/apis/authentication.k8s.io/v1/tokenreviews", "TokenReview: a token of a million dots", () => `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"${"a.".repeat(1_000_000)}"}}`),
  create("/apis/authentication.k8s.io/v1/tokenreviews", "TokenReview: 300,000 audiences", () => `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"a","audiences":${many(300_000, (i) => `a${i}`)}}}`),
  create(`${NAMESPACE}/serviceaccounts/hostile/token`, "TokenRequest: 200,000 audiences", () => `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":${many(200_000, (i) => `a${i}`)}}}`, makeAccount),
  review("60,000 requirements of labels", () => `"resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"requirements":${many(60_000, (i) => ({ key: `k${i}`, operator: "In", values: ["a", "b"] }))}}}`),
  review("60,000 requirements of fields", () => `"resourceAttributes":{"verb":"list","resource":"pods","fieldSelector":{"requirements":${many(60_000, (i) => ({ key: `k${i}`, operator: "In", values: ["a"] }))}}}`),
  review("a selector of 2 MB", () => `"resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"rawSelector":"${Array.from({ length: 200_000 }, (_, i) => `k${i}=v`).join(",")}"}}`),
  review("extra with 60,000 keys", () => `"extra":${manyKeys(60_000, (i) => `k${i}`, ["a"])},"nonResourceAttributes":{"path":"/","verb":"get"}`),
  inLarge("20,000 variables that are there", () => `"env":${many(20_000, (i) => ({ name: `A${19_999 - i}`, value: "w" }))}`),
  inLarge("20,000 new variables and their order", () => `"$setElementOrder/env":${many(20_000, (i) => ({ name: `B${i}` }))},"env":${many(20_000, (i) => ({ name: `B${i}`, value: "w" }))}`),
  inLarge("20,000 deletions", () => `"env":${many(20_000, (i) => ({ name: `A${i}`, $patch: "delete" }))}`),
  inLarge("40,000 equal variables", () => `"env":${many(40_000, () => ({ name: "A1", value: "w" }))}`),
  patch("100,000 deletions of finalizers", `${NAMESPACE}/configmaps/live`, "strategic-merge-patch", () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":${many(100_000, (i) => `a.b/c${i}`)},"finalizers":${many(60_000, (i) => `a.b/d${i}`)}}}`, makeLiveMap),
  { name: "deletion with 300,000 unknown options", needs: makeLiveMap, method: "DELETE", path: `${NAMESPACE}/configmaps/live?dryRun=All`, type: JSON_TYPE, body: () => `{"kind":"DeleteOptions","apiVersion":"v1",${manyKeys(300_000, (i) => `u${i}`, 1).slice(1)}` },
  { name: "deletion with 300,000 dry runs", needs: makeLiveMap, method: "DELETE", path: `${NAMESPACE}/configmaps/live?dryRun=All`, type: JSON_TYPE, body: () => `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":${repeated(300_000, "All")}}` },
];
