/** CRDs and policies that `check` takes from elsewhere: archives, catalogues and a cluster, which is our own server. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tarGzOf } from "@portcullis/checker/internal/input/archives.testing";
import { readFile } from "@portcullis/checker/internal/input/documents";
import { type RunningServer, startServer } from "@portcullis/server";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { policyEval } from "../policy/policy-eval.ts";

const WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 11, other: 1}\n";
const REFUSED = "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10";
const SCHEMA = JSON.stringify({
  type: "object",
  additionalProperties: false,
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: { type: "object", additionalProperties: false, properties: { size: { type: "integer", maximum: 10 } } },
  },
});

test("an archive is read like a folder", async () => {
  const folder = scratchFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/app.tgz`, tarGzOf({ "app/crd.yaml": WIDGET_CRD, "app/w.yaml": WIDGET }));
  const { stdout, code } = await runCommand(check, ["@/app.tgz"], {}, { folder });
  expect(stdout).toContain("app.tgz/app/w.yaml:4:14  error");
  expect(stdout).toContain("2 objects, 2 files: 2 errors, 0 warnings\n");
  expect(code).toBe(1);
});

test("a reference is used and not checked", async () => {
  const broken = WIDGET_CRD.replace("scope: Namespaced", "scope: Nonsense");
  const files = { "w.yaml": WIDGET.replace(", other: 1", ""), "crds/a.yaml": broken };
  const { stdout } = await runCommand(check, ["@/w.yaml", "--crds", "@/crds"], files);
  expect(stdout).toContain(REFUSED);
  expect(stdout).toContain("1 object, 1 file: 1 error, 0 warnings\n");
});

test("a CRD among the inputs replaces a reference", async () => {
  const files = {
    "w.yaml": WIDGET,
    "old.yaml": WIDGET_CRD,
    "new.yaml": WIDGET_CRD.replace("maximum: 10", "maximum: 20").replace(
      "mode:",
      "other: {type: integer}\n              mode:",
    ),
  };
  expect(await runCommand(check, ["@/w.yaml", "@/new.yaml", "--crds", "@/old.yaml"], files)).toMatchObject({ code: 0 });
});

test("a catalogue of JSON schemas is used, and what it lacks is reported", async () => {
  const files = {
    "w.yaml": WIDGET,
    "catalogue/example.com/widget_v1.json": SCHEMA,
    "catalogue/example.com/gadget_v1.json": "{",
  };
  const { stdout } = await runCommand(check, ["@/w.yaml", "--crds", "@/catalogue"], files);
  expect(stdout).toContain(REFUSED);
  expect(stdout).toContain('unknown field "spec.other"');
  expect(stdout).toContain("note  schema/partial\n  1 kind is checked with JSON schemas");
  expect(stdout).toContain("1 object, 1 file: 2 errors, 0 warnings, 1 note\n");
});

test("a schema of a catalogue that cannot be used is reported", async () => {
  const files = { "w.yaml": WIDGET, "catalogue/example.com/widget_v1.json": '{"$ref": "x"}' };
  const { stdout } = await runCommand(check, ["@/w.yaml", "--crds", "@/catalogue"], files);
  expect(stdout).toContain(
    "warning  schema/unusable\n  the schema cannot be used: it refers to other schemas with $ref",
  );
  expect(stdout).toContain("1 without schema");
});

test("a source without CRDs ends the command", async () => {
  const run = runCommand(check, ["@/w.yaml", "--crds", "@/w.yaml"], { "w.yaml": WIDGET });
  await expect(run).rejects.toThrow("no CRDs found");
});

describe("a cluster", () => {
  const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [services]}]}
  validations:
  - {expression: "object.spec.ports.size() <= int(params.data.max)", message: too many ports}
  - {expression: "!authorizer.group('').resource('services').check('escalate').allowed()", message: admins may not}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  policyName: limit
  validationActions: [Deny]
  paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: default}
data: {max: "1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: unrelated, namespace: default}
data: {max: "9"}
`;
  const SERVICE =
    "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: default}\nspec: {ports: [{name: a, port: 1}, {name: b, port: 2}]}\n";
  let server: RunningServer;
  let files: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startServer();
    for (const { object } of readFile("made.yaml", `${POLICY}---\n${WIDGET_CRD}`).documents) {
      const { code, text } = await server.create(object);
      if (code >= 300) throw new Error(text);
    }
    files = { "kubeconfig.yaml": server.kubeconfig(), "w.yaml": WIDGET.replace(", other: 1", ""), "s.yaml": SERVICE };
  });
  afterAll(() => server?.stop());

  const run = (...args: readonly string[]) => runCommand(check, [...args, "--kubeconfig", "@/kubeconfig.yaml"], files);

  test.each([
    { name: "with --crds kube:", args: ["--crds", "kube:"] },
    { name: "with kube: among the inputs", args: ["kube:"] },
    { name: "with the name of a CRD", args: ["--crds", "kube:widgets.example.com"] },
    { name: "with a kubeconfig alone", args: [] },
  ])("its CRDs are used $name", async ({ args }) => {
    const { stdout } = await run("@/w.yaml", ...args);
    expect(stdout).toContain(REFUSED);
    expect(stdout).toContain("1 object, 1 file: 1 error, 0 warnings\n");
  });

  test("its policies are evaluated with their params and roles", async () => {
    const { stdout, code } = await run("@/s.yaml", "--policies", "kube:");
    expect(stdout).toContain("ValidatingAdmissionPolicy 'limit' with binding 'limit' denied request: too many ports");
    expect(stdout).toContain("policy limit: 1 denied, 0 warned\n");
    expect(code).toBe(1);
  });

  test("policy eval reads them too", async () => {
    const args = ["kube:limit", "--object", "@/s.yaml", "--kubeconfig", "@/kubeconfig.yaml"];
    expect((await runCommand(policyEval, args, files)).stdout).toContain("too many ports");
  });

  test.each([
    { args: ["--crds", "kube:gone.example.com"], says: "the cluster has no CRD `gone.example.com`" },
    { args: ["--policies", "kube:gone"], says: "the cluster has no policy `gone`" },
  ])("$says", async ({ args, says }) => {
    await expect(run("@/w.yaml", ...args)).rejects.toThrow(says);
  });
});

test("other versions of a kind in a catalogue may exist", async () => {
  const files = {
    "w.yaml": `${WIDGET}---\n${WIDGET.replace("example.com/v1", "example.com/v2")}`,
    "catalogue/example.com/widget_v1.json": SCHEMA,
  };
  const { stdout } = await runCommand(check, ["@/w.yaml", "--crds", "@/catalogue"], files);
  expect(stdout).toContain("warning  schema/not-found  example.com/v2 Widget");
  expect(stdout).not.toContain("api/unknown");
});
