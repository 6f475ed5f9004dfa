import { expect, test } from "vitest";
import { loadBinding } from "../policy/binding.ts";
import { loadPolicy } from "../policy/policy.ts";
import { PolicySet } from "../policy/policy-set.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { isCovered, isCoveredAtSameCost } from "./covered.ts";
import type { DenialSource } from "./model.ts";

interface Edit {
  readonly rules?: readonly object[];
  readonly match?: object;
  readonly spec?: object;
  readonly binding?: object;
}

const PODS = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };

function json(plain: object): JsonObject {
  const value = fromPlain(plain);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

function sourceOf({ rules = [PODS], match = {}, spec = {}, binding = {} }: Edit): DenialSource {
  const policy = loadPolicy(
    json({
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules: rules, ...match }, validations: [{ expression: "true" }], ...spec },
    }),
  );
  const bound = loadBinding(
    json({ metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Deny"], ...binding } }),
  );
  const [hook] = new PolicySet([policy], [bound]).hooks;
  const [first] = hook?.bindings ?? [];
  if (hook === undefined || first === undefined) throw new Error("no binding");
  return { hook, bound: first, kind: "validation", index: 0 };
}

// biome-ignore format: a table
const COVERED: readonly (readonly [string, Edit, Edit])[] = [
  ["the same", {}, {}],
  ["more operations", {}, { rules: [{ ...PODS, operations: ["CREATE", "UPDATE"] }] }],
  ["all operations", {}, { rules: [{ ...PODS, operations: ["*"] }] }],
  ["more resources", {}, { rules: [{ ...PODS, resources: ["services", "pods"] }] }],
  ["all resources", {}, { rules: [{ ...PODS, resources: ["*"] }] }],
  ["all resources and subresources", { rules: [{ ...PODS, resources: ["pods/exec"] }] }, { rules: [{ ...PODS, resources: ["*/*"] }] }],
  ["another rule for other resources", {}, { rules: [PODS, { ...PODS, apiGroups: ["apps"], resources: ["deployments"] }] }],
  ["failures that deny", { spec: { failurePolicy: "Ignore" } }, { spec: { failurePolicy: "Fail" } }],
  ["an action that does not deny", { binding: { validationActions: ["Warn"] } }, { binding: { validationActions: ["Deny"] } }],
  ["no selector", { match: { objectSelector: { matchLabels: { a: "b" } } } }, {}],
  ["a binding without limits", { binding: { matchResources: { resourceRules: [PODS] } } }, {}],
];

test("a policy with more validations may reach a cost limit earlier", () => {
  const [one, more] = [{}, { spec: { validations: [{ expression: "true" }, { expression: "object != null" }] } }];
  expect(isCovered(sourceOf(one), sourceOf(more))).toBe(true);
  expect(isCoveredAtSameCost(sourceOf(one), sourceOf(more))).toBe(false);
  expect(isCoveredAtSameCost(sourceOf(one), sourceOf(one))).toBe(true);
});

test.each(COVERED)("denials are covered by: %s", (_, own, other) => {
  expect(isCovered(sourceOf(own), sourceOf(other))).toBe(true);
});

// biome-ignore format: a table
const NOT_COVERED: readonly (readonly [string, Edit, Edit])[] = [
  ["fewer operations", { rules: [{ ...PODS, operations: ["*"] }] }, {}],
  ["resources without subresources", { rules: [{ ...PODS, resources: ["pods/exec"] }] }, { rules: [{ ...PODS, resources: ["*"] }] }],
  ["another version, for which objects are converted", {}, { rules: [{ ...PODS, apiVersions: ["v1", "v1beta1"] }] }],
  ["another group with the same resource", {}, { rules: [PODS, { ...PODS, apiGroups: ["metrics.k8s.io"] }] }],
  ["only some names", {}, { rules: [{ ...PODS, resourceNames: ["a"] }] }],
  ["a selector", {}, { match: { objectSelector: { matchLabels: { a: "b" } } } }],
  ["excluded rules", {}, { match: { excludeResourceRules: [PODS] } }],
  ["another expression", {}, { spec: { validations: [{ expression: "false" }] } }],
  ["a condition", {}, { spec: { matchConditions: [{ name: "c", expression: "true" }] } }],
  ["failures that do not deny", { spec: { failurePolicy: "Fail" } }, { spec: { failurePolicy: "Ignore" } }],
  ["an action that only warns", {}, { binding: { validationActions: ["Warn"] } }],
  ["a limited binding", {}, { binding: { matchResources: { resourceRules: [PODS] } } }],
  ["another param", {}, { binding: { paramRef: { name: "x", parameterNotFoundAction: "Deny" } } }],
];

test.each(NOT_COVERED)("denials are not covered by: %s", (_, own, other) => {
  expect(isCovered(sourceOf(own), sourceOf(other))).toBe(false);
});

test("with exact matching, more rules of any kind cover", () => {
  const exact = { match: { matchPolicy: "Exact" } };
  const more = { ...exact, rules: [PODS, { ...PODS, apiGroups: ["metrics.k8s.io"] }] };
  expect(isCovered(sourceOf(exact), sourceOf(more))).toBe(true);
});
