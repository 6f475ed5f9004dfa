import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";
import { policyTest } from "../test.ts";
import { policyNew } from "./policy-new.ts";

describe("policy new", () => {
  test.each([
    ["pods", "Deny"],
    ["deployments.apps", "Warn"],
    ["namespaces", "Audit"],
    ["ingresses.networking.k8s.io", "Deny"],
  ])("writes an accepted policy for %s and a suite that passes (%s)", async (resource, action) => {
    const folder = scratchFolder();
    const args = ["require-owner", "--resource", resource, "--action", action, "-d", "@/out"];
    expect(await runCommand(policyNew, args, {}, { folder })).toEqual({
      code: 0,
      stderr: "",
      stdout: "out/policy.yaml\nout/binding.yaml\nout/suite.yaml\n",
    });
    const tested = await runCommand(policyTest, ["@/out"], {}, { folder });
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("2 passed, 0 failed")]);
    const checked = await runCommand(check, ["@/out"], {}, { folder });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("0 errors, 0 warnings")]);
  });

  test("does not overwrite files", async () => {
    const run = runCommand(policyNew, ["a", "-d", "@/out"], { "out/binding.yaml": "mine\n" });
    await expect(run).rejects.toThrow(/binding\.yaml` exists/);
  });

  test.each([
    [["Bad_Name"], "`Bad_Name` is not a name"],
    [[], "policy new needs the name of the policy"],
    [["a", "--resource", "deployment.apps"], "did you mean `deployments.apps`?"],
  ])("%j is refused", async (args, message) => {
    await expect(runCommand(policyNew, args, {})).rejects.toThrow(message);
  });
});
