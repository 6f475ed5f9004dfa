import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const TEXT = readFileSync(new URL("../../../../../docs/policy-proofs.md", import.meta.url), "utf8");

/** Files the page shows, by name, and its commands with what they print. */
const FILES = Object.fromEntries(
  [...TEXT.matchAll(/^```yaml title=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]),
);
const COMMANDS = [...TEXT.matchAll(/^```console\n\$ portcullis policy (.*)\n([\s\S]*?)^```$/gm)].map(
  ([, command = "", output = ""]) => ({ command, output }),
);

test.each(COMMANDS)("`policy $command` prints what docs/policy-proofs.md says", async ({ command, output }) => {
  const args = command.split(" ").map((word) => (FILES[word] === undefined ? word : `@/${word}`));
  const { stdout, stderr } = await runCommand(policy, [...args, "--budget", "60"], FILES);
  expect(stdout + stderr).toBe(output);
});

test("there are some", () => {
  expect(COMMANDS).toHaveLength(3);
});
