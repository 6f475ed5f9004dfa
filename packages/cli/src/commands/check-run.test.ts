import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { tarGzOf } from "@portcullis/checker/internal/input/archives.testing";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { runCommand, WIDGET_CRD, writeFiles } from "./commands.testing.ts";

const widget = (spec: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: ${spec}\n`;

describe("inputs", () => {
  const files = {
    "a/one.yaml": widget("{size: 11}"),
    "a/b/two.yml": widget("{size: 12}"),
    "a/.hidden/three.yaml": widget("{size: 13}"),
    "a/values.yaml": "x: 1\n",
    "a/half.yaml": "kind: Widget\nmetadata: {name: w}\n",
    "crd.yaml": WIDGET_CRD,
  };

  // biome-ignore format: a table
  test.each([
    { name: "a folder", args: ["@/a", "@/crd.yaml"], found: ["a/b/two.yml", "a/half.yaml", "a/one.yaml"] },
    { name: "a pattern over folders", args: ["@/a/**/*.y*ml", "@/crd.yaml", "--ignore", "@/a/{half,values}.yaml"], found: ["a/b/two.yml", "a/one.yaml"] },
    { name: "a pattern in one folder", args: ["@/a/o*.yaml", "@/crd.yaml"], found: ["a/one.yaml"] },
    { name: "a file that is named twice is read once", args: ["@/a/one.yaml", "@/a/one.yaml", "@/crd.yaml"], found: ["a/one.yaml"] },
    { name: "a named file must contain an object", args: ["@/a/values.yaml"], found: ["a/values.yaml"] },
  ])("$name", async ({ args, found }) => {
    const { stdout } = await runCommand(check, [...args, "-o", "json"], files);
    const all: { file: string; severity: string }[] = JSON.parse(stdout).findings;
    expect(all.filter(({ severity }) => severity === "error").map(({ file }) => file)).toEqual(found);
  });

  test("standard input is reported under a given name", async () => {
    const { stdout } = await runCommand(check, ["-", "@/crd.yaml", "--stdin-filename", "chart.yaml"], {
      ...files,
      "-": widget("{size: 11}"),
    });
    expect(stdout).toContain("chart.yaml:4:14  error  schema/maximum");
    expect(stdout).toContain("4 | spec: {size: 11}");
  });

  test("template syntax is reported as such", async () => {
    const { stdout } = await runCommand(check, ["@/t.yaml"], { "t.yaml": "a: {{ .Values.x }}\nb: [\n" });
    expect(stdout).toContain("= this looks like a template; render it first");
  });
});

describe("unknown kinds", () => {
  // biome-ignore format: a table
  test.each([
    { object: "apiVersion: apps/v1\nkind: Deploymnet\n", hint: "did you mean `Deployment`?" },
    { object: "apiVersion: apps/v1beta1\nkind: Deployment\n", hint: "removed in Kubernetes 1.16; use `apps/v1`" },
    { object: "apiVersion: extensions/v1beta1\nkind: Ingress\n", hint: "removed in Kubernetes 1.22; use `networking.k8s.io/v1`" },
    { object: "apiVersion: example.com/v2\nkind: Widget\n", hint: "Widget is served in `example.com/v1`" },
    { object: "apiVersion: acme.example.org/v1\nkind: Thing\n", hint: "name its CRD with --crds: a file, a folder, an archive, a URL, git:REF:PATH, a catalogue, or kube: for a cluster" },
  ])("$object", async ({ object, hint }) => {
    const { stdout } = await runCommand(check, ["@/o.yaml", "@/crd.yaml"], { "o.yaml": object, "crd.yaml": WIDGET_CRD });
    expect(stdout).toContain(`= ${hint}\n`);
  });

  test("a version that no given CRD serves is refused", async () => {
    const object = "apiVersion: example.com/v2\nkind: Widget\nmetadata: {name: w}\n";
    const second = WIDGET_CRD.replace("name: v1", "name: v2");
    const found = async (files: Record<string, string>, ...args: string[]): Promise<string> => {
      const all = { "o.yaml": object, ...files };
      const { stdout } = await runCommand(check, ["@/o.yaml", ...args, "-o", "json"], all);
      const { findings }: { readonly findings: readonly { rule: string; severity: string }[] } = JSON.parse(stdout);
      return findings
        .filter(({ rule }) => rule !== "input/duplicate-object")
        .map(({ rule, severity }) => `${severity} ${rule}`)
        .join();
    };
    expect(await found({ "crds/a.yaml": WIDGET_CRD }, "@/crds")).toBe("error api/unknown");
    expect(await found({ "crds/a.yaml": WIDGET_CRD }, "--crds", "@/crds")).toBe("error api/unknown");
    const unserved = second.replace("served: true", "served: false");
    expect(await found({ "crds/a.yaml": WIDGET_CRD, "crds/b.yaml": unserved }, "@/crds")).toBe("error api/unknown");
    expect(await found({ "crds/a.yaml": second, "crds/b.yaml": WIDGET_CRD }, "@/crds")).toBe("");
    const other = WIDGET_CRD.replaceAll("example.com", "example.org");
    expect(await found({ "crds/a.yaml": other }, "@/crds")).toBe("warning schema/not-found");
  });
});

test("a CRD does not replace a built-in kind, as in a cluster", async () => {
  const crd = WIDGET_CRD.replaceAll("widgets", "ingresses")
    .replaceAll("example.com", "networking.k8s.io")
    .replaceAll("Widget", "Ingress");
  const object = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: x}\nspec: {size: 1}\n";
  const { stdout } = await runCommand(check, ["@/o.yaml", "@/crd.yaml"], { "o.yaml": object, "crd.yaml": crd });
  expect(stdout).toContain('unknown field "spec.size"');
});

describe("several versions of Kubernetes", () => {
  const crd = (rule: string): string =>
    `${WIDGET_CRD}            x-kubernetes-validations:\n            - rule: ${JSON.stringify(rule)}\n              message: "no"\n`;

  test("common findings are reported once, others with their versions", async () => {
    const files = { "crd.yaml": crd("isSemver('1.0.0')"), "w.yaml": widget("{size: 11}") };
    const { code, stdout } = await runCommand(
      check,
      ["@/crd.yaml", "@/w.yaml", "--kube-version", "v1.31.2,1.36"],
      files,
    );
    expect(code).toBe(1);
    expect(stdout.match(/schema\/maximum/g)).toHaveLength(1);
    expect(stdout).toContain("= only in Kubernetes 1.31\n");
    expect(stdout).toContain("undeclared reference to 'isSemver'");
  });

  test("JSON names the versions", async () => {
    const args = ["@/crd.yaml", "--kube-version", "1.30,1.36", "-o", "json"];
    const report = JSON.parse((await runCommand(check, args, { "crd.yaml": crd("isSemver('1.0.0')") })).stdout);
    expect(report.tool.kubeVersions).toEqual(["1.30", "1.36"]);
    expect(report.findings[0].kubeVersions).toEqual(["1.30"]);
  });
});

test("watching runs again when an input changes, until it is stopped", async () => {
  const folder = scratchFolder();
  const stop = new AbortController();
  const runs: string[] = [];
  let waits = 0;
  const io = {
    folder,
    signal: stop.signal,
    clear: () => runs.push("clear"),
    stdout: (text: string) => {
      runs.push(text.trim().split("\n").at(-1) ?? "");
      if (text.includes("0 errors")) stop.abort();
    },
    // Printed when the watchers are in place and a run is over.
    stderr: (text: string) => {
      if (!text.includes("waiting for changes") || ++waits > 1) return;
      writeFileSync(path.join(folder, "notes.log"), "no input");
      setTimeout(() => {
        // In one step, as editors do it.
        writeFileSync(path.join(folder, "sub/w.new"), widget("{size: 1}"));
        renameSync(path.join(folder, "sub/w.new"), path.join(folder, "sub/w.yaml"));
      }, 300);
    },
  };
  mkdirSync(path.join(folder, "sub"));
  const files = { "crd.yaml": WIDGET_CRD, "sub/w.yaml": widget("{size: 11}") };
  const args = ["@/", "--watch", "-o", "text", "-o", "sarif=@/report.json"];
  const { code } = await runCommand(check, args, files, io);
  expect(code).toBe(0);
  expect(runs.slice(0, 2)).toEqual(["clear", "2 objects, 2 files: 1 error, 0 warnings"]);
  expect(runs.at(-1)).toContain("0 errors, 0 warnings");
  // Neither other files nor the outputs of a run start another run.
  expect(runs.filter((each) => each === "clear")).toHaveLength(2);
});

test("a chart in an archive is skipped, without a command that could not render it", async () => {
  const folder = scratchFolder();
  const chart = { "chart/Chart.yaml": "name: a\n", "chart/templates/a.yaml": "{{ x }}" };
  writeFileSync(path.join(folder, "a.tgz"), tarGzOf({ ...chart, "ok.yaml": CONFIG_MAP }));
  writeFiles(folder, chart);
  const packed = await runCommand(check, ["@/a.tgz"], {}, { folder });
  expect(packed.stdout).toContain("skipped a.tgz/chart: a Helm chart with 2 files\n");
  const unpacked = await runCommand(check, ["@/chart", "--allow-empty"], {}, { folder });
  expect(unpacked.stdout).toContain("a Helm chart with 2 files; `portcullis check --helm ");
});

const CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
