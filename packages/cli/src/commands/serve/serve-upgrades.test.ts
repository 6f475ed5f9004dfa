import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { expect, test } from "vitest";
import { parseOptions } from "../../frame/options.ts";
import { runCommand } from "../commands.testing.ts";
import { serve } from "./serve.ts";
import { readUpgradeCheck, UPGRADE_CHECK_OPTIONS } from "./serve-upgrades.ts";

const read = (...args: string[]) => readUpgradeCheck(parseOptions(args, UPGRADE_CHECK_OPTIONS));

// biome-ignore format: a table
test.each([
  { name: "off by default", args: [], want: {} },
  { name: "off", args: ["--crd-upgrade-check=off"], want: {} },
  { name: "warnings", args: ["--crd-upgrade-check=warn"], want: { definitionUpgrades: { mode: "warn", failMode: "closed" } } },
  { name: "refusals", args: ["--crd-upgrade-check", "error"], want: { definitionUpgrades: { mode: "error", failMode: "closed" } } },
  { name: "refusals of proven breaks only", args: ["--crd-upgrade-check=error", "--crd-upgrade-fail-mode=open"], want: { definitionUpgrades: { mode: "error", failMode: "open" } } },
])("$name", ({ args, want }) => {
  expect(read(...args)).toEqual(want);
});

// biome-ignore format: a table
test.each([
  { name: "an unknown mode", args: ["--crd-upgrade-check=loud"], says: "unknown `--crd-upgrade-check loud`; one of off, warn, error" },
  { name: "an unknown fail mode", args: ["--crd-upgrade-check=warn", "--crd-upgrade-fail-mode=ajar"], says: "one of open, closed" },
  { name: "a fail mode without a check", args: ["--crd-upgrade-fail-mode=open"], says: "needs `--crd-upgrade-check`" },
])("$name is reported before anything starts", async ({ args, says }) => {
  const run = runCommand(serve, ["--in-memory", "--secure-port", "0", ...args], {});
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(says);
});
