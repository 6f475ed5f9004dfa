/**
 * Runs the tests of the packages in other languages, each where its tools are installed and its dependencies can be had.
 * A package that cannot be tested is skipped, with the reason in the report.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const here = path.dirname(fileURLToPath(import.meta.url));
const bundle = path.join(here, "../packages/cli/dist/bundle/portcullis.js");
const scratch = mkdtempSync(path.join(tmpdir(), "portcullis-testservers-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const root = path.dirname(here);
const jest = path.join(scratch, "jest/node_modules/jest/bin/jest.js");
const venv = path.join(scratch, "venv/bin");
/** The tool that must be installed, what gets the dependencies, and what tests. */
const PACKAGES = [
  {
    name: "go",
    tool: ["go", "version"],
    prepare: [["go", "mod", "download"]],
    run: ["go", "test", "-count=1", "./..."],
  },
  {
    name: "python",
    tool: ["python3", "-m", "venv", "--help"],
    prepare: [
      ["python3", "-m", "venv", path.dirname(venv)],
      // A copy, because pip builds in the folder of the package.
      ["cp", "-r", ".", path.join(scratch, "python")],
      [path.join(venv, "pip"), "install", "--quiet", `${path.join(scratch, "python")}[client]`],
    ],
    run: [path.join(venv, "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"],
  },
  {
    name: "javascript",
    runner: "vitest",
    tool: ["node", "--version"],
    prepare: [],
    run: ["node", path.join(root, "node_modules/vitest/vitest.mjs"), "run", "examples/vitest.test.js", "--root", "."],
  },
  {
    name: "javascript",
    runner: "node:test",
    tool: ["node", "--version"],
    prepare: [],
    run: ["node", "--test", "examples/node.test.js"],
  },
  {
    name: "javascript",
    runner: "jest",
    tool: ["npm", "--version"],
    // In a folder of its own: jest has hundreds of packages.
    prepare: [["npm", "install", "--silent", "--no-save", "--prefix", path.join(scratch, "jest"), "jest@30"]],
    run: [
      "node",
      "--experimental-vm-modules",
      jest,
      "--rootDir",
      ".",
      `--modulePaths=${path.join(scratch, "jest/node_modules")}`,
      "--runTestsByPath",
      "examples/jest.test.js",
    ],
  },
  {
    name: "java",
    tool: ["mvn", "--version"],
    prepare: [["mvn", "-q", "-B", "dependency:resolve", "dependency:resolve-plugins"]],
    run: ["mvn", "-q", "-B", `-DbuildDirectory=${path.join(scratch, "java")}`, "test"],
  },
];

test.for(PACKAGES)(
  "the package for $name passes its tests $runner",
  ({ name, tool, prepare, run }, { skip }) => {
    const start = ([command, ...args]) =>
      spawnSync(command, args, {
        cwd: path.join(here, name),
        env: {
          ...process.env,
          PORTCULLIS: `${process.execPath} ${bundle}`,
          PYTHONDONTWRITEBYTECODE: "1",
        },
        encoding: "utf8",
      });
    if (!existsSync(bundle)) skip("the command line is not built; run `npm run build`");
    if (start(tool).status !== 0) skip(`${tool[0]} is not installed`);
    for (const command of prepare) {
      if (start(command).status !== 0) skip(`the dependencies for ${name} could not be downloaded`);
    }
    const { status, stdout, stderr } = start(run);
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  },
  900_000,
);
