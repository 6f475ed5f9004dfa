import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const TEXT = readFileSync(`${ROOT}docs/policies.md`, "utf8");

/** Files the page shows, by name, and its commands with their outputs. */
const FILES = Object.fromEntries(
  [...TEXT.matchAll(/^```yaml title=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]),
);
const COMMANDS = [...TEXT.matchAll(/^```console\n\$ portcullis (.*)\n([\s\S]*?)^```$/gm)].map(
  ([, command = "", output = ""]) => ({ command, output }),
);

/** A name that is a file or a folder of the page, or an example. */
function argument(text: string): string {
  if (text.startsWith("examples/")) return `${ROOT}${text}`;
  return Object.keys(FILES).some((name) => name === text || name.startsWith(`${text}/`)) ? `@/${text}` : text;
}

describe("the commands of docs/policies.md print what the page says", () => {
  test.each(COMMANDS)("$command", async ({ command, output }) => {
    const [name, ...args] = command.split(" ");
    const { stdout, stderr } = await runCommand(name === "check" ? check : policy, args.map(argument), FILES);
    expect(stdout + stderr).toBe(output);
  });

  test("the page has commands", () => {
    expect(COMMANDS.length).toBeGreaterThan(8);
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
