import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WIDGET_CRD } from "../commands/commands.testing.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), "portcullis-bundle-"));
const bundle = path.join(scratch, "bundle");

/** Threads need JavaScript files, so the command line is bundled as it is published. */
beforeAll(() => {
  execFileSync(process.execPath, [path.join(ROOT, "tools/bundle-cli.mjs"), bundle], { cwd: ROOT });
  mkdirSync(path.join(scratch, "many"));
  for (let index = 0; index < 120; index++) {
    const name = `w${String(index).padStart(3, "0")}`;
    const accepted = index % 20 === 5 ? " # portcullis: ignore schema/maximum known" : "";
    const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec:\n  size: ${index % 10 === 5 ? 11 : 1}${accepted}\n`;
    writeFileSync(path.join(scratch, "many", `${name}.yaml`), text);
  }
  writeFileSync(path.join(scratch, "many", "z-crd.yaml"), WIDGET_CRD);
}, 300_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function portcullis(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(bundle, "portcullis.js"), ...args], {
    cwd: scratch,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("with threads", () => {
  test.each(["text", "json", "junit", "sarif"])("the output is the same byte for byte: %s", (format) => {
    const alone = portcullis("check", "many", "-o", format, "--jobs", "1");
    expect(alone).toMatchObject({ status: 1, stderr: "" });
    for (const jobs of ["2", "5"]) expect(portcullis("check", "many", "-o", format, "--jobs", jobs)).toEqual(alone);
  });

  test("a file that cannot be read ends it with 2", () => {
    expect(portcullis("check", "many", "missing.yaml", "--jobs", "2")).toMatchObject({
      status: 2,
      stderr: "portcullis: `missing.yaml`: no such file or folder\n",
    });
  });

  test("commands start as they are published, and a closed pipe is no failure", () => {
    expect(portcullis("--version").stdout).toMatch(/^portcullis \d/);
    expect(portcullis("check", "many/w001.yaml", "many/z-crd.yaml")).toMatchObject({ status: 0 });
    expect(portcullis("cel", "1 + 1")).toMatchObject({ status: 0, stdout: "2  (int, cost 1)\n" });
  });
});
