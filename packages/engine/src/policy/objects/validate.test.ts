import { describe, expect, test } from "vitest";
import { formatFieldError } from "../../field/format.ts";
import { plainObject } from "../policy.testing.ts";
import { decodePolicy } from "./decode.ts";
import { validatePolicy, validatePolicyUpdate } from "./validate.ts";

const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] };

function policy(spec: object) {
  const matchConstraints = { resourceRules: [RULE] };
  return decodePolicy(plainObject({ metadata: { name: "p" }, spec: { matchConstraints, ...spec } })).value;
}

/** What a server of an old version would not know, given that new expressions must be readable by it. */
const OLD = { version: "1.30" } as const;
const NEW_TEXT = "semver('1.2.3').major() == 1";
const REFUSED = /undeclared reference to 'semver'/;

const validation = { validations: [{ expression: NEW_TEXT }] };
const message = { validations: [{ expression: "true", messageExpression: `string(${NEW_TEXT})` }] };
const condition = { matchConditions: [{ name: "c", expression: NEW_TEXT }], validations: [{ expression: "true" }] };
const annotation = { auditAnnotations: [{ key: "k", valueExpression: `string(${NEW_TEXT})` }] };
const variable = { variables: [{ name: "v", expression: NEW_TEXT }], validations: [{ expression: "variables.v" }] };
const plain = { validations: [{ expression: "true" }] };

describe("expressions a version does not know", () => {
  test.each([
    { name: "a validation", spec: validation },
    { name: "a message expression", spec: message },
    { name: "a match condition", spec: condition },
    { name: "an audit annotation", spec: annotation },
    { name: "a variable", spec: variable },
  ])("are refused in $name of a new policy", ({ spec }) => {
    expect(validatePolicy(policy(spec)).map(formatFieldError)).toEqual([]);
    expect(validatePolicy(policy(spec), OLD).map(formatFieldError)[0]).toMatch(REFUSED);
  });

  test.each([
    { name: "a validation", spec: validation },
    { name: "a message expression", spec: message },
    { name: "an audit annotation", spec: annotation },
  ])("are accepted in a stored $name", ({ spec }) => {
    expect(validatePolicyUpdate(policy({ ...spec, failurePolicy: "Ignore" }), policy(spec), OLD)).toEqual([]);
    expect(validatePolicyUpdate(policy(spec), policy(plain), OLD)).not.toEqual([]);
  });

  test("are accepted in a match condition while neither it nor the param kind changes", () => {
    const changed = { ...condition, validations: [{ expression: "1 == 1" }] };
    expect(validatePolicyUpdate(policy(changed), policy(condition), OLD)).toEqual([]);
    const other = { ...condition, matchConditions: [...condition.matchConditions, { name: "d", expression: "true" }] };
    expect(validatePolicyUpdate(policy(other), policy(condition), OLD)).toEqual([]);
  });

  test("of variables count as stored if a validation had them, which is an upstream bug", () => {
    expect(validatePolicyUpdate(policy(variable), policy(variable), OLD).map(formatFieldError)[0]).toMatch(REFUSED);
    expect(validatePolicyUpdate(policy(variable), policy(validation), OLD)).toEqual([]);
  });
});

test("unchanged match conditions are not validated", () => {
  const wrong = { ...plain, matchConditions: [{ name: "c", expression: "nope" }] };
  expect(validatePolicyUpdate(policy({ ...wrong, failurePolicy: "Ignore" }), policy(wrong))).toEqual([]);
  const withParams = { ...wrong, paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
  expect(validatePolicyUpdate(policy(withParams), policy(wrong))).toHaveLength(1);
});

test.each([
  { name: "several thousand brackets", expression: `${"[".repeat(5000)}${"]".repeat(5000)} == []` },
  { name: "an expression of a megabyte", expression: `'${"x".repeat(1_000_000)}' == ''` },
  { name: "a thousand operators", expression: Array(1000).fill("true").join(" && ") },
])("$name terminate", ({ expression }) => {
  expect(Array.isArray(validatePolicy(policy({ validations: [{ expression }] })))).toBe(true);
});
