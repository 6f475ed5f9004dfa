/** The short cut for policies that let a request pass decides as the whole evaluation does. */
import { describe, expect, test } from "vitest";
import type { PolicyVerdict } from "./dispatch.ts";
import { admit, plainObject, type TestRequest } from "./policy.testing.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
const NAMESPACE = plainObject({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" }, data: { a: "1" } };

interface Case {
  readonly name: string;
  readonly spec: object;
  readonly binding?: object;
  readonly request?: TestRequest;
  readonly namespace?: () => undefined;
  /** Whether the policy has nothing to say, so that the short cut leaves no trace. */
  readonly isQuiet: boolean;
}

/** 40 of these cost more than a request may. */
const COSTLY = `'${"x".repeat(10_000)}'.matches('${"y".repeat(1250)}')`;
const manyTexts = (count: number) => Array.from({ length: count }, () => `${COSTLY} ? 'a' : 'b'`);

const CASES: readonly Case[] = [
  { name: "a validation that holds", spec: { validations: [{ expression: "true" }] }, isQuiet: true },
  { name: "one that does not", spec: { validations: [{ expression: "false" }] }, isQuiet: false },
  { name: "one that fails", spec: { validations: [{ expression: "object.data.none == ''" }] }, isQuiet: false },
  {
    name: "one that fails, ignored",
    spec: { failurePolicy: "Ignore", validations: [{ expression: "object.data.none == ''" }] },
    isQuiet: false,
  },
  { name: "one that does not compile", spec: { validations: [{ expression: "object." }] }, isQuiet: false },
  {
    name: "variables",
    spec: {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [{ expression: "variables.a == '1'" }],
    },
    isQuiet: true,
  },
  {
    name: "the authorizer",
    spec: { validations: [{ expression: "authorizer.group('').resource('pods').check('get').allowed()" }] },
    isQuiet: true,
  },
  {
    name: "a message that nobody sees",
    spec: { validations: [{ expression: "true", messageExpression: "'no'" }] },
    isQuiet: true,
  },
  {
    name: "messages that use up the budget",
    spec: { validations: manyTexts(40).map((messageExpression) => ({ expression: "true", messageExpression })) },
    isQuiet: false,
  },
  {
    name: "validations that use up the budget",
    spec: { validations: manyTexts(40).map((text) => ({ expression: `(${text}) != ''` })) },
    isQuiet: false,
  },
  {
    name: "an audit annotation",
    spec: { validations: [{ expression: "true" }], auditAnnotations: [{ key: "k", valueExpression: "'v'" }] },
    isQuiet: false,
  },
  {
    name: "a match condition that excludes",
    spec: { matchConditions: [{ name: "m", expression: "false" }], validations: [{ expression: "false" }] },
    isQuiet: false,
  },
  {
    name: "another operation",
    spec: { validations: [{ expression: "false" }] },
    request: { object: OBJECT, operation: "DELETE" },
    isQuiet: true,
  },
  {
    name: "a binding for other objects",
    spec: { validations: [{ expression: "false" }] },
    binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } },
    isQuiet: true,
  },
  {
    name: "a namespace that does not exist",
    spec: { validations: [{ expression: "true" }] },
    namespace: () => undefined,
    isQuiet: false,
  },
];

function verdictOf(
  { spec, binding = {}, request = { object: OBJECT }, namespace }: Case,
  isBrief: boolean,
): PolicyVerdict {
  const objects = [
    { kind: "ValidatingAdmissionPolicy", spec: { matchConstraints: { resourceRules: [RULE] }, ...spec } },
    { kind: "ValidatingAdmissionPolicyBinding", spec: { policyName: "p", validationActions: ["Deny"], ...binding } },
  ].map((object) => plainObject({ apiVersion: GROUP, metadata: { name: "p" }, ...object }));
  return admit([NAMESPACE, ...objects], request, { isBrief, ...(namespace && { namespace }) });
}

describe.each(CASES)("$name", (each) => {
  test("is decided alike", () => {
    const { traces: _, ...whole } = verdictOf(each, false);
    const { traces: __, ...brief } = verdictOf(each, true);
    expect(brief).toEqual(whole);
  });

  test(each.isQuiet ? "leaves no trace" : "is evaluated as a whole", () => {
    const { error, auditAnnotations, traces } = verdictOf(each, true);
    if (each.isQuiet) expect([error, auditAnnotations.size, traces]).toEqual([undefined, 0, []]);
    else expect(traces.length + (error === undefined ? 0 : 1)).toBeGreaterThan(0);
  });
});

test("only requests that ask for it get it", () => {
  expect(
    verdictOf({ name: "", spec: { validations: [{ expression: "true" }] }, isQuiet: true }, false).traces,
  ).toHaveLength(1);
});
