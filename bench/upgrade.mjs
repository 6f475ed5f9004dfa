/**
 * Compares CRDs: time by schema size, then for upgrades of published projects, and crdify for comparison if its binary
 * is on the path.
 *
 * The CRDs of the first table are generated: groups of fields, of which the new CRD tightens every tenth. The second
 * table uses every n-th pair of the recorded releases. crdify can only be run as one process per pair, so ours is
 * measured both ways: inside this process, and as `portcullis crd diff`. The last table is about policies.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { inScratch } from "./duel.mjs";
import { comparedPolicies } from "./policy-diff.mjs";

const ENGINE = { version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } };
const REPEATS = 3;
const root = path.join(import.meta.dirname, "..");
const releases = path.join(root, "conformance/corpora/upgrade/releases");
const command = path.join(root, "packages/cli/dist/main.js");

export async function main(options) {
  const isQuick = options.includes("--quick");
  const hasCrdify = spawnSync("crdify", ["version"], { stdio: "ignore" }).status === 0;
  if (!hasCrdify) console.log("crdify is not on the path; only ours is measured");
  await inScratch((scratch) => {
    growth(isQuick ? [100, 400] : [100, 400, 1600, 4000], scratch, hasCrdify);
    published(isQuick ? 40 : 10, scratch, hasCrdify);
  });
  await comparedPolicies(ENGINE, isQuick ? 8 : 1);
}

function growth(sizes, scratch, hasCrdify) {
  console.log("fields   lines   changed   unknown   ours ms   ms a field   as a process   crdify ms");
  for (const size of sizes) {
    const pair = [definition(size, false), definition(size, true)];
    const files = written(pair, scratch, String(size));
    let report;
    let ours = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      // A new copy each time: results of compared CRDs are cached.
      const [before, after] = pair.map((json) => decodeDefinition(fromPlain(json)).value);
      const taken = once(() => {
        report = compareDefinitions(before, after, ENGINE);
      });
      ours = Math.min(ours, taken);
    }
    checkEvidence(report);
    const lines = readFileSync(files[1], "utf8").split("\n").length;
    const unknown = report.findings.filter(({ verdict }) => verdict === "unknown").length;
    const cells = [size, lines, report.changedNodes, unknown, ours.toFixed(0), (ours / size).toFixed(2)];
    const asked = [best(() => ask(files)).toFixed(0), hasCrdify ? best(() => askCrdify(files)).toFixed(0) : "-"];
    console.log(row([...cells, ...asked], [6, 8, 10, 10, 10, 13, 15, 12]));
  }
}

/** Nothing is reported as unsafe without an object that shows it. */
function checkEvidence({ findings }) {
  const unsafe = findings.filter(({ verdict, change }) => verdict === "unsafe" && change?.axis === "validity");
  if (unsafe.length === 0 || unsafe.some(({ witness }) => witness === undefined))
    throw new Error("a change without a witness");
}

function published(stride, scratch, hasCrdify) {
  const pairs = readPairs().filter((_, index) => index % stride === 0);
  const places = [];
  let largest = { name: "", lines: 0, taken: 0, changedNodes: 0 };
  const totals = { ours: 0, process: 0, crdify: 0, weFail: 0, theyFail: 0, proved: 0, shown: 0, unknown: 0 };
  for (const [index, pair] of pairs.entries()) {
    const files = written(pair, scratch, `pair-${index}`);
    const [before, after] = pair.map((json) => decodeDefinition(json).value);
    const start = performance.now();
    const { findings, changedNodes } = compareDefinitions(before, after, ENGINE);
    const taken = performance.now() - start;
    totals.ours += taken;
    if (changedNodes > 0) places.push(taken / changedNodes);
    const lines = readFileSync(files[1], "utf8").split("\n").length;
    if (lines > largest.lines) largest = { name: after.metadata.name, lines, taken, changedNodes };
    for (const { verdict, change } of findings) {
      if (change?.axis !== "validity") continue;
      if (verdict === "safe") totals.proved++;
      else if (verdict === "unsafe") totals.shown++;
      else if (verdict === "unknown") totals.unknown++;
    }
    totals.process += once(() => {
      if (ask(files) !== 0) totals.weFail++;
    });
    if (!hasCrdify) continue;
    totals.crdify += once(() => {
      if (askCrdify(files) !== 0) totals.theyFail++;
    });
  }
  const mean = (total) => (total / pairs.length).toFixed(0);
  console.log(`\n${pairs.length} pairs of consecutive releases: mean ms a pair, and how many fail the check`);
  console.log(`  ours               ${mean(totals.ours)}`);
  console.log(`  ours as a process  ${mean(totals.process)}   ${totals.weFail} fail`);
  console.log(`  crdify             ${hasCrdify ? `${mean(totals.crdify)}   ${totals.theyFail} fail` : "-"}`);
  places.sort((left, right) => left - right);
  console.log(`  ms a changed place p50 ${rank(places, 0.5)}, p95 ${rank(places, 0.95)}`);
  const { name, lines, taken, changedNodes } = largest;
  console.log(`  largest            ${name}: ${lines} lines, ${changedNodes} changed, ${taken.toFixed(0)} ms`);
  console.log(`  verdicts: ${totals.proved} proved safe, ${totals.shown} shown unsafe, ${totals.unknown} unknown`);
}

function rank(sorted, share) {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
}

function readPairs() {
  const files = readdirSync(releases).filter((name) => name.endsWith(".br"));
  return files.flatMap((name) => {
    const text = brotliDecompressSync(readFileSync(path.join(releases, name))).toString("utf8");
    const lines = text.split("\n").filter((line) => line !== "");
    const heads = lines.map((line) => JSON.parse(line.slice(0, line.indexOf("\t"))).name);
    const json = (index) => decodeJson(lines[index].slice(lines[index].indexOf("\t") + 1)).value;
    return lines.flatMap((_, index) =>
      index > 0 && heads[index] === heads[index - 1] ? [[json(index - 1), json(index)]] : [],
    );
  });
}

function written(pair, scratch, name) {
  return pair.map((json, index) => {
    const file = path.join(scratch, `${name}-${index}.json`);
    writeFileSync(
      file,
      JSON.stringify(json, (_, value) => (typeof value === "bigint" ? Number(value) : value), 2),
    );
    return file;
  });
}

function ask(files) {
  return spawnSync(process.execPath, [command, "crd", "diff", ...files], { stdio: "ignore" }).status;
}

function askCrdify(files) {
  return spawnSync(
    "crdify",
    files.map((file) => `file://${file}`),
    { stdio: "ignore" },
  ).status;
}

function row(cells, widths) {
  return cells.map((cell, index) => String(cell).padStart(widths[index])).join("");
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat++) least = Math.min(least, once(work));
  return least;
}

function once(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function definition(size, isTight) {
  const groups = {};
  for (let index = 0; index < size; index++) {
    const name = `group${Math.floor(index / 20)}`;
    groups[name] ??= { type: "object", properties: {} };
    const maxLength = isTight && index % 10 === 0 ? 20 : 40;
    groups[name].properties[`field${index}`] = { type: "string", description: `field ${index}`, maxLength };
  }
  const schema = { type: "object", properties: { spec: { type: "object", properties: groups } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
