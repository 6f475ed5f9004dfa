import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { writeFiles } from "../commands/commands.testing.ts";
import { bundleCommandLine, hasBash, ROOT } from "../commands/processes.testing.ts";
import { matchesOutput, type Page, readPage, type Step } from "./page.testing.ts";

const scratch = sharedFolder();
const NAMES = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll(path.sep, "/")}`),
  "examples/policies/README.md",
  ...["cel", "checker", "cli", "engine", "gostd", "playground", "server", "webhook"].map(
    (name) => `packages/${name}/README.md`,
  ),
];
const PAGES = NAMES.map((name) => readPage(name, readFileSync(path.join(ROOT, name), "utf8")));

/** Runs many processes in sequence, perhaps on a busy machine. */
const LIMIT_MS = 900_000;

/** `portcullis` on the path is the published command line. */
beforeAll(() => {
  const program = bundleCommandLine(path.join(scratch, "bundle"));
  mkdirSync(path.join(scratch, "bin"));
  const shim = path.join(scratch, "bin/portcullis");
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(shim, 0o755);
}, LIMIT_MS);

test("the files that the README shows are in examples/widget", () => {
  const { files = {} } = PAGES.find(({ name }) => name === "README.md") ?? {};
  expect(Object.keys(files)).toEqual(["crds/widget.yaml", "widget.yaml"]);
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(path.join(ROOT, "examples/widget", name), "utf8")).toBe(text);
});

function folderOf(page: Page): string {
  const folder = path.join(scratch, page.name.replaceAll(/\W/g, "-"));
  mkdirSync(folder);
  cpSync(path.join(ROOT, "examples"), path.join(folder, "examples"), { recursive: true });
  writeFiles(folder, page.files);
  return folder;
}

function shell(command: string, cwd: string) {
  const env = { PATH: `${scratch}/bin:${process.env["PATH"]}`, HOME: cwd, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
  const result = spawnSync("bash", ["-c", `exec 2>&1\n${command}`], { cwd, env, encoding: "utf8" });
  return { text: result.stdout.trimEnd(), status: result.status ?? 1 };
}

async function runProgram(text: string, cwd: string, name: string): Promise<void> {
  const source = path.join(cwd, `${name}.ts`);
  const program = path.join(cwd, `${name}.mjs`);
  writeFileSync(source, text);
  await build({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    nodePaths: [path.join(ROOT, "node_modules")],
    external: ["libsql"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  const { text: output, status } = shell(`"${process.execPath}" "${program}"`, cwd);
  expect(output, "a program of the page failed").toSatisfy(() => status === 0);
}

function runScript(script: string, cwd: string): void {
  const { text, status } = shell(`set -e\n${script}`, cwd);
  expect(text.slice(-2000), script).toSatisfy(() => status === 0);
}

async function runStep(step: Step, cwd: string, last: number): Promise<number> {
  if (step.kind !== "console") {
    if (step.kind === "ts") await runProgram(step.text, cwd, `program-${step.line}`);
    else runScript(step.text, cwd);
    return 0;
  }
  const { text, status } = shell(step.command.replaceAll("$?", String(last)), cwd);
  if (!matchesOutput(step.output, text)) expect(`$ ${step.command}\n${text}`).toBe(`$ ${step.command}\n${step.output}`);
  return status;
}

// The commands are written for a Unix shell, which Windows may lack.
describe.skipIf(!hasBash)("what the documentation shows is what happens", () => {
  test.each(PAGES.filter(({ steps }) => steps.length > 0))(
    "$name",
    async (page) => {
      const folder = folderOf(page);
      let status = 0;
      for (const step of page.steps) status = await runStep(step, folder, status);
    },
    LIMIT_MS,
  );
});

test("blocks that are not run have a reason, and most blocks are run", () => {
  const run = PAGES.reduce((sum, { steps }) => sum + steps.length, 0);
  const notRun = PAGES.flatMap((page) => page.notRun);
  expect(notRun.every(({ reason }) => reason.length > 10)).toBe(true);
  expect(run).toBeGreaterThan(2 * notRun.length);
});

test("links between pages are not broken", () => {
  for (const name of NAMES) {
    const text = readFileSync(path.join(ROOT, name), "utf8").replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, "");
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      expect(() => readdirOrFile(path.join(ROOT, path.dirname(name), target)), `${name}: ${target}`).not.toThrow();
    }
  }
});

function readdirOrFile(target: string): void {
  try {
    readFileSync(target);
  } catch {
    readdirSync(target);
  }
}
