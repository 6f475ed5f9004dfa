/**
 * Facts about validations that attack proofs, in a cluster where only CRDs are given. The last column is the truth; `?`
 * marks what may stay undecided. The fact is about the first validation.
 */
import type { FactRow } from "./hostile-facts.ts";
import { CONFIG_MAP, rule } from "./proof-pair.ts";

const NAME = "object.metadata.name";
const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const EXACT = { match: { matchPolicy: "Exact" } };
const IGNORE = { fp: "Ignore" };
const PARAM = { paramKind: CONFIG_MAP, paramRef: { name: "x", namespace: "pp-a", parameterNotFoundAction: "Allow" } };
const beta = (operation: string) => ({ rules: [rule("duals", [operation], "v1beta1")], ...EXACT });
const having = (field: string, condition: string) => `!has(object.spec) || !has(object.spec.${field}) || ${condition}`;

// biome-ignore format: a table
export const ATTACK_FACTS: readonly FactRow[] = [
  // Versions of a custom resource.
  ["an old maximum of another version", "duals", { e: "!has(oldObject.spec) || !has(oldObject.spec.a) || oldObject.spec.a <= 10", ...beta("DELETE") }, "neverDenies", "false?"],
  ["an old maximum of all versions", "duals", { e: "!has(oldObject.spec) || !has(oldObject.spec.a) || oldObject.spec.a <= 100", ...beta("DELETE") }, "neverDenies", "true"],
  ["an old enum of another version", "duals", { e: "!has(oldObject.spec) || !has(oldObject.spec.s) || oldObject.spec.s in ['p', 'q']", ...beta("DELETE") }, "neverDenies", "false?"],
  ["an enum that an update keeps", "duals", { e: having("s", "object.spec.s in ['p', 'q']"), ...beta("UPDATE") }, "neverDenies", "false?"],
  ["an enum of a new object", "duals", { e: having("s", "object.spec.s in ['p', 'q']"), ...beta("CREATE") }, "neverDenies", "true"],
  ["a type that all versions share", "duals", { e: having("a", "type(object.spec.a) == int || type(object.spec.a) == double"), ...beta("UPDATE") }, "neverDenies", "true?"],
  ["a default of the old object", "duals", { e: "oldObject.spec.b != ''", ...beta("DELETE") }, "mayFailAtRuntime", "true"],
  ["a webhook may fail", "hooks", { e: having("a", "object.spec.a < 5"), rules: [rule("hooks", ["CREATE"])] }, "mayFailAtRuntime", "false?"],
  // Objects that are never stored, connections, subresources.
  ["the uid of a binding", "bindings", { e: "object.metadata.uid != ''", ...on("bindings", "CREATE") }, "mayFailAtRuntime", "true"],
  ["the uid of a pod", "pods", { e: "object.metadata.uid != ''", ...on("pods", "CREATE") }, "mayFailAtRuntime", "false"],
  ["the command of exec", "pods", { e: "object.command.size() > 0", rules: [rule("pods/exec", ["CONNECT"])] }, "mayFailAtRuntime", "true"],
  ["the metadata of exec", "pods", { e: "!has(object.metadata)", rules: [rule("pods/exec", ["CONNECT"])] }, "neverDenies", "true"],
  ["options of a connection", "pods", { e: "request.options == null", rules: [rule("pods/portforward", ["CONNECT"])] }, "neverDenies", "true"],
  ["options of a deletion", "configmaps", { e: "request.options.kind == 'DeleteOptions'", ...on("configmaps", "DELETE") }, "neverDenies", "true"],
  ["replicas of a scale", "deployments", { e: "object.spec.replicas >= 0", rules: [rule("deployments/scale", ["UPDATE"])] }, "mayFailAtRuntime", "true"],
  ["the labels of a scale", "deployments", { e: "!has(object.metadata.labels)", rules: [rule("deployments/scale", ["UPDATE"])] }, "neverDenies", "true"],
  ["the spec in a status write", "deployments", { e: "object.spec == oldObject.spec", rules: [rule("deployments/status", ["UPDATE"])] }, "neverDenies", "true"],
  ["labels in a status write", "deployments", { e: "object.?metadata.?labels == oldObject.?metadata.?labels", rules: [rule("deployments/status", ["UPDATE"])] }, "neverDenies", "false?"],
  ["a pod that is resized keeps its name", "pods", { e: `${NAME} == oldObject.metadata.name`, rules: [rule("pods/resize", ["UPDATE"])] }, "neverDenies", "true"],
  ["an object that is deleted", "configmaps", { e: "object == null", ...on("configmaps", "DELETE") }, "neverDenies", "true"],
  // Params.
  ["data of a param", "configmaps", { e: "params.data.max != ''", ...PARAM }, "mayFailAtRuntime", "true"],
  ["data of a param behind a guard", "configmaps", { e: "!has(params.data) || !('max' in params.data) || params.data.max != 'x'", ...PARAM }, "mayFailAtRuntime", "false"],
  ["the name of a param", "configmaps", { e: "params.metadata.name == 'x' && params.metadata.namespace == 'pp-a'", ...PARAM }, "neverDenies", "true"],
  ["a param without a binding", "configmaps", { e: "params.data.max != ''", paramKind: CONFIG_MAP }, "mayFailAtRuntime", "true"],
  // Errors and laziness.
  ["a variable that fails is not read", "configmaps", { vars: [["v", "object.data.a"]], e: "has(object.data) && 'a' in object.data ? variables.v != '' : true" }, "mayFailAtRuntime", "false"],
  ["a variable that fails is read", "configmaps", { vars: [["v", "object.data.a"]], e: "variables.v != ''" }, "mayFailAtRuntime", "true"],
  ["an index into an optional map", "configmaps", { e: "object.?metadata.?labels['a'].orValue('x') != 'y'" }, "mayFailAtRuntime", "false"],
  ["a pattern that is put together and wrong", "configmaps", { e: `${NAME}.matches('(' + 'a')` }, "mayFailAtRuntime", "true"],
  ["a pattern that is put together", "configmaps", { e: `${NAME}.matches('^' + 'a')` }, "mayFailAtRuntime", "false"],
  ["a wrong pattern under Ignore", "configmaps", { ...IGNORE, e: `${NAME}.matches('(' + 'a')` }, "neverDenies", "true"],
  ["an int of a double", "numbers", { e: having("f", "int(object.spec.f) >= 0 || true") }, "mayFailAtRuntime", "false"],
  ["an int of a large double", "numbers", { e: having("f", "int(object.spec.f) != 7") }, "mayFailAtRuntime", "true?"],
  ["the least int", "numbers", { e: having("i", "type(object.spec.i) != int || -object.spec.i != 5") }, "mayFailAtRuntime", "true?"],
  ["a modulus of a field", "numbers", { e: having("i", "7 % int(object.spec.i) != 5") }, "mayFailAtRuntime", "true"],
  ["a substring", "configmaps", { e: `${NAME}.substring(0, 1) != ''` }, "mayFailAtRuntime", "false?"],
  ["a substring beyond the end", "configmaps", { e: `${NAME}.substring(0, 2) != ''` }, "mayFailAtRuntime", "true"],
  ["a part of a name", "configmaps", { e: `${NAME}.split('-')[1] != ''` }, "mayFailAtRuntime", "true"],
  ["an element that is null", "numbers", { ...IGNORE, e: "object.spec.nulls.all(x, size(x) < 5)" }, "mayFailAtRuntime", "true"],
  ["a date", "numbers", { e: having("when", "timestamp(object.spec.when) > timestamp('2000-01-01T00:00:00Z')") }, "mayFailAtRuntime", "true?"],
  ["a quantity of a text", "numbers", { e: having("s", "quantity(object.spec.s).isGreaterThan(quantity('1'))") }, "mayFailAtRuntime", "true"],
  ["a quantity behind its test", "numbers", { e: having("s", "!isQuantity(object.spec.s) || quantity(object.spec.s).isGreaterThan(quantity('1'))") }, "mayFailAtRuntime", "false?"],
  ["an address behind its test", "numbers", { e: having("s", "!isIP(object.spec.s) || ip(object.spec.s).family() == 4") }, "mayFailAtRuntime", "false?"],
  // Truths.
  ["the same value at two places", "configmaps", { e: "['a', 'b', 'a'].exists(i, v, v == 'a' && i == 0) && ['a', 'b', 'a'].exists(i, v, v == 'a' && i == 2)" }, "alwaysDenies", "false?"],
  ["lower case of a name", "configmaps", { e: `${NAME} == ${NAME}.lowerAscii()` }, "neverDenies", "true"],
  ["upper case of a name", "configmaps", { e: `${NAME} != ${NAME}.upperAscii()` }, "neverDenies", "false"],
  ["characters and bytes", "numbers", { e: having("s", "size(bytes(object.spec.s)) >= size(object.spec.s)") }, "neverDenies", "true?"],
  ["NaN", "numbers", { e: having("s", "!(object.spec.s.matches('^[0-9]$')) || double(object.spec.s) == double(object.spec.s)") }, "neverDenies", "true?"],
  ["an even number", "numbers", { e: having("even", "object.spec.even != 1000000001") }, "neverDenies", "false?"],
  ["an even number that is an int", "numbers", { e: having("even", "type(object.spec.even) == double || object.spec.even != 1000000001") }, "neverDenies", "true"],
  ["a stricter index", "numbers", { ...IGNORE, e: ["object.spec.l.exists(i, v, i > 0 && v == 'a')", "object.spec.l.exists(i, v, i > 1 && v == 'a')"] }, "impliedBy", "true?"],
  ["a pattern that implies another", "numbers", { ...IGNORE, e: ["object.spec.s.matches('^[a-z]+$')", "object.spec.s.matches('^[a-c]{2}$')"] }, "impliedBy", "true"],
  ["a pattern that does not", "numbers", { ...IGNORE, e: ["object.spec.s.matches('^[a-z]+$')", "object.spec.s.matches('(?i)^[a-c]{2}$')"] }, "impliedBy", "false"],
  ["an error is not implied", "configmaps", { e: ["object.data.a != 'x'", "object.?data.a.orValue('') != 'x'"] }, "impliedBy", "false"],
];
