/**
 * Bundles the command line into packages/cli/dist/bundle: one script instead of hundreds of modules, so that it starts
 * fast. A module that is imported dynamically is evaluated on demand, and launch.js keeps the compiled code between
 * runs; native packages stay external. Every function of a script costs time when it starts, even if it is never called, so
 * `check` has a script of its own without the other commands, and another one for a run of which nothing has changed.
 *
 *   node tools/bundle-cli.mjs [FOLDER]
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hasBundledList, recordBundled } from "./notices.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const target = path.resolve(process.argv[2] ?? path.join(root, "packages/cli/dist/bundle"));
const sources = ["gostd", "cel", "engine", "checker", "lsp", "server", "webhook", "cli"].map((name) =>
  path.join(root, "packages", name, "src"),
);

/** Built in a temporary place and moved, so that a failure leaves the old bundle. */
async function bundle() {
  const draft = `${target}.new`;
  rmSync(draft, { recursive: true, force: true });
  const metafile = await writeScript(path.join(draft, "program.js"), entry(Object.keys(PROGRAMS)));
  await writeScript(path.join(draft, "check.js"), entry(OF_CHECK), [withoutOtherCommands()]);
  await writeScript(path.join(draft, "repeat.js"), 'export * from "./packages/cli/src/workers/repeat-run.ts";');
  recordBundled("cli", metafile, root);
  writeLaunchers(draft);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

/** Returns what the script was made of. */
async function writeScript(outfile, contents, plugins = []) {
  const { metafile } = await build({
    metafile: true,
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    charset: "ascii",
    // Packages that are not bundled are loaded with `require`: a script has no loader for modules.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "BUNDLE_URL" },
    banner: { js: 'const BUNDLE_URL=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [evaluatedLater(), ...plugins],
    conditions: ["portcullis-source"],
    external: ["libsql"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
  });
  return metafile;
}

/** Only the program that runs is evaluated. */
const PROGRAMS = {
  portcullis: "packages/cli/src/main.ts",
  "portcullis-kube-apiserver": "packages/cli/src/kube-apiserver.ts",
  "portcullis-etcd": "packages/cli/src/etcd.ts",
  worker: "packages/cli/src/workers/worker.ts",
  reader: "packages/cli/src/workers/reader.ts",
  "suite-worker": "packages/cli/src/workers/suite-worker.ts",
  "serving-process": "packages/server/src/node/processes/serving-process.ts",
  "heavy-thread": "packages/server/src/node/heavy/heavy-thread.ts",
};

/** launch.cjs starts these from check.js, the first only for the command `check`. */
const OF_CHECK = ["portcullis", "worker", "reader"];

function entry(names) {
  const programs = names.map((name) => `"${name}": () => import("./${PROGRAMS[name]}")`);
  return `export const PROGRAMS = { ${programs.join(", ")} };`;
}

/** The other commands are never loaded. */
function withoutOtherCommands() {
  const table = path.join("packages", "cli", "src", "commands", "table.ts");
  return {
    name: "without other commands",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path: name, importer }) =>
        importer.endsWith(table) && name !== "./check.ts" ? { path: name, namespace: "absent" } : undefined,
      );
      onLoad({ filter: /./, namespace: "absent" }, () => ({ contents: 'throw new Error("check.js has only check");' }));
    },
  };
}

function writeLaunchers(folder) {
  mkdirSync(folder, { recursive: true });
  const hash = createHash("sha256");
  for (const name of ["program.js", "check.js", "repeat.js"]) hash.update(readFileSync(path.join(folder, name)));
  const digest = hash.digest("hex").slice(0, 16);
  const launch = readFileSync(path.join(root, "tools/launch/launch.cjs"), "utf8");
  writeFileSync(path.join(folder, "launch.js"), launch.replace("BUNDLE_DIGEST", digest));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "commonjs" }\n');
  for (const name of Object.keys(PROGRAMS)) {
    const code = `#!/usr/bin/env node\nrequire("./launch.js")(${JSON.stringify(name)});\n`;
    writeFileSync(path.join(folder, `${name}.js`), code, { mode: 0o755 });
  }
}

/** Modules that most runs do not need and that take long to evaluate, by what they export. */
const LATER = new Map([
  ["node:crypto", ["createHash"]],
  ["node:v8", ["setFlagsFromString"]],
]);

/** Replaces imports of these functions by functions that load the module when they are called. */
function evaluatedLater() {
  const cel = path.join(root, "packages", "cel", "src", "parse");
  return {
    name: "evaluated later",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/syntax-errors\.ts$/ }, ({ importer }) =>
        importer === path.join(cel, "parser.ts")
          ? { path: path.join(cel, "syntax-errors.ts"), namespace: "later" }
          : undefined,
      );
      onResolve({ filter: /^node:(crypto|v8)$/ }, ({ path: name, importer }) =>
        LAZY_IMPORTERS.some((each) => importer.endsWith(each)) ? { path: name, namespace: "later" } : undefined,
      );
      onLoad({ filter: /./, namespace: "later" }, ({ path: module }) => {
        const names = LATER.get(module) ?? ["parseWithIssues"];
        const lines = names.map(
          (name) => `export const ${name} = (...args) => require(${JSON.stringify(module)}).${name}(...args);`,
        );
        return { contents: lines.join("\n"), resolveDir: root };
      });
    },
  };
}

const LAZY_IMPORTERS = [
  path.join("packages", "checker", "src", "report", "build.ts"),
  path.join("packages", "cli", "src", "sources", "source-cache.ts"),
  path.join("packages", "cli", "src", "workers", "cached-run.ts"),
  path.join("packages", "cli", "src", "workers", "verdict-store.ts"),
  path.join("packages", "cli", "src", "frame", "short-run.ts"),
];

function isFresh() {
  const made = path.join(target, "program.js");
  return (
    existsSync(made) &&
    hasBundledList("cli") &&
    statSync(made).mtimeMs > Math.max(...sources.map(newest), newest(path.join(root, "tools/launch")))
  );
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(full) : statSync(full).mtimeMs);
  }
  return time;
}

if (!isFresh()) await bundle();
