import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { runCommand, WIDGET_CRD, writeFiles } from "./commands.testing.ts";
import { commitFiles, inFolder } from "./processes.testing.ts";

const widget = (spec: string): string => `apiVersion: example.com/v1
kind: Widget
metadata:
  name: w
spec:
${spec}
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-host}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "!has(object.spec.hostNetwork)", message: not yours}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-host}
spec: {policyName: no-host, validationActions: [Deny]}
`;

describe("a broken object", () => {
  test("is reported with the API server's message at its place in the file", async () => {
    const files = { "crd.yaml": WIDGET_CRD, "w.yaml": widget("  size: 11\n  sizee: 1") };
    expect(await runCommand(check, ["@/w.yaml", "@/crd.yaml"], files)).toEqual({
      code: 1,
      stderr: "",
      stdout: `w.yaml:6:9  error  schema/maximum  example.com/v1 Widget w
    6 |   size: 11
      |         ^^
  spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10
w.yaml:7:3  error  field/unknown  example.com/v1 Widget w
    7 |   sizee: 1
      |   ^^^^^
  unknown field "spec.sizee"
  = did you mean \`size\`?
2 objects, 2 files: 2 errors, 0 warnings
`,
    });
  });

  test("may keep errors that an update does not touch, with a note", async () => {
    const files = {
      "crd.yaml": WIDGET_CRD,
      "old.yaml": widget("  size: 11\n  mode: a"),
      "new.yaml": widget("  size: 11\n  mode: b"),
    };
    const { code, stdout } = await runCommand(check, ["@/new.yaml", "@/crd.yaml", "--old", "@/old.yaml"], files);
    expect(code).toBe(0);
    expect(stdout).toContain("note  schema/maximum");
    expect(stdout).toContain("= forgiven: `spec.size` is unchanged; the API server does not report it");
  });

  test("is refused if the update changes it, and the report says why", async () => {
    const files = {
      "crd.yaml": WIDGET_CRD,
      "old.yaml": widget("  size: 11"),
      "new.yaml": widget("  size: 12"),
    };
    const { code, stdout } = await runCommand(check, ["@/new.yaml", "@/crd.yaml", "--old", "@/old.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("= not forgiven: the value changed");
  });

  test("is refused if the ratcheting gate is off", async () => {
    const files = {
      "crd.yaml": WIDGET_CRD,
      "old.yaml": widget("  size: 11\n  mode: a"),
      "new.yaml": widget("  size: 11\n  mode: b"),
    };
    const args = [
      "@/new.yaml",
      "@/crd.yaml",
      "--old",
      "@/old.yaml",
      "--feature-gates",
      "CRDValidationRatcheting=false",
    ];
    expect((await runCommand(check, [...args, "--kube-version", "1.32"], files)).code).toBe(1);
    const locked = "cannot set feature gate CRDValidationRatcheting to false, feature is locked to true";
    await expect(runCommand(check, args, files)).rejects.toThrow(locked);
  });
});

describe("the inputs", () => {
  test("one file may contain a CRD and its objects, also in JSON", async () => {
    const files = {
      "all.yaml": `${WIDGET_CRD}---\n{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1}}\n`,
    };
    expect(await runCommand(check, ["@/all.yaml"], files)).toMatchObject({
      code: 0,
      stdout: "2 objects, 1 file: 0 errors, 0 warnings\n",
    });
  });

  test("the items of a list are separate objects", async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: w}\n  spec:\n    size: 11\n`;
    const { stdout } = await runCommand(check, ["-", "@/crd.yaml"], { "crd.yaml": WIDGET_CRD, "-": list });
    expect(stdout).toContain("-:8:11  error  schema/maximum");
  });

  test("an object of an unknown kind is a warning that says what to do", async () => {
    const { code, stdout } = await runCommand(check, ["@/w.yaml"], { "w.yaml": widget("  size: 1") });
    expect(code).toBe(0);
    expect(stdout).toContain("no schema for Widget in example.com/v1");
    expect(stdout).toContain("1 without schema");
  });

  test("text that is not YAML is an error with its line", async () => {
    const { code, stdout } = await runCommand(check, ["@/w.yaml"], { "w.yaml": "a: b\nc: [\n" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^w\.yaml:\d+:\d+ {2}error {2}input\/syntax/);
  });

  test("an input without objects is an error", async () => {
    expect(await runCommand(check, ["@/w.yaml"], { "w.yaml": "# nothing\n" })).toMatchObject({ code: 2 });
    expect(await runCommand(check, ["@/w.yaml", "--allow-empty"], { "w.yaml": "# nothing\n" })).toMatchObject({
      code: 0,
    });
  });
});

test("JSON output has the same findings", async () => {
  const files = { "crd.yaml": WIDGET_CRD, "w.yaml": widget("  size: 11") };
  const { stdout } = await runCommand(check, ["@/w.yaml", "@/crd.yaml", "-o", "json"], files);
  expect(JSON.parse(stdout)).toMatchObject({
    kind: "ValidationReport",
    summary: { objects: 2, errors: 1 },
    findings: [{ rule: "schema/maximum", path: "spec.size", range: { start: { line: 6, column: 9 } } }],
  });
});

test.each(["--kube-version=1.2", "--feature-gates=X=true", "--field-validation=maybe", "--output=xml", "--nope"])(
  "%s is refused",
  async (flag) => {
    await expect(runCommand(check, ["@/crd.yaml", flag], { "crd.yaml": WIDGET_CRD })).rejects.toThrow(
      /unknown|unrecognized/i,
    );
  },
);

describe("built-in kinds", () => {
  const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n${spec}\n`;

  test("are known without a CRD", async () => {
    const files = { "p.yaml": pod("  containers: [{name: c, image: i}]") };
    expect(await runCommand(check, ["@/p.yaml"], files)).toMatchObject({
      code: 0,
      stdout: "1 object, 1 file: 0 errors, 0 warnings\n",
    });
  });

  test("unknown fields are reported at their place", async () => {
    const files = { "p.yaml": pod("  containers:\n  - name: c\n    image: i\n    imagee: j") };
    const { code, stdout } = await runCommand(check, ["@/p.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("p.yaml:9:5  error  field/unknown  v1 Pod p");
    expect(stdout).toContain('unknown field "spec.containers[0].imagee"');
  });

  test("an update may not change immutable fields", async () => {
    const map = (level: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\nimmutable: true\ndata: {level: ${level}}\n`;
    const files = { "new.yaml": map("debug"), "old.yaml": map("info"), "same.yaml": map("info") };
    const { code, stdout } = await runCommand(check, ["@/new.yaml", "--old", "@/old.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("data: Forbidden: field is immutable when `immutable` is set");
    expect(stdout).toContain("1 error, 0 warnings");
    expect((await runCommand(check, ["@/same.yaml", "--old", "@/old.yaml"], files)).code).toBe(0);
  });

  test("an invalid policy is refused with the API server's message", async () => {
    const text = POLICY.replace("!has(object.spec.hostNetwork)", "object.spec.hostNetwork");
    const { code, stdout } = await runCommand(check, ["@/policy.yaml"], { "policy.yaml": text });
    expect(code).toBe(1);
    expect(stdout).toContain(
      "error  policy/invalid  admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy no-host",
    );
    expect(stdout).toContain("must evaluate to bool but got dyn");
  });
});

describe("with policies", () => {
  const pod = (spec: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}], ${spec}}\n`;

  test("schema and policies are checked in one pass", async () => {
    const files = { "policy.yaml": POLICY, "p.yaml": pod("hostNetwork: true, hostNetwrk: true") };
    const { code, stdout } = await runCommand(check, ["@/p.yaml", "--policies", "@/policy.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("error  field/unknown");
    expect(stdout).toContain("error  policy/deny  v1 Pod p");
    expect(stdout).toContain(
      "  pods \"p\" is forbidden: ValidatingAdmissionPolicy 'no-host' with binding 'no-host' denied request: not yours\n",
    );
  });

  test("a warning does not fail the run", async () => {
    const files = { "policy.yaml": POLICY.replace("[Deny]", "[Warn]"), "p.yaml": pod("hostNetwork: true") };
    const { code, stdout } = await runCommand(check, ["@/p.yaml", "--policies", "@/policy.yaml"], files);
    expect(code).toBe(0);
    expect(stdout).toContain("warning  policy/warn  v1 Pod p");
    expect(stdout).toContain(
      "Validation failed for ValidatingAdmissionPolicy 'no-host' with binding 'no-host': not yours",
    );
  });

  test("with --old an object is checked as an update", async () => {
    const files = {
      "policy.yaml": POLICY.replace("[CREATE]", "[UPDATE]"),
      "p.yaml": pod("hostNetwork: true"),
      "old.yaml": pod("hostNetwork: true"),
    };
    const args = ["@/p.yaml", "--policies", "@/policy.yaml"];
    expect((await runCommand(check, args, files)).stdout).not.toContain("policy/deny");
    expect((await runCommand(check, [...args, "--old", "@/old.yaml"], files)).stdout).toContain("policy/deny");
  });

  test("type errors in expressions are warnings at their place", async () => {
    const files = {
      "policy.yaml": POLICY.replace("object.spec.hostNetwork", "object.spec.hostNetwrk"),
      "p.yaml": pod(""),
    };
    const { code, stdout } = await runCommand(check, ["@/p.yaml", "--policies", "@/policy.yaml"], files);
    expect(code).toBe(0);
    expect(stdout).toContain("policy.yaml:7:30  warning  policy/type");
    expect(stdout).toContain("undefined field 'hostNetwrk'");
  });

  test("a path without policies is an error", async () => {
    await expect(runCommand(check, ["@/p.yaml", "--policies", "@/p.yaml"], { "p.yaml": pod("") })).rejects.toThrow(
      "no policies found",
    );
  });
});

test("folders of output files are created", async () => {
  const folder = scratchFolder();
  const files = { "w.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" };
  const { code } = await runCommand(check, ["@/w.yaml", "-o", "json=@/reports/deep/r.json"], files, { folder });
  expect(code).toBe(0);
  expect(readFileSync(path.join(folder, "reports/deep/r.json"), "utf8")).toContain("ValidationReport");
});

test("links in a commit are followed as far as the commit goes", async () => {
  const folder = scratchFolder();
  const real = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n";
  writeFiles(folder, { "base/real.yaml": real });
  for (const [name, target] of [
    ["link", "base/real"],
    ["broken", "nowhere"],
    ["outside", "/etc/hosts"],
  ])
    symlinkSync(`${target}.yaml`, path.join(folder, `${name}.yaml`));
  symlinkSync("base", path.join(folder, "folder.yaml"));
  commitFiles(folder, {});
  await inFolder(folder, async () => {
    const { stdout } = await runCommand(check, ["git:HEAD:.", "--show", "all"], {}, { folder });
    expect(stdout).toContain("git:HEAD:link.yaml:3:18  error  validation/name");
    expect(stdout).toMatch(/\n2 objects, 5 files: 2 errors, /);
  });
});

test.each([
  { args: ["--bind", "Deny"], reason: "`--bind` needs `--policies`" },
  { args: ["--operation", "UPDATE"], reason: "`--operation` needs `--policies`" },
  { args: ["--as", "jane"], reason: "`--as` needs `--policies`" },
  { args: ["--policies", "@/p.yaml", "--operation", "WRITE"], reason: "unknown `--operation WRITE`" },
  { args: ["-o", "json="], reason: "`-o json=` does not name a file" },
])("options without effect are refused: $args", async ({ args, reason }) => {
  const files = { "p.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" };
  await expect(runCommand(check, ["@/p.yaml", ...args], files)).rejects.toThrow(reason);
});

test("old objects can come from a commit, file by file", async () => {
  const folder = scratchFolder();
  const named = (name: string, size: number): string => widget(`  size: ${size}`).replace("name: w", `name: ${name}`);
  commitFiles(folder, {
    "deploy/a.yaml": named("a", 11),
    "deploy/sub/é b.yaml": named("b", 12),
    "deploy/c.txt": "x",
  });
  const files = { "crd.yaml": WIDGET_CRD, "new/a.yaml": named("a", 11) };
  await inFolder(folder, async () => {
    const args = ["@/new", "@/crd.yaml", "--old", "git:HEAD:deploy"];
    const { code, stdout } = await runCommand(check, args, files, { folder });
    expect(stdout).toContain("forgiven: `spec.size` is unchanged");
    expect(code).toBe(0);
    await expect(runCommand(check, ["@/new", "--old", "git:nope:deploy"], files, { folder })).rejects.toThrow(
      "`git:nope:deploy`: fatal:",
    );
  });
});
