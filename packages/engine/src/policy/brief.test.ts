/** The short evaluation decides as the whole one does. */
import { describe, expect, test } from "vitest";
import type { PolicyVerdict } from "./dispatch.ts";
import { admit, plainObject, type TestRequest } from "./policy.testing.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
const NAMESPACE = plainObject({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" }, data: { a: "1" } };

const HOLDS = [{ expression: "true" }];
const PARAM_KIND = { apiVersion: "v1", kind: "ConfigMap" };
const LIMITS = ["limits", "others"].map((name, index) =>
  plainObject({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data: { max: String(index + 1) },
  }),
);

interface Case {
  readonly name: string;
  readonly spec: object;
  readonly binding?: object;
  readonly request?: TestRequest;
  readonly namespace?: () => undefined;
  /** Whether the short evaluation is enough, so that there is no trace. */
  readonly isBrief: boolean;
}

/** 40 of these cost more than a request may. */
const COSTLY = `'${"x".repeat(10_000)}'.matches('${"y".repeat(1250)}')`;
const manyTexts = (count: number) => Array.from({ length: count }, () => `${COSTLY} ? 'a' : 'b'`);

const CASES: readonly Case[] = [
  { name: "a validation that holds", spec: { validations: [{ expression: "true" }] }, isBrief: true },
  { name: "one that does not", spec: { validations: [{ expression: "false" }] }, isBrief: false },
  { name: "one that fails", spec: { validations: [{ expression: "object.data.none == ''" }] }, isBrief: false },
  {
    name: "one that fails, ignored",
    spec: { failurePolicy: "Ignore", validations: [{ expression: "object.data.none == ''" }] },
    isBrief: true,
  },
  { name: "one that does not compile", spec: { validations: [{ expression: "object." }] }, isBrief: false },
  {
    name: "variables",
    spec: {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [{ expression: "variables.a == '1'" }],
    },
    isBrief: true,
  },
  {
    name: "the authorizer",
    spec: { validations: [{ expression: "authorizer.group('').resource('pods').check('get').allowed()" }] },
    isBrief: true,
  },
  {
    name: "a message that nobody sees",
    spec: { validations: [{ expression: "true", messageExpression: "'no'" }] },
    isBrief: true,
  },
  {
    name: "messages that use up the budget",
    spec: { validations: manyTexts(40).map((messageExpression) => ({ expression: "true", messageExpression })) },
    isBrief: false,
  },
  {
    name: "validations that use up the budget",
    spec: { validations: manyTexts(40).map((text) => ({ expression: `(${text}) != ''` })) },
    isBrief: false,
  },
  {
    name: "an audit annotation",
    spec: { validations: [{ expression: "true" }], auditAnnotations: [{ key: "k", valueExpression: "'v'" }] },
    isBrief: true,
  },
  {
    name: "a match condition that excludes",
    spec: { matchConditions: [{ name: "m", expression: "false" }], validations: [{ expression: "false" }] },
    isBrief: true,
  },
  {
    name: "a match condition that excludes, after one that fails",
    spec: {
      matchConditions: [
        { name: "m", expression: "object.data.none == ''" },
        { name: "n", expression: "false" },
      ],
      validations: [{ expression: "false" }],
    },
    isBrief: true,
  },
  {
    name: "a match condition that fails",
    spec: { matchConditions: [{ name: "m", expression: "object.data.none == ''" }], validations: HOLDS },
    isBrief: false,
  },
  {
    name: "match conditions that use up the budget",
    spec: {
      matchConditions: [...manyTexts(10), "false"].map((text, index) => ({
        name: `m${index}`,
        expression: text === "false" ? text : `(${text}) != ''`,
      })),
      validations: [{ expression: "false" }],
    },
    isBrief: false,
  },
  {
    name: "an audit annotation that fails",
    spec: { validations: HOLDS, auditAnnotations: [{ key: "k", valueExpression: "string(object.data.none)" }] },
    isBrief: false,
  },
  {
    name: "an audit annotation that fails, ignored",
    spec: {
      failurePolicy: "Ignore",
      validations: [{ expression: "false" }],
      auditAnnotations: [{ key: "k", valueExpression: "string(object.data.none)" }],
    },
    binding: { validationActions: ["Warn"] },
    isBrief: true,
  },
  {
    name: "audit annotations that use up the budget",
    spec: {
      validations: [{ expression: "false" }],
      auditAnnotations: manyTexts(40).map((valueExpression, index) => ({ key: `k${index}`, valueExpression })),
    },
    binding: { validationActions: ["Audit"] },
    isBrief: false,
  },
  {
    name: "a failure that is warned about and audited",
    spec: { validations: [{ expression: "true" }, { expression: "false", messageExpression: "'no'" }] },
    binding: { validationActions: ["Warn", "Audit"] },
    isBrief: true,
  },
  {
    name: "an error that is warned about",
    spec: { validations: [{ expression: "object.data.none == ''" }] },
    binding: { validationActions: ["Warn"] },
    isBrief: true,
  },
  {
    name: "params",
    spec: { paramKind: PARAM_KIND, validations: [{ expression: "params.data.max == '1'" }] },
    binding: { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    isBrief: true,
  },
  {
    name: "params by a selector, of which one fails",
    spec: { paramKind: PARAM_KIND, validations: [{ expression: "params.data.max == '1'" }] },
    binding: { paramRef: { selector: {}, parameterNotFoundAction: "Deny" }, validationActions: ["Warn"] },
    isBrief: true,
  },
  {
    name: "params that may be missing",
    spec: { paramKind: PARAM_KIND, validations: [{ expression: "false" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
    isBrief: true,
  },
  {
    name: "params that must exist",
    spec: { paramKind: PARAM_KIND, validations: [{ expression: "true" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" }, validationActions: ["Warn"] },
    isBrief: false,
  },
  {
    name: "another operation",
    spec: { validations: [{ expression: "false" }] },
    request: { object: OBJECT, operation: "DELETE" },
    isBrief: true,
  },
  {
    name: "a binding for other objects",
    spec: { validations: [{ expression: "false" }] },
    binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } },
    isBrief: true,
  },
  {
    name: "a namespace that does not exist",
    spec: { validations: [{ expression: "true" }] },
    namespace: () => undefined,
    isBrief: false,
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
  return admit([NAMESPACE, ...LIMITS, ...objects], request, { isBrief, ...(namespace && { namespace }) });
}

/** What callers of the short evaluation ask for. */
function decided({ error, denials, observations }: PolicyVerdict): object {
  const noted = observations.filter(({ action }) => action === "warn" || action === "audit");
  return { error, denials, noted: new Set(noted.map(({ policy, action }) => `${action} ${policy}`)) };
}

describe.each(CASES)("$name", (each) => {
  test("is decided alike", () => {
    expect(decided(verdictOf(each, true))).toEqual(decided(verdictOf(each, false)));
  });

  test(each.isBrief ? "leaves no trace" : "is evaluated as a whole", () => {
    const { error, auditAnnotations, traces } = verdictOf(each, true);
    if (each.isBrief) expect([error, auditAnnotations.size, traces]).toEqual([undefined, 0, []]);
    else expect(traces.length + (error === undefined ? 0 : 1)).toBeGreaterThan(0);
  });
});

test("only requests that ask for it get it", () => {
  expect(verdictOf({ name: "", spec: { validations: HOLDS }, isBrief: true }, false).traces).toHaveLength(1);
});
