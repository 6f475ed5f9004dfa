import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { WIDGET_CRD, writeFiles } from "../commands/commands.testing.ts";
import { ROOT } from "../commands/processes.testing.ts";
import { run } from "../commands/run.ts";

const scratch = sharedFolder();
const bundle = path.join(ROOT, "packages/cli/dist/bundle/portcullis.js");

function read(name: string): string {
  return readFileSync(path.join(ROOT, name), "utf8");
}

function yaml(name: string): ReturnType<typeof JSON.parse> {
  const decoded = decodeYaml(read(name));
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return toPlain(decoded.value);
}

test("the files that the Dockerfile copies exist and are part of its context", () => {
  const text = read("Dockerfile");
  const copies = [...text.matchAll(/^COPY (?!--from)(.+)$/gm)].map(([, words = ""]) => words.trim().split(" "));
  expect(copies.length).toBeGreaterThan(3);
  for (const source of copies.flatMap((words) => words.slice(0, -1)))
    expect(existsSync(path.join(ROOT, source)), source).toBe(true);
  const { workspaces } = JSON.parse(read("package.json"));
  for (const name of workspaces.filter((each: string) => !each.includes("*")))
    expect(text).toContain(`COPY ${name}/package.json`);
  expect(text).toMatch(/^USER portcullis$/m);
  const copied = copies.flatMap((words) => words.slice(0, -1));
  for (const script of ["tools/setup.mjs", "tools/bundle-cli.mjs", "packages/playground/build.mjs"]) {
    for (const needed of foldersOf(read(script)))
      expect(
        copied.some((each) => `${needed}/`.startsWith(`${each}/`)),
        `${script} needs ${needed}`,
      ).toBe(true);
  }
});

/** What a script reads and writes below the repository root, except for files it creates itself. */
function foldersOf(script: string): string[] {
  const joined = [...script.matchAll(/path\.join\(root, ((?:"[^"]+"(?:, )?)+)/g)].map(([, parts = ""]) =>
    [...parts.matchAll(/"([^"]+)"/g)].map(([, part]) => part).join("/"),
  );
  return joined.filter((each) => !each.startsWith("node_modules"));
}

test("hooks run existing scripts with known options", async () => {
  for (const { id, entry, language } of yaml(".pre-commit-hooks.yaml")) {
    const [script = "", ...words] = entry.split(" ");
    expect(language).toBe("script");
    expect(statSync(path.join(ROOT, script)).mode & 0o100, id).toBe(0o100);
    const help = await helpOf(words.filter((word: string) => !word.startsWith("-")));
    for (const option of words.filter((word: string) => word.startsWith("-"))) expect(help).toContain(option);
  }
});

async function helpOf(command: readonly string[]): Promise<string> {
  let help = "";
  const io = {
    stdout: (text: string) => {
      help += text;
    },
    stderr: () => {},
    stdin: () => "",
    color: false,
  };
  expect(await run(["help", ...command], io), command.join(" ")).toBe(0);
  return help;
}

test("the commands that the action names write the files it expects", async () => {
  const { description } = yaml("action.yml").inputs.command;
  const commands: string[] = description.split(/, | or /);
  expect(commands).toContain("check");
  for (const command of commands) {
    const outputs = /--output FORMAT\S* (.*)/.exec(await helpOf(command.split(" ")))?.[1] ?? "";
    for (const format of ["text", "github", "sarif"]) expect(outputs, command).toContain(format);
  }
  for (const [, command = ""] of read("docs/ci.md").matchAll(/\| `command` \| (.*) \|/g))
    expect([...command.matchAll(/`([a-z ]+)`/g)].map(([, name]) => name)).toEqual(commands);
});

test("the action passes its inputs through the environment, never through a shell", () => {
  const action = yaml("action.yml");
  const [step] = action.runs.steps;
  expect(action.runs.using).toBe("composite");
  expect(step.run).not.toContain("${{");
  const used = Object.values(step.env).map((value) => /inputs\.(\w+)/.exec(String(value))?.[1]);
  expect(used.filter((name) => name !== undefined)).toEqual(Object.keys(action.inputs));
});

// It runs the published build; `npm test` builds that first, a single test run may not have it.
describe.skipIf(!existsSync(bundle))("the action's script", () => {
  test("annotates, writes SARIF and a summary, and exits as the command does", () => {
    const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 11}\n";
    writeFiles(scratch, { "crds/crd.yaml": WIDGET_CRD, "w.yaml": widget });
    const files = { GITHUB_OUTPUT: path.join(scratch, "output"), GITHUB_STEP_SUMMARY: path.join(scratch, "summary") };
    const inputs = {
      PORTCULLIS_PATHS: "w.yaml crds",
      PORTCULLIS_ARGS: "--field-validation warn",
      PORTCULLIS_SARIF: "out.sarif",
    };
    const { status, stdout } = spawnSync(process.execPath, [path.join(ROOT, "tools/action.mjs")], {
      cwd: scratch,
      encoding: "utf8",
      env: { ...process.env, ...files, ...inputs },
    });
    expect(status).toBe(1);
    expect(stdout).toContain("::error file=w.yaml,line=4,col=14");
    expect(readFileSync(files.GITHUB_OUTPUT, "utf8")).toBe("exit-code=1\n");
    expect(readFileSync(files.GITHUB_STEP_SUMMARY, "utf8")).toContain("2 objects, 2 files: 1 error, 0 warnings");
    expect(JSON.parse(readFileSync(path.join(scratch, "out.sarif"), "utf8")).runs[0].results).toHaveLength(1);
  });
});
