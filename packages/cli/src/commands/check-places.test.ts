import { expect, test } from "vitest";
import { check } from "./check.ts";
import { runCommand } from "./commands.testing.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              tags:
                type: object
                maxProperties: 8
                x-kubernetes-property-names: {type: string, maxLength: 5, pattern: '^[a-z]+$'}
                additionalProperties: {type: string, maxLength: 5, pattern: '^[a-z]+$'}
              kept:
                type: object
                maxProperties: 8
                x-kubernetes-property-names:
                  type: string
                  maxLength: 63
                  x-kubernetes-validations: [{rule: "self != 'taken'"}]
                additionalProperties:
                  type: string
                  maxLength: 63
                  x-kubernetes-validations: [{rule: "self != 'taken'"}]
`;

const gadget = (spec: string, meta = ""): string =>
  `apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g${meta}}\nspec: ${spec}\n`;
const json = (spec: string): string =>
  `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "g"},\n"spec": ${spec}}\n`;

/** The text under the carets, for each finding. */
async function marked(file: string, text: string): Promise<string[]> {
  const { stdout } = await runCommand(check, [`@/${file}`, "@/crd.yaml"], { [file]: text, "crd.yaml": CRD });
  const lines = stdout.split("\n");
  return lines.flatMap((line, index) => {
    const carets = /^ +\| ( *)(\^+)$/.exec(line);
    if (carets === null) return [];
    const source = (lines[index - 1] ?? "").replace(/^ *\d+ \| /, "");
    return [source.slice(carets[1]?.length, (carets[1]?.length ?? 0) + (carets[2]?.length ?? 0))];
  });
}

/** Where the note about skipped rules is reported. */
const WHOLE = "apiVersion: example.com/v1";

// biome-ignore format: a table
const CASES: { name: string; file?: string; text: string; marks: string[] }[] = [
  { name: "a key that does not match",          text: gadget("{tags: {fine: a, Bad: a}}"),              marks: ["Bad"] },
  { name: "a key that is too long",             text: gadget("{tags: {muchtoolong: a}}"),               marks: [WHOLE, "muchtoolong"] },
  { name: "a key that a rule refuses",          text: gadget("{kept: {taken: a}}"),                     marks: ["taken"] },
  { name: "a value is marked, not its key",     text: gadget("{tags: {fine: Bad}}"),                    marks: ["Bad"] },
  { name: "a value that is too long",           text: gadget("{tags: {fine: muchtoolong}}"),            marks: [WHOLE, "muchtoolong"] },
  { name: "a value that a rule refuses",        text: gadget("{kept: {fine: taken}}"),                  marks: ["taken"] },
  { name: "a quoted key",                       text: gadget('{tags: {"B b" : a}}'),                    marks: ['"B b"'] },
  { name: "a key in JSON", file: "g.json",      text: json('{"tags": {"B b" : "a"}}'),                  marks: ['"B b"'] },
  { name: "a value in JSON", file: "g.json",    text: json('{"tags": {"fine": "B b"}}'),                marks: ['"B b"'] },
  { name: "a label's key",                      text: gadget("{}", ", labels: {a: b, c d: e}"),         marks: ["c d"] },
  { name: "a label's value",                    text: gadget("{}", ", labels: {a: b, c: d e}"),         marks: ["d e"] },
  { name: "a key of a built-in kind",           text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a/b: x\n", marks: ["a/b"] },
  { name: "a defaulted value is reported at its parent", text: "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - {name: c, image: i, resources: {limits: {a b: 1}}}\n", marks: ["resources", "resources", "a b", "a b"] },
];

test.each(CASES)("$name", async ({ file = "g.yaml", text, marks }) => {
  expect(await marked(file, text)).toEqual(marks);
});

test.each([
  { file: "g.yaml", text: gadget("\n  tags: {a: x, a: y}\n  kept: {}\n  kept: {}"), at: ["5:16", "7:3"] },
  { file: "g.json", text: json('{"tags": {"a": "x", "a": "y"}, "kept": {},\n"kept": {}}'), at: ["2:29", "3:1"] },
])("duplicates of $file have the same words with --aligned-errors", async ({ file, text, at }) => {
  const files = { [file]: text, "crd.yaml": CRD };
  const { stdout, code } = await runCommand(check, [`@/${file}`, "@/crd.yaml", "--aligned-errors"], files);
  expect(code).toBe(1);
  const found = [...stdout.matchAll(/:(\d+:\d+) {2}error {2}field\/duplicate .*\n.*\n.*\n {2}(.*)/g)];
  expect(found.map(([, place, message]) => `${place} ${message}`)).toEqual([
    `${at[0]} duplicate field "spec.tags.a"`,
    `${at[1]} duplicate field "spec.kept"`,
  ]);
});
