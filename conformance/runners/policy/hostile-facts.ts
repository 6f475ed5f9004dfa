/**
 * Facts about validations that try to break proofs. The last column is the truth; `?` marks what may stay undecided.
 * The fact is about the first validation.
 */
import { CONFIG_MAP, rule, type Side } from "./proof-pair.ts";

export type FactName = "alwaysDenies" | "impliedBy" | "mayFailAtRuntime" | "neverDenies";

export type FactRow = readonly [name: string, resource: string, side: Side, fact: FactName, truth: string];

const NAME = "object.metadata.name";
const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const PODS = on("pods", "CREATE");

// biome-ignore format: a table
export const HOSTILE_FACTS: readonly FactRow[] = [
  ["a label without a guard", "configmaps", { e: "object.metadata.labels.a == 'b'" }, "mayFailAtRuntime", "true"],
  ["a label behind has", "configmaps", { e: "has(object.metadata.labels) && has(object.metadata.labels.a) && object.metadata.labels.a == 'b'" }, "mayFailAtRuntime", "false"],
  ["a guard on the right", "configmaps", { e: "object.metadata.labels.a == 'b' && has(object.metadata.labels)" }, "mayFailAtRuntime", "true"],
  ["the object of a deletion", "configmaps", { e: `${NAME} != 'x'`, ...on("configmaps", "CREATE", "DELETE") }, "mayFailAtRuntime", "true"],
  ["the old object of a creation", "configmaps", { e: "oldObject.metadata.name != 'x'" }, "mayFailAtRuntime", "true"],
  ["the old object behind a guard", "configmaps", { e: "oldObject == null || oldObject.metadata.name != 'x'" }, "mayFailAtRuntime", "false"],
  ["the name of a request, also for collections", "configmaps", { e: "request.name != 'x'", ...on("configmaps", "DELETE") }, "mayFailAtRuntime", "true"],
  ["the subresource of the resource", "configmaps", { e: "request.subResource == ''" }, "mayFailAtRuntime", "true"],
  ["an int of a custom resource may be a double", "widgets", { e: "object.spec.replicas + 1 > 0" }, "mayFailAtRuntime", "true"],
  ["a comparison of such an int", "widgets", { e: "object.spec.replicas > 0" }, "mayFailAtRuntime", "false"],
  ["an int of a built-in kind", "deployments", { e: "object.spec.replicas + 1 > 0" }, "mayFailAtRuntime", "false"],
  ["a product that overflows", "deployments", { e: "object.spec.replicas * 9223372036854775807 >= 0" }, "mayFailAtRuntime", "true"],
  ["a product that does not", "deployments", { e: "object.spec.replicas * 1000000 >= 0" }, "mayFailAtRuntime", "false"],
  ["a division by a number that may be zero", "deployments", { e: "100 / object.spec.replicas > 0" }, "mayFailAtRuntime", "true"],
  ["the first container", "pods", { e: `object.spec.containers[0].name != ${NAME}`, ...PODS }, "mayFailAtRuntime", "false"],
  ["the second container", "pods", { e: `object.spec.containers[1].name != ${NAME}`, ...PODS }, "mayFailAtRuntime", "true"],
  ["an index behind its size", "pods", { e: `size(object.spec.containers) < 2 || object.spec.containers[1].name != ${NAME}`, ...PODS }, "mayFailAtRuntime", "false"],
  ["an int of a text", "configmaps", { e: "!has(object.data) || !('n' in object.data) || int(object.data.n) > 0" }, "mayFailAtRuntime", "true"],
  ["an int of a text with digits", "configmaps", { e: "!has(object.data) || !('n' in object.data) || !object.data.n.matches('^[0-9]{1,5}$') || int(object.data.n) >= 0" }, "mayFailAtRuntime", "false?"],
  ["an error that exists absorbs", "widgets", { e: "!has(object.spec.items) || object.spec.items.exists(i, i.value > 0)" }, "mayFailAtRuntime", "true"],
  ["an optional value without a value", "widgets", { e: "object.spec.?title.value() != ''" }, "mayFailAtRuntime", "true"],
  ["an optional value with an alternative", "widgets", { e: "object.spec.?title.orValue('x') != ''" }, "mayFailAtRuntime", "false"],
  ["a param that may be missing", "configmaps", { e: "params == null || params.data.max != ''", paramKind: CONFIG_MAP, paramRef: { name: "absent", namespace: "pp-a", parameterNotFoundAction: "Allow" } }, "neverDenies", "true"],
  ["a default", "deployments", { e: "has(object.spec.replicas)" }, "neverDenies", "true"],
  ["a default of a custom resource", "widgets", { e: "has(object.spec.nested.enabled) && has(object.spec.tier)" }, "neverDenies", "true"],
  ["a field that is often there", "pods", { e: "has(object.spec.nodeName)", ...PODS }, "neverDenies", "false"],
  ["an enum of the schema", "widgets", { e: "object.spec.tier in ['gold', 'silver', 'bronze']" }, "neverDenies", "true"],
  ["most of an enum", "widgets", { e: "object.spec.tier in ['gold', 'silver']" }, "neverDenies", "false"],
  ["a maximum of the schema", "widgets", { e: "object.spec.replicas <= 100" }, "neverDenies", "true"],
  ["a pattern of the schema", "widgets", { e: "!has(object.spec.code) || object.spec.code.matches('^[a-z]+-[0-9]+$')" }, "neverDenies", "true"],
  ["an action that does not deny", "configmaps", { e: "false", actions: ["Audit"] }, "neverDenies", "true"],
  ["a condition that is never true", "configmaps", { e: "false", mc: [`${NAME} == ''`] }, "neverDenies", "true"],
  ["an error under Ignore", "configmaps", { fp: "Ignore", e: "object.data.nothing.x == 1" }, "neverDenies", "true"],
  ["an error under Fail", "configmaps", { e: "object.data.nothing.x == 1" }, "alwaysDenies", "true"],
  ["a contradiction", "configmaps", { e: `${NAME} == 'a' && ${NAME} == 'b'` }, "alwaysDenies", "true"],
  ["a contradiction that a loop hides", "pods", { e: "object.spec.containers.all(c, c.name == 'a') && object.spec.containers.exists(c, c.name == 'b')", ...PODS }, "alwaysDenies", "true"],
  ["no contradiction for an empty list", "widgets", { e: "object.spec.tags.all(t, t == 'a') && object.spec.tags.all(t, t == 'b')" }, "alwaysDenies", "false"],
  ["an update that changes nothing", "configmaps", { e: "object.data != oldObject.data", ...on("configmaps", "UPDATE") }, "alwaysDenies", "false"],
  ["the name of an object does not change", "configmaps", { e: `${NAME} != oldObject.metadata.name`, ...on("configmaps", "UPDATE") }, "alwaysDenies", "true"],
  ["a weaker bound", "deployments", { e: ["object.spec.replicas < 10", "object.spec.replicas <= 5"] }, "impliedBy", "true"],
  ["a stronger bound", "deployments", { e: ["object.spec.replicas <= 5", "object.spec.replicas < 10"] }, "impliedBy", "false"],
  ["one follows from all", "pods", { e: ["object.spec.containers[0].image != 'x'", "object.spec.containers.all(c, c.image != 'x')"], ...PODS }, "impliedBy", "true"],
  ["a prefix of a prefix", "configmaps", { e: [`${NAME}.startsWith('a')`, `${NAME}.startsWith('ab')`] }, "impliedBy", "true"],
  ["a failure follows from a failure", "configmaps", { e: ["object.data.a != 'x'", "object.data.a == 'y'"] }, "impliedBy", "true"],
  ["a failure that the other one absorbs", "configmaps", { e: ["object.data.a != 'x'", "!has(object.data) || !('a' in object.data) || object.data.a == 'y'"] }, "impliedBy", "false"],
];
