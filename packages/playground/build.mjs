/**
 * Puts the page together: `dist`, or the folder that is named, is the whole of it: static files that work under any path
 * of any host. Everything is read from sources; nothing else has to be built before.
 *
 * It comes in parts: the page and the engine, which is what the verdict about an object needs, and then the modes that
 * need more, the editors, and the parser for the messages of syntax errors in expressions.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { lazySyntaxErrors, withoutNode } from "../../tools/browser-plugins.mjs";
import { recordBundled } from "../../tools/notices.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(folder));
const dist = path.resolve(process.argv[2] ?? path.join(folder, "dist"));
const examples = path.join(root, "examples", "playground");

/** Gzipped script that a verdict needs, in bytes; the editors and the examples come on top. */
const BUDGET = 490_000;

const result = await build({
  absWorkingDir: folder,
  entryPoints: { page: "src/page/main.ts", worker: "src/worker.ts" },
  outdir: dist,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["es2022"],
  conditions: ["portcullis-source"],
  mainFields: ["module", "main"],
  chunkNames: "part-[name]-[hash]",
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "warning",
  plugins: [lazySyntaxErrors(), exampleModule(), withoutNode()],
});

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
for (const { path: file, contents } of result.outputFiles) writeFileSync(file, contents);
cpSync(path.join(folder, "page"), dist, { recursive: true });
checkSize(result.metafile);
recordBundled("playground", result.metafile, folder);
// The command line brings the page along.
if (process.argv[2] === undefined) {
  const shipped = path.join(root, "packages", "cli", "dist", "playground");
  rmSync(shipped, { recursive: true, force: true });
  cpSync(dist, shipped, { recursive: true });
}

/** The examples as a module. */
function exampleModule() {
  return {
    name: "examples",
    setup(build) {
      build.onResolve({ filter: /^portcullis-lazy:examples$/ }, () => ({ path: "examples", namespace: "lazy" }));
      build.onLoad({ filter: /.*/, namespace: "lazy" }, async () => ({
        contents: `export const EXAMPLES = ${JSON.stringify(await readExamples())};`,
      }));
    },
  };
}

async function readExamples() {
  const { decodeYaml, toPlain } = await engine(
    `export { decodeYaml } from "@portcullis/engine/internal/codec/yaml"; export { toPlain } from "@portcullis/engine/internal/value/copy";`,
  );
  return readdirSync(examples)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => {
      const decoded = decodeYaml(readFileSync(path.join(examples, file), "utf8"), { duplicates: true });
      const problem = decoded.error ?? decoded.strictErrors[0];
      if (problem !== undefined) throw new Error(`${file}: ${problem}`);
      return { file, json: toPlain(decoded.value) };
    });
}

/** Functions of the engine, straight from its sources. */
async function engine(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["portcullis-source"],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

function checkSize({ outputs }) {
  const sizes = { engine: 0, modes: 0, editors: 0, syntaxErrors: 0, examples: 0 };
  const seen = new Set();
  const add = (file, part) => {
    if (seen.has(file)) return;
    seen.add(file);
    sizes[part] += gzipSync(readFileSync(path.resolve(folder, file)), { level: 9 }).length;
    for (const { path: next, kind } of outputs[file].imports) if (kind !== "dynamic-import") add(next, part);
  };
  const entries = Object.keys(outputs).filter((file) => ["page.js", "worker.js"].includes(path.basename(file)));
  for (const file of entries) add(file, "engine");
  for (const [file, { entryPoint = "" }] of Object.entries(outputs)) {
    if (/review\/(upgrades|policies|proofs)|complete\//.test(entryPoint)) add(file, "modes");
    else if (entryPoint.includes("editors")) add(file, "editors");
    else if (entryPoint.includes("syntax-errors")) add(file, "syntaxErrors");
    else if (entryPoint.includes("examples")) add(file, "examples");
  }
  const text = Object.entries(sizes).map(([part, size]) => `${part} ${(size / 1000).toFixed(1)} kB`);
  console.error(`playground, gzipped: ${text.join(", ")}`);
  writeFileSync(path.join(dist, "sizes.json"), `${JSON.stringify(sizes)}\n`);
  if (sizes.engine > BUDGET) throw new Error(`the page needs more than ${BUDGET} bytes of script before its editors`);
}
