import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { completionNodes } from "../frame/completion/model.ts";
import { runCommand } from "./commands.testing.ts";
import { completionOf } from "./completion.ts";
import { hasBash } from "./processes.testing.ts";
import { COMMANDS } from "./table.ts";

const completion = completionOf(COMMANDS);

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(completion, [shell], {});
  expect(code).toBe(0);
  return stdout;
}

test.each(["bash", "zsh", "fish", "powershell"])("the script for %s has every command and option", async (shell) => {
  const script = await scriptFor(shell);
  for (const { words, options } of await completionNodes(COMMANDS)) {
    for (const [word] of words) expect(script).toContain(word);
    for (const { flags, values } of options) {
      for (const flag of flags) expect(script).toContain(shell === "fish" ? flag.replace(/^-+/, "") : flag);
      for (const value of values) expect(script).toContain(value);
    }
  }
});

/** What bash offers for the arguments; the last one is being typed. */
async function complete(...words: string[]): Promise<string[]> {
  const script = `${await scriptFor("bash")}
COMP_WORDS=(portcullis ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
_portcullis; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc"], { input: script, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

// The script is run by the shell it is made for.
describe.skipIf(!hasBash)("in bash", () => {
  test("commands, subcommands, options and values are offered", async () => {
    expect(await complete("che")).toEqual(["check"]);
    expect(await complete("crd", "")).toEqual(expect.arrayContaining(["lint", "cost", "diff", "scan"]));
    expect(await complete("crd", "cost", "--ba")).toEqual(["--base"]);
    expect(await complete("check", "--field-validation", "")).toEqual(["strict", "warn", "ignore"]);
    expect(await complete("check", "x.yaml", "-o", "js")).toEqual(["json"]);
    expect(await complete("help", "exit")).toEqual(["exit-codes"]);
  });
});
