import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTracing } from "./serve-tracing.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tracing-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  const file = path.join(folder, "tracing.yaml");
  writeFileSync(file, text);
  return readTracing(file);
}

const HEAD = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: TracingConfiguration\n";

test("a configuration names the collector and the rate", () => {
  expect(read(`${HEAD}endpoint: collector:4317\nsamplingRatePerMillion: 100\n`)).toEqual({
    endpoint: "collector:4317",
    samplingRatePerMillion: 100,
  });
  expect(read(HEAD)).toEqual({ endpoint: undefined, samplingRatePerMillion: undefined });
});

test.each([
  [`${HEAD}samplingRatePerMillion: -1\n`, "samplingRatePerMillion: Invalid value: -1: sampling rate must be positive"],
  [`${HEAD}samplingRatePerMillion: 1000001\n`, "sampling rate per million must be less than or equal to one million"],
  [
    `${HEAD}endpoint: http://collector:4317\n`,
    'endpoint: Invalid value: "http://collector:4317": unsupported scheme: http.',
  ],
  [`${HEAD}nope: 1\n`, 'strict decoding error: unknown field "nope"'],
  ["apiVersion: v1\nkind: Pod\n", 'no kind "Pod" is registered for version "v1"'],
])("%j is refused", (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test("a missing file is refused", () => {
  expect(() => readTracing(path.join(folder, "none"))).toThrow("no such file or directory");
});
