/**
 * Pairs of policies that attack proofs, in short, see `proof-pair.ts`. The last two columns are whether the new policy
 * denies what the old one allows, and the other way round; `?` marks what may stay undecided.
 */
import { CONFIG_MAP, rule } from "./proof-pair.ts";
import type { ServerRow } from "./proof-rows.ts";

const NAME = "object.metadata.name";
const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const EXACT = { match: { matchPolicy: "Exact" } };
const IGNORE = { fp: "Ignore" };
const ALWAYS = "true";
const named = (name: string, action: string, namespace?: string) => ({
  paramKind: CONFIG_MAP,
  paramRef: { name, parameterNotFoundAction: action, ...(namespace === undefined ? {} : { namespace }) },
});
const selected = (labels: object, action = "Deny", namespace = "pp-a") => ({
  paramKind: CONFIG_MAP,
  paramRef: { selector: { matchLabels: labels }, namespace, parameterNotFoundAction: action },
});
const spec = (name: string) => `object.spec.${name}`;
const TITLE = spec("s");
/** A custom resource with this field, or anything. */
const having = (field: string, condition: string) => `!has(object.spec) || !has(object.spec.${field}) || ${condition}`;

const API = "admissionregistration.k8s.io/v1";
const mutation = (resource: string, change: object, name = "m"): readonly object[] => [
  {
    apiVersion: API,
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule(resource)] },
      reinvocationPolicy: "IfNeeded",
      mutations: [change],
    },
  },
  { apiVersion: API, kind: "MutatingAdmissionPolicyBinding", metadata: { name }, spec: { policyName: name } },
];
const apply = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
const patch = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });
const LABELS = apply('Object{metadata: Object.metadata{labels: {"a": "b"}}}');
const ADDED = patch('[JSONPatch{op: "add", path: "/data", value: {"a": "b"}}]');

/** In a cluster where only CRDs are given, so that params may exist and have any content. */
// biome-ignore format: a table
export const OPEN_ROWS: readonly ServerRow[] = [
  // Params that nobody has given.
  ["a param in the namespace of a cluster-scoped object", "clusterroles", { e: ALWAYS, ...named("x", "Allow"), ...on("clusterroles", "CREATE") }, { e: ALWAYS, ...on("clusterroles", "CREATE") }, "none", "some"],
  ["the same under Ignore", "clusterroles", { ...IGNORE, e: "false", ...named("x", "Allow"), ...on("clusterroles", "CREATE") }, { e: ALWAYS, ...on("clusterroles", "CREATE") }, "none", "none"],
  ["a param of a namespace", "namespaces", { e: ALWAYS, ...named("x", "Allow"), ...on("namespaces", "UPDATE") }, { e: ALWAYS, ...on("namespaces", "UPDATE") }, "none", "none?"],
  ["a missing param is denied", "configmaps", { e: ALWAYS, ...named("x", "Deny", "pp-a") }, { e: ALWAYS, ...named("x", "Allow", "pp-a") }, "none", "some"],
  ["a missing param is denied under Ignore", "configmaps", { ...IGNORE, e: ALWAYS, ...named("x", "Deny", "pp-a") }, { ...IGNORE, e: ALWAYS, ...named("x", "Allow", "pp-a") }, "none", "none"],
  ["a param is never null", "configmaps", { e: "params != null", ...named("x", "Allow", "pp-a") }, { e: ALWAYS }, "none", "none"],
  ["a param without data", "configmaps", { e: "has(params.data)", ...named("x", "Allow", "pp-a") }, { e: ALWAYS }, "none", "some"],
  ["the name of a param", "configmaps", { e: "params.metadata.name == 'x'", ...named("x", "Allow", "pp-a") }, { e: ALWAYS }, "none", "none"],
  ["the namespace of a param", "configmaps", { e: "params.metadata.namespace == request.namespace", ...named("x", "Allow") }, { e: ALWAYS }, "none", "none?"],
  ["two bindings with two params", "configmaps", { e: `${NAME} != params.data.a`, paramKind: CONFIG_MAP, bindings: [named("x", "Allow", "pp-a"), named("y", "Allow", "pp-a")] }, { e: `${NAME} != params.data.a`, paramKind: CONFIG_MAP, bindings: [named("x", "Allow", "pp-a")] }, "none", "some"],
  ["the order of bindings", "configmaps", { e: `${NAME} != params.data.a`, paramKind: CONFIG_MAP, bindings: [named("x", "Allow", "pp-a"), named("y", "Allow", "pp-a")] }, { e: `${NAME} != params.data.a`, paramKind: CONFIG_MAP, bindings: [named("y", "Allow", "pp-a"), named("x", "Allow", "pp-a")] }, "none", "none"],
  ["one of two actions", "configmaps", { e: `${NAME} != params.data.a`, paramKind: CONFIG_MAP, bindings: [{ ...named("x", "Allow", "pp-a"), actions: ["Warn"] }, named("y", "Allow", "pp-a")] }, { e: `${NAME} != params.data.a`, ...named("y", "Allow", "pp-a") }, "none", "none"],
  ["a missing param of a binding that warns", "configmaps", { e: ALWAYS, actions: ["Warn"], ...named("x", "Deny", "pp-a") }, { e: ALWAYS }, "none", "some"],
  ["a condition on a param", "configmaps", { e: "false", mc: ["params.data.on == 'yes'"], ...named("x", "Allow", "pp-a") }, { e: "params.data.on != 'yes'", ...named("x", "Allow", "pp-a") }, "none", "none"],
  ["the same under Ignore", "configmaps", { ...IGNORE, e: "false", mc: ["params.data.on == 'yes'"], ...named("x", "Allow", "pp-a") }, { ...IGNORE, e: "params.data.on != 'yes'", ...named("x", "Allow", "pp-a") }, "none", "none"],
  // Versions of a custom resource.
  ["a maximum of another version", "duals", { e: having("a", "object.spec.a <= 10"), rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, { e: ALWAYS, rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, "none", "some?"],
  ["a maximum of its own version", "duals", { e: having("a", "object.spec.a <= 10"), rules: [rule("duals", ["CREATE"], "v1beta1")], ...EXACT }, { e: ALWAYS, rules: [rule("duals", ["CREATE"], "v1beta1")], ...EXACT }, "none", "none"],
  ["what no version allows", "duals", { e: having("a", "object.spec.a <= 100"), rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, { e: ALWAYS, rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, "none", "none"],
  ["a default of another version, deleted", "duals", { e: "!has(oldObject.spec) || has(oldObject.spec.b)", rules: [rule("duals", ["DELETE"], "v1beta1")], ...EXACT }, { e: ALWAYS, rules: [rule("duals", ["DELETE"], "v1beta1")], ...EXACT }, "none", "some?"],
  ["a default of its own version, updated", "duals", { e: "!has(object.spec) || has(object.spec.b)", rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, { e: ALWAYS, rules: [rule("duals", ["UPDATE"], "v1beta1")], ...EXACT }, "none", "none"],
  ["a default of the requested version", "duals", { e: "!has(object.spec) || has(object.spec.b)", rules: [rule("duals", ["CREATE"], "v1beta1")] }, { e: ALWAYS, rules: [rule("duals", ["CREATE"], "v1beta1")] }, "none", "some"],
  ["a field that the other version lacks", "duals", { e: "!has(oldObject.spec.only)", rules: [rule("duals", ["DELETE"], "v1beta1")], ...EXACT }, { e: "has(oldObject.spec)", rules: [rule("duals", ["DELETE"], "v1beta1")], ...EXACT }, "none", "none?"],
  ["a webhook converts", "hooks", { e: "object.spec.a != 1", rules: [rule("hooks", ["CREATE"], "v1"), rule("hooks", ["CREATE"], "v2")], ...EXACT }, { e: "object.spec.a != 1", ...on("hooks", "CREATE") }, "some?", "some?"],
  ["a webhook keeps the name", "hooks", { e: `${NAME} != 'x'`, rules: [rule("hooks", ["CREATE"], "v1")], ...EXACT }, { e: `${NAME} != 'x'`, ...on("hooks", "CREATE") }, "some", "none"],
  ["the version of a scaled resource", "parts", { e: "request.resource.version == 'v1'", rules: [rule("parts/scale", ["UPDATE"], "v1beta1")] }, { e: "request.resource.version == 'v1'", rules: [rule("parts/scale", ["UPDATE"])] }, "none", "some"],
  ["the same the other way round", "parts", { e: "request.resource.version == 'v1'", rules: [rule("parts/scale", ["UPDATE"])] }, { e: "request.resource.version == 'v1'", rules: [rule("parts/scale", ["UPDATE"], "v1beta1")] }, "some", "none"],
  // Mutating policies before validating ones.
  ["a label that a mutation adds", "configmaps", { e: "has(object.metadata.labels)", objects: mutation("configmaps", LABELS) }, { e: "has(object.metadata.labels)" }, "some?", "none?"],
  ["a mutation is added", "configmaps", { e: "!has(object.data)" }, { e: "!has(object.data)", objects: mutation("configmaps", ADDED) }, "some?", "none?"],
  ["the same mutation on both sides", "configmaps", { e: "!has(object.data) || !('a' in object.data)", objects: mutation("configmaps", ADDED) }, { e: "!('a' in object.?data.orValue({}))", objects: mutation("configmaps", ADDED) }, "none", "none"],
  ["another mutation of the same kind", "configmaps", { e: "has(object.metadata.labels)", objects: mutation("configmaps", LABELS) }, { e: "has(object.metadata.labels)", objects: mutation("configmaps", ADDED) }, "some?", "none?"],
  ["a mutation of another kind", "configmaps", { e: "has(object.metadata.labels)", objects: mutation("secrets", LABELS) }, { e: "has(object.metadata.labels)" }, "none", "none"],
  ["two mutations, one of which runs again", "configmaps", { e: "object.data.a == 'b'", objects: [...mutation("configmaps", ADDED), ...mutation("configmaps", LABELS, "n")] }, { e: "object.data.a == 'b'", objects: [...mutation("configmaps", LABELS), ...mutation("configmaps", ADDED, "n")] }, "none?", "none?"],
  // Objects that are never stored, and names that nothing has checked.
  ["the uid of a binding", "bindings", { e: "has(object.metadata.uid)", ...on("bindings", "CREATE") }, { e: ALWAYS, ...on("bindings", "CREATE") }, "none", "some?"],
  ["a binding without a name", "bindings", { e: "has(request.name)", ...on("bindings", "CREATE") }, { e: ALWAYS, ...on("bindings", "CREATE") }, "none", "some?"],
  ["the target of a binding", "bindings", { e: "object.target.name != ''", ...on("bindings", "CREATE") }, { e: ALWAYS, ...on("bindings", "CREATE") }, "none", "none?"],
  ["the name of a proxied service", "services/proxy", { e: "request.name.matches('^[a-z0-9.-]+$')", ...on("services/proxy", "CONNECT") }, { e: ALWAYS, ...on("services/proxy", "CONNECT") }, "none", "some"],
  ["the name of a pod that is evicted", "pods/eviction", { e: "request.name == request.name.lowerAscii()", ...on("pods/eviction", "CREATE") }, { e: ALWAYS, ...on("pods/eviction", "CREATE") }, "none", "some"],
  ["the name of a pod", "pods", { e: "request.name == request.name.lowerAscii()", ...on("pods", "CREATE") }, { e: ALWAYS, ...on("pods", "CREATE") }, "none", "none"],
  // Loops with an index.
  ["the same value at two places", "configmaps", { e: "['a', 'b', 'a'].exists(i, v, v == 'a' && i == 0) && ['a', 'b', 'a'].exists(i, v, v == 'a' && i == 2)" }, { e: "false" }, "some?", "none"],
  ["two containers become one value", "pods", { e: "object.spec.containers.map(c, 1).exists(i, v, i == 0) && object.spec.containers.map(c, 1).exists(i, v, i == 1)", ...on("pods", "CREATE") }, { e: "false", ...on("pods", "CREATE") }, "some", "none"],
  ["an index after a filter", "numbers", { ...IGNORE, e: "!(size(object.spec.l) == 2 && object.spec.l.exists(t, t == 'b') && object.spec.l.exists(i, v, v == 'a' && i == 1) && object.spec.l.filter(t, t != 'b').exists(i, v, v == 'a' && i == 0))" }, { e: ALWAYS }, "none", "some"],
  ["an index is not negative", "numbers", { ...IGNORE, e: "object.spec.l.all(i, v, i >= 0)" }, { e: ALWAYS }, "none", "none"],
  ["an index is less than the size", "numbers", { ...IGNORE, e: "object.spec.l.all(i, v, i < size(object.spec.l))" }, { e: ALWAYS }, "none", "none?"],
  ["the first element by its index", "numbers", { ...IGNORE, e: "object.spec.l.exists(i, v, i == 0 && v == 'a')" }, { ...IGNORE, e: "size(object.spec.l) > 0 && object.spec.l[0] == 'a'" }, "none?", "none?"],
  ["every other element", "numbers", { ...IGNORE, e: "object.spec.l.all(i, v, i % 2 == 1 || v == 'a')" }, { ...IGNORE, e: "object.spec.l.all(v, v == 'a')" }, "some", "none"],
  ["a list that is transformed", "numbers", { ...IGNORE, e: "object.spec.l.transformList(i, v, v + 'x').all(v, v != 'ax')" }, { ...IGNORE, e: "object.spec.l.all(v, v != 'a')" }, "none", "none"],
  // Patterns.
  ["a pattern that is put together and wrong", "configmaps", { ...IGNORE, e: `${NAME}.matches('[' + 'a')` }, { e: ALWAYS }, "none", "none"],
  ["the same under Fail", "configmaps", { e: `${NAME}.matches('[' + 'a')` }, { e: "false" }, "none", "none"],
  ["letters in any case", "numbers", { ...IGNORE, e: `${TITLE}.matches('(?i)^k$')` }, { ...IGNORE, e: `${TITLE} in ['k', 'K']` }, "some", "none"],
  ["lines", "numbers", { ...IGNORE, e: `!${TITLE}.matches('(?m)^a$')` }, { ...IGNORE, e: `${TITLE} != 'a'` }, "none", "some"],
  ["the end of a text before a line break", "numbers", { ...IGNORE, e: `!${TITLE}.matches('^a$')` }, { ...IGNORE, e: `${TITLE} != 'a'` }, "none", "none"],
  ["words", "numbers", { ...IGNORE, e: `!${TITLE}.matches('\\\\bcat\\\\b')` }, { ...IGNORE, e: `!(' ' + ${TITLE} + ' ').contains(' cat ')` }, "none", "some?"],
  ["a vertical tab is not a space", "numbers", { ...IGNORE, e: `!${TITLE}.matches('^\\\\s$')` }, { ...IGNORE, e: `!(${TITLE} in [' ', '\\t', '\\n', '\\f', '\\r'])` }, "none", "none"],
  ["letters of all scripts", "numbers", { ...IGNORE, e: `!${TITLE}.matches('^\\\\pL$')` }, { ...IGNORE, e: `!${TITLE}.matches('^[[:alpha:]]$')` }, "none", "some"],
  ["a lazy pattern accepts the same", "numbers", { ...IGNORE, e: `${TITLE}.matches('^a*?b+?$')` }, { ...IGNORE, e: `${TITLE}.matches('^a*b+$')` }, "none", "none"],
  ["quoted text in a pattern", "numbers", { ...IGNORE, e: `${TITLE}.matches('^\\\\Qa.b\\\\E$')` }, { ...IGNORE, e: `${TITLE} == 'a.b'` }, "none", "none"],
  ["a counted group", "numbers", { ...IGNORE, e: `${TITLE}.matches('^(ab){2,3}$')` }, { ...IGNORE, e: `${TITLE} in ['abab', 'ababab']` }, "none", "none"],
  // Texts.
  ["one character of two code units", "numbers", { ...IGNORE, e: `${TITLE} != '😀' || size(${TITLE}) == 1` }, { e: ALWAYS }, "none", "none"],
  ["texts beyond the first plane come last", "numbers", { ...IGNORE, e: `!(${TITLE} == '😀' && ${TITLE} < '\\uFF5E')` }, { e: ALWAYS }, "none", "none"],
  ["a short text of many bytes", "numbers", { ...IGNORE, e: `size(${TITLE}) > 1 || size(bytes(${TITLE})) <= 1` }, { e: ALWAYS }, "none", "some?"],
  ["a dotted capital in lower case", "numbers", { ...IGNORE, e: `${TITLE}.lowerAscii() == 'i'` }, { ...IGNORE, e: `${TITLE} in ['i', 'I']` }, "none", "none"],
  ["a text is trimmed", "numbers", { ...IGNORE, e: `${TITLE}.trim() != ''` }, { ...IGNORE, e: `${TITLE} != ''` }, "none", "some"],
  ["the end of a substring", "numbers", { ...IGNORE, e: `${TITLE}.substring(1) != ''` }, { ...IGNORE, e: `size(${TITLE}) != 1` }, "none?", "none?"],
  ["a text split and joined", "numbers", { ...IGNORE, e: `${TITLE}.split(',').join(',') == ${TITLE}` }, { ...IGNORE, e: ALWAYS }, "none?", "none?"],
  ["a text as a number", "numbers", { ...IGNORE, e: `int(${TITLE}) == 5` }, { ...IGNORE, e: `${TITLE} == '5'` }, "some", "none"],
  ["a number as a text", "numbers", { ...IGNORE, e: "string(object.spec.i) == '5'" }, { ...IGNORE, e: "object.spec.i == 5" }, "none?", "none?"],
  ["a hexadecimal text is not a number", "numbers", { ...IGNORE, e: `${TITLE} != '0x10' || int(${TITLE}) == 16` }, { e: ALWAYS }, "none", "none"],
  ["a text as a bool", "numbers", { ...IGNORE, e: `!bool(${TITLE})` }, { ...IGNORE, e: `!(${TITLE} in ['true', 'TRUE', 'True', 't', '1'])` }, "none", "some"],
  // Numbers.
  ["negative zero", "numbers", { ...IGNORE, e: "1.0 / object.spec.f > 0.0 || object.spec.f < 0.0" }, { ...IGNORE, e: ALWAYS }, "none", "some?"],
  ["a double beyond all ints", "numbers", { ...IGNORE, e: "object.spec.f < 1e200" }, { ...IGNORE, e: ALWAYS }, "none", "some"],
  ["an int of a large double", "numbers", { e: having("f", "int(object.spec.f) == int(object.spec.f)") }, { e: ALWAYS }, "none", "some?"],
  ["a sum of two fields", "numbers", { ...IGNORE, e: "object.spec.i + object.spec.even > object.spec.i || object.spec.even <= 0" }, { ...IGNORE, e: ALWAYS }, "none", "none?"],
  ["an even number", "numbers", { ...IGNORE, e: "int(object.spec.even) % 2 == 0" }, { ...IGNORE, e: ALWAYS }, "none", "some?"],
  ["an even number without rounding", "numbers", { ...IGNORE, e: "type(object.spec.even) != int || object.spec.even % 2 == 0" }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["an int next to a double", "numbers", { ...IGNORE, e: "object.spec.i != 9007199254740993" }, { ...IGNORE, e: "object.spec.i != 9007199254740992.0" }, "some", "none"],
  ["a uint", "numbers", { ...IGNORE, e: "dyn(object.spec.i) == 5u" }, { ...IGNORE, e: "object.spec.i == 5" }, "none", "none"],
  ["a double that is not a number", "numbers", { ...IGNORE, e: `double(${TITLE}) == double(${TITLE})` }, { ...IGNORE, e: ALWAYS }, "none", "some?"],
  ["a negative number divided", "numbers", { ...IGNORE, e: "int(object.spec.i) / 2 == 0" }, { ...IGNORE, e: "int(object.spec.i) in [-1, 0, 1]" }, "none", "none"],
  // Lists, maps and nulls.
  ["null in a list", "numbers", { ...IGNORE, e: "object.spec.nulls.all(x, x != null)" }, { ...IGNORE, e: ALWAYS }, "none", "some"],
  ["a null is not a text", "numbers", { ...IGNORE, e: "object.spec.nulls.all(x, type(x) == string)" }, { ...IGNORE, e: "object.spec.nulls.all(x, x != null)" }, "none", "none"],
  ["an int among texts", "numbers", { ...IGNORE, e: "!(dyn(1) in object.spec.l)" }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["any value", "numbers", { ...IGNORE, e: "object.spec.any.x == 1" }, { ...IGNORE, e: "object.spec.any.x == 1.0" }, "none", "none"],
  ["any value has a type", "numbers", { ...IGNORE, e: "[dyn(int), dyn(double), dyn(bool), dyn(string), dyn(null_type), dyn(list), dyn(map)].exists(t, t == type(object.spec.any.x))" }, { ...IGNORE, e: ALWAYS }, "none", "none?"],
  ["a map is never equal to a list", "numbers", { ...IGNORE, e: "object.spec.any.x != [] || object.spec.any.x != {}" }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["a key of a map by a variable", "numbers", { ...IGNORE, e: "object.spec.m.all(k, object.spec.m[k] != '')" }, { ...IGNORE, e: "object.spec.m.all(k, v, v != '')" }, "none", "none"],
  ["a map of one key", "numbers", { ...IGNORE, e: "object.spec.m == {'a': 'b'}" }, { ...IGNORE, e: "size(object.spec.m) == 1 && object.spec.m.a == 'b'" }, "none", "some"],
  ["a list of ints in order", "numbers", { ...IGNORE, e: "object.spec.ints == [1, 2]" }, { ...IGNORE, e: "object.spec.ints == [1.0, 2.0]" }, "none", "none"],
  ["the labels of an update", "configmaps", { ...IGNORE, e: "object.metadata.labels == oldObject.metadata.labels", ...on("configmaps", "UPDATE") }, { ...IGNORE, e: "object.metadata.labels.a == oldObject.metadata.labels.a", ...on("configmaps", "UPDATE") }, "some?", "some"],
  // Optional values.
  ["an index into an optional map", "configmaps", { e: "object.?metadata.?labels['a'].orValue('x') == 'x'" }, { e: "object.?metadata.?labels[?'a'].orValue('x') == 'x'" }, "none", "none"],
  ["an index into an optional list", "numbers", { e: "object.?spec.?l[0].orValue('x') == 'x'" }, { e: "!has(object.spec) || !has(object.spec.l) || size(object.spec.l) == 0 || object.spec.l[0] == 'x'" }, "none", "none"],
  ["a field of an optional", "numbers", { e: "object.?spec.s.orValue('x') == 'x'" }, { e: "!has(object.spec) || !has(object.spec.s) || object.spec.s == 'x'" }, "none", "none"],
  ["a list with an optional element", "numbers", { e: "size([?object.?spec.?s, dyn('y')]) == 2" }, { e: "has(object.spec) && has(object.spec.s)" }, "none", "none"],
  ["optFlatMap", "numbers", { e: "object.?spec.optFlatMap(s, s.?s).hasValue()" }, { e: "has(object.spec) && has(object.spec.s)" }, "none", "none"],
  // Libraries.
  ["an address", "numbers", { ...IGNORE, e: `isIP(${spec("ip")})` }, { ...IGNORE, e: `isIP(${spec("ip")}) || ${spec("ip")} == '10.0.0.256'` }, "none", "some"],
  ["an address in a range", "numbers", { ...IGNORE, e: `!(${spec("ip")} == '10.0.0.1' && !cidr('10.0.0.0/8').containsIP(ip(${spec("ip")})))` }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["a version", "numbers", { ...IGNORE, e: `!(${TITLE} == '1.2.3' && semver(${TITLE}).isLessThan(semver('1.2.0')))` }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["a URL", "numbers", { ...IGNORE, e: `!(${TITLE} == 'https://a.b/c' && url(${TITLE}).getHost() != 'a.b')` }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  ["a quantity", "numbers", { ...IGNORE, e: `quantity(${TITLE}).isGreaterThan(quantity('1Gi'))` }, { ...IGNORE, e: `quantity(${TITLE}).compareTo(quantity('1024Mi')) > 0` }, "none", "none"],
  ["a range of quantities", "pods", { ...IGNORE, e: "object.spec.containers[0].resources.limits.memory == '302Mi' || !(quantity(object.spec.containers[0].resources.limits.memory).isGreaterThan(quantity('301Mi')) && quantity(object.spec.containers[0].resources.limits.memory).isLessThan(quantity('303Mi')))", ...on("pods", "CREATE") }, { e: ALWAYS, ...on("pods", "CREATE") }, "none", "some?"],
  ["two bounds of a quantity", "numbers", { ...IGNORE, e: `quantity(${TITLE}).isLessThan(quantity('1037'))` }, { ...IGNORE, e: `quantity(${TITLE}).isLessThan(quantity('1039'))` }, "none", "some"],
  ["two addresses", "numbers", { ...IGNORE, e: `ip(${TITLE}) != ip('10.9.8.7')` }, { ...IGNORE, e: `ip(${TITLE}) != ip('10.9.8.6')` }, "some", "some"],
  ["two versions", "numbers", { ...IGNORE, e: `semver(${TITLE}).isLessThan(semver('1.37.4'))` }, { ...IGNORE, e: `semver(${TITLE}).isLessThan(semver('1.37.5'))` }, "none", "some?"],
  ["two ranges of addresses", "numbers", { ...IGNORE, e: `!cidr('10.7.0.0/16').containsIP(${TITLE})` }, { ...IGNORE, e: `!cidr('10.8.0.0/16').containsIP(${TITLE})` }, "some?", "some?"],
  ["two durations", "numbers", { ...IGNORE, e: `duration(${TITLE}) < duration('71s')` }, { ...IGNORE, e: `duration(${TITLE}) < duration('72s')` }, "none", "some?"],
  ["a quantity that is equal", "numbers", { ...IGNORE, e: `quantity(${TITLE}) == quantity('1k')` }, { ...IGNORE, e: `${TITLE} == '1k'` }, "some", "none"],
  ["a format", "numbers", { ...IGNORE, e: `!format.dns1123Label().validate(${TITLE}).hasValue()` }, { ...IGNORE, e: `!format.named('dns1123Label').value().validate(${TITLE}).hasValue()` }, "none?", "none?"],
  ["a duration", "numbers", { ...IGNORE, e: `duration(${TITLE}) <= duration('1h')` }, { ...IGNORE, e: `duration(${TITLE}) <= duration('60m')` }, "none", "none"],
  ["a date", "numbers", { ...IGNORE, e: `timestamp(${spec("when")}) < timestamp('2030-01-01T00:00:00Z')` }, { ...IGNORE, e: `timestamp(${spec("when")}) < timestamp('2030-01-01T01:00:00+01:00')` }, "none", "none"],
  ["a date and its year", "numbers", { ...IGNORE, e: `!(${spec("when")} == '2030-01-01T00:30:00+01:00' && timestamp(${spec("when")}).getFullYear() != 2029)` }, { ...IGNORE, e: ALWAYS }, "none", "none"],
  // Matching.
  ["a subresource by a pattern", "pods", { e: "false", rules: [rule("pods/*", ["UPDATE"])] }, { e: "has(request.subResource) && false", rules: [rule("*/*", ["UPDATE"])] }, "some", "none"],
  ["a resource name of a subresource", "pods", { e: "false", rules: [{ ...rule("pods/exec", ["CONNECT"]), resourceNames: ["x"] }] }, { e: "request.name != 'x'", rules: [rule("pods/exec", ["CONNECT"])] }, "none", "none"],
  ["an excluded name", "configmaps", { e: "false", match: { excludeResourceRules: [{ ...rule("configmaps"), resourceNames: ["x"] }] } }, { e: `${NAME} == 'x'` }, "none", "none"],
  ["an excluded version", "duals", { e: "false", rules: [rule("duals", ["CREATE"])], match: { excludeResourceRules: [rule("duals", ["CREATE"], "v1beta1")] } }, { e: ALWAYS, ...on("duals", "CREATE") }, "none", "none"],
  ["an excluded version, exactly", "duals", { e: "false", rules: [rule("duals", ["CREATE"])], match: { matchPolicy: "Exact", excludeResourceRules: [rule("duals", ["CREATE"], "v1beta1")] } }, { e: "false", ...on("duals", "CREATE"), ...EXACT }, "none", "none"],
  ["a selector of objects that are connected to", "pods", { e: "false", rules: [rule("pods/exec", ["CONNECT"])], match: { objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } } }, { e: ALWAYS, rules: [rule("pods/exec", ["CONNECT"])] }, "none", "none"],
  ["a selector of a scale", "deployments", { e: "false", rules: [rule("deployments/scale", ["UPDATE"])], match: { objectSelector: { matchLabels: { a: "b" } } } }, { e: ALWAYS, rules: [rule("deployments/scale", ["UPDATE"])] }, "none", "none"],
  ["the selectors of a policy and a binding", "configmaps", { e: "false", match: { objectSelector: { matchLabels: { a: "b" } } }, bmatch: { objectSelector: { matchLabels: { a: "c" } } } , ...on("configmaps", "CREATE") }, { e: ALWAYS, ...on("configmaps", "CREATE") }, "none", "none"],
  ["the same for an update", "configmaps", { e: "false", match: { objectSelector: { matchLabels: { a: "b" } } }, bmatch: { objectSelector: { matchLabels: { a: "c" } } }, ...on("configmaps", "UPDATE") }, { e: ALWAYS, ...on("configmaps", "UPDATE") }, "none", "some"],
  // Failures.
  ["a condition that fails under Warn", "configmaps", { e: ALWAYS, mc: ["object.data.a == 'x'"], actions: ["Warn"] }, { e: ALWAYS }, "none", "none"],
  ["a message that fails does not admit", "configmaps", { e: `${NAME} != 'x'`, me: "object.data.nothing + ''" }, { e: `${NAME} != 'x'`, me: "'no'" }, "none", "none"],
  ["an annotation that fails under Ignore", "configmaps", { ...IGNORE, e: ALWAYS, audit: "string(object.data.a)" }, { e: ALWAYS }, "none", "none"],
  ["an annotation of a policy that only audits", "configmaps", { e: "false", audit: "string(object.data.a)", actions: ["Audit"] }, { e: "has(object.data) && 'a' in object.data" }, "none", "none"],
  ["an annotation behind a false condition", "configmaps", { e: ALWAYS, audit: "string(object.data.a)", mc: ["false"] }, { e: ALWAYS }, "none", "none"],
  ["a variable that is defined twice", "configmaps", { vars: [["v", "true"], ["w", "variables.v"], ["v", "false"]], e: "variables.w" }, { e: "false" }, "none", "none"],
  ["a variable that fails in a condition of another", "configmaps", { vars: [["v", "object.data.a"], ["w", "true || variables.v == 'x'"]], e: "variables.w" }, { e: ALWAYS }, "none", "none"],
  ["a check of another user", "configmaps", { e: "authorizer.serviceAccount('pp-a', 'x').group('').resource('pods').check('get').allowed() || true" }, { e: ALWAYS }, "none", "none"],
  ["a check with a wrong name", "configmaps", { e: "authorizer.serviceAccount('pp-a', 'X Y').group('').resource('pods').check('get').allowed()" }, { e: "false" }, "none?", "none"],
];

/** In a cluster where params are given. */
// biome-ignore format: a table
export const GIVEN_ROWS: readonly ServerRow[] = [
  ["all selected params count", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, ...selected({ set: "limits" }) }, { e: `size(${NAME}) <= 3` }, "none", "none"],
  ["one param by its name", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, ...named("high", "Deny", "pp-a") }, { e: `size(${NAME}) <= 5` }, "none", "none"],
  ["a param without data fails", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, ...selected({ set: "broken" }) }, { e: "false" }, "none", "none"],
  ["no param is selected", "configmaps", { e: "false", ...selected({ set: "none" }, "Allow") }, { e: ALWAYS }, "none", "none"],
  ["no param is selected, which is denied", "configmaps", { e: ALWAYS, ...selected({ set: "none" }) }, { e: "false" }, "none", "none"],
  ["params of all namespaces", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, ...named("low", "Allow") }, { e: `request.namespace == 'pp-a' ? size(${NAME}) <= 3 : request.namespace == 'pp-b' ? size(${NAME}) <= 7 : true` }, "none", "none"],
  ["params of the namespace are missing", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, ...named("low", "Deny") }, { e: `request.namespace == 'pp-a' ? size(${NAME}) <= 3 : request.namespace == 'pp-b' && size(${NAME}) <= 7` }, "none", "none"],
  ["a param and a missing one", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, paramKind: CONFIG_MAP, bindings: [named("low", "Deny", "pp-a"), named("gone", "Allow", "pp-a")] }, { e: `size(${NAME}) <= 3` }, "none", "none"],
  ["the stricter of two bindings", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, paramKind: CONFIG_MAP, bindings: [named("low", "Deny", "pp-a"), named("high", "Deny", "pp-a")] }, { e: `size(${NAME}) <= int(params.data.max)`, ...named("low", "Deny", "pp-a") }, "none", "none"],
  ["a param for a part of the namespaces", "configmaps", { e: `size(${NAME}) <= int(params.data.max)`, paramKind: CONFIG_MAP, bindings: [{ ...named("low", "Deny", "pp-a"), bmatch: { namespaceSelector: { matchLabels: { env: "prod" } } } }, named("high", "Deny", "pp-a")] }, { e: `size(${NAME}) <= int(params.data.max)`, ...named("high", "Deny", "pp-a") }, "none", "some"],
];
