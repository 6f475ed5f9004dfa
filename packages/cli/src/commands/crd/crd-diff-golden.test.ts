/** The whole output of `crd diff`, in the formats that people and programs read. */
import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdDiff } from "./crd-diff.ts";

const withMode = (text: string): string => WIDGET_CRD.replace("mode: {type: string}", () => text);

const OLD = withMode("mode: {type: string}");
/** A bound is tightened, and a rule is added on its own line. */
const NEW = OLD.replace("maximum: 10", "maximum: 5").replace(
  "mode: {type: string}",
  () => `mode:
                type: string
                x-kubernetes-validations:
                - rule: self.startsWith('a')`,
);
const files = { "old.yaml": OLD, "new.yaml": NEW };

test("the text has the line of each keyword and rule, the writes that are left, and the next step", async () => {
  const { code, stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml"], files);
  expect(code).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "new.yaml:20:46  error  upgrade/maximum  apiextensions.k8s.io/v1 CustomResourceDefinition widgets.example.com
       20 |               size: {type: integer, maximum: 5}
          |                                              ^
      unsafe, blocks-touching-edit: v1 .spec.size: \`maximum\` changed from \`10\` to \`5\`
      witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"size":10}}
      refused  spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5
      writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
      id       18aee43249d9
      = fix the objects first (\`portcullis crd scan\` lists them with patches), then tighten
    new.yaml:24:25  error  upgrade/rule  apiextensions.k8s.io/v1 CustomResourceDefinition widgets.example.com
       24 |                 - rule: self.startsWith('a')
          |                         ^^^^^^^^^^^^^^^^^^^^
      unsafe, blocks-touching-edit: v1 .spec.mode: rule \`self.startsWith('a')\`
      witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"mode":""}}
      refused  spec.mode: Invalid value: "": failed rule: self.startsWith('a')
      writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
      id       e9a72a71e0e4
      = guard the rule so that it ignores existing values, for example with \`oldSelf\` and \`optionalOldSelf\`
    1 object, 2 files: 2 errors, 0 warnings
      Q1   unsafe   can an object that is stored become invalid?
      Q2   unsafe   can a manifest that was accepted be refused?
      Q6   unsafe   which writes does an invalid object still accept?
    "
  `);
});

test("the JSON has the same evidence", async () => {
  const { code, stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], files);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
    {
      "apiVersion": "report.portcullis.dev/v1",
      "command": "crd diff",
      "findings": [
        {
          "file": "new.yaml",
          "fingerprint": "18aee43249d9",
          "hint": "fix the objects first (\`portcullis crd scan\` lists them with patches), then tighten",
          "message": "unsafe, blocks-touching-edit: v1 .spec.size: \`maximum\` changed from \`10\` to \`5\`
    witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"size":10}}
    refused  spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5
    writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
    id       18aee43249d9",
          "object": {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "name": "widgets.example.com",
            "namespace": "",
          },
          "path": "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maximum",
          "range": {
            "end": {
              "column": 47,
              "line": 20,
            },
            "start": {
              "column": 46,
              "line": 20,
            },
          },
          "rule": "upgrade/maximum",
          "severity": "error",
          "upgrade": {
            "change": "\`maximum\` changed from \`10\` to \`5\`",
            "questions": [
              "Q1",
              "Q2",
              "Q6",
            ],
            "schemaPath": ".spec.size",
            "severity": "blocks-touching-edit",
            "verdict": "unsafe",
            "version": "v1",
            "why": "",
            "witness": {
              "errors": [
                "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5",
              ],
              "object": {
                "apiVersion": "example.com/v1",
                "kind": "Widget",
                "metadata": {
                  "name": "example",
                  "namespace": "default",
                },
                "spec": {
                  "size": 10,
                },
              },
            },
            "writes": [
              {
                "errors": [
                  "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5",
                ],
                "outcome": "refused",
                "write": "create",
              },
              {
                "errors": [
                  "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 5",
                ],
                "outcome": "refused",
                "write": "field",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "sibling",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "elsewhere",
              },
              {
                "errors": [],
                "outcome": "none",
                "write": "append",
              },
              {
                "errors": [],
                "outcome": "none",
                "write": "status",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "label",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "finalizer",
              },
            ],
          },
        },
        {
          "file": "new.yaml",
          "fingerprint": "e9a72a71e0e4",
          "hint": "guard the rule so that it ignores existing values, for example with \`oldSelf\` and \`optionalOldSelf\`",
          "message": "unsafe, blocks-touching-edit: v1 .spec.mode: rule \`self.startsWith('a')\`
    witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"mode":""}}
    refused  spec.mode: Invalid value: "": failed rule: self.startsWith('a')
    writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
    id       e9a72a71e0e4",
          "object": {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "name": "widgets.example.com",
            "namespace": "",
          },
          "path": "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.mode.x-kubernetes-validations[0].rule",
          "range": {
            "end": {
              "column": 45,
              "line": 24,
            },
            "start": {
              "column": 25,
              "line": 24,
            },
          },
          "rule": "upgrade/rule",
          "severity": "error",
          "upgrade": {
            "change": "rule \`self.startsWith('a')\`",
            "questions": [
              "Q1",
              "Q2",
              "Q6",
            ],
            "schemaPath": ".spec.mode",
            "severity": "blocks-touching-edit",
            "verdict": "unsafe",
            "version": "v1",
            "why": "",
            "witness": {
              "errors": [
                "spec.mode: Invalid value: "": failed rule: self.startsWith('a')",
              ],
              "object": {
                "apiVersion": "example.com/v1",
                "kind": "Widget",
                "metadata": {
                  "name": "example",
                  "namespace": "default",
                },
                "spec": {
                  "mode": "",
                },
              },
            },
            "writes": [
              {
                "errors": [
                  "spec.mode: Invalid value: "": failed rule: self.startsWith('a')",
                ],
                "outcome": "refused",
                "write": "create",
              },
              {
                "errors": [
                  "spec.mode: Invalid value: "A_": failed rule: self.startsWith('a')",
                ],
                "outcome": "refused",
                "write": "field",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "sibling",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "elsewhere",
              },
              {
                "errors": [],
                "outcome": "none",
                "write": "append",
              },
              {
                "errors": [],
                "outcome": "none",
                "write": "status",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "label",
              },
              {
                "errors": [],
                "outcome": "allowed",
                "write": "finalizer",
              },
            ],
          },
        },
      ],
      "kind": "UpgradeReport",
      "questions": {
        "Q1": "unsafe",
        "Q10": "safe",
        "Q2": "unsafe",
        "Q3": "safe",
        "Q4": "safe",
        "Q5": "safe",
        "Q6": "unsafe",
        "Q7": "safe",
        "Q8": "safe",
        "Q9": "safe",
      },
      "rollout": [],
      "summary": {
        "errors": 2,
        "files": 2,
        "notes": 0,
        "objects": 1,
        "passedOver": 0,
        "suppressed": 0,
        "warnings": 0,
        "withoutSchema": 0,
      },
      "suppressed": [],
      "tool": {
        "name": "portcullis",
        "version": "0.2.0",
      },
      "verdicts": {
        "noop": 0,
        "safe": 0,
        "unknown": 0,
        "unsafe": 2,
      },
    }
  `);
});

test("the markdown has the same evidence", async () => {
  const { code, stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "markdown"], files);
  expect(code).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "### ❌ Portcullis \`crd diff\`

    1 object in 2 files: **2 errors, 0 warnings**

    ❌ \`new.yaml:20:46\` \`upgrade/maximum\` \`apiextensions.k8s.io/v1 CustomResourceDefinition widgets.example.com\`
    \`\`\`
    unsafe, blocks-touching-edit: v1 .spec.size: \`maximum\` changed from \`10\` to \`5\`
    witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"size":10}}
    refused  spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5
    writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
    id       18aee43249d9
    \`\`\`
    > fix the objects first (\`portcullis crd scan\` lists them with patches), then tighten

    ❌ \`new.yaml:24:25\` \`upgrade/rule\` \`apiextensions.k8s.io/v1 CustomResourceDefinition widgets.example.com\`
    \`\`\`
    unsafe, blocks-touching-edit: v1 .spec.mode: rule \`self.startsWith('a')\`
    witness  {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"example","namespace":"default"},"spec":{"mode":""}}
    refused  spec.mode: Invalid value: "": failed rule: self.startsWith('a')
    writes   create ✗ · edit this field ✗ · edit beside it ✓ · edit elsewhere ✓ · set a label ✓ · remove a finalizer ✓
    id       e9a72a71e0e4
    \`\`\`
    > guard the rule so that it ignores existing values, for example with \`oldSelf\` and \`optionalOldSelf\`
    "
  `);
});

/** Numbers that are another number if a digit is lost. */
// biome-ignore format: a table
const NUMBERS = [
  { name: "an int64 beyond 2^53", old: "{type: integer, enum: [9007199254740993]}", next: "{type: integer, enum: [9007199254740992]}", shown: "9007199254740993" },
  { name: "the largest int64", old: "{type: integer, enum: [9223372036854775807]}", next: "{type: integer, enum: [9223372036854775806]}", shown: "9223372036854775807" },
  { name: "a float64 next to a bound", old: "{type: number, enum: [0.30000000000000004]}", next: "{type: number, enum: [0.30000000000000004], maximum: 0.3}", shown: "0.30000000000000004" },
];

test.each(NUMBERS)("$name is printed so that it can be replayed", async ({ old, next, shown }) => {
  const pair = { "old.yaml": withMode(`mode: ${old}`), "new.yaml": withMode(`mode: ${next}`) };
  const text = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml"], pair);
  expect(text.stdout).toContain(`"mode":${shown}}`);
  const json = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], pair);
  expect(json.stdout.replaceAll(/\s/g, "")).toContain(`"mode":${shown}}`);
});
