import { findCheckRule } from "@portcullis/checker/internal/check/rules";
import { expect, test } from "vitest";
import { runCommand } from "./commands.testing.ts";
import { explain } from "./explain.ts";

test.each([
  "schema/maximum",
  "schema/partial",
  "field/unknown",
  "validation/port",
  "crd/structural",
  "suppression/unused",
  "decode",
])("%s is explained", async (rule) => {
  const { code, stdout } = await runCommand(explain, [rule], {});
  expect(code).toBe(0);
  expect(stdout).toContain(`${rule}: ${findCheckRule(rule)?.title}`);
});

test("the part before the slash is optional, and lists its rules if it is alone", async () => {
  const { stdout } = await runCommand(explain, ["unbounded-list"], {});
  expect(stdout).toContain("convention/unbounded-list: ");
  const listed = await runCommand(explain, ["convention"], {});
  expect(listed.stdout).toMatch(/^convention\/unbounded-list +a list of the CRD has no maxItems$/m);
  expect(listed.stdout).not.toContain("field/");
});

test("a misspelt rule gets a suggestion", async () => {
  await expect(runCommand(explain, ["field/unknwon"], {})).rejects.toThrow("did you mean `field/unknown`?");
});
