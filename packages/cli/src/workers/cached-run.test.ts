import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CheckPlan, ChunkResult, FileVerdict } from "@portcullis/checker/internal/check/chunk";
import { listInputs } from "@portcullis/checker/internal/input/files";
import { DEFAULT_CONFIGURATION } from "@portcullis/engine/internal/podsecurity/configuration";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test, vi } from "vitest";
import { WIDGET_CRD, writeFiles } from "../commands/commands.testing.ts";
import { cacheFolder } from "./cache-folder.ts";
import { runCached } from "./cached-run.ts";
import { ObservedFiles } from "./observed-files.ts";
import type { SignatureEntry } from "./signatures.ts";
import { VerdictFolder, type VerdictStore } from "./verdict-store.ts";
import { runCheck } from "./worker-pool.ts";

const widget = (size: number): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${size}}\nspec: {size: ${size}}\n`;
const FILES = {
  "crd.yaml": WIDGET_CRD,
  "good.yaml": widget(1),
  "bad.yaml": widget(11),
  "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n",
  "same.yaml": widget(1),
  "unknown.yaml": "apiVersion: acme.io/v1\nkind: Thing\nmetadata: {name: t}\n",
  "template.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ x }}}\n",
  "values.yaml": "a: 1\n",
};

function planFor(folder: string, changes: Partial<CheckPlan> = {}): CheckPlan {
  return {
    files: listInputs([folder]).files,
    engines: [{ version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } }],
    fieldValidation: "strict",
    missingSchema: "warn",
    podSecurity: DEFAULT_CONFIGURATION,
    old: [],
    wantsSubjects: true,
    ...changes,
  };
}

/** Counts the verdicts that were new. */
class CountingStore implements VerdictStore {
  readonly #store = new Map<string, ReadonlyMap<string, FileVerdict>>();
  signatures: readonly SignatureEntry[] = [];
  added = 0;
  writes = 0;

  readSignatures(): readonly SignatureEntry[] {
    return this.signatures;
  }

  writeSignatures(entries: readonly SignatureEntry[]): void {
    this.signatures = JSON.parse(JSON.stringify(entries));
  }

  read(context: string): ReadonlyMap<string, FileVerdict> {
    return this.#store.get(context) ?? new Map();
  }

  write(context: string, verdicts: ReadonlyMap<string, FileVerdict>): void {
    this.writes++;
    const before = this.read(context);
    this.added += [...verdicts.keys()].filter((key) => !before.has(key)).length;
    this.#store.set(context, new Map(JSON.parse(JSON.stringify([...verdicts]))));
  }
}

function comparable({ findings, subjects, identities, skipped, objects, withoutSchema, passedOver }: ChunkResult) {
  const sorted = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();
  const lists = [findings, subjects, identities, skipped].map(sorted);
  return { lists, objects, withoutSchema, passedOver };
}

async function runBoth(plan: CheckPlan, store: CountingStore, build = "a"): Promise<number> {
  const before = store.added;
  const cached = await runCached(plan, { jobs: undefined, store, build, observed: new ObservedFiles() });
  expect(comparable(cached)).toEqual(comparable(await runCheck(plan, { jobs: undefined })));
  return store.added - before;
}

test("an unchanged run checks nothing again", async () => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const store = new CountingStore();
  expect(await runBoth(planFor(folder), store)).toBe(8);
  expect(await runBoth(planFor(folder), store)).toBe(0);
});

test.each([
  { name: "a changed file", change: { "good.yaml": widget(12) }, again: 1 },
  { name: "a new file", change: { "more.yaml": widget(13) }, again: 1 },
  { name: "a changed CRD", change: { "crd.yaml": WIDGET_CRD.replace("maximum: 10", "maximum: 12") }, again: 8 },
  { name: "another CRD", change: { "two.yaml": WIDGET_CRD.replaceAll("idget", "adget") }, again: 9 },
  { name: "a namespace with labels", change: { "ns.yaml": namespace("restricted") }, again: 9 },
])("$name is noticed", async ({ change, again }) => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const store = new CountingStore();
  await runBoth(planFor(folder), store);
  writeFiles(folder, change);
  expect(await runBoth(planFor(folder), store)).toBe(again);
  rmSync(path.join(folder, "bad.yaml"));
  await runBoth(planFor(folder), store);
});

function namespace(level: string): string {
  return `apiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {pod-security.kubernetes.io/enforce: ${level}}}\n`;
}

test.each<{ name: string; changes: Partial<CheckPlan> }>([
  { name: "field validation", changes: { fieldValidation: "warn" } },
  { name: "missing schemas", changes: { missingSchema: "error" } },
  {
    name: "the version",
    changes: {
      engines: [{ version: "1.35", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } }],
    },
  },
  { name: "variables", changes: { values: new Map([["a", "b"]]) } },
  { name: "assumptions", changes: { assumptions: { ipFamilies: "ipv4", allowsPrivileged: true } } },
  { name: "deprecations", changes: { deprecationsUpTo: 30 } },
])("another option, $name, is noticed", async ({ changes }) => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const store = new CountingStore();
  await runBoth(planFor(folder), store);
  expect(await runBoth(planFor(folder, changes), store)).toBe(8);
});

test("another build is noticed", async () => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const store = new CountingStore();
  await runBoth(planFor(folder), store);
  expect(await runBoth(planFor(folder), store, "b")).toBe(8);
});

test("verdicts are kept in a folder, and a damaged or edited file counts as none", () => {
  const folder = scratchFolder();
  const store = new VerdictFolder(path.join(folder, "verdicts"));
  const verdict: FileVerdict = {
    index: 0,
    findings: [],
    objects: 1,
    withoutSchema: 0,
    passedOver: 0,
    skipped: [],
    subjects: [],
    identities: ["a"],
  };
  store.write("context", new Map([["key", verdict]]));
  expect(store.read("context")).toEqual(new Map([["key", verdict]]));
  expect(store.read("other")).toEqual(new Map());
  const kept = readFileSync(path.join(folder, "verdicts/context"), "utf8");
  for (const text of ["", "[1, [", kept.slice(0, -1), kept.replace('"objects":1', '"objects":{}')]) {
    expect(text).not.toBe(kept);
    writeFiles(folder, { "verdicts/context": text });
    expect(store.read("context")).toEqual(new Map());
  }
  expect(cacheFolder("verdicts", { XDG_CACHE_HOME: "relative" })).toBeUndefined();
});

/** As if the files had been there for a while. */
const AGE_S = 10;

function makeOld(folder: string): void {
  const before = Date.now() / 1000 - AGE_S;
  for (const name of Object.keys(FILES)) utimesSync(path.join(folder, name), before, before);
}

/** The time of a file's last change cannot be set, so the clock of the run is moved. */
async function later<T>(run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ now: Date.now() + AGE_S * 1000, toFake: ["Date"] });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

test("files that were just written are not remembered", async () => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const store = new CountingStore();
  await runBoth(planFor(folder), store);
  expect(store.signatures).toEqual([]);
});

test("a file that has not changed is not read again", async () => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  makeOld(folder);
  const store = new CountingStore();
  await later(() => runBoth(planFor(folder), store));
  expect(store.signatures).toHaveLength(Object.keys(FILES).length);
  // What is known about a file is used in place of its text.
  store.signatures = store.signatures.map(([file, signature, digest, isContext]) =>
    file.endsWith("good.yaml")
      ? [file, signature, "0".repeat(digest.length), isContext]
      : [file, signature, digest, isContext],
  );
  const before = store.writes;
  await later(() => runBoth(planFor(folder), store));
  expect(store.writes).toBe(before + 1);
});

const REPLACED = widget(12);

test.each([
  ["written again", (file: string) => writeFileSync(file, REPLACED)],
  [
    "written again with the size and the modification time of before",
    (file: string) => {
      const { mtime } = statSync(file);
      writeFileSync(file, readFileSync(file, "utf8").replace("size: 1", "size: x"));
      utimesSync(file, mtime, mtime);
    },
  ],
  [
    "replaced by another file",
    (file: string) => {
      writeFileSync(`${file}.new`, REPLACED);
      renameSync(`${file}.new`, file);
    },
  ],
] as const)("a file that was %s is read again", async (_, change) => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  makeOld(folder);
  const store = new CountingStore();
  await later(() => runBoth(planFor(folder), store));
  change(path.join(folder, "good.yaml"));
  expect(await runBoth(planFor(folder), store)).toBe(1);
});

test.each([
  { name: "a file", changed: "good.yaml", text: widget(12) },
  { name: "a CRD", changed: "crd.yaml", text: WIDGET_CRD.replace("maximum: 10", "maximum: 12") },
])("$name that changes while it is checked has no verdict under its old content", async ({ changed, text }) => {
  const folder = scratchFolder();
  writeFiles(folder, FILES);
  const plan = planFor(folder);
  const file = path.join(folder, changed);
  const before = readFileSync(file, "utf8");
  const store = new CountingStore();
  // The keys are made before verdicts are read, and the files are checked afterwards.
  vi.spyOn(store, "read").mockImplementationOnce(() => {
    writeFileSync(file, text);
    return new Map();
  });
  await runCached(plan, { jobs: undefined, store, build: "a", observed: new ObservedFiles() });
  writeFileSync(file, before);
  await runBoth(plan, store);
});
