/** Suites in an editor: tests that fail, and suites that cannot be read. */
import { expect, test } from "vitest";
import { CRD, POLICY, startEditor } from "./workspace.testing.ts";

const SUITE = `kind: PolicySuite
policies: [policy.yaml, crd.yaml]
base:
  apiVersion: example.com/v1
  kind: Widget
  metadata: {name: one, namespace: default}
  spec: {size: 1, hosts: [{name: a, port: 1}]}
tests:
  - name: one host
    operation: CREATE
    expect: allow
  - name: three hosts
    operation: CREATE
    change: {spec: {hosts: [{name: a, port: 1}, {name: b, port: 1}, {name: c, port: 1}]}}
    expect: deny
`;
const FILES = { "policy.yaml": POLICY, "crd.yaml": CRD, "suite.yaml": SUITE };

test("a test that fails is an error at its place, until it passes", async () => {
  const editor = await startEditor(FILES);
  await editor.open("suite.yaml", SUITE);
  expect(await editor.settled("suite.yaml")).toEqual([]);
  await editor.replace("suite.yaml", "expect: deny", "expect: allow");
  const failed = await editor.shows("suite.yaml", 1);
  expect(failed.map(({ code, range }) => [code, range.start.line])).toEqual([["policy/test", 11]]);
  expect(String(failed[0]?.message)).toContain("three hosts: ");
  await editor.edit(
    "suite.yaml",
    editor.textOf("suite.yaml").lastIndexOf("allow"),
    editor.textOf("suite.yaml").length,
    "deny\n",
  );
  await editor.shows("suite.yaml", 0);
});

test("a suite that cannot be read says why", async () => {
  const editor = await startEditor(FILES);
  await editor.open("suite.yaml", SUITE.replace("expect: deny", "expects: deny"));
  const [found] = await editor.shows("suite.yaml", 1);
  expect(found?.code).toBe("policy/suite");
  expect(String(found?.message)).toContain("suite.yaml: tests[1]");
});
