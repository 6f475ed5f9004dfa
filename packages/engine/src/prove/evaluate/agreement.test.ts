import { describe, expect, test } from "vitest";
import { requestObject } from "../../policy/activation.ts";
import type { AdmissionAttributes } from "../../policy/attributes.ts";
import { compiledPolicy } from "../../policy/compile.ts";
import { evaluatePolicy } from "../../policy/evaluate.ts";
import { type AdmissionPolicy, loadPolicy } from "../../policy/policy.ts";
import { fromPlain } from "../../value/copy.ts";
import { Float64, isObject, type JsonObject, newObject } from "../../value/json.ts";
import { modelOutcomes } from "./agreement.testing.ts";

const object = (plain: object): JsonObject => {
  const made = fromPlain(plain);
  return isObject(made) ? made : newObject();
};

const policyOf = (expression: string): AdmissionPolicy =>
  loadPolicy(
    object({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules: [] }, validations: [{ expression }] },
    }),
  );

const withSpec = (spec: object): JsonObject => object({ apiVersion: "a/v1", kind: "A", metadata: { name: "a" }, spec });

const WHOLE = withSpec({
  n: 4,
  text: "4",
  list: [1, 2],
  tags: ["a", "b"],
  map: { a: "1", b: "2" },
  none: null,
  yes: true,
});
Object.assign(isObject(WHOLE["spec"]) ? WHOLE["spec"] : {}, { whole: new Float64(4) });

const OBJECTS: readonly (JsonObject | undefined)[] = [
  WHOLE,
  withSpec({ n: 0, text: "", list: [], tags: [], map: {}, yes: false, whole: 4.5 }),
  withSpec({ n: "4", text: 4, list: { a: 1 }, tags: "ab", map: [1], yes: "true", whole: null, none: { x: 1 } }),
  withSpec({ n: -7, text: "ab", list: [[1], [2, 3]], tags: ["a", "a", 3], map: { a: null, c: { d: "e" } } }),
  withSpec({}),
  undefined,
];

const EXPRESSIONS: readonly string[] = [
  ...["<", "<=", ">", ">=", "==", "!="].flatMap((each) => [
    `object.spec.n ${each} 4`,
    `object.spec.n ${each} 4.0`,
    `4 ${each} object.spec.whole`,
    `object.spec.text ${each} '4'`,
  ]),
  ...["+", "-", "*", "/", "%"].flatMap((each) => [
    `object.spec.n ${each} 2 == 2`,
    `object.spec.n ${each} 0 == 0`,
    ...(each === "%" ? [] : [`object.spec.whole ${each} 2.0 == 2.0`]),
    `object.spec.n ${each} object.spec.n == 8`,
  ]),
  ...["all", "exists", "exists_one"].flatMap((each) => [
    `object.spec.tags.${each}(t, t == 'a')`,
    `object.spec.list.${each}(n, n > 1)`,
    `object.spec.map.${each}(k, object.spec.map[k] == '1')`,
    `object.spec.map.${each}(k, v, v == '1')`,
    `object.spec.tags.${each}(t, t.startsWith('a'))`,
  ]),
  "object.spec.tags.filter(t, t != 'a').size() == 1",
  "object.spec.tags.map(t, t + 'x').exists(t, t == 'ax')",
  "object.spec.tags.map(t, t == 'a', t + 'x') == ['ax']",
  "object.spec.list.map(n, n * 2) == [2, 4]",
  "object.spec.list == [1.0, 2.0]",
  "object.spec.map == {'a': '1', 'b': '2'}",
  "object.spec.map == {}",
  "object.spec.tags + ['c'] == ['a', 'b', 'c']",
  "'a' in object.spec.tags",
  "'a' in object.spec.map",
  "object.spec.n in [4, 5]",
  "object.spec.tags[0] == 'a'",
  "object.spec.tags[5] == 'a'",
  "object.spec.map['a'] == '1'",
  "object.spec.map.zzz == '1'",
  "has(object.spec.none)",
  "has(object.spec.none.x)",
  "object.spec.none == null",
  "object.spec.?none.?x.hasValue()",
  "object.spec.?map.?a.orValue('z') == '1'",
  "object.spec.?map[?'a'].orValue('z') == 'z'",
  "object.spec.?tags[?0].orValue('z') == 'a'",
  "object.spec.?text.optMap(t, t + 'x').orValue('') == '4x'",
  "object.spec.?text == oldObject.?spec.?text",
  "has(object.metadata)",
  "has(object.spec)",
  "has(object.spec.text.x)",
  "has(object.spec.tags.x)",
  "object.?spec.?text.hasValue()",
  "object.?spec.n.orValue(0) == 4",
  "object.spec.?text[?'x'].hasValue()",
  "object.spec.?tags[?'x'].hasValue()",
  "object.spec.tags['x'] == 'a'",
  "object.spec.text['x'] == 'a'",
  "object == null",
  "object != null && object.spec.yes",
  "object.spec.yes || object.spec.zzz",
  "object.spec.zzz || object.spec.yes",
  "object.spec.yes && object.spec.zzz",
  "!object.spec.yes",
  "object.spec.yes ? object.spec.n == 4 : object.spec.text == ''",
  "type(object.spec.n) == int",
  "type(object.spec.whole) == double",
  "type(object.spec.map) == map",
  "type(object.spec.tags) == list",
  "type(object.spec.text) == string",
  "type(object.spec.none) == null_type",
  "string(object.spec.n) == '4'",
  "string(object.spec.whole) == '4'",
  "int(object.spec.text) == 4",
  "int(object.spec.whole) == 4",
  "double(object.spec.n) == 4.0",
  "size(object.spec.text) == 1",
  "object.spec.map.size() > 1",
  "object.spec.text.matches('^[0-9]$')",
  "object.spec.text.contains('4') && object.spec.text.endsWith('4')",
  "object.spec.text.lowerAscii() == 'ab'",
  "object.spec.text.split('')[0] == '4'",
  "object.spec.text.size() > 0 && object.spec.text[0] == '4'",
  "sets.contains(object.spec.tags, ['a'])",
  "sets.contains(['a', 'b'], object.spec.tags)",
  "sets.equivalent(object.spec.tags, ['b', 'a', 'a'])",
  "sets.intersects(object.spec.tags, ['b'])",
  "object.spec.list.sum() == 3",
  "object.spec.tags.join(',') == 'a,b'",
  "isQuantity(object.spec.text) && quantity(object.spec.text).isLessThan(quantity('5'))",
  "quantity(object.spec.text).compareTo(quantity('4')) == 0",
  "duration(object.spec.text + 's') < duration('5s')",
  "request.operation == 'CREATE'",
  "request.subResource == ''",
  "has(request.name) && request.name == 'a'",
  "request.userInfo.groups.exists(g, g == 'dev')",
  "namespaceObject == null",
  "oldObject == null || oldObject.spec == object.spec",
  "object.spec == oldObject.spec",
  "object.spec.list.all(n, object.spec.list.exists(m, m == n))",
  "[1, 2].all(n, n in object.spec.list)",
  "{'a': 1}.a == 1 && 'a' in {'a': 1}",
  "-object.spec.n == -4",
];

function attributesOf(given: JsonObject | undefined): AdmissionAttributes {
  return {
    operation: given === undefined ? "DELETE" : "CREATE",
    resource: { group: "a", version: "v1", resource: "as" },
    subresource: "",
    kind: { group: "a", version: "v1", kind: "A" },
    name: "a",
    namespace: "",
    object: given,
    oldObject: given === undefined ? OBJECTS[0] : undefined,
    options: undefined,
    dryRun: false,
    userInfo: { name: "u", uid: "", groups: ["dev"], extra: new Map() },
  };
}

function engineOutcome(policy: AdmissionPolicy, attributes: AdmissionAttributes): string {
  const { object: given, oldObject } = attributes;
  const request = () => requestObject(attributes, attributes);
  const inputs = {
    object: given,
    oldObject,
    params: undefined,
    request,
    namespaceObject: () => undefined,
    authorizer: undefined,
  };
  const all = { matchConditions: inputs, validations: inputs, messageExpressions: inputs, auditAnnotations: inputs };
  const [decision] = evaluatePolicy(compiledPolicy(policy), all).decisions;
  return { admit: "T", deny: "F", error: "E" }[decision?.evaluation ?? "error"];
}

describe("the model and the engine agree on an expression over a known request", () => {
  test.each(EXPRESSIONS)("%s", (expression) => {
    const policy = policyOf(expression);
    expect(compiledPolicy(policy).validations[0]?.error?.detail).toBeUndefined();
    for (const given of OBJECTS) {
      const attributes = attributesOf(given);
      const outcomes = modelOutcomes(policy, 0, attributes, undefined);
      if (outcomes.includes(undefined)) continue;
      // Functions that are not modelled may have any outcome, the engine's among them.
      if (outcomes.length > 1) expect(outcomes).toContain(engineOutcome(policy, attributes));
      else expect({ given, outcomes }).toEqual({ given, outcomes: [engineOutcome(policy, attributes)] });
    }
  });
});
