/** Pairs of policies whose truth follows from CEL, from schemas or from how requests are matched. None may be wrong. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import { comparePolicies } from "@portcullis/engine/internal/prove/compare-policies";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";

const file = path.join(import.meta.dirname, "../corpora/policy-proofs/objects.json");
const given: Record<string, object> = JSON.parse(readFileSync(file, "utf8"));
const KINDS = ["CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "Namespace"];
const OBJECTS = Object.entries(given).filter(
  ([name]) => KINDS.includes(name.split("/")[0] ?? "") && !name.includes("#"),
);

const GROUPS: Readonly<Record<string, string>> = {
  deployments: "apps",
  widgets: "pp.example.com",
  horizontalpodautoscalers: "autoscaling",
};

const rule = (resource: string, operations = ["CREATE", "UPDATE"], version = "v1") => ({
  apiGroups: [GROUPS[resource.split("/")[0] ?? ""] ?? ""],
  apiVersions: [version],
  operations,
  resources: [resource],
});

/** One side, in short. */
interface Side {
  /** Validations. */
  readonly e?: string | readonly string[];
  /** Failure policy. */
  readonly fp?: string;
  /** Match conditions. */
  readonly mc?: readonly string[];
  readonly vars?: readonly (readonly [string, string])[];
  readonly rules?: readonly object[];
  /** More of the match constraints, and those of the binding. */
  readonly match?: object;
  readonly bmatch?: object;
  readonly actions?: readonly string[];
  readonly audit?: string;
  readonly paramKind?: object;
  readonly paramRef?: object;
}

function objectsOf(resource: string, side: Side): JsonObject[] {
  const { e = "true", fp = "Fail", mc = [], vars = [], rules = [rule(resource)], match = {}, audit, paramKind } = side;
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      failurePolicy: fp,
      matchConstraints: { resourceRules: rules, ...match },
      matchConditions: mc.map((expression, index) => ({ name: `c${index}`, expression })),
      variables: vars.map(([name, expression]) => ({ name, expression })),
      validations: [e].flat().map((expression) => ({ expression })),
      ...(audit === undefined ? {} : { auditAnnotations: [{ key: "k", valueExpression: audit }] }),
      ...(paramKind === undefined ? {} : { paramKind }),
    },
  };
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "p" },
    spec: {
      policyName: "p",
      validationActions: side.actions ?? ["Deny"],
      ...(side.paramRef === undefined ? {} : { paramRef: side.paramRef }),
      ...(side.bmatch === undefined ? {} : { matchResources: side.bmatch }),
    },
  };
  return [policy, binding].map(toObject);
}

function toObject(plain: object): JsonObject {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("a case holds objects");
  return made;
}

const CM = { apiVersion: "v1", kind: "ConfigMap" };
const lim = (name: string, max: string): object => ({ ...CM, metadata: { name, namespace: "pp-a" }, data: { max } });

type Row = readonly [
  name: string,
  resource: string,
  old: Side,
  next: Side,
  denied: string,
  allowed: string,
  params?: readonly object[],
];

// biome-ignore format: a table
const PAIRS: readonly Row[] = [
  ["a generated name of a namespace", "namespaces", { e: "has(request.namespace)", rules: [rule("namespaces", ["CREATE"])] }, { e: "true", rules: [rule("namespaces", ["CREATE"])] }, "none", "some"],
  ["NaN differs from itself", "configmaps", { fp: "Ignore", e: "double(object.metadata.annotations['x']) == double(object.metadata.annotations['x'])" }, { fp: "Ignore", e: "true" }, "none", "some"],
  ["a double may be infinite", "configmaps", { fp: "Ignore", e: "double(object.metadata.annotations['x']) <= 1.7976931348623157e308" }, { fp: "Ignore", e: "true" }, "none", "some"],
  ["empty labels of a custom resource are dropped", "widgets", { e: "!has(object.metadata.labels) || size(object.metadata.labels) > 0" }, { e: "true" }, "none", "none"],
  ["size", "configmaps", { e: "object.metadata.name.size() <= 253" }, { e: "true" }, "none", "none"],
  ["demorgan", "pods", { e: "!(has(object.spec.hostPID) || has(object.spec.hostIPC))" }, { e: "!has(object.spec.hostPID) && !has(object.spec.hostIPC)" }, "none", "none"],
  ["ternary", "deployments", { e: "object.spec.replicas > 3 ? false : true" }, { e: "object.spec.replicas <= 3" }, "none", "none"],
  ["impl", "widgets", { e: "!has(object.spec.opt) || object.spec.opt.level > 3" }, { e: "has(object.spec.opt) ? object.spec.opt.level > 3 : true" }, "none", "none"],
  ["absent opt.level Ignore", "widgets", { fp: "Ignore", e: "!has(object.spec.opt) || object.spec.opt.level > 3" }, { fp: "Ignore", e: "!has(object.spec.opt) || !has(object.spec.opt.level) || object.spec.opt.level > 3" }, "none", "none"],
  ["absent opt.level Fail", "widgets", { e: "!has(object.spec.opt) || object.spec.opt.level > 3" }, { e: "!has(object.spec.opt) || !has(object.spec.opt.level) || object.spec.opt.level > 3" }, "none", "some"],
  ["nested default", "widgets", { e: "!object.spec.nested.enabled" }, { e: "!has(object.spec.nested) || !has(object.spec.nested.enabled) || !object.spec.nested.enabled" }, "none", "none"],
  ["note null", "widgets", { e: "!has(object.spec.nested.note) || object.spec.nested.note != null" }, { e: "true" }, "none", "some"],
  ["note size null", "widgets", { e: "!has(object.spec.nested.note) || object.spec.nested.note.size() > 0" }, { e: "!has(object.spec.nested.note) || object.spec.nested.note == null || object.spec.nested.note.size() > 0" }, "none", "some"],
  ["maxItems", "widgets", { e: "!has(object.spec.tags) || size(object.spec.tags) <= 10" }, { e: "true" }, "none", "none"],
  ["maxItems 9", "widgets", { e: "!has(object.spec.tags) || size(object.spec.tags) <= 9" }, { e: "true" }, "none", "some"],
  ["items required key", "widgets", { e: "!has(object.spec.items) || object.spec.items.all(i, has(i.key))" }, { e: "true" }, "none", "none"],
  ["items value", "widgets", { e: "!has(object.spec.items) || object.spec.items.all(i, has(i.value))" }, { e: "true" }, "none", "some"],
  ["all not exists", "widgets", { e: "object.spec.tags.all(t, t != 'x')" }, { e: "!object.spec.tags.exists(t, t == 'x')" }, "none", "none"],
  ["all-in", "widgets", { e: "object.spec.tags.all(t, t != 'x')" }, { e: "!('x' in object.spec.tags)" }, "none", "none"],
  ["filter size 1", "widgets", { e: "object.spec.tags.filter(t, t == 'a').size() >= 1" }, { e: "object.spec.tags.exists(t, t == 'a')" }, "none", "none"],
  ["exists vs one", "widgets", { e: "object.spec.tags.exists(t, t == 'a')" }, { e: "object.spec.tags.exists_one(t, t == 'a')" }, "some", "none"],
  ["empty tags", "widgets", { e: "size(object.spec.tags) > 0" }, { e: "object.spec.tags != []" }, "none", "none"],
  ["limits map", "widgets", { e: "has(object.spec.limits) && object.spec.limits.all(k, object.spec.limits[k] != '')" }, { e: "has(object.spec.limits) && !object.spec.limits.exists(k, object.spec.limits[k] == '')" }, "none", "none"],
  ["port text", "widgets", { e: "!has(object.spec.port) || type(object.spec.port) == string || object.spec.port > 0" }, { e: "!has(object.spec.port) || type(object.spec.port) != int || object.spec.port > 0" }, "none", "some"],
  ["replicas+", "deployments", { e: "object.spec.replicas + 1 <= 6" }, { e: "object.spec.replicas < 6" }, "none", "none"],
  ["replicas*", "deployments", { e: "object.spec.replicas * 2 <= 10" }, { e: "object.spec.replicas <= 5" }, "none", "none"],
  ["replicas %", "deployments", { e: "object.spec.replicas % 2 == 0" }, { e: "object.spec.replicas % 2 != 1" }, "none", "none"],
  ["min max", "deployments", { e: "object.spec.replicas >= 1 && object.spec.replicas <= 3" }, { e: "object.spec.replicas in [1, 2, 3]" }, "none", "none"],
  ["annotation data num", "configmaps", { e: "int(object.data.n) >= 5" }, { e: "int(object.data.n) > 4" }, "none", "none"],
  ["text num", "configmaps", { e: "object.data.n == '5'" }, { e: "int(object.data.n) == 5" }, "none", "some"],
  ["label key", "pods", { e: "'app' in object.metadata.labels" }, { e: "has(object.metadata.labels.app)" }, "none", "none"],
  ["label nonempty", "pods", { e: "has(object.metadata.labels) && object.metadata.labels.size() > 0" }, { e: "has(object.metadata.labels)" }, "none", "none"],
  ["label len", "pods", { e: "!has(object.metadata.labels) || object.metadata.labels.all(k, size(object.metadata.labels[k]) <= 63)" }, { e: "true" }, "none", "none"],
  ["ns label", "configmaps", { e: "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace" }, { e: "true" }, "none", "none"],
  ["ns name", "configmaps", { e: "namespaceObject.metadata.name == object.metadata.namespace" }, { e: "true" }, "none", "none"],
  ["ns labels has", "configmaps", { e: "has(namespaceObject.metadata.labels)" }, { e: "true" }, "none", "none"],
  ["ns annotations", "configmaps", { e: "namespaceObject.metadata.annotations.x == 'y'" }, { e: "has(namespaceObject.metadata.annotations) && 'x' in namespaceObject.metadata.annotations && namespaceObject.metadata.annotations.x == 'y'" }, "none", "none"],
  ["ns sel vs cond", "configmaps", { e: "has(object.data)", match: { namespaceSelector: { matchLabels: { env: "prod" } } } }, { e: "!('env' in namespaceObject.metadata.labels) || namespaceObject.metadata.labels.env != 'prod' || has(object.data)" }, "none", "none"],
  ["cond ns null", "configmaps", { e: "has(object.data)" }, { mc: ["namespaceObject != null"], e: "has(object.data)" }, "none", "some"],
  ["old obj", "configmaps", { rules: [rule("configmaps", ["UPDATE"])], e: "object.data == oldObject.data" }, { rules: [rule("configmaps", ["UPDATE"])], e: "!has(object.data) && !has(oldObject.data) || object.data == oldObject.data" }, "none", "some"],
  ["name immut", "configmaps", { rules: [rule("configmaps", ["UPDATE"])], e: "object.metadata.name == oldObject.metadata.name && object.metadata.uid == oldObject.metadata.uid" }, { rules: [rule("configmaps", ["UPDATE"])], e: "true" }, "none", "none"],
  ["scale", "deployments", { rules: [rule("deployments/scale", ["UPDATE"])], e: "object.spec.replicas <= 5" }, { rules: [rule("deployments/scale", ["UPDATE"])], e: "object.spec.replicas < 5" }, "some", "none"],
  ["scale absent", "deployments", { rules: [rule("deployments/scale", ["UPDATE"])], e: "object.spec.replicas >= 0" }, { rules: [rule("deployments/scale", ["UPDATE"])], e: "!has(object.spec.replicas) || object.spec.replicas >= 0" }, "none", "some"],
  ["exec", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "object.container == 'a'" }, { rules: [rule("pods/exec", ["CONNECT"])], e: "has(object.container) && object.container == 'a'" }, "none", "none"],
  ["exec all", "pods", { rules: [rule("pods", ["CONNECT"])], e: "false" }, { rules: [rule("pods/exec", ["CONNECT"])], e: "false" }, "some", "none"],
  ["star", "pods", { rules: [rule("pods", ["*"])], e: "request.operation != 'CONNECT'" }, { rules: [rule("pods/*", ["*"])], e: "request.operation != 'CONNECT'" }, "some", "none"],
  ["connect pods", "pods", { rules: [rule("pods", ["*"])], e: "request.operation != 'CONNECT'" }, { rules: [rule("pods", ["*"])], e: "true" }, "none", "none"],
  ["delete old", "pods", { rules: [rule("pods", ["DELETE"])], e: "!has(oldObject.metadata.labels) || !('keep' in oldObject.metadata.labels)" }, { rules: [rule("pods", ["DELETE"])], e: "!('keep' in oldObject.metadata.labels)" }, "some", "none"],
  ["delete has obj", "pods", { fp: "Ignore", rules: [rule("pods", ["DELETE"])], e: "has(object.metadata)" }, { fp: "Ignore", rules: [rule("pods", ["DELETE"])], e: "object.metadata.name != ''" }, "none", "some"],
  ["namespaces scope", "namespaces", { rules: [{ ...rule("namespaces", ["CREATE"]), scope: "Namespaced" }], e: "false" }, { rules: [rule("namespaces", ["CREATE"])], e: "true" }, "none", "none"],
  ["ns kind", "namespaces", { rules: [rule("namespaces", ["CREATE"])], e: "request.namespace == object.metadata.name" }, { rules: [rule("namespaces", ["CREATE"])], e: "true" }, "none", "some"],
  ["ns self label", "namespaces", { rules: [rule("namespaces", ["CREATE"])], e: "object.metadata.labels['kubernetes.io/metadata.name'] == object.metadata.name" }, { rules: [rule("namespaces", ["CREATE"])], e: "true" }, "none", "none"],
  ["user group", "pods", { e: "request.userInfo.groups.size() > 0" }, { e: "true" }, "none", "none"],
  ["user name", "pods", { e: "request.userInfo.username != ''" }, { e: "true" }, "none", "none"],
  ["user uid", "pods", { e: "!has(request.userInfo.uid) || request.userInfo.uid != ''" }, { e: "true" }, "none", "none"],
  ["authz", "pods", { e: "authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed()" }, { e: "authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed() || request.userInfo.username == 'bob'" }, "none", "some"],
  ["authz eq", "pods", { e: "authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed() || !has(object.spec.hostPID)" }, { e: "!has(object.spec.hostPID) || authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed()" }, "none", "none"],
  ["regex", "widgets", { e: "!has(object.spec.code) || object.spec.code.matches('^[a-z]{3}-[0-9]{1,8}$')" }, { e: "true" }, "none", "none"],
  ["regex7", "widgets", { e: "!has(object.spec.code) || object.spec.code.matches('^[a-z]{3}-[0-9]{1,7}$')" }, { e: "true" }, "none", "some"],
  ["title len", "widgets", { e: "!has(object.spec.title) || object.spec.title.size() <= 20" }, { e: "true" }, "none", "none"],
  ["quantity cmp", "widgets", { e: "has(object.spec.budget) && quantity(object.spec.budget).isLessThan(quantity('1'))" }, { e: "has(object.spec.budget) && quantity(object.spec.budget).compareTo(quantity('1')) < 0" }, "none", "none"],
  ["quantity 1000m", "widgets", { e: "has(object.spec.budget) && quantity(object.spec.budget) == quantity('1')" }, { e: "has(object.spec.budget) && object.spec.budget == '1'" }, "some", "none"],
  ["pod quantity", "pods", { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || quantity(c.resources.limits['cpu']).isLessThan(quantity('2')))" }, { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || (isQuantity(c.resources.limits['cpu']) && quantity(c.resources.limits['cpu']).isLessThan(quantity('2'))))" }, "none", "none"],
  ["privileged", "pods", { e: "object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false)" }, { e: "object.spec.containers.all(c, !c.?securityContext.?privileged.orValue(false))" }, "none", "none"],
  ["image name", "pods", { e: "object.spec.containers.all(c, c.image.contains('/'))" }, { e: "object.spec.containers.all(c, c.image.matches('.*/.*'))" }, "none", "none"],
  ["image split", "pods", { e: "object.spec.containers.all(c, c.image.split(':').size() == 2)" }, { e: "object.spec.containers.all(c, size(c.image.split(':')) == 2)" }, "none", "none"],
  ["pull policy", "pods", { e: "object.spec.containers.all(c, has(c.imagePullPolicy))" }, { e: "true" }, "none", "none"],
  ["restart", "pods", { e: "object.spec.restartPolicy in ['Always', 'OnFailure', 'Never']" }, { e: "true" }, "none", "none"],
  ["container name", "pods", { e: "object.spec.containers.all(c, c.name != '')" }, { e: "true" }, "none", "none"],
  ["svc type", "services", { e: "object.spec.type in ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']" }, { e: "true" }, "none", "none"],
  ["svc port", "services", { e: "!has(object.spec.ports) || object.spec.ports.all(p, p.port > 0 && p.port <= 65535)" }, { e: "true" }, "none", "none"],
  ["svc protocol", "services", { e: "!has(object.spec.ports) || object.spec.ports.all(p, p.protocol == 'TCP')" }, { e: "!has(object.spec.ports) || object.spec.ports.all(p, !has(p.protocol) || p.protocol == 'TCP')" }, "none", "none"],
  ["paused", "deployments", { e: "!has(object.spec.paused) || object.spec.paused" }, { e: "true" }, "none", "none"],
  ["strategy", "deployments", { e: "object.spec.strategy.type == 'RollingUpdate'" }, { e: "object.spec.strategy.type != 'Recreate'" }, "none", "none"],
  ["hpa exact", "horizontalpodautoscalers", { rules: [rule("horizontalpodautoscalers", undefined, "v1")], e: "object.spec.maxReplicas <= 5" }, { rules: [rule("horizontalpodautoscalers", undefined, "v1")], match: { matchPolicy: "Exact" }, e: "object.spec.maxReplicas <= 5" }, "none", "some"],
  ["widgets v1beta1", "widgets", { e: "object.apiVersion == 'pp.example.com/v1'" }, { e: "true" }, "none", "none"],
  ["widgets v1beta1 exact", "widgets", { e: "object.spec.replicas <= 5" }, { e: "object.spec.replicas <= 5", match: { matchPolicy: "Exact" } }, "none", "some"],
  ["widgets both", "widgets", { rules: [rule("widgets", undefined, "v1")], e: "object.spec.replicas <= 5" }, { rules: [rule("widgets", undefined, "v1beta1")], e: "object.spec.replicas <= 5" }, "none", "none"],
  ["actions", "deployments", { e: "object.spec.replicas <= 5" }, { e: "object.spec.replicas <= 5", actions: ["Warn"] }, "none", "some"],
  ["actions audit", "deployments", { e: "object.spec.replicas <= 5", actions: ["Audit"] }, { e: "object.spec.replicas <= 5", actions: ["Deny", "Audit"] }, "some", "none"],
  ["audit fail warn", "configmaps", { e: "true", actions: ["Warn"] }, { e: "true", actions: ["Warn"], audit: "string(object.data.a)" }, "some", "none"],
  ["param", "deployments", { e: "object.spec.replicas <= 5" }, { e: "object.spec.replicas <= int(params.data.max)", paramKind: CM, paramRef: { name: "lim5", namespace: "pp-a", parameterNotFoundAction: "Deny" } }, "none", "none", [lim("lim5", "5")]],
  ["param ns", "deployments", { e: "object.spec.replicas <= int(params.data.max)", paramKind: CM, paramRef: { name: "lim5", namespace: "pp-a", parameterNotFoundAction: "Allow" } }, { e: "object.spec.replicas <= int(params.data.max)", paramKind: CM, paramRef: { name: "lim5", parameterNotFoundAction: "Allow" } }, "none", "some", [lim("lim5", "5")]],
  ["param null", "deployments", { e: "params == null || object.spec.replicas <= int(params.data.max)", paramKind: CM }, { e: "true" }, "none", "none"],
  ["param missing key", "deployments", { e: "object.spec.replicas <= int(params.data.min)", paramKind: CM, paramRef: { name: "lim5", namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { e: "false" }, "none", "none", [lim("lim5", "5")]],
  ["binding sel", "configmaps", { e: "has(object.data)", bmatch: { namespaceSelector: { matchLabels: { env: "prod" } } } }, { e: "has(object.data)", bmatch: { namespaceSelector: { matchExpressions: [{ key: "env", operator: "In", values: ["prod"] }] } } }, "none", "none"],
  ["obj sel vs cond", "configmaps", { e: "has(object.data)", match: { objectSelector: { matchLabels: { app: "x" } } } }, { mc: ["has(object.metadata.labels) && 'app' in object.metadata.labels && object.metadata.labels.app == 'x'"], e: "has(object.data)" }, "none", "some"],
  ["obj sel vs cond create", "configmaps", { rules: [rule("configmaps", ["CREATE"])], e: "has(object.data)", match: { objectSelector: { matchLabels: { app: "x" } } } }, { rules: [rule("configmaps", ["CREATE"])], mc: ["has(object.metadata.labels) && 'app' in object.metadata.labels && object.metadata.labels.app == 'x'"], e: "has(object.data)" }, "none", "none"],
  ["names", "configmaps", { rules: [{ ...rule("configmaps"), resourceNames: ["fixed"] }], e: "has(object.data)" }, { mc: ["request.name == 'fixed'"], e: "has(object.data)" }, "none", "none"],
  ["names delete coll", "configmaps", { rules: [{ ...rule("configmaps", ["DELETE"]), resourceNames: ["fixed"] }], e: "false" }, { rules: [rule("configmaps", ["DELETE"])], e: "oldObject.metadata.name != 'fixed'" }, "some", "none"],
  ["exclude", "configmaps", { e: "has(object.data)", match: { excludeResourceRules: [rule("configmaps", ["UPDATE"])] } }, { rules: [rule("configmaps", ["CREATE"])], e: "has(object.data)" }, "none", "none"],
  ["same name order", "pods", { e: ["!has(object.spec.hostPID)", "!has(object.spec.hostIPC)"] }, { e: ["!has(object.spec.hostIPC)", "!has(object.spec.hostPID)"] }, "none", "none"],
  ["vars", "pods", { vars: [["cs", "object.spec.containers"]], e: "variables.cs.all(c, c.image.startsWith('a/'))" }, { e: "object.spec.containers.all(c, c.image.startsWith('a/'))" }, "none", "none"],
  ["vars err", "configmaps", { vars: [["x", "object.data.a"]], e: "true" }, { e: "true" }, "none", "none"],
  ["init", "pods", { e: "(object.spec.containers + object.spec.?initContainers.orValue([])).all(c, c.image.startsWith('a/'))" }, { e: ["object.spec.containers.all(c, c.image.startsWith('a/'))", "!has(object.spec.initContainers) || object.spec.initContainers.all(c, c.image.startsWith('a/'))"] }, "none", "none"],
  ["status", "widgets", { rules: [rule("widgets/status", ["UPDATE"])], e: "object.spec == oldObject.spec" }, { rules: [rule("widgets/status", ["UPDATE"])], e: "true" }, "none", "none"],
  ["status phase", "widgets", { rules: [rule("widgets/status", ["UPDATE"])], e: "!has(object.status) || !has(object.status.phase) || object.status.phase != 'Bad'" }, { rules: [rule("widgets/status", ["UPDATE"])], e: "true" }, "none", "some"],
  ["evict", "pods", { rules: [rule("pods/eviction", ["CREATE"])], e: "request.name != 'x'" }, { rules: [rule("pods/eviction", ["CREATE"])], e: "true" }, "none", "some"],
  ["eph", "pods", { rules: [rule("pods/ephemeralcontainers", ["UPDATE"])], e: "!has(object.spec.ephemeralContainers)" }, { rules: [rule("pods/ephemeralcontainers", ["UPDATE"])], e: "true" }, "none", "some"],
  ["ratio", "widgets", { e: "!has(object.spec.ratio) || double(object.spec.ratio) < 5.0" }, { e: "!has(object.spec.ratio) || object.spec.ratio < 5.0" }, "none", "none"],
  ["secret", "secrets", { e: "object.type != 'Opaque' || has(object.data)" }, { e: "has(object.data) || object.type != 'Opaque'" }, "none", "none"],
  ["contains", "configmaps", { e: "object.metadata.name.contains('x')" }, { e: "object.metadata.name.matches('x')" }, "none", "none"],
  ["in unfolded", "configmaps", { e: "request.operation in ['CREATE', 'UPDATE']" }, { e: "true" }, "none", "none"],
  ["generate", "configmaps", { e: "object.metadata.name != ''" }, { e: "true" }, "none", "none"],
  ["resource", "configmaps", { e: "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'" }, { e: "true" }, "none", "none"],
  ["options", "configmaps", { e: "request.options.kind == 'CreateOptions' || request.operation == 'UPDATE'" }, { e: "true" }, "none", "none"],
];

const CASES = PAIRS.map(([name, resource, old, next, denied, allowed, params = []]) => ({
  name,
  resource,
  old,
  next,
  want: { denied, allowed },
  params,
}));

test.each(CASES)("$name ($resource)", async ({ resource, old, next, want, params }) => {
  const shared = [...OBJECTS.map(([, object]) => object), ...params].map(toObject);
  const sides = [objectsOf(resource, old), objectsOf(resource, next)];
  const options = {
    engine: engineOptions(RECORDED_VERSION, undefined),
    seconds: 20,
    bindsAll: false,
    now: () => performance.now(),
  };
  const inputs = await proofInputs(sides, shared, options);
  const [before, after] = inputs.sides;
  if (before === undefined || after === undefined) throw new Error("a pair has two sides");
  const { newlyDenied, newlyAllowed } = comparePolicies(before, after, inputs.options);
  expect({ denied: newlyDenied.verdict, allowed: newlyAllowed.verdict }).toEqual(want);
});
