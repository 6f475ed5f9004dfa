import { readFileSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sizes}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
  matchConditions: [{name: not-ops, expression: "!('ops' in request.userInfo.groups)"}]
  validations:
  - {expression: "int(object.data.size) < 5", message: too large, reason: Forbidden}
  - {expression: "!has(object.data.hint)", messageExpression: "'data.hint is <gone> & ' + request.operation"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sizes}
spec: {policyName: sizes, validationActions: [ACTION]}
`;
const MAPS = `apiVersion: v1
kind: ConfigMap
metadata: {name: good}
data: {size: "1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: bad}
data:
  hint: a
  size: "7"
`;
const FILES = { "policy.yaml": POLICY.replace("ACTION", "Deny"), "maps.yaml": MAPS };
const EVAL = ["eval", "@/policy.yaml", "--object", "@/maps.yaml"];

test("policy eval as JUnit has one case per request, including allowed ones", async () => {
  const { code, stdout } = await runCommand(policy, [...EVAL, "-o", "junit"], FILES);
  expect(code).toBe(1);
  expect(stdout).toContain('<testsuites name="portcullis policy eval" tests="2" failures="1">');
  expect(stdout).toContain('<testcase classname="maps.yaml" name="v1 ConfigMap good"/>');
  expect(stdout).toContain("maps.yaml:11:9: policy/deny: configmaps &quot;bad&quot; is forbidden");
  expect(stdout).toContain("data.hint is &lt;gone&gt; &amp; CREATE");
});

test("policy eval as SARIF and for GitHub points at the fields", async () => {
  const folder = scratchFolder();
  const args = [...EVAL, "-o", "github", "-o", `sarif=${folder}/out.sarif`];
  const { stdout } = await runCommand(policy, args, FILES, { folder });
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(
      /^::error file=maps\.yaml,line=10,col=9,endLine=10,endColumn=10,title=policy\/deny v1 ConfigMap bad::.*data\.hint/,
    ),
    expect.stringMatching(
      /^::error file=maps\.yaml,line=11,col=9,endLine=11,endColumn=12,title=policy\/deny v1 ConfigMap bad::.*too large%0A`int\(object\.data\.size\)` is 7$/,
    ),
    "",
  ]);
  const sarif = JSON.parse(readFileSync(path.join(folder, "out.sarif"), "utf8"));
  expect(sarif.runs[0].results.map((each: { level: string }) => each.level)).toEqual(["error", "error"]);
});

test("a warning stays a warning, and a request from a file is reported in that file", async () => {
  const files = {
    "policy.yaml": POLICY.replace("ACTION", "Warn"),
    "request.yaml": 'object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {size: "9"}}\n',
  };
  const { code, stdout } = await runCommand(
    policy,
    ["eval", "@/policy.yaml", "--request", "@/request.yaml", "-o", "github"],
    files,
  );
  expect([code, stdout]).toEqual([
    0,
    "::warning file=request.yaml,title=policy/warn::Validation failed for ValidatingAdmissionPolicy 'sizes' with binding 'sizes': too large%0A`int(object.data.size)` is 9\n",
  ]);
});

test.each([
  { args: [], code: 1, says: "too large" },
  { args: ["--as-group", "ops"], code: 0, says: "0 errors" },
  { args: ["--as", "ann", "--as-group", "ops", "--as-uid", "7", "--as-user-extra", "a=b"], code: 0, says: "0 errors" },
  { args: ["--operation", "DELETE"], code: 1, says: "resulted in error" },
])("check passes user and operation to policies: $args", async ({ args, code, says }) => {
  const outcome = await runCommand(check, ["@/maps.yaml", "--policies", "@/policy.yaml", ...args], FILES);
  expect(outcome.code).toBe(code);
  expect(outcome.stdout).toContain(says);
});

test("user options have the form KEY=VALUE", async () => {
  await expect(runCommand(policy, [...EVAL, "--as-user-extra", "x"], FILES)).rejects.toThrow("KEY=VALUE");
});

test("an older version knows only its own CEL functions", async () => {
  const files = {
    ...FILES,
    "policy.yaml": POLICY.replace("ACTION", "Deny").replace("int(object.data.size) < 5", "isSemver('1.0.0')"),
  };
  await expect(runCommand(policy, [...EVAL, "--kube-version", "1.31"], files)).rejects.toThrow(
    "undeclared reference to 'isSemver'",
  );
  const checked = await runCommand(
    check,
    ["@/maps.yaml", "--policies", "@/policy.yaml", "--kube-version", "1.31"],
    files,
  );
  expect(checked.stdout).toContain("policy/invalid");
});

const SUITE = `kind: PolicySuite
policies: [policy.yaml]
base: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {size: "1"}}
tests:
- {name: small, expect: allow}
- name: large <one>
  change: {data: {size: "8"}}
  expect: allow
`;

test("policy test as JUnit has one case per test", async () => {
  const { code, stdout } = await runCommand(policy, ["test", "@/suite.yaml", "-o", "junit"], {
    ...FILES,
    "suite.yaml": SUITE,
  });
  expect(code).toBe(1);
  expect(stdout.split("\n")).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="portcullis policy test" tests="2" failures="1">',
    '  <testsuite name="suite.yaml" tests="2" failures="1">',
    '    <testcase classname="suite.yaml" name="small"/>',
    '    <testcase classname="suite.yaml" name="large &lt;one&gt;">',
    expect.stringContaining('<failure type="policy/test" message="expected outcome allow, got deny: '),
    "    </testcase>",
    "  </testsuite>",
    "</testsuites>",
    "",
  ]);
});

test.each(["github", "sarif"])("policy test as %s reports failures at the place of the case", async (format) => {
  const { stdout } = await runCommand(policy, ["test", "@/suite.yaml", "-o", format], {
    ...FILES,
    "suite.yaml": SUITE,
  });
  expect(stdout).toContain("large <one>: expected outcome allow");
  expect(stdout).toMatch(format === "github" ? /file=suite\.yaml,line=6,col=3/ : /"startLine": 6/);
  expect(stdout).not.toContain("small");
});

test("without failures the GitHub output is empty", async () => {
  const { code, stdout } = await runCommand(policy, ["test", "@/suite.yaml", "--run", "small", "-o", "github"], {
    ...FILES,
    "suite.yaml": SUITE,
  });
  expect([code, stdout]).toEqual([0, ""]);
});

test("versions that do not support an expression are named", async () => {
  const files = {
    ...FILES,
    "policy.yaml": POLICY.replace("ACTION", "Deny").replace("int(object.data.size) < 5", "isSemver('1.0.0')"),
  };
  const args = ["@/maps.yaml", "--policies", "@/policy.yaml", "--kube-version", "1.31,1.36", "-o", "json"];
  const { stdout } = await runCommand(check, args, files);
  const found = JSON.parse(stdout).findings.filter(({ rule }: { rule: string }) => rule === "policy/invalid");
  expect(found).toMatchObject([{ kubeVersions: ["1.31"] }]);
});
