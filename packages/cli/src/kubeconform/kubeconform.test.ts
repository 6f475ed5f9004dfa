import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands/commands.testing.ts";
import { kubeconform } from "../commands/kubeconform.ts";
import { parseFlags } from "./flags.ts";
import { fillTemplate } from "./schemas.ts";

/** The files that kubeconform v0.8.0 was given when golden/ was recorded, with `-n 1 -verbose -summary -strict`. */
const FILES = {
  "files/a-valid.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: one
  namespace: shop
data: {a: b}
---
apiVersion: v1
kind: ConfigMap
metadata:
  generateName: two-
`,
  "files/b-list.yaml": `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ServiceAccount
  metadata: {name: first}
- apiVersion: v1
  kind: ServiceAccount
  metadata: {name: second}
`,
  "files/c-empty.yaml": "# only a comment\n",
  "files/d-no-kind.yaml": "apiVersion: v1\nmetadata: {name: x}\n",
  "files/e-no-version.yaml": "kind: ConfigMap\nmetadata: {name: x}\n",
  "files/f-unknown.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n",
  "files/g-skipped.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: skipped}\n",
  "files/h-rejected.yaml": `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: "re<j>ec&ted"}\n`,
  "files/sub/i.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"json"}}`,
  "files/readme.txt": "not kubernetes",
};

const REJECT = ["-skip", "Service", "-reject=rbac.authorization.k8s.io/v1/Role"];

describe("what kubeconform printed", () => {
  test.each(["json", "text", "pretty", "tap", "junit"])("%s", async (format) => {
    const args = ["-n", "1", "-verbose", "--summary", "-output", format, ...REJECT, "-strict", "@/files"];
    const { code, stdout, stderr } = await runCommand(kubeconform, args, FILES);
    const golden = readFileSync(new URL(`golden/${format}`, import.meta.url), "utf8");
    expect(stdout.replace(/(<testsuites name="kubeconform" time=")[^"]*/, "$10")).toBe(golden);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  });

  test("standard input is read", async () => {
    const files = { "-": FILES["files/a-valid.yaml"] };
    expect(await runCommand(kubeconform, ["-summary", "-"], files)).toEqual({
      code: 0,
      stderr: "",
      stdout: "Summary: 2 resources found parsing stdin - Valid: 2, Invalid: 0, Errors: 0, Skipped: 0\n",
    });
  });

  test("missing schemas may be skipped", async () => {
    const args = ["-ignore-missing-schemas", "-verbose", "@/files/f-unknown.yaml"];
    expect(await runCommand(kubeconform, args, FILES)).toEqual({
      code: 0,
      stderr: "",
      stdout: "files/f-unknown.yaml - w Widget skipped\n",
    });
  });

  test("no schema is found for what Kubernetes or a CRD does not serve", async () => {
    const files = {
      "crd.yaml": WIDGET_CRD,
      "w.yaml": "apiVersion: example.com/v2\nkind: Widget\nmetadata: {name: w}\n",
      "d.yaml": "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: d}\n",
    };
    const { code, stdout } = await runCommand(kubeconform, ["@/w.yaml", "@/d.yaml", "@/crd.yaml"], files);
    expect({ code, stdout: stdout.split("\n").toSorted() }).toEqual({
      code: 1,
      stdout: [
        "",
        "d.yaml - Deploymnt d failed validation: could not find schema for Deploymnt",
        "w.yaml - Widget w failed validation: could not find schema for Widget",
      ],
    });
  });

  test("files whose path matches a pattern are ignored", async () => {
    const args = ["-summary", "-ignore-filename-pattern", "/[d-h]-", "@/files"];
    expect((await runCommand(kubeconform, args, FILES)).stdout).toContain("5 resources found in 4 files");
  });

  test("a run may stop at the first failure", async () => {
    const { stdout } = await runCommand(kubeconform, ["-exit-on-error", "@/files"], FILES);
    expect(stdout.split("\n")).toHaveLength(2);
  });
});

describe("the API server's verdict", () => {
  const broken = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 11, sizee: 1}\n";

  test("CRDs of a folder are schemas, and messages are the API server's", async () => {
    const args = [
      "-output",
      "json",
      "-strict",
      "-schema-location",
      "default",
      "-schema-location",
      "@/crds",
      "@/w.yaml",
    ];
    const { code, stdout } = await runCommand(kubeconform, args, { "w.yaml": broken, "crds/crd.yaml": WIDGET_CRD });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).resources).toEqual([
      {
        filename: "w.yaml",
        kind: "Widget",
        name: "w",
        version: "example.com/v1",
        status: "statusInvalid",
        msg: 'unknown field "spec.sizee"; spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
        validationErrors: [
          { path: "/spec/sizee", msg: 'unknown field "spec.sizee"' },
          {
            path: "/spec/size",
            msg: "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
          },
        ],
      },
    ]);
  });

  test("without -strict unknown fields are accepted", async () => {
    const files = { "w.yaml": broken.replace("11", "1"), "crds/crd.yaml": WIDGET_CRD };
    expect((await runCommand(kubeconform, ["-schema-location", "@/crds", "@/w.yaml"], files)).code).toBe(0);
  });

  test("a local template may lead to JSON schemas made from CRDs", async () => {
    const schema = {
      type: "object",
      properties: {
        spec: { type: "object", additionalProperties: false, properties: { size: { type: "integer", maximum: 10 } } },
      },
    };
    const files = { "w.yaml": broken, "s/example.com/widget_v1.json": JSON.stringify(schema) };
    const template = "@/s/{{ .Group }}/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json";
    const { stdout } = await runCommand(kubeconform, ["-strict", "-schema-location", template, "@/w.yaml"], files);
    expect(stdout).toBe(
      'w.yaml - Widget w is invalid: unknown field "spec.sizee"; spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10\n',
    );
  });

  test("URLs are not fetched, which is reported", async () => {
    const { code, stderr } = await runCommand(
      kubeconform,
      ["-schema-location", "https://example.com/x", "@/files/sub/i.json"],
      FILES,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "portcullis: https://example.com/x is ignored; built-in kinds are always known\n",
    });
  });
});

// biome-ignore format: a table
test.each([
  { args: ["-nope"], says: "flag provided but not defined: -nope" },
  { args: ["-output"], says: "flag needs an argument: -output" },
  { args: ["-strict=maybe"], says: 'invalid boolean value "maybe" for -strict: parse error' },
  { args: ["-n", "x"], says: 'invalid value "x" for flag -n: parse error' },
  { args: ["-kubernetes-version", "1.18"], says: 'invalid value "1.18" for flag -kubernetes-version: 1.18 is not a valid version. Valid values are "master" (default) or full version x.y.z (e.g. "1.27.2")' },
  { args: ["---x"], says: "bad flag syntax: ---x" },
  { args: ["-output", "xml", "x"], says: "'outputFormat' must be 'json', 'junit', 'pretty', 'tap' or 'text'" },
])("$args is refused with 1", async ({ args, says }) => {
  const { code, stderr } = await runCommand(kubeconform, args, {});
  expect(code).toBe(1);
  expect(stderr.split("\n")[0]).toBe(says);
});

test("the first argument that is not a flag ends the flags", () => {
  expect(parseFlags(["-strict", "a.yaml", "-summary"])).toMatchObject({
    strict: true,
    summary: false,
    files: ["a.yaml", "-summary"],
  });
});

test("templates are filled as kubeconform fills them", () => {
  const template =
    "{{ .NormalizedKubernetesVersion }}-standalone{{.StrictSuffix}}/{{ .ResourceKind }}{{ .KindSuffix }}.json";
  const options = { kubernetesVersion: "1.33.0", strict: true };
  expect(fillTemplate(template, "apps/v1", "Deployment", options)).toBe(
    "v1.33.0-standalone-strict/deployment-apps-v1.json",
  );
  expect(fillTemplate(template, "v1", "Service", { kubernetesVersion: "master", strict: false })).toBe(
    "master-standalone/service-v1.json",
  );
});

test("text that is not YAML gets kubeconform's message", async () => {
  const { stdout } = await runCommand(kubeconform, ["@/broken.yaml"], { "broken.yaml": "a: [b\n" });
  expect(stdout).toBe(
    "broken.yaml - failed validation: error unmarshalling resource: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'\n",
  );
});
