/** `scan` against a cluster: our own server, started here. */
import { readFile } from "@portcullis/checker/internal/input/documents";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { type RunningServer, startServer } from "@portcullis/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./commands.testing.ts";
import { scan } from "./scan.ts";

const POLICY = (
  name: string,
  actions: string,
  expression: string,
): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  matchConditions: [{name: ours, expression: "has(object.data) && 'size' in object.data"}]
  validations: [{expression: "${expression}", message: too large}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [${actions}]}
`;
const MAP = (name: string, size: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {size: "${size}"}\n`;

let server: RunningServer;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startServer();
  const audited = POLICY("audited", "Audit", "int(object.data.size) < 5");
  for (const text of [MAP("small", 1), MAP("large", 9), audited]) {
    for (const { object } of readFile("made.yaml", text).documents) {
      const { code, text: answer } = await server.create(object);
      if (code >= 300) throw new Error(answer);
    }
  }
  files = { "kubeconfig.yaml": server.kubeconfig(), "p.yaml": POLICY("tried", "Deny", "int(object.data.size) < 100") };
});

afterAll(() => server?.stop());

const run = (...args: readonly string[]) => runCommand(scan, ["--kubeconfig", "@/kubeconfig.yaml", ...args], files);

test("the policies of the cluster are put to its objects", async () => {
  const { code, stdout } = await run();
  expect(stdout).toBe("fail  ConfigMap default/large  audited: too large\n1 passed, 1 failed\n");
  expect(code).toBe(1);
});

test("other policies can be tried", async () => {
  expect(await run("--policies", "@/p.yaml")).toMatchObject({ code: 0, stdout: "2 passed, 0 failed\n" });
});

test.each([
  ["policyreport", "wgpolicyk8s.io/v1alpha2", "PolicyReport"],
  ["openreports", "openreports.io/v1alpha1", "Report"],
])("%s has a report for each object", async (format, apiVersion, kind) => {
  const { stdout } = await run("-o", format);
  const reports = stdout.split("---\n").map((text) => decodeYaml(text));
  expect(reports).toHaveLength(2);
  const large = reports.find((each) => each.error === undefined && JSON.stringify(each.value).includes('"large"'));
  expect(large).toMatchObject({
    value: {
      apiVersion,
      kind,
      metadata: { namespace: "default" },
      scope: { kind: "ConfigMap", name: "large" },
      results: [{ policy: "audited", result: "fail", message: "too large", source: "portcullis" }],
      summary: { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 },
    },
  });
});

test("a scan repeats until it is interrupted", async () => {
  const controller = new AbortController();
  const lines: string[] = [];
  const { mkdtempSync, writeFileSync, rmSync } = await import("node:fs");
  const folder = mkdtempSync("/tmp/portcullis-scan-");
  writeFileSync(`${folder}/kubeconfig.yaml`, server.kubeconfig());
  const io = {
    stdout: (text: string) => {
      lines.push(text);
      if (lines.length === 2) controller.abort();
    },
    stderr: () => {},
    stdin: () => "",
    color: false,
    signal: controller.signal,
  };
  const code = await scan.run(["--kubeconfig", `${folder}/kubeconfig.yaml`, "--every", "0.05"], io);
  rmSync(folder, { recursive: true });
  expect(lines).toHaveLength(2);
  expect(code).toBe(1);
});
