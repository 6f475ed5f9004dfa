import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { beforeAll, describe, expect, test } from "vitest";
import { WIDGET_CRD } from "../commands/commands.testing.ts";
import { bundleCommandLine } from "../commands/processes.testing.ts";

const scratch = sharedFolder();
let program = "";

const configMap = (rest: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n${rest}`;
const quota = (hard: string): string =>
  `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {cpu: ${hard}}}\n`;

/** Everything that one thread may hand to the other, and what it must keep. */
const BUILT_IN = {
  right: configMap("data: {a: b}\n"),
  wrong: configMap("data: {a: 1}\n"),
  unknown: configMap("date: {a: b}\n"),
  invalid: configMap("data: {a/b: c}\n"),
  twice: configMap("data: {a: b}\ndata: {a: c}\n"),
  accepted: configMap("data: {a/b: c} # portcullis: ignore validation* known\n"),
  needless: configMap("data: {a: b} # portcullis: ignore validation* known\n"),
  broken: configMap("data: [\n"),
  several: `${configMap("")}---\n${configMap("data: {a/b: c}\n")}---\n# nothing\n`,
  list: `apiVersion: v1\nkind: List\nitems:\n- ${configMap("data: {a/b: c}").replaceAll("\n", "\n  ")}\n`,
  mixed: `${configMap("")}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: m}\nspec: {size: 12}\n`,
  float: quota("1.0"),
  fraction: quota("0.5"),
  large: quota("12345678901234567890"),
  odd: quota("'1x'"),
  other: "x: 1\n",
};

/** Threads need JavaScript files, so the command line is bundled as published. */
beforeAll(() => {
  program = bundleCommandLine(path.join(scratch, "bundle"));
  mkdirSync(path.join(scratch, "many"));
  for (let index = 0; index < 120; index++) {
    const name = `w${String(index).padStart(3, "0")}`;
    const accepted = index % 20 === 5 ? " # portcullis: ignore schema/maximum known" : "";
    const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec:\n  size: ${index % 10 === 5 ? 11 : 1}${accepted}\n`;
    writeFileSync(path.join(scratch, "many", `${name}.yaml`), text);
  }
  writeFileSync(path.join(scratch, "many", "z-crd.yaml"), WIDGET_CRD);
  for (const [name, text] of Object.entries(BUILT_IN))
    writeFileSync(path.join(scratch, "many", `b-${name}.yaml`), text);
}, 300_000);

function portcullis(...args: string[]) {
  return portcullisWith("", ...args);
}

function portcullisWith(input: string, ...args: string[]) {
  const options = { cwd: scratch, encoding: "utf8", input } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return { status, stdout, stderr };
}

describe("with threads", () => {
  test.each(["text", "json", "junit", "sarif"])("the output is the same byte for byte: %s", (format) => {
    const alone = portcullis("check", "many", "-o", format, "--jobs", "1");
    expect(alone).toMatchObject({ status: 1, stderr: "" });
    for (const jobs of ["2", "5"]) expect(portcullis("check", "many", "-o", format, "--jobs", jobs)).toEqual(alone);
  });

  test("standard input is checked like a file", () => {
    const input = `${BUILT_IN.invalid}---\n${BUILT_IN.mixed}`;
    const run = (jobs: string) => portcullisWith(input, "check", "-", "many", "--jobs", jobs).stdout;
    expect(run("1")).toContain("-:4:8  error  validation");
    for (const jobs of ["2", "3"]) expect(run(jobs)).toBe(run("1"));
  });

  test("a file that cannot be read ends the run with 2", () => {
    expect(portcullis("check", "many", "missing.yaml", "--jobs", "2")).toMatchObject({
      status: 2,
      stderr: "portcullis: `missing.yaml`: no such file or folder\n",
    });
  });

  test("published commands start, and a closed pipe is not a failure", () => {
    expect(portcullis("--version").stdout).toMatch(/^portcullis \d/);
    expect(portcullis("check", "many/w001.yaml", "many/z-crd.yaml")).toMatchObject({ status: 0 });
    expect(portcullis("cel", "1 + 1")).toMatchObject({ status: 0, stdout: "2  (int, cost 1)\n" });
  });
});
