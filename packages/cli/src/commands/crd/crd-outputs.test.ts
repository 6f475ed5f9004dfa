/** Every output of the upgrade commands is made from the same findings. */
import { expect, test } from "vitest";
import type { Command } from "../../frame/command.ts";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { explain } from "../explain.ts";
import { preflight } from "../preflight.ts";
import { crdDiff } from "./crd-diff.ts";
import { crdScan } from "./crd-scan.ts";

const OBJECT = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: x}\nspec: {size: 7}\n";
const files = {
  "old.yaml": WIDGET_CRD,
  "new.yaml": WIDGET_CRD.replace("maximum: 10", "maximum: 5"),
  "objects.yaml": OBJECT,
};

const runs: readonly {
  name: string;
  command: Command;
  args: readonly string[];
  rule: string;
  file: string;
  line: number;
}[] = [
  {
    name: "crd diff",
    command: crdDiff,
    args: ["@/old.yaml", "@/new.yaml"],
    rule: "upgrade/maximum",
    file: "new.yaml",
    line: 20,
  },
  {
    name: "preflight",
    command: preflight,
    args: ["-f", "@/new.yaml", "--against", "@/old.yaml"],
    rule: "upgrade/maximum",
    file: "new.yaml",
    line: 20,
  },
  {
    name: "crd scan",
    command: crdScan,
    args: ["@/new.yaml", "--objects", "@/objects.yaml"],
    rule: "scan/maximum",
    file: "objects.yaml",
    line: 4,
  },
];

test.each(runs)("$name as SARIF: a result at its line", async ({ command, args, rule, file, line }) => {
  const { code, stdout } = await runCommand(command, [...args, "-o", "sarif"], files);
  expect(code).toBe(1);
  const [run] = JSON.parse(stdout).runs;
  expect(run.results[0]).toMatchObject({ ruleId: rule, level: "error" });
  const { artifactLocation, region } = run.results[0].locations[0].physicalLocation;
  expect(artifactLocation.uri).toContain(file);
  expect(region.startLine).toBe(line);
});

test.each(runs)("$name as JUnit: a failure", async ({ command, args, rule }) => {
  const { code, stdout } = await runCommand(command, [...args, "-o", "junit"], files);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^<\?xml/);
  expect(stdout).toContain("<failure");
  expect(stdout).toContain(rule);
});

test.each(runs)("$name as GitHub annotations", async ({ command, args, line }) => {
  const { code, stdout } = await runCommand(command, [...args, "-o", "github"], files);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^::error .*line=${line}`, "m"));
});

test.each(runs)("$name as JSON: findings with their evidence", async ({ name, command, args, rule }) => {
  const { code, stdout } = await runCommand(command, [...args, "-o", "json"], files);
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report.command).toBe(name);
  expect(report.findings[0].rule).toBe(rule);
  if (name === "crd scan") {
    expect(report.objects[0]).toMatchObject({ severity: "blocks-touching-edit", patch: [{ op: "replace", value: 5 }] });
    expect(report.margins).toContainEqual(expect.objectContaining({ keyword: "maximum", bound: 5, observed: 7 }));
  } else {
    expect(report.verdicts).toMatchObject({ unsafe: 1 });
    expect(report.findings[0].upgrade.witness.object.spec).toEqual({ size: 10 });
    expect(report.findings[0].upgrade.writes).toContainEqual(
      expect.objectContaining({ write: "create", outcome: "refused" }),
    );
  }
});

test.each(runs)("$name: every rule it names is explained", async ({ command, args }) => {
  const { stdout } = await runCommand(command, [...args, "-o", "json"], files);
  for (const { rule } of JSON.parse(stdout).findings)
    expect((await runCommand(explain, [rule], {})).stdout).toContain("why it matters");
});

test("a run that only reports does not fail", async () => {
  expect((await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "--exit-zero"], files)).code).toBe(0);
});
