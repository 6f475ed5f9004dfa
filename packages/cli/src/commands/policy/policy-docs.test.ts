import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import type { Command } from "../../frame/command.ts";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";
import { policyTest } from "../test.ts";
import { policy } from "./policy.ts";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const TEXT = readFileSync(`${ROOT}docs/policies.md`, "utf8");

/** Files the page shows, by name, and its commands with their outputs. */
const FILES = Object.fromEntries(
  [...TEXT.matchAll(/^```yaml title=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]),
);
const SESSIONS = [...TEXT.matchAll(/^```console\n(\$ portcullis [\s\S]*?)^```$/gm)].map(([, text = ""]) => {
  const steps = [...text.matchAll(/^\$ portcullis (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(
    ([, command = "", output = ""]) => ({ command, output }),
  );
  return { commands: steps.map(({ command }) => command).join("; "), steps };
});
const RUNNERS: Readonly<Record<string, Command>> = { check, policy, test: policyTest };

/** A name that is a file or a folder of the page, or an example. `owner` is written by a command of the page. */
function argument(text: string): string {
  if (text.startsWith("examples/")) return `${ROOT}${text}`;
  if (text === "owner") return `@/${text}`;
  return Object.keys(FILES).some((name) => name === text || name.startsWith(`${text}/`)) ? `@/${text}` : text;
}

describe("the commands of docs/policies.md print what the page says", () => {
  test.each(SESSIONS)("$commands", async ({ steps }) => {
    const folder = scratchFolder();
    for (const { command, output } of steps) {
      const [name = "", ...args] = command.split(" ");
      const { stdout, stderr } = await runCommand(RUNNERS[name] ?? policy, args.map(argument), FILES, { folder });
      expect(stdout + stderr).toBe(output);
    }
  });

  test("the page has commands", () => {
    expect(SESSIONS.length).toBeGreaterThan(8);
  });
});

test("the program of docs/policies.md prints what the page says, without Node", async () => {
  const block = (name: string): string =>
    new RegExp(`^\`\`\`\\w+ title=${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(TEXT)?.[1] ?? "";
  const { outputFiles } = await build({
    stdin: { contents: block("evaluate.ts"), resolveDir: path.join(ROOT, "packages/cli/src"), loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["portcullis-source"],
    logLevel: "silent",
  });
  const lines: string[] = [];
  const console = { log: (...words: readonly unknown[]) => void lines.push(words.join(" ")) };
  vm.runInNewContext(
    outputFiles[0]?.text ?? "",
    { console },
    { contextCodeGeneration: { strings: false, wasm: false } },
  );
  expect(`${lines.join("\n")}\n`).toBe(block("evaluate.out"));
});
