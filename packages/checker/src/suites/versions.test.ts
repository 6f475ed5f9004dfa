/** Messages and checks of custom resources that differ between versions. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { expect, test } from "vitest";
import { readSuites } from "./suite-read.ts";
import { newContext, runSuite } from "./suite-run.ts";

const CRD = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ws.a.b}, spec: {group: a.b, scope: Namespaced,
  names: {plural: ws, kind: W}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {
  size: {type: integer, format: int32}, name: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'x', message: no x}]},
  list: {type: array, maxItems: 3, items: {type: string}, x-kubernetes-validations: [{rule: size(self) != 2, message: not two}]}}}}}]}}`;

async function problem(fields: string, version: string): Promise<string | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-versions-"));
  try {
    const file = path.join(folder, "suite.yaml");
    const create = `{apiVersion: a.b/v1, kind: W, metadata: {name: w}, ${fields}}`;
    writeFileSync(file, `kind: TestSuite\nwith: [${CRD}]\ntests: [{create: ${create}, expect: allow}]\n`);
    const [suite] = readSuites([file]).suites;
    const result = suite && (await runSuite(suite, newContext(engineOptions(version, undefined))));
    return result?.results[0]?.problems[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a rule that fails shows the type of the value up to 1.34, and the value since", async () => {
  expect(await problem("name: x", "1.34")).toContain('name: Invalid value: "string": no x');
  expect(await problem("name: x", "1.35")).toContain('name: Invalid value: "x": no x');
  expect(await problem("list: [a, b]", "1.34")).toContain('list: Invalid value: "array": not two');
  expect(await problem("list: [a, b]", "1.35")).toContain("list: Invalid value: not two");
});

test("formats of numbers are enforced since 1.36", async () => {
  expect(await problem("size: 3000000000", "1.35")).toBeUndefined();
  expect(await problem("size: 3000000000", "1.36")).toContain("size");
  expect(await problem("size: 1.5", "1.35")).toContain(
    'size: Invalid value: "number": size in body must be of type integer: "number"',
  );
  expect(await problem("size: 1.5", "1.36")).toContain('must be of type int32: "float64"');
});
