/**
 * Time from a keystroke to the verdict on the page, in a real Chromium, by CRD size: typing in the object, in the CRD
 * itself, and in both sides of an upgrade that tightens every tenth field. An upgrade with many changes is shown in
 * part first, and then in full: the last column. Needs Chromium on the path or `CHROMIUM`, and reports if it is
 * missing.
 */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const folder = path.join(import.meta.dirname, "..", "packages", "playground");
const artefacts = path.join(folder, "artefacts");

export async function main(options) {
  const isQuick = options.includes("--quick");
  const figures = await (await loadBrowser()).measureSizes(
    isQuick ? [300, 3000] : [300, 1000, 3000, 10_000],
    isQuick ? 8 : 25,
  );
  if (figures === undefined) {
    console.log("there is no Chromium on the path, and CHROMIUM names none: nothing is measured");
    return;
  }
  console.log(
    "lines    typing in                    keystrokes   first ms   best   median   slowest after   in full, median",
  );
  for (const { lines, edited, milliseconds, whole } of figures) {
    const [first = 0, ...rest] = milliseconds;
    const sorted = ascending(rest);
    const full = ascending(whole.slice(1));
    const cells = [first, sorted[0], middle(sorted), sorted.at(-1), middle(full)].map((each) => (each ?? 0).toFixed(0));
    const widths = [11, 7, 9, 16, 18];
    const numbers = cells.map((cell, index) => cell.padStart(widths[index])).join("");
    console.log(`${String(lines).padEnd(9)}${edited.padEnd(29)}${String(milliseconds.length).padStart(10)}${numbers}`);
  }
}

function ascending(numbers) {
  return [...numbers].sort((one, other) => one - other);
}

function middle(sorted) {
  return sorted[sorted.length >> 1];
}

/** The same code as in the test, bundled next to its sources, where its packages are found. */
async function loadBrowser() {
  mkdirSync(artefacts, { recursive: true });
  const outfile = path.join(artefacts, "bench", "keystrokes.mjs");
  await build({
    entryPoints: [path.join(folder, "src", "browser", "keystrokes.testing.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    packages: "bundle",
    external: ["playwright-core"],
    logLevel: "warning",
  });
  try {
    return await import(outfile);
  } finally {
    rmSync(outfile);
  }
}
