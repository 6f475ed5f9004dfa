/** Bundles the checker for web pages into `dist/bundle`, or the folder that is named. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { lazyBuiltinKinds, lazySyntaxErrors, withoutNode } from "../../tools/browser-plugins.mjs";
import { noticesOf, recordBundled } from "../../tools/notices.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(folder, "dist/bundle"));
/** Gzipped script that a page loads before its first check, in bytes. */
const FIRST_BUDGET = 4000;

const { metafile, outputFiles } = await build({
  absWorkingDir: folder,
  entryPoints: { index: "src/index.ts", worker: "src/worker.ts" },
  outdir: target,
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
  plugins: [lazySyntaxErrors(), lazyBuiltinKinds(), withoutNode()],
});

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const { path: file, contents } of outputFiles) writeFileSync(file, contents);
recordBundled("embed", metafile, folder);
writeFileSync(path.join(target, "THIRD_PARTY_NOTICES"), noticesOf(["embed"]));
const [page, worker] = ["index.js", "worker.js"].map((name) => sizeOf(path.join(target, name)));
const first = page + worker;
console.error(`embed, gzipped: page ${page} bytes, worker ${worker} bytes before the first text`);
if (first > FIRST_BUDGET) throw new Error(`a page loads more than ${FIRST_BUDGET} bytes before its first text`);

function sizeOf(file) {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
