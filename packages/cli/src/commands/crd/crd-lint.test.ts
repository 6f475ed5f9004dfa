import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { crdLint } from "./crd-lint.ts";

const withProperty = (yaml: string): string => `${WIDGET_CRD}${yaml.replace(/^/gm, "              ")}\n`;

test("an accepted CRD prints no findings", async () => {
  expect(await runCommand(crdLint, ["@/crd.yaml"], { "crd.yaml": WIDGET_CRD })).toEqual({
    code: 0,
    stderr: "",
    stdout: "1 object, 1 file: 0 errors, 0 warnings\n",
  });
});

test("rules that cost little are not mentioned", async () => {
  const cheap = withProperty('x: {type: integer, x-kubernetes-validations: [{rule: "self > 0"}]}');
  const { stdout } = await runCommand(crdLint, ["@/crd.yaml"], { "crd.yaml": cheap });
  expect(stdout).toBe("1 object, 1 file: 0 errors, 0 warnings\n");
});

const CONVENTIONS = {
  "list-type": ["l: {type: array, maxItems: 3, items: {type: boolean}, description: d}", "recommended"],
  "integer-format": ["i: {type: integer, description: d}", "recommended"],
  "unbounded-list": [
    "l: {type: array, x-kubernetes-list-type: atomic, items: {type: boolean}, description: d}",
    "strict",
  ],
  "unbounded-map": ["m: {type: object, additionalProperties: {type: boolean}, description: d}", "strict"],
  "unbounded-string": ["s: {type: string, description: d}", "strict"],
  description: ["b: {type: boolean}", "strict"],
} as const;

/** Everything but the property under test follows the conventions. */
const conventional = (property: string): string =>
  WIDGET_CRD.replace(/( +)size:.*\n.*mode:.*\n/, `$1${property}\n`).replace(
    /( +)spec:\n( +)type: object/,
    "$1spec:\n$2type: object\n$2description: d",
  );

test.each(Object.entries(CONVENTIONS))("convention/%s", async (rule, [property, profile]) => {
  const files = { "crd.yaml": conventional(property) };
  const lint = (name: string) => runCommand(crdLint, ["@/crd.yaml", "--conventions", name, "-o", "json"], files);
  const rulesOf = ({ stdout }: { readonly stdout: string }): string[] =>
    JSON.parse(stdout).findings.map((each: { readonly rule: string }) => each.rule);
  expect(rulesOf(await lint("strict"))).toEqual([`convention/${rule}`]);
  expect(rulesOf(await lint("recommended"))).toEqual(profile === "recommended" ? [`convention/${rule}`] : []);
  expect(rulesOf(await lint("none"))).toEqual([]);
});

test("a status without its subresource is against the conventions, and limits do not matter in it", async () => {
  const status = "          status: {type: object, description: d, properties: {s: {type: string, description: d}}}\n";
  const without = `${conventional("b: {type: boolean, description: d}")}${status}`;
  const files = { "crd.yaml": without, "fixed.yaml": `${without}    subresources: {status: {}}\n` };
  const lint = async (file: string) =>
    (await runCommand(crdLint, [`@/${file}`, "--conventions", "strict"], files)).stdout;
  expect(await lint("crd.yaml")).toMatch(/convention\/status-subresource.*1 warning\n$/s);
  expect(await lint("fixed.yaml")).toContain("0 warnings");
});

test("an error is at the schema of the version, although the API server reports it above the versions", async () => {
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], {
    "crd.yaml": withProperty("bad: {type: array}"),
  });
  expect(code).toBe(1);
  expect(stdout).toContain("crd.yaml:22:20  error");
  expect(stdout).toContain(
    "spec.validation.openAPIV3Schema.properties[spec].properties[bad].items: Required value: must be specified",
  );
});

test("a rule that costs too much names the responsible list and the bound that fits", async () => {
  const rule = `hosts:\n  type: array\n  items: {type: string, maxLength: 253}\n  x-kubernetes-validations:\n  - rule: "self.all(h, self.exists_one(o, o == h))"`;
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], { "crd.yaml": withProperty(rule) });
  expect(code).toBe(1);
  expect(stdout).toMatch(/works on `spec\.hosts` \(no maxItems\); fits with maxItems: \d+/);
  expect(stdout).toContain("estimated rule cost exceeds budget by factor of more than 100x");
});

test("an unknown format is a warning", async () => {
  const { code, stdout } = await runCommand(crdLint, ["@/crd.yaml"], {
    "crd.yaml": withProperty("f: {type: string, format: made-up}"),
  });
  expect(code).toBe(0);
  expect(stdout).toContain('unrecognized format "made-up"');
});

test("an update may not change immutable fields", async () => {
  const files = { "old.yaml": WIDGET_CRD, "new.yaml": WIDGET_CRD.replace("scope: Namespaced", "scope: Cluster") };
  const { code, stdout } = await runCommand(crdLint, ["@/new.yaml", "--old", "@/old.yaml"], files);
  expect(code).toBe(1);
  expect(stdout).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
});

test("other kinds are skipped, and an input without CRDs is an error", async () => {
  expect(await runCommand(crdLint, ["@/a.yaml"], { "a.yaml": "apiVersion: v1\nkind: ConfigMap\n" })).toMatchObject({
    code: 2,
  });
});
