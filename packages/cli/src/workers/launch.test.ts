import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
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
  writeFileSync(path.join(folder, "of-an-older-build"), "x");
  truncateSync(file, 1000);
  runIn(cache);
  expect(readdirSync(folder)).toEqual([name]);
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
