/** Gaps in subresources: other addresses that change, delete or enter what a policy protects. */
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

interface Rule {
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly group?: string;
}

const policyOf = ({ operations, resources, group = "" }: Rule, expression: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [${JSON.stringify(group)}], apiVersions: [v1], operations: [${operations.join()}], resources: [${resources.join()}]}]
  validations:
  - expression: ${JSON.stringify(expression)}
`;

const gaps = (text: string, ...args: readonly string[]) =>
  runCommand(policy, ["gaps", "@/p.yaml", ...args], { "p.yaml": text }, { folder: scratchFolder() });

const WRITES = ["CREATE", "UPDATE"];

test("a resize gives a running pod more than a new one may have", async () => {
  const limit =
    "object.spec.containers.all(c, !has(c.resources) || !has(c.resources.limits) || !has(c.resources.limits.cpu) || quantity(c.resources.limits.cpu).isLessThan(quantity('4')))";
  const { stdout } = await gaps(policyOf({ operations: WRITES, resources: ["pods"] }, limit), "--show", "requests");
  expect(stdout).toContain(
    "p, validation 0: pods/resize is not checked\n  UPDATE pods/resize default/example by alice",
  );
});

test("a write to the status changes labels", async () => {
  const label = "!has(object.metadata.labels) || !('bad' in object.metadata.labels)";
  const { stdout } = await gaps(policyOf({ operations: WRITES, resources: ["pods"] }, label));
  expect(stdout).toBe("p, validation 0: pods/status is not checked\n  UPDATE pods/status default/example by alice\n");
});

test("a write to the status removes a label that a policy requires", async () => {
  const label = "has(object.metadata.labels) && 'team' in object.metadata.labels";
  const { stdout } = await gaps(policyOf({ operations: WRITES, resources: ["pods"] }, label));
  expect(stdout).toBe("p, validation 0: pods/status is not checked\n  UPDATE pods/status default/example by alice\n");
});

test("a binding assigns a pod to a node", async () => {
  const node = "!has(object.spec.nodeName) || object.spec.nodeName != 'control'";
  const { stdout } = await gaps(policyOf({ operations: WRITES, resources: ["pods"] }, node));
  expect(stdout).toContain("pods/binding is not checked\n  CREATE pods/binding default/example by alice");
});

test("an eviction deletes a pod that a policy protects", async () => {
  const keep = "!has(oldObject.metadata.labels) || !('keep' in oldObject.metadata.labels)";
  const { stdout } = await gaps(policyOf({ operations: ["DELETE"], resources: ["pods"] }, keep));
  expect(stdout).toContain("pods/eviction deletes pods and is not checked\n  CREATE pods/eviction default/example");
});

test("what exec must not do, attach may", async () => {
  const { stdout } = await gaps(policyOf({ operations: ["CONNECT"], resources: ["pods/exec"] }, "!object.stdin"));
  expect(stdout).toContain("pods/attach is not checked\n  CONNECT pods/attach default/example");
  const both = policyOf({ operations: ["CONNECT"], resources: ["pods/exec", "pods/attach"] }, "!object.stdin");
  expect((await gaps(both)).stdout).not.toContain("is not checked");
});

test("the replicas of each kind have an address of their own", async () => {
  const rule = { operations: WRITES, resources: ["deployments", "statefulsets"], group: "apps" };
  const { stdout } = await gaps(policyOf(rule, "object.spec.replicas <= 5"));
  expect(stdout).toContain("deployments/scale is not checked");
  expect(stdout).toContain("statefulsets/scale is not checked");
});

test("a validation that could not be searched in time is not reported as one without gaps", async () => {
  const nested =
    "object.spec.containers.all(c, object.spec.containers.exists_one(d, d.name == c.name && d.image.matches('(a|b)*x{1,200}') && d.args.all(e, d.args.exists_one(f, f.split('x')[3] == e.split('y')[2]))))";
  const text = policyOf({ operations: WRITES, resources: ["pods"] }, `${nested} || !${nested}`);
  const { code, stdout } = await gaps(text, "--budget", "0.01");
  expect(code).toBe(1);
  expect(stdout).not.toContain("no gap found");
});

test("a gap is tried in a namespace that a binding selects", async () => {
  const binding = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {environment: production}}}
`;
  const entered = policyOf({ operations: ["CONNECT"], resources: ["pods/exec", "pods/attach"] }, "false");
  expect((await gaps(entered + binding)).stdout).toBe("no gap found\n");
  const executed = policyOf({ operations: ["CONNECT"], resources: ["pods/exec"] }, "false");
  expect((await gaps(executed + binding)).stdout).toContain("p, validation 0: pods/attach is not checked\n");
});
