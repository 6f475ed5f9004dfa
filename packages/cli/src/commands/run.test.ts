import { readFileSync } from "node:fs";
import { didYouMean } from "@portcullis/checker/internal/input/suggest";
import { VERSION } from "@portcullis/checker/internal/output/version";
import { describe, expect, test } from "vitest";
import type { Command, CommandEntry, CommandIo } from "../frame/command.ts";
import { parseOptions } from "../frame/options.ts";
import { takeColor, wantsColor, wantsProgress } from "../frame/terminal.ts";
import { TOPICS } from "../frame/topics.ts";
import { run } from "./run.ts";
import { COMMANDS } from "./table.ts";

async function portcullis(...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const io: CommandIo = {
    stdout: (text) => {
      printed.stdout += text;
    },
    stderr: (text) => {
      printed.stderr += text;
    },
    stdin: () => "",
    color: false,
  };
  return { code: await run(args, io), ...printed };
}

async function allCommands(
  entries: readonly CommandEntry[] = COMMANDS,
  path: readonly string[] = [],
): Promise<{ path: readonly string[]; command: Command }[]> {
  const lists = await Promise.all(
    entries.map(async ({ name, load }) => {
      const command = await load();
      return [{ path: [...path, name], command }, ...(await allCommands(command.subcommands ?? [], [...path, name]))];
    }),
  );
  return lists.flat();
}

describe("help", () => {
  test("every command has a page with usage, examples and exit codes, and describes its options", async () => {
    for (const { path, command } of await allCommands()) {
      const { code, stdout } = await portcullis(...path, "--help");
      expect(code, path.join(" ")).toBe(0);
      expect(command.name).toBe(path.at(-1));
      expect(command.summary.length).toBeGreaterThan(10);
      const { manual, subcommands } = command;
      expect(stdout).toContain(`portcullis ${path.join(" ")}`);
      expect(manual.examples.length, path.join(" ")).toBeGreaterThan(0);
      if (subcommands === undefined) expect(stdout).toContain("EXIT CODES");
      for (const [name, spec] of Object.entries(manual.options)) {
        if (spec.isHidden !== true) expect(spec.text, `${path.join(" ")} --${name}`).toMatch(/\w/);
      }
      for (const line of stdout.split("\n").filter((each) => !each.includes("portcullis ")))
        expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test("a page fits the width of the terminal", async () => {
    let text = "";
    await run(["help", "check"], {
      stdout: (each) => {
        text += each;
      },
      stderr: () => {},
      stdin: () => "",
      color: false,
      columns: 70,
    });
    for (const line of text.split("\n").filter((each) => !/portcullis |FORMAT/.test(each)))
      expect(line.length).toBeLessThanOrEqual(70);
  });

  test.each(TOPICS.map(({ name }) => name))("the topic %s has a page", async (name) => {
    const { code, stdout } = await portcullis("help", name);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(100);
  });

  test("the overview names all commands and topics", async () => {
    const { stdout } = await portcullis();
    for (const { name } of [...COMMANDS, ...TOPICS]) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
  });
});

// biome-ignore format: a table
test.each([
  { args: ["chek"], says: "unknown command `chek`; see `portcullis --help`; did you mean `check`?" },
  { args: ["crd", "lnit"], says: "unknown command `crd lnit`; see `portcullis crd --help`; did you mean `lint`?" },
  { args: ["crd"], says: "`crd` needs one of lint, cost, diff, sample, scan" },
  { args: ["check", "--kube-verson", "1.33"], says: "unknown option `--kube-verson`; did you mean `--kube-version`?" },
  { args: ["check", "x.yaml"], says: "`x.yaml`: no such file or folder" },
  { args: ["check", "x/*.yaml"], says: "`x/*.yaml` matches no file" },
  { args: ["check", "-", "-o", "jsn"], says: "unknown output `jsn`; one of text, json, junit, sarif, github, markdown; did you mean `json`?" },
  { args: ["check", "-", "--fail-on", "warnin"], says: "unknown `--fail-on warnin`; one of error, warning, note; did you mean `warning`?" },
  { args: ["check", "-", "--kube-version", "1.29"], says: "unknown Kubernetes version `1.29`; one of 1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37" },
  { args: ["check", "-", "--feature-gates", "CRDValidationRatchetting=true"], says: "unrecognized feature gate: CRDValidationRatchetting; did you mean `CRDValidationRatcheting`?" },
  { args: ["check", "-", "--jobs", "none"], says: "`--jobs none` is not a number from 1 to 64" },
  { args: ["check", "-", "--watch"], says: "standard input cannot be watched" },
  { args: ["help", "exit-code"], says: "no command and no topic `exit-code`; see `portcullis help`; did you mean `exit-codes`?" },
  { args: ["completion", "bsh"], says: "unknown shell `bsh`; one of bash, zsh, fish, powershell; did you mean `bash`?" },
])("$args prints the error and a suggestion", async ({ args, says }) => {
  expect(await portcullis(...args)).toEqual({ code: 2, stdout: "", stderr: `portcullis: ${says}\n` });
});

test("the version equals that of package.json", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(VERSION).toBe(version);
  expect((await portcullis("--version")).stdout).toContain(`portcullis ${version}`);
  expect(JSON.parse((await portcullis("version", "-o", "json")).stdout)).toMatchObject({ version, kubernetes: "1.37" });
});

describe("options", () => {
  const specs = { flag: { type: "boolean" }, text: { type: "string", short: "t" } } as const;

  test("a flag may have the value true or false", () => {
    expect(parseOptions(["--flag=true"], specs).flag("flag")).toBe(true);
    expect(parseOptions(["--flag", "--flag=false"], specs).flag("flag")).toBe(true);
    expect(parseOptions(["--flag=false"], specs).flag("flag")).toBe(false);
    expect(parseOptions(["--", "--flag=false"], specs).positionals).toEqual(["--flag=false"]);
  });

  test("the last value of an option wins", () => {
    expect(parseOptions(["-t", "a", "--text=b"], specs).text("text")).toBe("b");
  });
});

// biome-ignore format: a table
test.each([
  { choice: "auto", env: {}, isTerminal: true, color: true },
  { choice: "auto", env: {}, isTerminal: false, color: false },
  { choice: "auto", env: { NO_COLOR: "1" }, isTerminal: true, color: false },
  { choice: "auto", env: { NO_COLOR: "" }, isTerminal: true, color: true },
  { choice: "auto", env: { TERM: "dumb" }, isTerminal: true, color: false },
  { choice: "auto", env: { FORCE_COLOR: "1" }, isTerminal: false, color: true },
  { choice: "always", env: { NO_COLOR: "1" }, isTerminal: false, color: true },
  { choice: "never", env: { FORCE_COLOR: "1" }, isTerminal: true, color: false },
] as const)("colour for $choice, $env, terminal $isTerminal", ({ choice, env, isTerminal, color }) => {
  expect(wantsColor(choice, { env, isTerminal })).toBe(color);
});

test("--color is removed anywhere before --", () => {
  expect(takeColor(["check", "--color", "never", "x"])).toEqual({ choice: "never", rest: ["check", "x"] });
  expect(takeColor(["--color=always", "--", "--color=never"])).toEqual({
    choice: "always",
    rest: ["--", "--color=never"],
  });
  expect(() => takeColor(["--color=red"])).toThrow("unknown `--color red`");
});

test("a progress line is for terminals only", () => {
  expect(wantsProgress({ env: {}, isTerminal: true })).toBe(true);
  expect(wantsProgress({ env: { CI: "true" }, isTerminal: true })).toBe(false);
  expect(wantsProgress({ env: {}, isTerminal: false })).toBe(false);
});

test("names that are too different are not suggested", () => {
  expect(didYouMean("frobnicate", ["check", "crd"])).toBe("");
  expect(didYouMean("chekc", ["check", "crd"])).toBe("; did you mean `check`?");
});

test.each(["check", "policy eval", "policy test", "crd diff", "crd scan", "preflight", "serve", "webhook"])(
  "no option of %s says twice that it may be repeated",
  async (command) => {
    const { stdout } = await portcullis("help", ...command.split(" "));
    expect(stdout.replaceAll(/\s+/g, " ")).not.toMatch(/repeatable[^-]*; repeatable/);
  },
);
