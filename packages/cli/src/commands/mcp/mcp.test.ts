/** The tools through the official client. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { beforeAll, expect, test } from "vitest";
import { WIDGET_CRD } from "../commands.testing.ts";
import { createMcpServer } from "./mcp.ts";
import { TOOLS } from "./tools.ts";

const CRD = (maximum: number): string => WIDGET_CRD.replace("maximum: 10", `maximum: ${maximum}`);
const WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 11}\n";
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p.example.com}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: object.spec.replicas <= 5
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p.example.com}
spec: {policyName: p.example.com, validationActions: [Deny]}
`;

const root = sharedFolder();
const client = new Client({ name: "test", version: "1" });

beforeAll(async () => {
  mkdirSync(path.join(root, "inside"), { recursive: true });
  writeFileSync(path.join(root, "inside/crd.yaml"), CRD(10));
  mkdirSync(path.join(root, "linked"));
  symlinkSync("/etc/hostname", path.join(root, "linked/link.yaml"));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(root).connect(ours);
  await client.connect(theirs);
});

async function call(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? "", isError: isError === true };
}

test("every tool is listed, read-only, with a schema", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test("check reads texts and files", async () => {
  const { text, isError } = await call("check", { manifests: { text: WIDGET }, crds: { path: "inside" } });
  expect(isError).toBe(false);
  expect(JSON.parse(text)).toMatchObject({ summary: { errors: 1 } });
  expect(text).toContain("should be less than or equal to 10");
});

test.each([
  ["crd_diff", { old: { text: CRD(10) }, new: { text: CRD(5) } }, "unsafe"],
  ["crd_lint", { crds: { text: CRD(10) } }, "summary"],
  ["crd_cost", { crds: { text: CRD(10) } }, "widgets.example.com"],
  ["crd_sample", { crds: { text: CRD(10) }, size: "minimal" }, "Widget"],
  ["policy_diff", { old: { text: POLICY }, new: { text: POLICY.replace("<= 5", "<= 4") } }, "newlyDenied"],
  ["policy_prove", { policies: { text: POLICY } }, "neverDenies"],
  ["policy_gaps", { policies: { text: POLICY } }, "UPDATE"],
  ["explain", { rule: "schema/maximum" }, "why it matters"],
])("%s answers", async (name, args, wanted) => {
  const { text, isError } = await call(name, args);
  expect(text).toContain(wanted);
  expect(isError).toBe(false);
});

test.each([
  ["check", {}, "manifests is required"],
  ["check", { manifests: { text: WIDGET }, crd: "x" }, "unknown argument crd"],
  ["check", { manifests: "text" }, "manifests must have `text` or `path`"],
  ["check", { manifests: { path: "../../etc" } }, /outside of the folder|does not exist/],
  ["check", { manifests: { path: "linked/link.yaml" } }, "outside of the folder"],
  ["check", { manifests: { path: "linked" } }, "leads outside of the folder"],
  ["check", { manifests: { text: WIDGET }, kubeVersion: "1.2" }, "1.2"],
  ["explain", { rule: "--help" }, "--help"],
  ["nothing", {}, "unknown tool"],
])("%s with %j is an error that says why", async (name, args, wanted) => {
  const { text, isError } = await call(name, args);
  expect(text).toMatch(wanted);
  expect(isError).toBe(true);
});
