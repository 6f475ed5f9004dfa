import { readFileSync } from "node:fs";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { check } from "../commands/check.ts";
import { runCommand, WIDGET_CRD } from "../commands/commands.testing.ts";

/** Every type of finding: errors, a ratcheted one, a warning, a suppressed one, JSON, a syntax error, other YAML. */
const FILES = {
  "crds/widget.yaml": WIDGET_CRD,
  "deploy/broken.yaml": `apiVersion: example.com/v1
kind: Widget
metadata:
  name: broken
  namespace: shop
spec:
  size: 11
  sizee: 1
`,
  "deploy/accepted.yaml": `apiVersion: example.com/v1
kind: Widget
metadata: {name: accepted}
spec:
  size: 12 # portcullis: ignore schema/maximum the old machines have 12
`,
  "deploy/kept.yaml": `apiVersion: example.com/v1
kind: Widget
metadata: {name: kept}
spec: {size: 13, mode: b}
`,
  "live/kept.yaml": `apiVersion: example.com/v1
kind: Widget
metadata: {name: kept, namespace: default}
spec: {size: 13, mode: a}
`,
  "deploy/pod.json": `{
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {"name": "p"},
  "spec": {
    "containers": [
      {"name": "c", "image": "i", "ports": [{"containerPort": 99999}]}
    ]
  }
}
`,
  "deploy/twice.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: twice
data:
  a: "1"
  a: "2"
`,
  "deploy/other.yaml": `apiVersion: unknown.example.com/v1
kind: Gadget
metadata: {name: g}
`,
  "deploy/syntax.yaml": "apiVersion: v1\nkind: ConfigMap\ndata: [\n",
  "deploy/values.yaml": "replicas: 3\n",
};

const ARGS = ["@/deploy", "@/crds", "--old", "@/live"];

/** Findings in a file without objects are identified by the file's path, which differs in every run. */
function steady(text: string): string {
  return text.replace(/(syntax\.yaml[\s\S]*?(?:"fingerprint"|"portcullis\/v1"): ")[0-9a-f]{12}/, "$1000000000000");
}

describe("the same report in every format", () => {
  test.each(["text", "json", "junit", "sarif", "github", "markdown"])("%s", async (format) => {
    const { code, stdout, stderr } = await runCommand(check, [...ARGS, "-o", format], FILES);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    await expect(steady(stdout)).toMatchFileSnapshot(`golden/check.${format}`);
  });

  test("several formats can be written at once, one of them to standard output", async () => {
    const args = [...ARGS, "-o", "github", "-o", "json=@/report.json", "-o", "text=@/report.txt"];
    const folder = scratchFolder();
    const { stdout } = await runCommand(check, args, FILES, { folder });
    const clean = (file: string): string =>
      steady(readFileSync(`${folder}/${file}`, "utf8").replaceAll(`${folder}/`, ""));
    await expect(stdout).toMatchFileSnapshot("golden/check.github");
    await expect(clean("report.json")).toMatchFileSnapshot("golden/check.json");
    await expect(clean("report.txt")).toMatchFileSnapshot("golden/check.text");
  });

  test("colours are used on terminals only", async () => {
    const { stdout } = await runCommand(check, ARGS, FILES, { color: true });
    await expect(stdout).toMatchFileSnapshot("golden/check.ansi");
  });
});

test("every finding has a file, a line and a column, in JSON documents too", async () => {
  const { stdout } = await runCommand(check, [...ARGS, "-o", "json"], FILES);
  const { findings, suppressed } = JSON.parse(stdout);
  expect([...findings, ...suppressed].length).toBeGreaterThan(7);
  for (const { file, range } of [...findings, ...suppressed]) {
    expect(file).not.toBe("");
    expect(range.start.line).toBeGreaterThan(0);
    expect(range.start.column).toBeGreaterThan(0);
  }
});
