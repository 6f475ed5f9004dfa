import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "readme-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const programs = ["cel", "gostd"].flatMap((name) => {
  const text = readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], index) => ({
    name: `${name}-${index + 1}`,
    code,
  }));
});

test("the READMEs have programs", () => {
  expect(programs.length).toBeGreaterThan(3);
});

test("the programs of the READMEs are type-checked", () => {
  for (const { name, code } of programs) writeFileSync(join(scratch, `${name}.ts`), code);
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(configuration()));
  expect(run(join(ROOT, "node_modules/.bin/tsc"), "-p", scratch)).toBe("");
}, 60_000);

function configuration() {
  const source = (path: string): string[] => [join(ROOT, "packages", path)];
  return {
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "dom"],
      types: [],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      customConditions: ["portcullis-source"],
      paths: {
        "@portcullis/cel": source("cel/src/index.ts"),
        "@portcullis/gostd/regexp": source("gostd/src/regexp/pattern.ts"),
        "@portcullis/gostd/*": source("gostd/src/*.ts"),
        re2js: [join(ROOT, "node_modules/re2js")],
        antlr4ng: [join(ROOT, "node_modules/antlr4ng")],
      },
    },
    files: programs.map(({ name }) => `${name}.ts`),
  };
}

test.each(programs)("the program $name prints what its comments show", async ({ name, code }) => {
  const outfile = join(scratch, `${name}.mjs`);
  await build({
    stdin: { contents: code, loader: "ts", resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    logLevel: "silent",
  });
  const shown = [...code.matchAll(/^\/\/ ?(.*)$/gm)].map(([, line]) => line);
  expect(run(process.execPath, outfile).trimEnd().split("\n")).toEqual(shown);
});

function run(command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: "utf8" });
  } catch (failure) {
    return failure instanceof Error && "stdout" in failure ? `${failure.message}\n${failure.stdout}` : String(failure);
  }
}
