import { readFileSync, writeFileSync } from "node:fs";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { runCommand, WIDGET_CRD } from "./commands.testing.ts";

const widget = (spec: string, meta = ""): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n${meta}spec:\n${spec}\n`;

async function checkWidget(text: string, ...args: string[]) {
  return runCommand(check, ["@/w.yaml", "@/crd.yaml", ...args], { "w.yaml": text, "crd.yaml": WIDGET_CRD });
}

describe("suppressions", () => {
  // biome-ignore format: a table
  test.each([
    { name: "on the line", text: widget("  size: 11 # portcullis: ignore schema/maximum we have 11"), code: 0, says: ["0 errors, 0 warnings, 1 suppressed"] },
    { name: "alone before the line, other comments between", text: widget("  # portcullis: ignore schema/maximum we have 11\n  # more\n  size: 11"), code: 0, says: ["1 suppressed"] },
    { name: "for a family of rules", text: widget("  size: 11 # portcullis: ignore schema/* we have 11"), code: 0, says: ["1 suppressed"] },
    { name: "for the file", text: `# portcullis: ignore-file schema/maximum we have 11\n${widget("  size: 11")}`, code: 0, says: ["1 suppressed"] },
    { name: "as an annotation", text: widget("  size: 11", "  annotations:\n    portcullis.dev/ignore.schema.maximum: we have 11\n"), code: 0, says: ["1 suppressed"] },
    { name: "of another rule: unused", text: widget("  size: 11 # portcullis: ignore schema/minimum we have 11"), code: 1, says: ["1 error, 1 warning", "suppression/unused", "nothing here is suppressed by `schema/minimum`"] },
    { name: "on another line: unused", text: widget("  size: 11\n  mode: a # portcullis: ignore schema/maximum we have 11"), code: 1, says: ["suppression/unused"] },
    { name: "an annotation without effect", text: widget("  size: 1", "  annotations:\n    portcullis.dev/ignore.schema.maximum: we have 11\n"), code: 0, says: ["w.yaml:6:5  warning  suppression/unused"] },
    { name: "without a reason: ignored", text: widget("  size: 11 # portcullis: ignore schema/maximum"), code: 1, says: ["the suppression of `schema/maximum` has no reason"] },
    { name: "without a rule: ignored", text: widget("  size: 11 # portcullis: ignore"), code: 1, says: ["the suppression names no rule"] },
  ])("$name", async ({ text, code, says }) => {
    const outcome = await checkWidget(text);
    expect(outcome.code).toBe(code);
    for (const part of says) expect(outcome.stdout).toContain(part);
  });
});

describe("baselines", () => {
  async function inFolder(text: string) {
    const folder = scratchFolder();
    const files = { "w.yaml": text, "crd.yaml": WIDGET_CRD };
    const run = (...args: string[]) => runCommand(check, ["@/w.yaml", "@/crd.yaml", ...args], files, { folder });
    return { run, file: `${folder}/baseline.yaml` };
  }

  test("listed findings do not count, new ones do", async () => {
    const { run, file } = await inFolder(widget("  size: 11\n  sizee: 1"));
    expect(await run("--write-baseline", "@/baseline.yaml")).toEqual({
      code: 0,
      stdout: "",
      stderr: "portcullis: baseline.yaml accepts 2 findings\n",
    });
    expect(readFileSync(file, "utf8")).toContain("rule: schema/maximum");
    expect((await run("--baseline", "@/baseline.yaml")).stdout).toBe(
      "2 objects, 2 files: 0 errors, 0 warnings, 2 suppressed\n",
    );
    writeFileSync(file, readFileSync(file, "utf8").replace(/- fingerprint[\s\S]*?(?=- fingerprint)/, ""));
    const { code, stdout } = await run("--baseline", "@/baseline.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain("1 error, 0 warnings, 1 suppressed");
  });

  test("an expired entry counts again, and rewriting keeps owners and reasons", async () => {
    const { run, file } = await inFolder(widget("  size: 11"));
    await run("--write-baseline", "@/baseline.yaml");
    const owned = `${readFileSync(file, "utf8")}  owner: team-a\n  reason: old machines\n`;
    writeFileSync(file, `${owned}  expires: 2999-01-31\n`);
    expect((await run("--baseline", "@/baseline.yaml")).code).toBe(0);
    await run("--write-baseline", "@/baseline.yaml");
    expect(readFileSync(file, "utf8")).toContain("  owner: team-a\n  reason: old machines\n  expires: 2999-01-31\n");
    writeFileSync(file, `${owned}  expires: 2001-01-31\n`);
    const { code, stdout } = await run("--baseline", "@/baseline.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain("= accepted by team-a in baseline.yaml until 2001-01-31");
  });

  test("a stale entry is reported at its place", async () => {
    const { run, file } = await inFolder(widget("  size: 1"));
    writeFileSync(
      file,
      "apiVersion: portcullis.dev/v1\nkind: Baseline\nfindings:\n- fingerprint: abc\n  rule: schema/maximum\n",
    );
    const { code, stdout } = await run("--baseline", "@/baseline.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("baseline.yaml:4:3  warning  baseline/unused");
    expect((await run("--baseline", "@/baseline.yaml", "--fail-on", "warning")).code).toBe(1);
  });

  // biome-ignore format: a table
  test.each([
    { text: "a: b\n", says: "it has no `kind: Baseline`" },
    { text: "apiVersion: portcullis.dev/v1\nkind: Baseline\n", says: "it has no list of findings" },
    { text: "apiVersion: portcullis.dev/v1\nkind: Baseline\nfindings:\n- rule: x\n", says: "needs a fingerprint" },
    { text: "apiVersion: portcullis.dev/v1\nkind: Baseline\nfindings:\n- fingerprint: x\n  expires: soon\n", says: "`expires: soon` is not a date" },
    { text: "", says: "it is empty" },
  ])("a file that is not a baseline is refused: $says", async ({ text, says }) => {
    const { run, file } = await inFolder(widget("  size: 1"));
    writeFileSync(file, text);
    await expect(run("--baseline", "@/baseline.yaml")).rejects.toThrow(says);
  });
});

describe("what fails a run", () => {
  test.each([
    { args: [], code: 0 },
    { args: ["--fail-on", "warning"], code: 1 },
    { args: ["--missing-schema", "error"], code: 1 },
    { args: ["--missing-schema", "error", "--exit-zero"], code: 0 },
    { args: ["--missing-schema", "ignore", "--fail-on", "note"], code: 0 },
    { args: ["--ignore-missing-schemas", "--fail-on", "note"], code: 0 },
  ])("a warning with $args", async ({ args, code }) => {
    const outcome = await runCommand(check, ["@/w.yaml", ...args], { "w.yaml": widget("  size: 1") });
    expect(outcome.code).toBe(code);
  });
});
