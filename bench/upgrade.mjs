/**
 * Comparing definitions: time over the size of the schema, and crdify beside us where its binary is on the path.
 *
 * The definitions are made here: groups of fields, of which the new one tightens every tenth. Wall time of one process a
 * run for crdify, which has no other way to be asked; ours is given both ways.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { decodeDefinition } from "@portcullis/engine/crd/decode";
import { compareDefinitions } from "@portcullis/engine/upgrade/questions";
import { fromPlain } from "@portcullis/engine/value/copy";

const ENGINE = { version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } };
const REPEATS = 3;

export async function main(options) {
  const sizes = options.includes("--quick") ? [100, 400] : [100, 400, 1600, 4000];
  const scratch = mkdtempSync(path.join(tmpdir(), "bench-"));
  const hasCrdify = spawnSync("crdify", ["version"], { stdio: "ignore" }).status === 0;
  if (!hasCrdify) console.log("crdify is not on the path; only ours is measured");
  try {
    console.log("fields   lines   changed   unknown   ours ms   crdify ms");
    for (const size of sizes) console.log(row(size, scratch, hasCrdify));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function row(size, scratch, hasCrdify) {
  const [old, next] = [definition(size, false), definition(size, true)];
  const files = [old, next].map((json, index) => {
    const file = path.join(scratch, `${size}-${index}.json`);
    writeFileSync(file, JSON.stringify(json, undefined, 2));
    return file;
  });
  const lines = JSON.stringify(next, undefined, 2).split("\n").length;
  const [before, after] = [old, next].map((json) => decodeDefinition(fromPlain(json)).value);
  let report;
  const ours = best(() => {
    report = compareDefinitions(before, after, ENGINE);
  });
  const unsafe = report.findings.filter(({ verdict }) => verdict === "unsafe").length;
  const unknown = report.findings.filter(({ verdict }) => verdict === "unknown").length;
  if (
    unsafe === 0 ||
    report.findings.some(
      ({ verdict, change, witness }) => verdict === "unsafe" && change?.axis === "validity" && witness === undefined,
    )
  ) {
    throw new Error("a change without a witness");
  }
  const theirs = hasCrdify
    ? best(() =>
        spawnSync(
          "crdify",
          files.map((file) => `file://${file}`),
        ),
      ).toFixed(0)
    : "-";
  const cells = [size, lines, report.changedNodes, unknown, ours.toFixed(0), theirs];
  return cells.map((cell, index) => String(cell).padStart([6, 8, 10, 10, 10, 12][index])).join("");
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
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
