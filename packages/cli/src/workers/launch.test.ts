import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { sharedFolder, until } from "@portcullis/server/node/scratch.testing";
import { beforeAll, expect, test } from "vitest";
import { bundleCommandLine } from "../commands/processes.testing.ts";

const scratch = sharedFolder();
let program = "";

beforeAll(() => {
  program = bundleCommandLine(path.join(scratch, "bundle"));
});

function runIn(cache: string, more: Readonly<Record<string, string>> = {}, args = ["-"]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, "check", ...args], {
    input: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    encoding: "utf8",
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache, ...more },
  });
  return stdout + stderr;
}

const PASSED = "1 object, 1 file: 0 errors, 0 warnings\n";

test("compiled code is kept between runs, and a damaged file is replaced", () => {
  const cache = path.join(scratch, "cache");
  const folder = path.join(cache, "portcullis", "code");
  expect(runIn(cache)).toBe(PASSED);
  const [name = ""] = readdirSync(folder);
  const file = path.join(folder, name);
  const code = readFileSync(file);
  expect(code.length).toBeGreaterThan(100_000);
  expect(runIn(cache)).toBe(PASSED);
  truncateSync(file, 1000);
  expect(runIn(cache)).toBe(PASSED);
  expect(readFileSync(file).length).toBeGreaterThan(100_000);
});

test("check needs no script but its own, also for help, policies and threads", () => {
  const folder = path.join(scratch, "alone");
  cpSync(path.dirname(program), folder, { recursive: true });
  rmSync(path.join(folder, "program.js"));
  for (const name of ["a", "b"])
    writeFileSync(path.join(scratch, `${name}.yaml`), `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`);
  const files = [path.join(scratch, "a.yaml"), path.join(scratch, "b.yaml")];
  const runAlone = (args: readonly string[]): string =>
    spawnSync(process.execPath, [path.join(folder, "portcullis.js"), "check", ...args], { encoding: "utf8" }).stdout;
  expect(runAlone(["--help"])).toContain("portcullis check PATH…");
  expect(runAlone([...files, "--jobs", "2"])).toBe("2 objects, 2 files: 0 errors, 0 warnings\n");
  const policy = path.join(scratch, "policy.yaml");
  writeFileSync(policy, POLICY);
  expect(runAlone([...files, "--policies", policy, "--bind", "Deny"])).toContain("policy p: 1 denied, 0 warned");
});

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name == 'a'"}]
`;

test("of other builds, those that were used last are kept, with all their files", () => {
  const cache = path.join(scratch, "builds");
  const folder = path.join(cache, "portcullis", "code");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, daysAgo: number): void => {
    const file = path.join(folder, name);
    const time = new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000);
    writeFileSync(file, "x");
    utimesSync(file, time, time);
  };
  for (const days of [1, 2, 3, 4]) write(`build${days}_1_x64_portcullis_check`, days);
  write("build2_1_x64_reader_other", 100);
  expect(runIn(cache)).toBe(PASSED);
  const kept = readdirSync(folder).filter((name) => name.startsWith("build"));
  expect(kept).toEqual(["build1", "build2", "build2", "build3"].map((name) => expect.stringContaining(name)));
  expect(readdirSync(folder)).toHaveLength(kept.length + 1);
});

test("a use is noted once a day, so that another build does not remove the code", () => {
  const cache = path.join(scratch, "noted");
  const folder = path.join(cache, "portcullis", "code");
  runIn(cache);
  const file = path.join(folder, readdirSync(folder)[0] ?? "");
  const [recent, old] = [1000, 48 * 60 * 60 * 1000].map((ago) => new Date(Date.now() - ago));
  utimesSync(file, recent as Date, recent as Date);
  const { mtimeMs } = statSync(file);
  runIn(cache);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  utimesSync(file, old as Date, old as Date);
  runIn(cache);
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(60_000);
});

test("the code of a server is kept while it runs, because most servers of tests are killed", async () => {
  const [cache, data] = [path.join(scratch, "server"), path.join(scratch, "data")];
  const folder = path.join(cache, "portcullis", "code");
  const files = ["--cert-dir", `${data}/certs`, "--kubeconfig-out", `${data}/kubeconfig`];
  const server = spawn(process.execPath, [program, "serve", "--in-memory", "--secure-port", "0", ...files], {
    stdio: "ignore",
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache },
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    await until(() => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith("_portcullis_serve")));
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
});

test("without a cache folder, or with the cache turned off, nothing is written", () => {
  const cache = path.join(scratch, "off");
  expect(runIn(cache, { NODE_DISABLE_COMPILE_CACHE: "1" })).toBe(PASSED);
  expect(runIn("relative")).toBe(PASSED);
  expect([existsSync(cache), existsSync("relative")]).toEqual([false, false]);
});

test("the code of a large run is kept too, with that of its second thread, and V8 accepts both", () => {
  const [cache, many] = [path.join(scratch, "large"), path.join(scratch, "many")];
  const folder = path.join(cache, "portcullis", "code");
  mkdirSync(many);
  for (let index = 0; index < 300; index++) {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\n`;
    writeFileSync(path.join(many, `c${index}.yaml`), text);
  }
  const run = (): string => runIn(cache, {}, [many, "--no-cache", "--jobs", "2"]);
  const inodes = (): readonly (readonly [string, number])[] =>
    readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).ino]);
  expect(run()).toBe("300 objects, 300 files: 0 errors, 0 warnings\n");
  const stored = inodes();
  expect(stored.map(([name]) => name.split("_").slice(-2).join(" "))).toEqual(["portcullis check", "reader other"]);
  run();
  // What V8 rejects is stored again, in a new file.
  expect(inodes()).toEqual(stored);
});

test("a run of which nothing has changed needs no script of its own", async () => {
  const [cache, many, folder] = ["repeat", "unchanged", "repeating"].map((name) => path.join(scratch, name)) as [
    string,
    string,
    string,
  ];
  cpSync(path.dirname(program), folder, { recursive: true });
  mkdirSync(many);
  for (let index = 0; index < 100; index++)
    writeFileSync(path.join(many, `${index}.yaml`), `{apiVersion: v1, kind: ConfigMap, metadata: {name: c${index}}}`);
  const run = (): string => {
    const args = [path.join(folder, "portcullis.js"), "check", many, "--color=never"];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, XDG_CACHE_HOME: cache },
    });
    return stdout + stderr;
  };
  const expected = "100 objects, 100 files: 0 errors, 0 warnings\n";
  // The files must have been there for a while.
  await until(() => {
    expect(run()).toBe(expected);
    return existsSync(path.join(cache, "portcullis", "runs"));
  });
  rmSync(path.join(folder, "check.js"));
  expect(run()).toBe(expected);
  writeFileSync(path.join(many, "0.yaml"), "");
  expect(run()).toContain("check.js");
});
