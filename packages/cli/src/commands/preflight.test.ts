/** kapp's configuration, its flag and its form of output. */
import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "./commands.testing.ts";
import { preflight } from "./preflight.ts";

const TIGHTER = WIDGET_CRD.replace("maximum: 10", "maximum: 5");
const files = { "old.yaml": WIDGET_CRD, "new.yaml": TIGHTER };

const RULES = (name: string, more = ""): string =>
  `apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\npreflightRules:\n- name: ${name}\n${more}`;
const WARN = RULES("CRDUpgradeSafety", "  config: {mode: warn}\n");
const IN_MAP = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k, labels: {kapp.k14s.io/config: ""}}\ndata:\n  config.yml: |\n${WARN.replace(/^/gm, "    ")}`;

// biome-ignore format: a table
test.each([
  { name: "in a file of its own", files: { "kapp.yaml": WARN }, args: ["-f", "@/kapp.yaml"], code: 0 },
  { name: "in the folder", files: { "app/kapp.yaml": WARN, "app/crd.yaml": TIGHTER }, args: ["-f", "@/app"], own: true, code: 0 },
  { name: "next to the CRD in one file", files: { "all.yaml": `${WARN}---\n${TIGHTER}` }, args: ["-f", "@/all.yaml"], own: true, code: 0 },
  { name: "in a labelled ConfigMap", files: { "kapp.yaml": IN_MAP }, args: ["-f", "@/kapp.yaml"], code: 0 },
  { name: "that names another check", files: { "kapp.yaml": RULES("PermissionValidation") }, args: ["-f", "@/kapp.yaml"], code: 0 },
  { name: "without rules", files: { "kapp.yaml": "apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\n" }, args: ["-f", "@/kapp.yaml"], code: 1 },
  { name: "that the flag overrides", files: { "kapp.yaml": RULES("PermissionValidation") }, args: ["-f", "@/kapp.yaml", "--preflight", "PermissionValidation", "--preflight", "CRDUpgradeSafety"], code: 1 },
])("preflight finds kapp's configuration $name", async ({ files: more, args, own, code }) => {
  const paths = own === true ? args : ["-f", "@/new.yaml", ...args];
  const outcome = await runCommand(preflight, [...paths, "--against", "@/old.yaml"], { ...files, ...more });
  expect(outcome.code).toBe(code);
});

// biome-ignore format: a table
test.each([
  { name: "two rules for one check", files: { "a.yaml": WARN, "b.yaml": WARN }, says: 'duplicate preflight check in configuration: "CRDUpgradeSafety"' },
  { name: "an unknown check", files: { "a.yaml": RULES("Nope") }, says: 'unknown preflight check in configuration: "Nope"' },
  { name: "another kind", files: { "a.yaml": WARN.replace("Config", "Confi") }, says: "Expected kapp config to have kind 'Config', but was 'Confi'" },
  { name: "a ConfigMap without the key", files: { "a.yaml": IN_MAP.replace("config.yml", "config.yaml") }, says: `Expected to find field 'data."config.yml"', but did not` },
])("preflight refuses $name in kapp's words", async ({ files: more, says }) => {
  const args = ["-f", "@/new.yaml", ...Object.keys(more).flatMap((file) => ["-f", `@/${file}`]), "--against", "@/old.yaml"];
  await expect((async () => runCommand(preflight, args, { ...files, ...more }))()).rejects.toThrow(says);
});

const crd = (scope: string, version: string, spec: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  scope: ${scope}
  names: {plural: backups, kind: Backup}
  versions:
  - name: ${version}
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: ${spec}}}}
`;
const OLD = crd(
  "Namespaced",
  "v1",
  '{a: {type: integer, maximum: 9}, b: {type: string}, c: {type: string, pattern: "^a"}, m: {type: array, items: {type: string}}}',
);
const FAILED = 'running preflight check "CRDUpgradeSafety": validation for safe CRD upgrades failed';
const VALIDATION = "CustomResourceDefinition backups.example.com failed upgrade safety validation.";

// biome-ignore format: a table
test.each([
  {
    name: "a changed scope and a removed version",
    next: crd("Cluster", "v2", "{}"),
    says: [`${VALIDATION} "NoScopeChange" validation failed: scope changed from "Namespaced" to "Cluster"`, `${VALIDATION} "NoStoredVersionRemoved" validation failed: stored version "v1" removed`],
  },
  {
    name: "limits and a removed field",
    next: crd("Namespaced", "v1", '{a: {type: integer, maximum: 5, minimum: 1}, c: {type: string, pattern: "^a"}, m: {type: array, maxItems: 2, items: {type: string, maxLength: 5}}}'),
    says: [
      `${VALIDATION} "NoExistingFieldRemoved" validation failed: crd/backups.example.com version/v1 field/^.spec.b may not be removed`,
      'version "v1", field "^.spec.a": maximum constraint decreased from 9 to 5',
      'version "v1", field "^.spec.a": minimum constraint added when one did not exist previously: 1',
      'version "v1", field "^.spec.m": maximum items constraint added when one did not exist previously: 2',
      'version "v1", field "^.spec.m[*]": maximum length constraint added when one did not exist previously: 5',
    ],
  },
  {
    name: "a required field and a list of values",
    next: OLD.replace("spec: {type: object,", "spec: {type: object, required: [b],").replace("b: {type: string}", "b: {type: string, enum: [x]}"),
    says: ['version "v1", field "^.spec": new required fields added: [b]', 'version "v1", field "^.spec.b": enums added when there were no enum restrictions previously'],
  },
])("the output in kapp's form: $name", async ({ next, says }) => {
  const run = (...more: string[]) =>
    runCommand(preflight, ["-f", "@/b.yaml", "--against", "@/a.yaml", "-o", "kapp", ...more], { "a.yaml": OLD, "b.yaml": next, "kapp.yaml": WARN });
  const { code, stdout } = await run();
  const [head, ...lines] = stdout.trimEnd().split("\n");
  expect([code, head]).toEqual([1, `kapp: Error: preflight checks failed: ${FAILED}`]);
  expect(says.filter((text) => !lines.some((line) => line.endsWith(text))), stdout).toEqual([]);
  const warned = await run("--kapp-config", "@/kapp.yaml");
  expect([warned.code, warned.stdout.split("\n")[0]]).toEqual([0, `kapp: Warning: ${FAILED}`]);
});

test("a change that is not decided has kapp's words for it, and passes with failMode open", async () => {
  const duration = (more: string): string =>
    crd("Namespaced", "v1", `{a: {type: string, format: duration, pattern: "^.{2}$"${more}}}`);
  const made = {
    "a.yaml": duration(""),
    "b.yaml": duration(', x-kubernetes-validations: [{rule: "self.getHours() < 100000"}]'),
    "open.yaml": RULES("CRDUpgradeSafety", "  config: {failMode: open}\n"),
  };
  const args = ["-f", "@/b.yaml", "--against", "@/a.yaml", "-o", "kapp"];
  const closed = await runCommand(preflight, args, made);
  expect(closed.code).toBe(1);
  expect(closed.stdout).toContain(
    'version "v1", field "^.spec.a" has unknown change, refusing to determine that change is safe',
  );
  const open = await runCommand(preflight, [...args, "-f", "@/open.yaml"], made);
  expect(open).toMatchObject({ code: 0, stdout: "Succeeded\n" });
});

test("a safe upgrade succeeds", async () => {
  const same = ["-f", "@/old.yaml", "--against", "@/old.yaml", "-o", "kapp"];
  expect(await runCommand(preflight, same, files)).toMatchObject({ code: 0, stdout: "Succeeded\n" });
});

test("the output in kapp's form goes to a file next to others", async () => {
  const args = ["-f", "@/new.yaml", "--against", "@/old.yaml", "-o", "kapp", "-o", "text"];
  await expect((async () => runCommand(preflight, args, files))()).rejects.toThrow("only one output");
});
