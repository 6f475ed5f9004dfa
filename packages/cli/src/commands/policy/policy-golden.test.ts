/** The whole output of the commands about proofs, as text and as JSON. `vitest -u` writes the files. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const TEXT = readFileSync(new URL("../../../../../docs/policy-proofs.md", import.meta.url), "utf8");

/** The policies that the documentation shows, and one that admits more. */
const FILES = Object.fromEntries(
  [...TEXT.matchAll(/^```yaml title=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]),
);
const LOOSER = {
  ...FILES,
  "looser.yaml": (FILES["old.yaml"] ?? "").replace("replicas < 6", "replicas < 9").replace(/'team' in/, "'owner' in"),
};

const CASES = [
  { name: "diff", args: ["diff", "@/old.yaml", "@/looser.yaml"], code: 1 },
  { name: "diff-none", args: ["diff", "@/old.yaml", "@/new.yaml"], code: 0 },
  { name: "prove", args: ["prove", "@/facts.yaml", "--property", "object.spec.replicas != 7"], code: 0 },
  { name: "gaps", args: ["gaps", "@/privileged.yaml"], code: 1 },
] as const;

test.each(CASES)("policy $name prints text and JSON", async ({ name, args, code }) => {
  for (const format of ["text", "json"] as const) {
    const result = await runCommand(policy, [...args, "--budget", "60", "-o", format], LOOSER);
    await expect(result.stdout).toMatchFileSnapshot(`golden/${name}.${format}`);
    expect(result.code).toBe(code);
  }
});
