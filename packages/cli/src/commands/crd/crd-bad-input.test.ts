/** Input that cannot be compared ends with exit code 2 and its place; undecidable input ends with a reason. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { run } from "../run.ts";
import { crdDiff } from "./crd-diff.ts";

const folder = sharedFolder();

async function shell(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const code = await run(args, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    stdin: () => "",
    color: false,
  });
  return { code, stdout, stderr };
}

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, text);
  return full;
}

const good = file("good.yaml", WIDGET_CRD);
const LINES = WIDGET_CRD.split("\n").length;

// biome-ignore format: a table
const BAD = [
  { name: "no definition", text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n", says: ":1:1: no CustomResourceDefinition found: it has Deployment" },
  { name: "an empty file", text: "", says: ": no CustomResourceDefinition found: it is empty" },
  { name: "a document that is not an object", text: "- a\n- b\n", says: ":" },
  { name: "a second document that does not parse", text: `${WIDGET_CRD}---\nkind: [\n`, says: `:${LINES + 2}:` },
  { name: "two CRDs with one name", text: `${WIDGET_CRD}---\n${WIDGET_CRD}`, says: `:${LINES + 1}:1: \`widgets.example.com\` is defined twice; first at` },
  { name: "a CRD of another version", text: WIDGET_CRD.replace("k8s.io/v1\n", "k8s.io/v1beta1\n"), says: ":1:1: `apiextensions.k8s.io/v1beta1` is not supported" },
  { name: "a CRD that does not decode", text: WIDGET_CRD.replace("scope: Namespaced", "scope: [1]"), says: ":1:1: " },
  { name: "a CRD without a name", text: WIDGET_CRD.replace("  name: widgets.example.com\n", "  labels: {}\n"), says: ":1:1: the CRD has no name" },
];

const COMMANDS: readonly { name: string; args: (bad: string) => readonly string[] }[] = [
  { name: "crd diff, new", args: (bad) => ["crd", "diff", good, bad] },
  { name: "crd diff, old", args: (bad) => ["crd", "diff", bad, good] },
  { name: "preflight", args: (bad) => ["preflight", "-f", bad, "--against", good] },
  { name: "preflight, against", args: (bad) => ["preflight", "-f", good, "--against", bad] },
  { name: "crd scan", args: (bad) => ["crd", "scan", bad, "--objects", good] },
];

test.each(COMMANDS.flatMap((command) => BAD.map((bad, index) => ({ ...bad, command, index, title: command.name }))))(
  "$title: $name",
  async ({ command, text, says, index }) => {
    const bad = file(`bad-${index}.yaml`, text);
    const { code, stderr } = await shell(...command.args(bad));
    expect(code).toBe(2);
    expect(stderr).toContain(`${bad}${says}`);
  },
);

// biome-ignore format: a table
test.each([
  { name: "a path that does not exist", args: ["crd", "diff", good, path.join(folder, "missing.yaml")] },
  { name: "one side only", args: ["crd", "diff", good] },
  { name: "a revision that does not exist", args: ["crd", "diff", "git:no-such-revision:x", good] },
  { name: "an unknown preflight check", args: ["preflight", "-f", good, "--against", good, "--preflight", "Nope"] },
  { name: "an unknown profile", args: ["crd", "diff", good, good, "--profile", "nope"] },
  { name: "objects of unknown kinds", args: ["crd", "scan", good, "--objects", file("other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")] },
])("$name ends with 2", async ({ args }) => {
  const { code, stderr } = await shell(...args);
  expect(code).toBe(2);
  expect(stderr).not.toBe("");
});

const withSpec = (property: string): string => WIDGET_CRD.replace("mode: {type: string}", () => property);
/** Ten thousand states in sequence; and as a set of ten thousand positions, which no automaton can hold. */
const LONG = "[ab]{1000}".repeat(10);
const branches = (from: number): string =>
  JSON.stringify(
    Array.from({ length: 30 }, (_, index) => ({
      anyOf: [{ required: [`p${(index + from) % 40}`] }, { required: [`p${(index * 7 + from) % 40}`] }],
    })),
  );
const fields = JSON.stringify(
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: "string" }])),
);

// biome-ignore format: a table
test.each([
  { name: "a pattern of ten thousand states", old: `mode: {type: string, pattern: '^${LONG}$'}`, next: `mode: {type: string, pattern: '^${LONG}c?$'}` },
  { name: "a pattern whose automaton explodes", old: `mode: {type: string, pattern: '^[ab]*a${LONG}$'}`, next: `mode: {type: string, pattern: '^[ab]*b${LONG}$'}` },
  { name: "a pattern beyond the bound", old: `mode: {type: string, pattern: '^a'}`, next: `mode: {type: string, pattern: '^a(${LONG}${LONG})?'}` },
  { name: "combinators that explode", old: `mode: {type: object, properties: ${fields}, allOf: ${branches(0)}}`, next: `mode: {type: object, properties: ${fields}, allOf: ${branches(3)}}` },
])("$name ends with a verdict or a reason", async ({ old, next }) => {
  const files = { "old.yaml": withSpec(old), "new.yaml": withSpec(next) };
  const { stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "--show", "all", "-o", "json"], files);
  const report = JSON.parse(stdout);
  const found = report.findings.filter(({ path: place }: { path: string }) => place.includes("mode"));
  expect(found.length).toBeGreaterThan(0);
  for (const { upgrade } of found) {
    if (upgrade.verdict === "unknown") expect(upgrade.reason).toMatch(/^(budget|no-witness|combinator-undecided)$/);
    if (upgrade.verdict === "safe") expect(upgrade.why).not.toBe("");
  }
});

const costly = (rule: string): string =>
  `mode: {type: array, maxItems: 30, items: {type: string, maxLength: 30}, x-kubernetes-validations: [{rule: "${rule}"}]}`;

test("rules near the cost limit end with a witness or a reason", async () => {
  const nested = (last: string): string => costly(`self.all(a, self.all(b, self.exists(c, c == a && ${last})))`);
  const files = { "old.yaml": withSpec(nested("b != 'x'")), "new.yaml": withSpec(nested("b + c != a")) };
  const { stdout } = await runCommand(crdDiff, ["@/old.yaml", "@/new.yaml", "-o", "json"], files);
  const { findings } = JSON.parse(stdout);
  expect(findings.length).toBeGreaterThan(0);
  for (const { upgrade } of findings)
    expect(upgrade.verdict === "unsafe" ? upgrade.witness : upgrade.reason).toBeDefined();
});

test("when the time of --budget is over, the rest is unknown for that reason", async () => {
  const files = {
    "old.yaml": withSpec(`mode: {type: object, properties: ${fields}, allOf: ${branches(0)}}`),
    "new.yaml": withSpec(`mode: {type: object, properties: ${fields}, allOf: ${branches(3)}, maxProperties: 7}`),
  };
  const { code, stdout } = await runCommand(
    crdDiff,
    ["@/old.yaml", "@/new.yaml", "--budget", "1ms", "-o", "json"],
    files,
  );
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout);
  expect(findings.length).toBeGreaterThan(0);
  for (const { upgrade } of findings) expect([upgrade.verdict, upgrade.reason]).toEqual(["unknown", "time"]);
});

test("a link that points nowhere is reported, and the rest is compared", async () => {
  const linked = path.join(folder, "linked");
  mkdirSync(linked);
  file("linked/crd.yaml", WIDGET_CRD);
  const object = file("object.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n");
  symlinkSync("nowhere", path.join(linked, "gone.yaml"));
  for (const args of [
    ["crd", "diff", linked, linked],
    ["crd", "scan", linked, "--objects", object],
    ["crd", "cost", linked],
    ["preflight", "-f", linked, "--against", linked],
  ]) {
    const { code, stderr } = await shell(...args);
    expect(stderr).toContain("gone.yaml: the link points to a file that does not exist");
    expect(code, args.join(" ")).toBe(0);
  }
});
