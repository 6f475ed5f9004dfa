/** The recipes of CONTRIBUTING, followed: their diffs are applied to a copy of the sources, and the result is run. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { WIDGET_CRD, writeFiles } from "../commands/commands.testing.ts";
import { ROOT } from "../commands/processes.testing.ts";

const scratch = sharedFolder();
const text = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
const recipes = text.slice(text.indexOf("\n## Recipes"), text.indexOf("\n## Changes")).split(/^### /m).slice(1);
const program = path.join(scratch, "cli/portcullis.mjs");

/** All recipes together: they must not get in each other's way. */
beforeAll(async () => {
  copySources();
  for (const recipe of recipes) for (const [file, diff] of diffsOf(recipe)) applyDiff(path.join(scratch, file), diff);
  await build({
    entryPoints: { portcullis: path.join(scratch, "packages/cli/src/main.ts") },
    outdir: path.dirname(program),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    nodePaths: [path.join(ROOT, "node_modules")],
    external: ["libsql"],
    logLevel: "error",
  });
}, 120_000);

function copySources(): void {
  mkdirSync(path.join(scratch, "node_modules/@portcullis"), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, "packages"))) {
    const from = path.join(ROOT, "packages", name);
    const to = path.join(scratch, "packages", name);
    if (!existsSync(path.join(from, "src")) || name === "playground") continue;
    cpSync(path.join(from, "src"), path.join(to, "src"), { recursive: true });
    cpSync(path.join(from, "package.json"), path.join(to, "package.json"));
    if (name !== "cli") symlinkSync(to, path.join(scratch, "node_modules/@portcullis", name), "junction");
  }
}

function diffsOf(recipe: string): [file: string, diff: string][] {
  const blocks = recipe.matchAll(/^```diff title=(\S+)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, file = "", diff = ""]) => [file, diff]);
}

/** Lines of context and removed lines must be there, once, one after the other. */
function applyDiff(file: string, diff: string): void {
  const lines = diff.trimEnd().split("\n");
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const [before, after] = [side("-"), side("+")];
  const old = before === "" ? "" : readFileSync(file, "utf8");
  if (before !== "") expect(old.split(before), `${file} has\n${before}`).toHaveLength(2);
  writeFileSync(file, before === "" ? after : old.replace(before, () => after));
}

function portcullis(...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: scratch, encoding: "utf8" });
  return stdout + stderr;
}

test("every file that a recipe names is there", () => {
  expect(recipes.map((each) => each.split("\n")[0])).toEqual([
    "Add a string format",
    "Add an upgrade rule",
    "Add an output format",
    "Add a storage driver",
    "Add a Kubernetes version",
    "Add a CEL function",
    "Add a rule of a built-in kind",
  ]);
  const named = recipes.join("").matchAll(/`((?:packages|conformance)\/[\w./-]+)`/g);
  for (const [, file = ""] of named) expect(existsSync(path.join(ROOT, file)), file).toBe(true);
});

test("the new string format is enforced", () => {
  const crd = WIDGET_CRD.replace("size: {type: integer, maximum: 10}", "size: {type: string, format: even-length}");
  expect(crd).not.toBe(WIDGET_CRD);
  const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: abc}\n";
  writeFiles(scratch, { "format/crd.yaml": crd, "format/w.yaml": widget });
  expect(portcullis("check", "format")).toContain("must be of type even-length");
});

test("the new upgrade rule is reported and explained", () => {
  const column = "    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]\n";
  const old = WIDGET_CRD.replace("    schema:\n", `${column}    schema:\n`);
  const next = old.replace("jsonPath: .spec.size", "jsonPath: .spec.size, priority: 1");
  writeFiles(scratch, { "old.yaml": old, "next.yaml": next });
  expect(portcullis("crd", "diff", "old.yaml", "next.yaml")).toContain("upgrade/column-hidden");
  expect(portcullis("explain", "column-hidden")).toContain("a column is only in wide output");
});

test("the new CEL function is evaluated and documented", () => {
  expect(portcullis("cel", "'1 2 3'.countMatches('[0-9]')")).toBe("3  (int, cost 2)\n");
  expect(portcullis("cel", "--functions", "countMatches")).toContain("returns the number of matches of an RE2 pattern");
});

test("the new output format is listed in help and prints", () => {
  expect(portcullis("help", "check").replaceAll(/\s+/g, " ")).toContain("markdown or quickfix");
  const service = "apiVersion: v1\nkind: Service\nmetadata: {name: w}\nspec: {prts: []}\n";
  writeFiles(scratch, { "service.yaml": service });
  expect(portcullis("check", "service.yaml", "-o", "quickfix")).toContain('service.yaml:4: unknown field "spec.prts"');
});
