/** Facts about single validations: sums, quantities, unique keys, failures. Settled by reasoning; `?` marks what may stay undecided. */
import type { FactRow } from "./hostile-facts.ts";
import { on, ruleFor } from "./short-parts.ts";

const F = "false";
const IG = { fp: "Ignore" };
const CU = ["CREATE", "UPDATE"];
const [D, P, CM, W, S] = ["deployments", "pods", "configmaps", "widgets", "services"];

// biome-ignore format: a table
export const EXAMINED_FACTS: readonly FactRow[] = [
  ["replicas fit into a sum", D, { e: "object.spec.replicas + object.spec.revisionHistoryLimit >= 0" }, "mayFailAtRuntime", "false"],
  ["a sum is never negative", D, { e: "object.spec.replicas + object.spec.revisionHistoryLimit >= 0" }, "neverDenies", "true"],
  ["a product may overflow", D, { e: "object.spec.replicas * 10000000000 >= 0" }, "mayFailAtRuntime", "true"],
  ["a product does not overflow", D, { e: "object.spec.replicas * 1000000000 >= 0" }, "mayFailAtRuntime", "false"],
  ["a sum of two numbers may overflow", "numbers", { e: "!has(object.spec) || !has(object.spec.i) || !has(object.spec.even) || type(object.spec.i) != int || type(object.spec.even) != int || object.spec.i + object.spec.even < 10" }, "mayFailAtRuntime", "true"],
  ["a bound implied by a sum", D, { e: ["object.spec.replicas <= 10", "object.spec.replicas + object.spec.revisionHistoryLimit <= 10"] }, "impliedBy", "true"],
  ["a bound not implied by a sum", D, { e: ["object.spec.replicas <= 9", "object.spec.replicas + object.spec.revisionHistoryLimit <= 10"] }, "impliedBy", "false"],
  ["a difference may be negative", D, { e: "object.spec.replicas - oldObject.spec.replicas >= 0", ...on(D, "UPDATE") }, "neverDenies", "false"],
  ["always denied by contradicting sums", D, { e: "object.spec.replicas + 1 < object.spec.replicas" }, "alwaysDenies", "true"],
  ["twice is even", D, { e: "(object.spec.replicas * 2) % 2 == 0" }, "neverDenies", "true"],
  ["digits of replicas", D, { e: "string(object.spec.replicas).size() <= 10" }, "neverDenies", "true"],
  ["nine digits of replicas", D, { e: "string(object.spec.replicas).size() <= 9" }, "neverDenies", "false"],
  ["a port has at most five digits", S, { e: "object.spec.?ports.orValue([]).all(p, string(p.port).matches('^[1-9][0-9]{0,4}$'))" }, "neverDenies", "true"],
  ["a limit is a quantity", P, { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || sign(quantity(c.resources.limits.cpu)) >= 0)", ...on(P, "CREATE") }, "mayFailAtRuntime", "false"],
  ["an integer of a quantity may fail", P, { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || quantity(c.resources.limits.cpu).asInteger() >= 0)", ...on(P, "CREATE") }, "mayFailAtRuntime", "true"],
  ["a guarded integer of a quantity", P, { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || !quantity(c.resources.limits.cpu).isInteger() || quantity(c.resources.limits.cpu).asInteger() >= 0)", ...on(P, "CREATE") }, "mayFailAtRuntime", "false"],
  ["a sum of quantities never fails", P, { e: "object.spec.containers.all(c, !has(c.resources.limits) || !('cpu' in c.resources.limits) || quantity(c.resources.limits.cpu).add(1).isGreaterThan(quantity('0')))", ...on(P, "CREATE") }, "mayFailAtRuntime", "false"],
  ["quantity of a budget may fail", W, { e: "!has(object.spec.budget) || quantity(object.spec.budget).add(1).isGreaterThan(quantity('0'))" }, "mayFailAtRuntime", "true"],
  ["a sum of quantities on the right of an inequality", W, { e: "!has(object.spec.budget) || !isQuantity(object.spec.budget) || quantity(object.spec.budget) != quantity('1').add(1)" }, "mayFailAtRuntime", "false"],
  ["container names are unique", P, { e: "object.spec.containers.filter(c, c.name == 'x').size() <= 1", ...on(P, "CREATE") }, "neverDenies", "true"],
  ["env names are not unique", P, { e: "object.spec.containers.all(c, c.?env.orValue([]).filter(e, e.name == 'x').size() <= 1)", ...on(P, "CREATE") }, "neverDenies", "false"],
  ["role references", "rolebindings", { e: "object.roleRef.kind == 'Role' || object.roleRef.kind == 'ClusterRole'", rules: [ruleFor("rbac.authorization.k8s.io", "v1", CU, ["rolebindings"])] }, "neverDenies", "true"],
  ["the node of a pod", P, { e: "!has(oldObject.spec.nodeName) || object.spec.nodeName == oldObject.spec.nodeName", ...on(P, "UPDATE") }, "neverDenies", "true"],
  ["the image of a pod", P, { e: "object.spec.containers[0].image == oldObject.spec.containers[0].image", ...on(P, "UPDATE") }, "neverDenies", "false"],
  ["the first container keeps its name", P, { e: "object.spec.containers[0].name == oldObject.spec.containers[0].name", ...on(P, "UPDATE") }, "neverDenies", "true?"],
  ["condition errors deny as the policy, not the validation", CM, { e: F, mc: ["object.data.a == 'x'"] }, "mayFailAtRuntime", "false"],
  ["implied by a condition-free twin", CM, { e: ["has(object.data) && size(object.data) > 1", "has(object.data) && size(object.data) > 2"] }, "impliedBy", "true"],
  ["not implied under Ignore", CM, { ...IG, e: ["object.data.a == 'x'", "has(object.data) && 'a' in object.data && object.data.a == 'x' || !has(object.data)"] }, "impliedBy", "true"],
  ["implied by failure", CM, { e: ["has(object.data)", "object.data.a != ''"] }, "impliedBy", "true"],
  ["not implied by failure under Ignore", CM, { ...IG, e: ["has(object.data)", "object.data.a != ''"] }, "impliedBy", "false"],
  ["always denies on delete of a collection", CM, { e: "request.name == 'x' && false", ...on(CM, "DELETE") }, "alwaysDenies", "true"],
  ["never denies if nothing matches", CM, { e: F, match: { excludeResourceRules: [ruleFor("", "*", ["*"], ["*"])] } }, "neverDenies", "true"],
  ["CONNECT has no CREATE", P, { e: "request.operation == 'CONNECT'", rules: [ruleFor("", "v1", ["*"], ["pods/exec"])] }, "neverDenies", "true"],
  ["a missing label in a list", CM, { e: "['a', 'b'].all(l, l in object.metadata.labels)" }, "mayFailAtRuntime", "true"],
  ["a ternary absorbs", CM, { e: "has(object.data) ? size(object.data) < 100 : true" }, "mayFailAtRuntime", "false"],
  ["optional chain", D, { e: "object.?spec.?template.?metadata.?labels[?'a'].orValue('') != 'x'" }, "mayFailAtRuntime", "false"],
  ["index of a split", P, { e: "object.spec.containers.all(c, c.image.split('/')[0] != '')", ...on(P, "CREATE") }, "mayFailAtRuntime", "false"],
  ["second piece of a split", P, { e: "object.spec.containers.all(c, c.image.split('/')[1] != '')", ...on(P, "CREATE") }, "mayFailAtRuntime", "true"],
  ["a timestamp of the object", CM, { e: "timestamp(object.metadata.creationTimestamp) > timestamp('1970-01-01T00:00:00Z') || true", ...on(CM, "CREATE") }, "mayFailAtRuntime", "false"],
  ["a nullable note", W, { e: "!has(object.spec.nested.note) || object.spec.nested.note.size() < 5" }, "mayFailAtRuntime", "true"],
  ["an enum is closed", W, { e: "object.spec.tier != 'platinum'" }, "neverDenies", "true"],
  ["tags have a maximum", W, { e: "!has(object.spec.tags) || object.spec.tags.map(t, size(t)).all(s, s <= 30)" }, "neverDenies", "true"],
];
