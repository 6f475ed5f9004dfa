import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findUnchanged, repeatRun } from "../../workers/repeat-run.ts";
import { check } from "../check.ts";
import { type Outcome, runCommand, WIDGET_CRD, writeFiles } from "../commands.testing.ts";

const BUILD = Symbol.for("portcullis.build");
const { XDG_CACHE_HOME } = process.env;
const { argv } = process;
const cwd = process.cwd();
let folder = "";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name == 'a'"}]
`;

/** A repository with everything that a listing looks at. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`deploy/w${index}.yaml`, widget(index, 1)])),
  "deploy/kustomization.yaml": "patches: [{path: patch.yaml}]\n",
  "deploy/patch.yaml": "kind: Widget\n",
  "deploy/vendor/other.yaml": widget(900, 1),
  "charts/app/Chart.yaml": "name: app\n",
  "charts/app/templates/a.yaml": "{{ x }}",
  "crds/crd.yaml": WIDGET_CRD,
  "old/old.yaml": widget(0, 11),
  "policies/policy.yaml": POLICY,
  "variables.env": "A=1\n",
};

function widget(name: number, size: number): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${name}}\nspec: {size: ${size}}\n`;
}

beforeEach(() => {
  folder = scratchFolder();
  writeFiles(folder, FILES);
  symlinkSync("w0.yaml", path.join(folder, "deploy/link.yaml"));
  symlinkSync("absent.yaml", path.join(folder, "deploy/broken.yaml"));
  process.env["XDG_CACHE_HOME"] = scratchFolder();
  Reflect.set(globalThis, BUILD, "a");
  process.chdir(folder);
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, BUILD);
  process.argv = argv;
  process.chdir(cwd);
  if (XDG_CACHE_HOME === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = XDG_CACHE_HOME;
  vi.useRealTimers();
});

const ARGS = ["deploy", "crds"];

/** The times of files cannot be set, so the clock of the run is moved. */
async function run(args: readonly string[], laterMs = 10_000): Promise<Outcome> {
  vi.useFakeTimers({ now: Date.now() + laterMs, toFake: ["Date"] });
  try {
    process.argv = ["node", "portcullis", "check", ...args];
    return await runCommand(check, args, {}, { folder });
  } finally {
    vi.useRealTimers();
  }
}

/** What the next run would print without being made; undefined if it has to be made. */
function repeated(args: readonly string[], build = "a"): Outcome | undefined {
  process.argv = ["node", "portcullis", "check", ...args];
  const record = findUnchanged(build);
  if (record === undefined) return undefined;
  const textOf = (to: 1 | 2): string => record.outputs.flatMap(([each, text]) => (each === to ? [text] : [])).join("");
  return { code: record.code, stdout: textOf(1), stderr: textOf(2) };
}

test("an unchanged run is repeated", async () => {
  expect(repeated(ARGS)).toBeUndefined();
  const first = await run(ARGS);
  expect(first.stdout).toContain("the link points to a file that does not exist");
  expect(repeated(ARGS)).toEqual(first);
  expect(repeated([...ARGS, "--exit-zero"])).toBeUndefined();
  expect(repeated(ARGS, "b")).toBeUndefined();
  process.chdir("deploy");
  expect(repeated(ARGS)).toBeUndefined();
});

const W7 = "deploy/w7.yaml";

test.each<{ name: string; change: () => void }>([
  { name: "a file is changed", change: () => writeFileSync(W7, widget(7, 12)) },
  { name: "a file is changed to the same size", change: () => writeFileSync(W7, widget(7, 2)) },
  {
    name: "a file is changed to the same size, with the modification time of before",
    change: () => {
      const { mtime } = statSync(W7);
      writeFileSync(W7, widget(7, 2));
      utimesSync(W7, mtime, mtime);
    },
  },
  {
    name: "a file is replaced",
    change: () => {
      writeFileSync("new", widget(7, 2));
      renameSync("new", W7);
    },
  },
  {
    name: "two files are swapped",
    change: () => {
      renameSync(W7, "new");
      renameSync("deploy/w8.yaml", W7);
      renameSync("new", "deploy/w8.yaml");
    },
  },
  { name: "a file is added", change: () => writeFileSync("deploy/x.yaml", widget(901, 12)) },
  { name: "a file is removed", change: () => rmSync(W7) },
  { name: "a folder is added", change: () => writeFiles(".", { "deploy/more/x.yaml": widget(901, 12) }) },
  { name: "a CRD is changed", change: () => writeFileSync("crds/crd.yaml", WIDGET_CRD.replace("10", "20")) },
  { name: "the target of a link is changed", change: () => writeFileSync("deploy/w0.yaml", widget(0, 12)) },
  {
    name: "a link points to another file",
    change: () => {
      rmSync("deploy/link.yaml");
      symlinkSync("w1.yaml", "deploy/link.yaml");
    },
  },
  { name: "a broken link gets a target", change: () => writeFiles(".", { "deploy/absent.yaml": widget(1, 12) }) },
  { name: "a folder above becomes a chart", change: () => writeFileSync("Chart.yaml", "name: all\n") },
  { name: "a folder becomes one of vendored modules", change: () => writeFileSync("deploy/vendor/modules.txt", "") },
  { name: "the permissions of a file change", change: () => chmodSync(W7, 0o600) },
  { name: "a folder is replaced by a link", change: replaceFolder },
])("if $name, the run is made again", async ({ change }) => {
  await run(ARGS);
  expect(repeated(ARGS)).toBeDefined();
  change();
  expect(repeated(ARGS)).toBeUndefined();
});

function replaceFolder(): void {
  renameSync("crds", "others");
  symlinkSync("others", "crds");
  writeFileSync("others/crd.yaml", WIDGET_CRD.replace("10", "20"));
}

test("a run is not recorded while its files may change without another time", async () => {
  await run(ARGS, 0);
  expect(repeated(ARGS)).toBeUndefined();
  // The clock may also have been set back.
  await run(ARGS, -1_000_000);
  expect(repeated(ARGS)).toBeUndefined();
});

test("files of options are noticed, and reports are part of the record", async () => {
  const args = [...ARGS, "--env-subst", "variables.env", "--baseline", "baseline.yaml", "-o", "text", "-o", "json=r/a"];
  await run([...ARGS, "--write-baseline", "baseline.yaml"]);
  await run(args);
  const report = readFileSync("r/a", "utf8");
  const record = ((): ReturnType<typeof findUnchanged> => {
    vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] });
    process.argv = ["node", "portcullis", "check", ...args];
    return findUnchanged("a");
  })();
  expect(record?.outputs[0]).toEqual(["r/a", report]);
  // Its entries may expire.
  vi.setSystemTime(Date.now() + 48 * 3600 * 1000);
  expect(findUnchanged("a")).toBeUndefined();
  vi.useRealTimers();
  writeFileSync("variables.env", "A=2\n");
  expect(repeated(args)).toBeUndefined();
});

test.each(["policies/policy.yaml", "old/old.yaml", "crds/crd.yaml"])("%s is noticed as an option", async (file) => {
  const args = ["deploy", "--crds", "crds", "--old", "old", "--policies", "policies"];
  const first = await run(args);
  expect(repeated(args)).toEqual(first);
  writeFileSync(file, readFileSync(file, "utf8"));
  expect(repeated(args)).toBeUndefined();
});

test.each([
  ["standard input", [...ARGS, "-"]],
  ["no cache", [...ARGS, "--no-cache"]],
  ["a baseline is written", [...ARGS, "--write-baseline", "baseline.yaml"]],
  ["a usage error", [...ARGS, "absent"]],
  ["few files", ["crds"]],
] as const)("%s: the run is not recorded", async (_, args) => {
  await run(args).catch(() => undefined);
  expect(repeated(args)).toBeUndefined();
});

test("a repeated run prints to the same streams and files, and ends with the same code", async () => {
  const args = [...ARGS, "-o", "text", "-o", "json=r/a"];
  const { stdout } = await run(args);
  const report = readFileSync("r/a", "utf8");
  rmSync("r", { recursive: true });
  let printed = "";
  vi.spyOn(fs, "writeSync").mockImplementation(((to: number, bytes: Uint8Array) => {
    printed += `${to}: ${Buffer.from(bytes)}`;
    return bytes.length;
  }) as never);
  syncBuiltinESMExports();
  try {
    expect(repeatRun("a")).toBe(true);
    expect(process.exitCode).toBe(0);
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect(printed.replaceAll(`${folder}/`, "")).toBe(`1: ${stdout}`);
  expect(readFileSync("r/a", "utf8")).toBe(report);
  writeFileSync(W7, "");
  expect(repeatRun("a")).toBe(false);
});

test("a damaged record is not used", async () => {
  await run(ARGS);
  const runs = path.join(process.env["XDG_CACHE_HOME"] ?? "", "portcullis/runs");
  const file = path.join(runs, fs.readdirSync(runs)[0] ?? "");
  const bytes = readFileSync(file);
  const damaged = Uint8Array.from(bytes);
  damaged[bytes.length >> 1] = (damaged[bytes.length >> 1] ?? 0) ^ 1;
  for (const content of [bytes.subarray(0, 3), bytes.subarray(0, -1), damaged]) {
    writeFileSync(file, content);
    expect(repeated(ARGS)).toBeUndefined();
  }
  writeFileSync(file, bytes);
  expect(repeated(ARGS)).toBeDefined();
});

const SPIED = [
  "readFileSync",
  "statSync",
  "readdirSync",
  "existsSync",
  "openSync",
  "lstatSync",
  "realpathSync",
] as const;

test("everything that a run reads is in its record", async () => {
  const read = new Set<string>();
  for (const name of SPIED) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    const spy = (...args: unknown[]): unknown => {
      if (typeof args[0] === "string") read.add(args[0]);
      return original(...args);
    };
    vi.spyOn(fs, name).mockImplementation(Object.assign(spy, original) as never);
  }
  syncBuiltinESMExports();
  mkdirSync("reports");
  const args = ["deploy", "charts", "--crds", "crds", "--old", "old", "--policies", "policies", "--set", "A=1"];
  try {
    await run([...args, "--env-subst", "variables.env"]);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  process.argv = ["node", "portcullis", "check", ...args, "--env-subst", "variables.env"];
  const files = new Set(findUnchanged("a")?.files.map((file) => path.resolve(file)));
  const inFolder = [...read].map((file) => path.resolve(file)).filter((file) => file.startsWith(folder));
  expect(inFolder.length).toBeGreaterThan(100);
  expect(inFolder.filter((file) => !files.has(file))).toEqual([]);
  expect(existsSync("reports")).toBe(true);
});
