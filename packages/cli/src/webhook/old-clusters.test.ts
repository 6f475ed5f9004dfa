/** What is needed for clusters whose API server has no policies: CRDs, manifests, a chart, and a mode that only reports. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check } from "../commands/check.ts";
import { runCommand } from "../commands/commands.testing.ts";
import { eventually, type Json, NEEDS_OK, reviewOf, TestCluster } from "./cluster.testing.ts";

const here = path.dirname(fileURLToPath(import.meta.url));
const GROUP = "policies.portcullis.dev/v1";
const POLICIES = `/apis/${GROUP}/validatingadmissionpolicies`;

function readKit(name: string): string {
  return readFileSync(path.join(here, "../../../webhook", name), "utf8");
}

function documentsOf(text: string): Json[] {
  return decodeDocuments(text, {}).map(({ document }) => {
    if (document.error !== undefined) throw new Error(document.error);
    return toPlain(document.value);
  });
}

const RULES = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"], scope: "*" }];

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
  for (const crd of documentsOf(readKit("deploy/old-clusters/0-crds.yaml"))) {
    await cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict", crd);
  }
  await eventually(async () => expect((await cluster.send("GET", `/apis/${GROUP}`)).resources).toHaveLength(3));
});
afterEach(() => cluster.stop());

function addPolicy(spec: object): Promise<Json> {
  const policy = { apiVersion: GROUP, kind: "ValidatingAdmissionPolicy", metadata: { name: "p" }, spec };
  return cluster.send("POST", `${POLICIES}?fieldValidation=Strict`, policy);
}

test("the CRDs accept all fields of policies and refuse others", async () => {
  const selector = { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }], matchLabels: { c: "d" } };
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConstraints: {
      resourceRules: [{ ...RULES[0], resourceNames: ["x"], scope: "Namespaced" }],
      excludeResourceRules: RULES,
      namespaceSelector: selector,
      objectSelector: selector,
      matchPolicy: "Exact",
    },
    matchConditions: [{ name: "c", expression: "true" }],
    variables: [{ name: "v", expression: "1" }],
    validations: [{ expression: "true", message: "m", messageExpression: "'m'", reason: "Forbidden" }],
    auditAnnotations: [{ key: "k", valueExpression: "'v'" }],
    failurePolicy: "Ignore",
  };
  expect((await addPolicy(spec)).spec).toEqual(spec);
  expect(await addPolicy({ ...spec, validation: [] })).toMatchObject({ code: 400 });
  expect(await addPolicy({ ...spec, failurePolicy: "No" })).toMatchObject({ code: 422 });
  const binding = {
    policyName: "p",
    paramRef: { selector, namespace: "n", parameterNotFoundAction: "Allow" },
    matchResources: spec.matchConstraints,
    validationActions: ["Deny", "Audit"],
  };
  const made = await cluster.send("POST", `/apis/${GROUP}/validatingadmissionpolicybindings?fieldValidation=Strict`, {
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "b" },
    spec: binding,
  });
  expect(made.spec).toEqual(binding);
});

describe.each([{ auditOnly: false }, { auditOnly: true }])("auditOnly $auditOnly", ({ auditOnly }) => {
  test("policies of the CRDs are applied", async () => {
    await addPolicy({ matchConstraints: { resourceRules: RULES }, ...NEEDS_OK });
    await cluster.create(`/apis/${GROUP}/validatingadmissionpolicybindings`, {
      apiVersion: GROUP,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Deny"] },
    });
    const lines: string[] = [];
    await cluster.startWebhook({ policyApi: GROUP, auditOnly, log: (line) => lines.push(line) });
    expect((await cluster.entry("p")).failurePolicy).toBe(auditOnly ? "Ignore" : "Fail");
    const { allowed, response } = await cluster.admit("p");
    expect(allowed).toBe(auditOnly);
    const message = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no ok";
    if (auditOnly) {
      expect(response.auditAnnotations.would_deny).toContain(message);
      expect(lines.join("\n")).toContain("audit: policy p would deny CREATE configmaps default/settings: ");
    } else expect(response.status.message).toContain(message);
    expect((await cluster.admit("p", reviewOf({}, { ok: "1" }))).response.auditAnnotations).toBeUndefined();
  });
});

describe("the manifests for old clusters", () => {
  const plain = (name: string) => readKit(`deploy/${name}`);
  const old = (name: string) => readKit(`deploy/old-clusters/${name}`);

  test("differ from the others only in the API of policies", () => {
    expect(old("2-webhook.yaml").replace(", --policy-api, policies.portcullis.dev/v1]", "]")).toBe(
      plain("2-webhook.yaml"),
    );
    const status =
      /^ {2}- apiGroups: \[policies.portcullis.dev\]\n {4}resources: \[validatingadmissionpolicies\/status\]\n.*\n/m;
    expect(
      old("1-access.yaml").replace(status, "").replace("policies.portcullis.dev", "admissionregistration.k8s.io"),
    ).toBe(plain("1-access.yaml"));
  });
});

describe("the chart", () => {
  const VALUES = {
    ".Release.Namespace": "portcullis-system",
    ".Values.image | quote": '"portcullis:0.2.0"',
    ".Values.replicas": "2",
    ".Values.policyApi": "policies.portcullis.dev/v1",
    ".Values.timeoutSeconds": "10",
    ".Values.auditOnly": "true",
    "toJson .Values.resources": '{"limits":{"memory":"512Mi"}}',
    'splitList "/" .Values.policyApi | first': "policies.portcullis.dev",
  };

  /** As Helm would, for the few expressions that the templates have. */
  function render(name: string): string {
    return readKit(`chart/templates/${name}`).replaceAll(/\{\{ (.*?) \}\}/g, (whole, expression: string) => {
      const value = Object.entries(VALUES).find(([each]) => each === expression)?.[1];
      if (value === undefined) throw new Error(`the chart has another expression: ${whole}`);
      return value;
    });
  }

  test("renders to objects that the API server accepts, with the same names as the manifests", async () => {
    const files = { "a.yaml": render("access.yaml"), "w.yaml": render("webhook.yaml") };
    const { code, stdout } = await runCommand(check, ["@/a.yaml", "@/w.yaml"], files);
    expect(stdout).toMatch(/^\d+ objects, 2 files: 0 errors, 0 warnings\n$/);
    expect(code).toBe(0);
    const namesOf = (texts: readonly string[]) =>
      texts.flatMap(documentsOf).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const manifests = ["1-access.yaml", "2-webhook.yaml"].map((name) => readKit(`deploy/${name}`));
    expect(namesOf(Object.values(files))).toEqual(
      namesOf(manifests).filter((each) => each !== "Namespace portcullis-system"),
    );
  });

  test("has the CRDs and the version of the package", () => {
    expect(readKit("chart/crds/policies.yaml")).toBe(readKit("deploy/old-clusters/0-crds.yaml"));
    const { version } = JSON.parse(readKit("package.json"));
    expect(readKit("chart/Chart.yaml")).toContain(`version: ${version}\nappVersion: ${version}\n`);
    expect(readKit("chart/values.yaml")).toContain(`image: portcullis:${version}\n`);
  });
});
