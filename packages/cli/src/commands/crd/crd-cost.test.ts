import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdCost } from "./crd-cost.ts";

const withRules = (bound: string): string => `${WIDGET_CRD}              hosts:
                type: array
                items: {type: string, maxLength: 253}
${bound}                x-kubernetes-validations:
                - rule: self.all(h, self.exists_one(o, o == h))
            x-kubernetes-validations:
            - rule: self.mode != 'x'
`;
const BOUNDED = withRules("                maxItems: 16\n");
const UNBOUNDED = withRules("");

test("each rule is listed with cost, shares, place, the responsible field and the bound that fits", async () => {
  expect(await runCommand(crdCost, ["@/crd.yaml"], { "crd.yaml": UNBOUNDED })).toEqual({
    code: 1,
    stderr: "",
    stdout: `widgets.example.com v1: 2 rules, 116,548,016,537,705, 1.2 million times the schema's budget
                 COST           OF RULE          OF SCHEMA  TIMES  RULE
  116,548,016,537,702  12 million times  1.2 million times      1  self.all(h, self.exists_one(o, o == h))
                                                                   crd.yaml:26:25
                                                                   works on \`spec.hosts[*]\` (maxLength: 253)
                                                                   works on \`spec.hosts\` (no maxItems); fits with maxItems: 307
                    3      under 0.01 %       under 0.01 %      1  self.mode != 'x'
                                                                   crd.yaml:28:21
`,
  });
});

test("costs within the budgets succeed unless a lower limit is given", async () => {
  const files = { "crd.yaml": BOUNDED };
  expect((await runCommand(crdCost, ["@/crd.yaml"], files)).code).toBe(0);
  expect((await runCommand(crdCost, ["@/crd.yaml", "--fail-over", "0.2"], files)).code).toBe(1);
  await expect(runCommand(crdCost, ["@/crd.yaml", "--fail-over", "much"], files)).rejects.toThrow(
    "is not a percentage",
  );
});

test("against a base the change is reported", async () => {
  const { stdout } = await runCommand(crdCost, ["@/new.yaml", "--base", "@/old.yaml"], {
    "new.yaml": BOUNDED,
    "old.yaml": UNBOUNDED,
  });
  expect(stdout).toMatch(/CHANGE {2}RULE/);
  expect(stdout).toMatch(/ -[\d,]+ {2}self\.all/);
  expect(stdout).toMatch(/ same {2}self\.mode/);
});

test("JSON has the numbers, the place and the causes", async () => {
  const { stdout } = await runCommand(crdCost, ["@/crd.yaml", "-o", "json", "--kube-version", "1.31,1.36"], {
    "crd.yaml": UNBOUNDED,
  });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ kind: "CostReport", budgets: { rule: 10_000_000, schema: 100_000_000 } });
  expect(report.kubeVersions.map(({ version }: { version: string }) => version)).toEqual(["1.31", "1.36"]);
  const [rule] = report.kubeVersions[1].definitions[0].schemas[0].rules.filter((each: { rule: string }) =>
    each.rule.startsWith("self.all"),
  );
  expect(rule).toMatchObject({
    line: 26,
    column: 25,
    causes: [{ field: "spec.hosts[*]" }, { field: "spec.hosts", largestBound: 307 }],
  });
});

test("an input without a CRD is an error", async () => {
  await expect(runCommand(crdCost, ["@/a.yaml"], { "a.yaml": "a: b\n" })).rejects.toThrow(
    "no CustomResourceDefinition found",
  );
});

test("a CRD without rules is reported as such", async () => {
  const { code, stdout } = await runCommand(crdCost, ["@/crd.yaml"], { "crd.yaml": WIDGET_CRD });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "widgets.example.com: no rules\n" });
});
