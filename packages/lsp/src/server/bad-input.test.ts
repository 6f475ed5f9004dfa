/** What editors send while people work: texts that cannot be read, files that are not manifests, and too much of both. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { FindingData } from "../diagnostics/convert.ts";
import { CRD, FILES, startEditor, WIDGET, writeWorkspace } from "./workspace.testing.ts";

const FILE = "deploy/widget.yaml";
const BAD = WIDGET.replace("size: 3", "size: 30");

function shown(diagnostics: readonly { readonly data?: unknown }[], isStale: boolean): string[] {
  return diagnostics
    .map(({ data }) => data as FindingData)
    .filter((data) => data.isStale === isStale)
    .map(({ rule }) => rule);
}

// biome-ignore format: a table
test.each([
  { name: "half a key",             edit: ["  mode: fast\n", "  mo\n"] },
  { name: "a tab",                  edit: ["  mode: fast\n", "\tmode: fast\n"] },
  { name: "an open quote",          edit: ["mode: fast", 'mode: "fast'] },
  { name: "an open bracket",        edit: ["mode: fast", "mode: [fast"] },
  { name: "merge conflict markers", edit: ["  mode: fast\n", "<<<<<<< HEAD\n  mode: fast\n=======\n  mode: slow\n>>>>>>> other\n"] },
])("$name keeps the last answer and marks it as stale", async ({ edit: [before = "", after = ""] }) => {
  const editor = await startEditor(FILES);
  await editor.open(FILE, BAD);
  expect(shown(await editor.diagnostics(FILE), false)).toEqual(["schema/maximum"]);
  await editor.replace(FILE, before, after);
  const broken = await editor.diagnostics(FILE);
  expect(shown(broken, false)).toEqual(["input/syntax"]);
  expect(shown(broken, true)).toEqual(["schema/maximum"]);
  await editor.replace(FILE, after, before);
  const repaired = await editor.diagnostics(FILE);
  expect([shown(repaired, false), shown(repaired, true)]).toEqual([["schema/maximum"], []]);
  expect(editor.errors).toEqual([]);
});

test("stale findings move with their lines, and go with them", async () => {
  const editor = await startEditor(FILES);
  await editor.open(FILE, BAD);
  const [before] = await editor.diagnostics(FILE);
  await editor.replace(FILE, "metadata:\n", "# one\n# two\nmetadata: [\n");
  const moved = (await editor.diagnostics(FILE)).find(({ data }) => (data as FindingData).isStale);
  expect(moved?.range.start.line).toBe((before?.range.start.line ?? 0) + 2);
  await editor.replace(FILE, "size: 30", "size: 29");
  expect(shown(await editor.diagnostics(FILE), true)).toEqual([]);
});

test("a CRD that breaks while it is open still counts, and its objects say so", async () => {
  const editor = await startEditor(FILES);
  await editor.open("crds/widget.yaml", CRD);
  await editor.open(FILE, BAD);
  expect(shown(await editor.settled(FILE), false)).toEqual(["schema/maximum"]);
  await editor.replace("crds/widget.yaml", "maximum: 10", "maximum: 20");
  await editor.settled("crds/widget.yaml");
  await editor.replace("crds/widget.yaml", "  group: example.com\n", "  group: example.com\n {{{\n");
  await editor.settled("crds/widget.yaml");
  const stale = await editor.settled(FILE);
  expect(stale.map(({ message }) => String(message).split("\n")[0])).toEqual([
    "spec.size: Invalid value: 30: spec.size in body should be less than or equal to 20",
    "checked with the last readable version of widgets.example.com; crds/widget.yaml cannot be read now",
  ]);
  await editor.replace("crds/widget.yaml", " {{{\n", "");
  await editor.replace("crds/widget.yaml", "maximum: 20", "maximum: 40");
  await editor.settled("crds/widget.yaml");
  expect(await editor.settled(FILE)).toEqual([]);
});

test("a CRD that appears, changes and disappears on disk changes what objects of its kind get", async () => {
  const editor = await startEditor({ [FILE]: BAD });
  await editor.open(FILE, BAD);
  expect(shown(await editor.settled(FILE), false)).toEqual(["schema/not-found"]);
  const crd = path.join(editor.root, "crds/widget.yaml");
  mkdirSync(path.dirname(crd));
  const changed = async (text: string): Promise<void> => {
    writeFileSync(crd, text);
    await editor.notify("workspace/didChangeWatchedFiles", {
      changes: [{ uri: editor.uriOf("crds/widget.yaml"), type: 2 }],
    });
    await editor.edit(FILE, 0, 0, " ");
    await editor.edit(FILE, 0, 1, "");
  };
  await changed(CRD);
  expect(shown(await editor.settled(FILE), false)).toEqual(["schema/maximum"]);
  await changed(CRD.replace("maximum: 10", "maximum: 50"));
  expect(await editor.settled(FILE)).toEqual([]);
});

test("a text that is closed and opened again at once is checked as it is in the editor", async () => {
  const editor = await startEditor({ ...FILES, [FILE]: WIDGET });
  for (let round = 0; round < 5; round++) {
    await editor.open(FILE, BAD);
    expect(shown(await editor.diagnostics(FILE), false)).toEqual(["schema/maximum"]);
    await editor.close(FILE);
  }
  await editor.open(FILE, WIDGET);
  expect(await editor.settled(FILE)).toEqual([]);
});

test("a file of 50 MB is not checked, and says so at once", async () => {
  const editor = await startEditor(FILES);
  const huge = `${WIDGET}# ${"x".repeat(50_000_000)}\n`;
  const start = performance.now();
  await editor.open(FILE, huge);
  const [note] = await editor.diagnostics(FILE);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(note?.message).toContain("larger than 5 MB");
  expect(await editor.complete(FILE, "size: ‸3")).toEqual([]);
  expect(await editor.hover(FILE, "si‸ze: 3")).toBe("");
});

// biome-ignore format: a table
test.each([
  { name: "a binary file",            text: "\u0000\u0001\ufffd\ufffdPK\u0003\u0004".repeat(1000), rules: [] },
  { name: "a binary file with kinds", text: "apiVersion: v1\nkind: Pod\n\u0000\u0001", rules: ["input/syntax"] },
  { name: "deep nesting",             text: `apiVersion: v1\nkind: Pod\nspec: ${"[".repeat(20_000)}`, rules: ["input/syntax"] },
  { name: "an alias bomb",            text: `apiVersion: v1\nkind: ConfigMap\na: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghij"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[at]}`)}]`).join("\n")}\n`, rules: ["input/syntax"] },
  { name: "a key of the prototype",   text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n__proto__:\n  x: y\nconstructor: 1\n", rules: ["field/unknown", "field/unknown"] },
  { name: "only separators",          text: "---\n---\n---\n", rules: [] },
  { name: "nothing",                  text: "", rules: [] },
])("$name", async ({ text, rules }) => {
  const editor = await startEditor(FILES);
  await editor.open("deploy/odd.yaml", text);
  expect(shown(await editor.diagnostics("deploy/odd.yaml"), false)).toEqual(rules);
  // Every request is answered.
  const at = { textDocument: { uri: editor.uriOf("deploy/odd.yaml") }, position: { line: 1, character: 2 } };
  for (const method of ["completion", "hover", "signatureHelp", "definition", "prepareRename"]) {
    await editor.request(`textDocument/${method}`, at);
  }
  expect(await editor.lenses("deploy/odd.yaml")).toEqual([]);
  expect(editor.errors).toEqual([]);
});

test("a chart and a patch are not objects", async () => {
  const files = {
    "chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
    "chart/templates/a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.name }}}\n",
    "k/kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n",
    "k/p.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}\n",
  };
  const editor = await startEditor(files);
  for (const file of ["chart/templates/a.yaml", "k/p.yaml"] as const) {
    await editor.open(file, files[file]);
    expect(await editor.diagnostics(file)).toEqual([]);
  }
});

test("a text that has not been saved, and one outside of the workspace, are checked by themselves", async () => {
  const editor = await startEditor(FILES);
  await editor.open("untitled:Untitled-1", "apiVersion: v1\nkind: Pod\nmetadata: {name: A}\n");
  expect(shown(await editor.diagnostics("untitled:Untitled-1"), false)).toContain("validation/name");
  await editor.open("../elsewhere.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: A}\n");
  expect(shown(await editor.diagnostics("../elsewhere.yaml"), false)).toContain("validation/name");
});

test("a workspace of 20,000 files does not keep requests waiting", async () => {
  const root = writeWorkspace(FILES);
  for (let folder = 0; folder < 200; folder++) {
    mkdirSync(path.join(root, `many/${folder}`), { recursive: true });
    for (let file = 0; file < 100; file++) {
      const name = `w-${folder}-${file}`;
      writeFileSync(path.join(root, `many/${folder}/${file}.yaml`), WIDGET.replace("name: one", `name: ${name}`));
    }
  }
  const editor = await startEditor(FILES, { root, waits: false });
  await editor.open(FILE, BAD);
  let [longest, answers, isReady] = [0, 0, false];
  const ready = editor.ready().then(() => {
    isReady = true;
  });
  while (!isReady) {
    const start = performance.now();
    await editor.hover(FILE, "si‸ze: 30");
    longest = Math.max(longest, performance.now() - start);
    answers++;
  }
  await ready;
  expect(answers).toBeGreaterThan(10);
  // On a machine that does nothing else it is a few slices of 12 ms.
  expect(longest).toBeLessThan(2000);
  await editor.replace(FILE, "size: 30", "size: 31");
  expect(shown(await editor.settled(FILE), false)).toEqual(["schema/maximum"]);
});
