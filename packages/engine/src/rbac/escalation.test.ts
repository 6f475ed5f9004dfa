import { expect, test } from "vitest";
import { missingRights } from "./escalation.ts";
import type { PolicyRule } from "./objects.ts";

const rule = (over: Partial<PolicyRule>): PolicyRule => ({
  verbs: [],
  apiGroups: [""],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
  ...over,
});
const pods = rule({ verbs: ["get"], resources: ["pods"] });

test.each([
  { name: "what one has one may give", owner: [pods], given: pods, missing: [] },
  {
    name: "verbs that are lacking are named together",
    owner: [],
    given: rule({ verbs: ["get", "list"], resources: ["secrets"] }),
    missing: ['{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}'],
  },
  {
    name: "a right to one name does not cover all names",
    owner: [{ ...pods, resourceNames: ["a"] }],
    given: pods,
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
  },
  {
    name: "a right to all names covers one",
    owner: [pods],
    given: { ...pods, resourceNames: ["a"] },
    missing: [],
  },
  {
    name: "a star before a subresource covers that of any resource",
    owner: [rule({ verbs: ["*"], resources: ["*/scale"] })],
    given: rule({ verbs: ["get"], resources: ["pods/scale"] }),
    missing: [],
  },
  {
    name: "paths are covered by prefix",
    owner: [rule({ verbs: ["get"], apiGroups: [], nonResourceURLs: ["/a/*"] })],
    given: rule({ verbs: ["get"], apiGroups: [], nonResourceURLs: ["/a/b", "/c"] }),
    missing: ['{NonResourceURLs:["/c"], Verbs:["get"]}'],
  },
])("$name", ({ owner, given, missing }) => {
  expect(missingRights(owner, [given])).toEqual(missing);
});
