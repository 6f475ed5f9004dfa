import { expect, test } from "vitest";
import { formatFieldError } from "../../field/format.ts";
import { decodeMutatingBinding, decodeMutatingPolicy } from "../objects/decode.ts";
import { plainObject } from "../policy.testing.ts";
import { validateMutatingBinding, validateMutatingPolicy } from "./validate.ts";

const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
const APPLY = { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } };
const GOOD = { matchConstraints: { resourceRules: [RULE] }, reinvocationPolicy: "Never", mutations: [APPLY] };

function policy(spec: object) {
  return decodeMutatingPolicy(plainObject({ metadata: { name: "p" }, spec })).value;
}

function problems(spec: object, old?: object): string[] {
  return validateMutatingPolicy(policy(spec), old && policy(old)).map(formatFieldError);
}

const compiles = (expression: string): object => ({
  ...GOOD,
  mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
});

test.each<[string, object, string[]]>([
  ["nothing is wrong with a plain one", GOOD, []],
  [
    "what is required",
    {},
    [
      "spec.matchConstraints: Required value",
      "spec.mutations: Required value: mutations must contain at least one item",
      "spec.reinvocationPolicy: Required value",
    ],
  ],
  [
    "a policy cannot be about deletions, which is said without the place of the rule",
    { ...GOOD, matchConstraints: { resourceRules: [{ ...RULE, operations: ["DELETE"] }] } },
    [
      `spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`,
    ],
  ],
  [
    "what choices there are",
    { ...GOOD, reinvocationPolicy: "Once", mutations: [{ patchType: "Merge" }] },
    [
      `spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"`,
      `spec.reinvocationPolicy: Unsupported value: "Once": supported values: "IfNeeded", "Never"`,
    ],
  ],
  [
    "the type decides which expression there must be",
    { ...GOOD, mutations: [{ ...APPLY, patchType: "JSONPatch" }, { patchType: "ApplyConfiguration" }] },
    [
      "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
      `spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch`,
      "spec.mutations[1].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration",
    ],
  ],
  [
    "an expression has to be of exactly one type, and is shown trimmed",
    compiles("  object  "),
    [`spec.mutations[0].applyConfiguration.expression: Invalid value: "object": must evaluate to Object but got dyn`],
  ],
  [
    "variables cannot make objects",
    { ...GOOD, variables: [{ name: "v", expression: "Object{}" }] },
    [
      `spec.variables[0].expression: Invalid value: "Object{}": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')\n | Object{}\n | ......^`,
    ],
  ],
])("%s", (_, spec, expected) => {
  expect(problems(spec)).toEqual(expected);
});

test("an update validates conditions again only if they or the params change", () => {
  const conditions = [{ name: "c", expression: "nonsense(" }];
  const spec = { ...GOOD, matchConditions: conditions };
  expect(problems(spec, spec)).toEqual([]);
  expect(problems({ ...spec, paramKind: { apiVersion: "v1", kind: "Secret" } }, spec)).toHaveLength(1);
});

test("a binding is validated like others, and also by the operations of its rules", () => {
  const spec = { matchResources: { resourceRules: [{ ...RULE, operations: ["DELETE"] }] } };
  const binding = decodeMutatingBinding(plainObject({ metadata: { name: "b" }, spec })).value;
  expect(validateMutatingBinding(binding).map(formatFieldError)).toEqual([
    "spec.policyName: Required value",
    `spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`,
  ]);
});
