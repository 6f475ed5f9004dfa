/** Findings of `crd diff` point to the keyword, rule or field that changed. */
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { crdDiff } from "./crd-diff.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
    shortNames: [wd]
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        description: A widget.
        type: object
        properties:
          spec:
            description: What is wanted.
            type: object
            required: [mode]
            x-kubernetes-validations:
            - rule: self.mode != 'none'
            - rule: self.size < 100
            properties:
              size:
                description: How large.
                type: integer
                maximum: 10
              mode:
                description: Which one.
                type: string
              old:
                type: string
`;

/** The text that is marked by a finding of this rule. */
async function marked(next: string, rule: string): Promise<string | undefined> {
  const { stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], {
    "old.yaml": CRD,
    "new.yaml": next,
  });
  const { findings } = JSON.parse(stdout);
  const found = findings.find((each: { rule: string }) => each.rule === rule);
  if (found === undefined) throw new Error(`no ${rule} in ${stdout}`);
  const { start, end } = found.range;
  const line = next.split("\n")[start.line - 1] ?? "";
  return line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
}

test.each([
  { rule: "upgrade/maximum", from: "maximum: 10", to: "maximum: 5", text: "5" },
  { rule: "upgrade/required", from: "required: [mode]", to: "required: [mode, old]", text: "old" },
  { rule: "upgrade/rule", from: "self.size < 100", to: "self.size < 9", text: "self.size < 9" },
  { rule: "upgrade/field-removed", from: "              old:\n                type: string\n", to: "", text: "spec" },
  { rule: "upgrade/scope-changed", from: "scope: Namespaced", to: "scope: Cluster", text: "Cluster" },
  { rule: "upgrade/names-changed", from: "    shortNames: [wd]\n", to: "", text: "names" },
  { rule: "upgrade/status-removed", from: "    subresources: {status: {}}\n", to: "", text: "v1" },
  {
    rule: "upgrade/column-removed",
    from: "    additionalPrinterColumns:\n    - {name: Size, type: integer, jsonPath: .spec.size}\n",
    to: "",
    text: "v1",
  },
  { rule: "upgrade/version-not-served", from: "served: true", to: "served: false", text: "false" },
  { rule: "upgrade/reader", from: "                maximum: 10\n", to: "", text: "size" },
])("$rule", async ({ rule, from, to, text }) => {
  expect(await marked(CRD.replace(from, to), rule)).toBe(text);
});
