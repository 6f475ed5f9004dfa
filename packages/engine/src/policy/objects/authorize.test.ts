import { expect, test } from "vitest";
import { formatFieldError } from "../../field/format.ts";
import type { AuthorizationAttributes } from "../../kubecel/library/authz.ts";
import { loadBinding } from "../binding.ts";
import { plainObject } from "../policy.testing.ts";
import { loadPolicy } from "../policy.ts";
import { authorizeBinding, authorizePolicy } from "./authorize.ts";

const bob = { name: "bob", uid: "u2", groups: ["devs", "system:authenticated"], extra: new Map() };
const policyOf = (paramKind?: object) => loadPolicy(plainObject({ metadata: { name: "p" }, spec: { paramKind } }));
const bindingOf = (paramRef?: object) => loadBinding(plainObject({ spec: { policyName: "missing", paramRef } }));

function context(decision: "allow" | "noOpinion", groups = bob.groups) {
  const asked: AuthorizationAttributes[] = [];
  return {
    asked,
    user: { ...bob, groups },
    authorizer: {
      authorize(question: AuthorizationAttributes) {
        asked.push(question);
        return { decision, reason: "", error: undefined };
      },
    },
    resourceOf: ({ kind }: { kind: string }) => (kind === "Secret" ? "secrets" : undefined),
  };
}

const SECRET = { apiVersion: "v1", kind: "Secret" };

test("a user who names a param kind must be able to read all objects of it", () => {
  const asking = context("noOpinion");
  expect(authorizePolicy(policyOf(SECRET), undefined, asking).map(formatFieldError)).toEqual([
    'spec.paramKind: Forbidden: user &{bob u2 [devs system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
  ]);
  expect(asking.asked[0]).toMatchObject({
    verb: "get",
    resource: "secrets",
    namespace: "*",
    name: "*",
    apiVersion: "v1",
  });
});

test.each([
  { name: "no param kind", policy: policyOf(), old: undefined, groups: bob.groups },
  { name: "the same param kind", policy: policyOf(SECRET), old: policyOf(SECRET), groups: bob.groups },
  { name: "a superuser", policy: policyOf(SECRET), old: undefined, groups: ["system:masters"] },
])("no authorization is needed for $name", ({ policy, old, groups }) => {
  const asking = context("noOpinion", groups);
  expect(authorizePolicy(policy, old, asking)).toEqual([]);
  expect(asking.asked).toEqual([]);
});

test.each([
  {
    name: "without a policy",
    policy: undefined,
    paramRef: { name: "x" },
    problem:
      'unable to get policy missing to determine minimum required permissions and user &{bob u2 [devs system:authenticated] map[]} does not have "get" permission for all groups, versions and resources',
  },
  {
    name: "of a kind that is not served",
    policy: policyOf({ apiVersion: "example.com/v1", kind: "Nope" }),
    paramRef: { selector: {} },
    problem:
      'unable to resolve paramKind &{example.com/v1 Nope} to determine minimum required permissions and user &{bob u2 [devs system:authenticated] map[]} does not have "list" permission for all groups, versions and resources',
  },
  {
    name: "of a known kind",
    policy: policyOf(SECRET),
    paramRef: { name: "x" },
    problem:
      'user &{bob u2 [devs system:authenticated] map[]} does not have "get" permission on the object referenced by paramRef',
  },
])("a reference $name", ({ policy, paramRef, problem }) => {
  const errors = authorizeBinding(bindingOf(paramRef), undefined, policy, context("noOpinion"));
  expect(errors.map(({ detail }) => detail)).toEqual([problem]);
  expect(authorizeBinding(bindingOf(paramRef), undefined, policy, context("allow"))).toEqual([]);
});
