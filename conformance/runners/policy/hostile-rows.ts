/**
 * Pairs of policies that try to break proofs, in short, see `proof-pair.ts`. The last two columns are whether the new
 * policy denies what the old one allows, and the other way round; `?` marks what may stay undecided.
 */
import { CONFIG_MAP, rule } from "./proof-pair.ts";
import type { ServerRow } from "./proof-rows.ts";

const NAME = "object.metadata.name";
const ref = (name: string, action = "Deny") => ({ name, namespace: "pp-a", parameterNotFoundAction: action });
const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const PODS = on("pods", "CREATE");
const IGNORE = { fp: "Ignore" };

// biome-ignore format: a table
export const HOSTILE_ROWS: readonly ServerRow[] = [
  // Matching.
  ["all subresources include the resource", "pods", { e: "false", rules: [rule("pods/*", ["CREATE"])] }, { e: "false", rules: [rule("pods", ["CREATE"]), rule("pods/*", ["CREATE"])] }, "none", "none"],
  ["a resource without its subresources", "pods", { e: "false", rules: [rule("pods/*", ["CREATE"])] }, { e: "false", rules: [rule("pods", ["CREATE"])] }, "none", "some"],
  ["a star does not include subresources", "pods", { e: "false", rules: [rule("*", ["UPDATE"])] }, { e: "request.resource.resource != 'pods' || has(request.subResource)", rules: [rule("*", ["UPDATE"])] }, "none", "some?"],
  ["an excluded subresource", "pods", { e: "false", rules: [rule("pods/*", ["UPDATE"])], match: { excludeResourceRules: [rule("pods/status", ["*"])] } }, { e: "has(request.subResource) && request.subResource == 'status'", rules: [rule("pods/*", ["UPDATE"])] }, "none", "none"],
  ["an excluded operation", "configmaps", { e: "false", ...on("configmaps", "CREATE", "UPDATE"), match: { excludeResourceRules: [rule("configmaps", ["UPDATE"])] } }, { e: "false", ...on("configmaps", "CREATE") }, "none", "none"],
  ["everything is excluded", "configmaps", { e: "false", match: { excludeResourceRules: [rule("configmaps", ["*"])] } }, { e: "true" }, "none", "none"],
  ["a scope that no resource has", "configmaps", { e: "false", rules: [{ ...rule("configmaps"), scope: "Cluster" }] }, { e: "true" }, "none", "none"],
  ["the scope of a namespace", "namespaces", { e: "false", rules: [{ ...rule("namespaces", ["CREATE"]), scope: "Namespaced" }] }, { e: "true", ...on("namespaces", "CREATE") }, "none", "none"],
  ["another version, exactly", "widgets", { e: "false", rules: [rule("widgets", ["CREATE"], "v1beta1")], match: { matchPolicy: "Exact" } }, { e: "false", rules: [rule("widgets", ["CREATE"], "v1beta1")] }, "some", "none"],
  ["another version, as an equivalent", "widgets", { e: "false", rules: [rule("widgets", ["CREATE"], "v1beta1")] }, { e: "false", rules: [rule("widgets", ["CREATE"])] }, "none", "none"],
  ["the version that a converted request has", "widgets", { e: "request.kind.version == 'v1'", ...on("widgets", "CREATE") }, { e: "true", ...on("widgets", "CREATE") }, "none", "none"],
  ["the version that a client used", "widgets", { e: "request.requestKind.version == 'v1'", ...on("widgets", "CREATE") }, { e: "true", ...on("widgets", "CREATE") }, "none", "some"],
  ["a selector on the old object", "configmaps", { e: "false", match: { objectSelector: { matchLabels: { a: "b" } } }, ...on("configmaps", "UPDATE") }, { e: "!(has(object.metadata.labels) && 'a' in object.metadata.labels && object.metadata.labels.a == 'b') && !(has(oldObject.metadata.labels) && 'a' in oldObject.metadata.labels && oldObject.metadata.labels.a == 'b')", ...on("configmaps", "UPDATE") }, "none", "none"],
  ["a selector on a deleted object", "configmaps", { e: "false", match: { objectSelector: { matchLabels: { a: "b" } } }, ...on("configmaps", "DELETE") }, { e: "!has(oldObject.metadata.labels) || !('a' in oldObject.metadata.labels) || oldObject.metadata.labels.a != 'b'", ...on("configmaps", "DELETE") }, "none", "none"],
  ["a selector with a missing key and NotIn", "configmaps", { e: "false", match: { objectSelector: { matchExpressions: [{ key: "a", operator: "NotIn", values: ["b"] }, { key: "a", operator: "Exists" }] } }, ...on("configmaps", "CREATE") }, { e: "!has(object.metadata.labels) || !('a' in object.metadata.labels) || object.metadata.labels.a == 'b'", ...on("configmaps", "CREATE") }, "none", "none"],
  ["a selector of the name of a namespace", "configmaps", { e: "false", match: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "pp-a" } } } }, { e: "request.namespace != 'pp-a'" }, "none", "none"],
  ["a namespace selector and a cluster-scoped kind", "clusterroles", { e: "false", match: { namespaceSelector: { matchLabels: { env: "prod" } } }, rules: [{ ...rule("clusterroles", ["CREATE"]), apiGroups: ["rbac.authorization.k8s.io"] }] }, { e: "false", rules: [{ ...rule("clusterroles", ["CREATE"]), apiGroups: ["rbac.authorization.k8s.io"] }] }, "none", "none"],
  ["a namespace selector and a namespace", "namespaces", { e: "false", match: { namespaceSelector: { matchLabels: { env: "prod" } } }, ...on("namespaces", "CREATE") }, { e: "!has(object.metadata.labels.env) || object.metadata.labels.env != 'prod'", ...on("namespaces", "CREATE") }, "none", "none"],
  ["a resource name on create", "configmaps", { e: "false", rules: [{ ...rule("configmaps", ["CREATE"]), resourceNames: ["x"] }] }, { e: `${NAME} != 'x'`, ...on("configmaps", "CREATE") }, "none", "none"],
  ["a resource name and a collection", "configmaps", { e: "false", rules: [{ ...rule("configmaps", ["DELETE"]), resourceNames: ["x"] }] }, { e: "oldObject.metadata.name != 'x'", ...on("configmaps", "DELETE") }, "some", "none"],
  // Match conditions.
  ["a condition that fails", "configmaps", { e: "true", mc: ["object.data.a == 'x'"] }, { e: "true" }, "none", "some"],
  ["a condition that fails under Ignore", "configmaps", { ...IGNORE, e: "false", mc: ["object.data.a == 'x'"] }, { ...IGNORE, e: "!(has(object.data) && 'a' in object.data && object.data.a == 'x')" }, "none", "none"],
  ["a false condition hides a failed one", "configmaps", { e: "false", mc: ["object.data.a == 'x'", "false"] }, { e: "true" }, "none", "none"],
  ["a condition on the object of a deletion", "configmaps", { e: "false", mc: ["object != null"], ...on("configmaps", "DELETE") }, { e: "true", ...on("configmaps", "DELETE") }, "none", "none"],
  ["a condition that needs the object of a deletion", "configmaps", { e: "true", mc: [`${NAME} == 'x'`], ...on("configmaps", "DELETE") }, { e: "false", ...on("configmaps", "DELETE") }, "none", "none"],
  ["a condition with a subresource", "pods", { e: "false", mc: ["request.subResource == 'status'"], rules: [rule("pods/status", ["UPDATE"])] }, { e: "false", rules: [rule("pods/status", ["UPDATE"])] }, "none", "none"],
  ["a condition without a subresource", "pods", { e: "false", mc: ["request.subResource == 'status'"], ...PODS }, { e: "false", ...PODS }, "none", "none"],
  // Operations.
  ["a deletion has no object", "configmaps", { e: "object == null", ...on("configmaps", "CREATE", "DELETE") }, { e: "request.operation == 'DELETE'", ...on("configmaps", "CREATE", "DELETE") }, "none", "none"],
  ["a creation has no old object", "configmaps", { e: "oldObject == null" }, { e: "request.operation == 'CREATE'" }, "none", "none"],
  ["an update that changes nothing", "configmaps", { e: "object != oldObject", ...on("configmaps", "UPDATE") }, { e: "true", ...on("configmaps", "UPDATE") }, "none", "some"],
  ["the old object of a creation", "configmaps", { e: `oldObject.metadata.name == ${NAME}` }, { e: "request.operation == 'UPDATE'" }, "none", "none"],
  ["the name of a deleted collection", "configmaps", { e: "has(request.name)", ...on("configmaps", "DELETE") }, { e: "request.name == oldObject.metadata.name", ...on("configmaps", "DELETE") }, "none", "none"],
  ["exec has no old object", "pods", { e: "oldObject == null && object != null", rules: [rule("pods/exec", ["CONNECT"])] }, { e: "true", rules: [rule("pods/exec", ["CONNECT"])] }, "none", "none"],
  ["exec has no metadata", "pods", { e: "has(object.metadata)", rules: [rule("pods/exec", ["CONNECT"])] }, { e: "false", rules: [rule("pods/exec", ["CONNECT"])] }, "none", "none"],
  ["connect has no options", "pods", { e: "request.options == null", rules: [rule("pods/exec", ["CONNECT"])] }, { e: "true", rules: [rule("pods/exec", ["CONNECT"])] }, "none", "none?"],
  ["a dry run", "configmaps", { e: "!request.dryRun" }, { e: "true" }, "none", "some"],
  // Params.
  ["a missing param is allowed", "configmaps", { e: "false", paramKind: CONFIG_MAP, paramRef: ref("absent", "Allow") }, { e: "true" }, "none", "none"],
  ["a missing param is denied", "configmaps", { e: "true", paramKind: CONFIG_MAP, paramRef: ref("absent") }, { e: "false" }, "none", "none"],
  ["a missing param is denied under Ignore", "configmaps", { ...IGNORE, e: "false", paramKind: CONFIG_MAP, paramRef: ref("absent") }, { e: "true" }, "none", "none"],
  ["params without a reference", "configmaps", { e: "params == null", paramKind: CONFIG_MAP }, { e: "true" }, "none", "none?"],
  // Variables.
  ["a variable that fails and is not used", "configmaps", { vars: [["v", "object.data.a"]], e: "true" }, { e: "true" }, "none", "none"],
  ["a variable that fails on the right of an or", "configmaps", { vars: [["v", "object.data.a == 'x'"]], e: "true || variables.v" }, { e: "true" }, "none", "none"],
  ["a variable that fails on the left of an or", "configmaps", { vars: [["v", "object.data.a == 'x'"]], e: "variables.v || !has(object.data) || !('a' in object.data)" }, { e: "!has(object.data) || !('a' in object.data) || object.data.a == 'x'" }, "none", "none"],
  ["a variable of a variable", "configmaps", { vars: [["a", `size(${NAME})`], ["b", "variables.a + 1"]], e: "variables.b < 5" }, { e: `size(${NAME}) < 4` }, "none", "none"],
  // Actions, messages and annotations.
  ["warn and audit", "configmaps", { e: "false", actions: ["Warn", "Audit"] }, { e: "true" }, "none", "none"],
  ["a message that fails", "configmaps", { e: `${NAME} != 'x'`, me: "string(object.data.nothing)" }, { e: `${NAME} != 'x'` }, "none", "none"],
  ["an annotation that fails", "configmaps", { e: "true", audit: "string(object.data.a)" }, { e: "has(object.data) && 'a' in object.data" }, "none", "none"],
  ["an annotation that fails under Warn", "configmaps", { e: "true", audit: "string(object.data.a)", actions: ["Warn"] }, { e: "true" }, "none", "some"],
  ["two bindings, one of them denies", "configmaps", { e: `${NAME} == 'x'`, bindings: [{ actions: ["Warn"] }, { actions: ["Deny"] }] }, { e: `${NAME} == 'x'` }, "none", "none"],
  // Numbers.
  ["an int that is a double", "widgets", { e: "object.spec.replicas * 2 <= 10" }, { e: "object.spec.replicas <= 5" }, "none", "some"],
  ["an int and its type", "widgets", { e: "type(object.spec.replicas) == int" }, { e: "true" }, "none", "some"],
  ["an int converted first", "widgets", { e: "int(object.spec.replicas) * 2 <= 10" }, { e: "object.spec.replicas <= 5" }, "none", "none"],
  ["a number that is whole", "widgets", { ...IGNORE, e: "object.spec.ratio * 2.0 <= 1.0" }, { ...IGNORE, e: "!has(object.spec.ratio) || type(object.spec.ratio) != double || object.spec.ratio <= 0.5" }, "none", "none"],
  ["a sum that overflows", "widgets", { ...IGNORE, e: "!has(object.spec.opt) || !has(object.spec.opt.level) || int(object.spec.opt.level) + 1 > int(object.spec.opt.level)" }, { ...IGNORE, e: "true" }, "none", "none?"],
  ["a sum that overflows under Fail", "widgets", { e: "!has(object.spec.opt) || !has(object.spec.opt.level) || int(object.spec.opt.level) + 1 > -9223372036854775807" }, { e: "true" }, "none", "some"],
  ["the negation of the least number", "widgets", { e: "!has(object.spec.opt) || !has(object.spec.opt.level) || -int(object.spec.opt.level) <= 9223372036854775807" }, { e: "true" }, "none", "some"],
  ["a division by zero", "deployments", { e: "10 / object.spec.replicas >= 2" }, { e: "object.spec.replicas in [1, 2, 3, 4, 5]" }, "none?", "none"],
  ["a remainder of a negative number", "widgets", { ...IGNORE, e: "int(object.spec.opt.level) % 2 != 1" }, { ...IGNORE, e: "int(object.spec.opt.level) <= 0 || int(object.spec.opt.level) % 2 == 0" }, "none", "none?"],
  ["an int and a double of another value", "deployments", { e: "object.spec.replicas < 2.5" }, { e: "object.spec.replicas <= 2" }, "none", "none"],
  ["an int is not a text", "deployments", { e: "dyn(object.spec.replicas) == '3'" }, { e: "false" }, "none", "none"],
  ["a text in a list of ints", "configmaps", { e: `dyn(${NAME}) in [1, 2, 3]` }, { e: "false" }, "none", "none"],
  // Texts.
  ["the length of a text in characters", "widgets", { ...IGNORE, e: "size(object.spec.title) <= 3" }, { ...IGNORE, e: "object.spec.title.matches('^(?s:.){0,3}$')" }, "none?", "none?"],
  ["letters that are not ASCII", "widgets", { ...IGNORE, e: "object.spec.title.lowerAscii() != 'é'" }, { ...IGNORE, e: "object.spec.title != 'é'" }, "none", "none"],
  ["a capital that is not ASCII", "widgets", { ...IGNORE, e: "object.spec.title.lowerAscii() != 'É'" }, { ...IGNORE, e: "object.spec.title != 'É' && object.spec.title != 'é'" }, "some", "none"],
  ["a line break and a dot", "widgets", { ...IGNORE, e: "object.spec.title.matches('^.*$')" }, { ...IGNORE, e: "true" }, "none", "some"],
  ["the empty text starts everything", "configmaps", { e: `${NAME}.startsWith('') && ${NAME}.endsWith('') && ${NAME}.contains('')` }, { e: "true" }, "none", "none"],
  ["texts in order", "configmaps", { e: `${NAME} < 'b'` }, { e: `${NAME} <= 'azzzzzzzz'` }, "some", "none"],
  // Presence, nulls and maps.
  ["has through an absent parent", "pods", { e: "has(object.spec.securityContext.runAsNonRoot)", ...PODS }, { e: "has(object.spec.securityContext) && has(object.spec.securityContext.runAsNonRoot)", ...PODS }, "none", "none"],
  ["has through an absent parent under Ignore", "widgets", { ...IGNORE, e: "has(object.spec.opt.level)" }, { ...IGNORE, e: "has(object.spec.opt) && has(object.spec.opt.level)" }, "some", "none"],
  ["null in a nullable field", "widgets", { e: "!has(object.spec.nested.note)" }, { e: "!has(object.spec.nested.note) || object.spec.nested.note == null" }, "none", "some"],
  ["null in another field is dropped", "widgets", { e: "!has(object.spec.nested.mode) || object.spec.nested.mode != null" }, { e: "true" }, "none", "none"],
  ["an empty list of containers", "pods", { e: "object.spec.containers.size() > 0", ...PODS }, { e: "true", ...PODS }, "none", "none"],
  ["an empty map of labels", "configmaps", { e: "!has(object.metadata.labels) || object.metadata.labels.size() > 0" }, { e: "true" }, "none", "none"],
  ["a false boolean is absent", "pods", { e: "!has(object.spec.hostPID) || object.spec.hostPID", ...PODS }, { e: "true", ...PODS }, "none", "none"],
  ["a false boolean behind a pointer is present", "pods", { e: "!has(object.spec.automountServiceAccountToken) || object.spec.automountServiceAccountToken", ...PODS }, { e: "true", ...PODS }, "none", "some"],
  ["a default in an update", "deployments", { e: "has(object.spec.strategy) && has(object.spec.revisionHistoryLimit)", ...on("deployments", "UPDATE") }, { e: "true", ...on("deployments", "UPDATE") }, "none", "none"],
  ["a key with a dot", "configmaps", { e: "!has(object.metadata.labels) || !('a.b/c' in object.metadata.labels) || object.metadata.labels['a.b/c'] == 'x'" }, { e: "object.?metadata.?labels[?'a.b/c'].orValue('x') == 'x'" }, "none", "none"],
  ["in a map is in its keys", "configmaps", { ...IGNORE, e: "'x' in object.data" }, { ...IGNORE, e: "object.data.exists(k, k == 'x')" }, "none", "none"],
  ["a value of a map is not a key", "configmaps", { ...IGNORE, e: "'x' in object.data" }, { ...IGNORE, e: "object.data.exists(k, object.data[k] == 'x')" }, "some", "some"],
  // Lists and loops.
  ["an index beyond the end", "pods", { e: "object.spec.containers[3].name != 'x'", ...PODS }, { e: "object.spec.containers.size() > 3 && object.spec.containers[3].name != 'x'", ...PODS }, "none", "none"],
  ["a negative index", "widgets", { e: "object.spec.tags[-1] == 'x'" }, { e: "false" }, "none", "none"],
  ["duplicates in a set and exists_one", "widgets", { ...IGNORE, e: "object.spec.tags.exists_one(t, t == 'a')" }, { ...IGNORE, e: "object.spec.tags.exists(t, t == 'a')" }, "none", "some"],
  ["an error in exists_one is not absorbed", "widgets", { e: "!has(object.spec.items) || object.spec.items.exists_one(i, i.value == 1)" }, { e: "!has(object.spec.items) || (object.spec.items.all(i, has(i.value)) && object.spec.items.filter(i, i.value == 1).size() == 1)" }, "none?", "none?"],
  ["an error in exists is absorbed", "widgets", { e: "!has(object.spec.items) || object.spec.items.exists(i, i.value == 1)" }, { e: "!has(object.spec.items) || object.spec.items.exists(i, has(i.value) && i.value == 1)" }, "none", "none"],
  ["an error in all is absorbed", "widgets", { ...IGNORE, e: "!has(object.spec.items) || object.spec.items.all(i, i.value == 1)" }, { ...IGNORE, e: "!has(object.spec.items) || object.spec.items.all(i, !has(i.value) || i.value == 1)" }, "none", "none"],
  ["all of nothing", "widgets", { e: "has(object.spec.tags) && object.spec.tags.all(t, false)" }, { e: "has(object.spec.tags) && object.spec.tags.size() == 0" }, "none", "none"],
  ["keys and values of a loop", "configmaps", { ...IGNORE, e: "object.data.exists(k, v, k == 'a' && v == 'b')" }, { ...IGNORE, e: "object.data.a == 'b'" }, "none", "some"],
  ["an index of a loop", "widgets", { ...IGNORE, e: "object.spec.tags.all(i, t, i < 5)" }, { ...IGNORE, e: "object.spec.tags.size() <= 5" }, "none?", "none?"],
  // Optional values.
  ["an optional index", "widgets", { e: "!has(object.spec.tags) || object.spec.tags[?2].orValue('') != 'x'" }, { e: "!has(object.spec.tags) || object.spec.tags.size() < 3 || object.spec.tags[2] != 'x'" }, "none", "none"],
  ["an optional chain over a missing parent", "widgets", { e: "object.spec.?opt.?name.orValue('') == 'x'" }, { e: "has(object.spec.opt) && has(object.spec.opt.name) && object.spec.opt.name == 'x'" }, "none", "none"],
  ["an optional null", "widgets", { e: "object.spec.nested.?note.hasValue()" }, { e: "object.spec.nested.?note.orValue(null) != null" }, "some", "none"],
  ["optMap over a missing value", "widgets", { e: "object.spec.?title.optMap(t, size(t) < 5).orValue(false)" }, { e: "has(object.spec.title) && size(object.spec.title) < 5" }, "none", "none"],
  // Quantities and what the server sets.
  ["a quantity in millis", "pods", { ...IGNORE, e: "object.spec.containers[0].resources.limits.cpu != '1000m'", ...PODS }, { ...IGNORE, e: "true", ...PODS }, "none", "none"],
  ["a quantity with an exponent", "pods", { ...IGNORE, e: "object.spec.containers[0].resources.limits.cpu != '1e0'", ...PODS }, { ...IGNORE, e: "true", ...PODS }, "none", "some"],
  ["the name label of a namespace", "namespaces", { e: `object.metadata.labels['kubernetes.io/metadata.name'] == ${NAME}`, ...on("namespaces", "UPDATE") }, { e: "true", ...on("namespaces", "UPDATE") }, "none", "none"],
  ["a service has an address", "services", { e: "has(object.spec.clusterIP) || has(object.spec.externalName)", ...on("services", "CREATE") }, { e: "true", ...on("services", "CREATE") }, "none", "some?"],
  ["the generation of a deployment", "deployments", { e: "object.metadata.generation >= 1", ...on("deployments", "CREATE") }, { e: "true", ...on("deployments", "CREATE") }, "none", "none?"],
  ["a check for an empty verb", "configmaps", { e: "authorizer.group('').resource('pods').check('get').allowed() || !authorizer.group('').resource('pods').check('get').allowed()" }, { e: "true" }, "none", "none"],
  ["a check in another namespace", "configmaps", { e: "authorizer.group('').resource('pods').namespace('pp-a').check('get').allowed()" }, { e: "authorizer.group('').resource('pods').namespace('pp-b').check('get').allowed()" }, "none", "none"],
];
