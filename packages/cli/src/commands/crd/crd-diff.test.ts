import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { explain } from "../explain.ts";
import { preflight } from "../preflight.ts";
import { commitFiles, inFolder } from "../processes.testing.ts";
import { crdDiff } from "./crd-diff.ts";
import { crdScan } from "./crd-scan.ts";

const TIGHTER = WIDGET_CRD.replace("maximum: 10", "maximum: 5");
const LOOSER = WIDGET_CRD.replace("maximum: 10", "maximum: 50");
const files = { "old.yaml": WIDGET_CRD, "new.yaml": TIGHTER, "loose.yaml": LOOSER };

test("an unsafe change is shown with a witness, the server's message and the writes it blocks", async () => {
  const { code, stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml"], files);
  expect(code).toBe(1);
  expect(stdout).toContain("new.yaml:20:46  error  upgrade/maximum");
  expect(stdout).toContain("unsafe, blocks-touching-edit: v1 .spec.size: `maximum` changed from `10` to `5`");
  expect(stdout).toContain('"spec":{"size":10}');
  expect(stdout).toContain("spec.size: Invalid value: 10: spec.size in body should be less than or equal to 5");
  expect(stdout).toContain("create ✗ · edit this field ✗");
});

test("a safe change is shown only on request", async () => {
  const { code, stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/loose.yaml"], files);
  expect(code).toBe(0);
  expect(stdout).toContain("1 change proved safe");
  const all = await runCommand(crdDiff, ["@/old.yaml", "@/loose.yaml", "--show", "all"], files);
  expect(all.stdout).toContain("safe: v1 .spec.size");
});

test("changes for readers fail only in profiles that say so", async () => {
  expect((await runCommand(crdDiff, ["@/old.yaml", "@/loose.yaml", "--profile", "readers"], files)).code).toBe(1);
});

test("JSON output contains the evidence", async () => {
  const { stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], files);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ kind: "UpgradeReport", questions: { Q1: "unsafe", Q3: "safe" } });
  expect(report.findings[0].upgrade).toMatchObject({ verdict: "unsafe", severity: "blocks-touching-edit" });
  expect(report.findings[0].upgrade.witness.object.spec).toEqual({ size: 10 });
});

test("an acknowledged finding passes, an expired acknowledgement fails", async () => {
  const { stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], files);
  const { fingerprint } = JSON.parse(stdout).findings[0];
  const acks = (expires: string): string =>
    `acknowledgements:\n- {fingerprint: "${fingerprint}", owner: me, reason: fine, expires: "${expires}"}\n`;
  const run = async (expires: string) =>
    runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "--acks", "@/acks.yaml"], {
      ...files,
      "acks.yaml": acks(expires),
    });
  expect((await run("2999-01-01")).code).toBe(0);
  const expired = await run("2000-01-01");
  expect(expired.code).toBe(1);
  expect(expired.stdout).toContain("acknowledgement expired: me");
});

const OTHER = WIDGET_CRD.replace("widgets.example.com", "gadgets.example.com")
  .replace("plural: widgets", "plural: gadgets")
  .replace("kind: Widget}", "kind: Gadget}");

test("added, removed and renamed CRDs are reported", async () => {
  const renamed = WIDGET_CRD.replace("widgets.example.com", "widgetz.example.com").replace(
    "plural: widgets",
    "plural: widgetz",
  );
  const gone = await runCommand(crdDiff, ["@/a/", "@/b/"], {
    "a/1.yaml": WIDGET_CRD,
    "a/2.yaml": OTHER,
    "b/1.yaml": WIDGET_CRD,
  });
  expect(gone.stdout).toContain("definition `gadgets.example.com` is gone");
  const named = await runCommand(crdDiff, ["@/a.yaml", "@/b.yaml"], {
    "a.yaml": WIDGET_CRD,
    "b.yaml": `${renamed}---\n${OTHER}`,
  });
  expect(named.stdout).toContain("definition `widgets.example.com` is now called `widgetz.example.com`");
  expect(named.stdout).toContain("definition `gadgets.example.com` is new");
});

// biome-ignore format: a table
test.each([
  { name: "a file of another kind", text: "apiVersion: v1\nkind: ConfigMap\n", says: /bad\.yaml:1:1: no CustomResourceDefinition found: it has ConfigMap/ },
  { name: "an empty file", text: "", says: /no CustomResourceDefinition found: it is empty/ },
  { name: "a document that does not parse", text: `${WIDGET_CRD}---\na: [1\n`, says: /bad\.yaml:2[0-9]:/ },
  { name: "two CRDs with one name", text: `${WIDGET_CRD}---\n${WIDGET_CRD}`, says: /bad\.yaml:2[0-9]:1: `widgets\.example\.com` is defined twice; first at .*bad\.yaml:1:1/ },
  { name: "an old API version", text: WIDGET_CRD.replace("k8s.io/v1\n", "k8s.io/v1beta1\n"), says: /`apiextensions\.k8s\.io\/v1beta1` is not supported/ },
  { name: "a CRD that does not decode", text: WIDGET_CRD.replace("scope: Namespaced", "scope: 1"), says: /bad\.yaml:1:1: .*scope/ },
])("$name is an input error", async ({ text, says }) => {
  const run = runCommand(crdDiff, ["@/old.yaml", "@/bad.yaml"], { ...files, "bad.yaml": text });
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(says);
});

test("a side can come from a git revision", async () => {
  const folder = scratchFolder();
  commitFiles(folder, { "crd.yaml": WIDGET_CRD });
  await inFolder(folder, async () => {
    const { code } = await runCommand(crdDiff, ["git:HEAD:crd.yaml", "@/new.yaml"], files);
    expect(code).toBe(1);
  });
});

const KAPP = (config: string): string =>
  `apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\npreflightRules:\n- name: CRDUpgradeSafety\n  config: ${config}\n`;

// biome-ignore format: a table
test.each([
  { name: "fails before anything is applied", args: [], kapp: undefined, code: 1 },
  { name: "only warns in mode warn", args: ["--kapp-config", "@/kapp.yaml"], kapp: KAPP("{mode: warn}"), code: 0 },
  { name: "fails in mode error", args: ["--kapp-config", "@/kapp.yaml"], kapp: KAPP("{mode: error}"), code: 1 },
  { name: "is off if the flag names another check", args: ["--preflight", "PermissionValidation"], kapp: undefined, code: 0 },
])("preflight $name", async ({ args, kapp, code }) => {
  const made = { ...files, ...(kapp === undefined ? {} : { "kapp.yaml": kapp }) };
  const outcome = await runCommand(preflight, ["-f", "@/new.yaml", "--against", "@/old.yaml", ...args], made);
  expect(outcome.code).toBe(code);
});

test("preflight names kapp's validation", async () => {
  const { stdout } = await runCommand(preflight, ["-f", "@/new.yaml", "--against", "@/old.yaml"], files);
  expect(stdout).toContain(
    "CustomResourceDefinition widgets.example.com failed upgrade safety validation `ChangeValidator`",
  );
});

test("a scan reports counts, patches and sizes", async () => {
  const widget = (name: string, size: number): string =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}, namespace: x}\nspec: {size: ${size}, gone: 1}\n`;
  const objects = { ...files, "objects.yaml": `${widget("a", 7)}---\n${widget("b", 3)}` };
  const { code, stdout } = await runCommand(
    crdScan,
    ["@/new.yaml", "--objects", "@/objects.yaml", "--margins"],
    objects,
  );
  expect(code).toBe(1);
  expect(stdout).toContain("1 of 2 invalid, 2 lose data, 0 get defaults");
  expect(stdout).toContain('patch    [{"op":"replace","path":"/spec/size","value":5}]');
  expect(stdout).toContain(".spec.size: most observed 7, maximum 5");
});

test("a scanned manifest without a namespace is in the default namespace", async () => {
  const object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 7}\n";
  const { stdout } = await runCommand(crdScan, ["@/new.yaml", "--objects", "@/o.yaml"], { ...files, "o.yaml": object });
  expect(stdout).not.toContain("namespace");
  expect(stdout).toContain('patch    [{"op":"replace","path":"/spec/size","value":5}]');
});

test("explain shows why a rule matters and refuses unknown names", async () => {
  expect((await runCommand(explain, ["max-length"], {})).stdout).toContain(
    "upgrade/max-length: strings must be shorter",
  );
  await expect(runCommand(explain, ["nope"], {})).rejects.toThrow("unknown rule `nope`");
});
