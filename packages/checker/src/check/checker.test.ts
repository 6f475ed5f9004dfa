import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { expect, test } from "vitest";
import { readFile } from "../input/text.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { Checker, type CheckerOptions } from "./checker.ts";
import { verdictCases } from "./verdicts.testing.ts";

const ENGINE = { version: "1.36", gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } } as const;

function read(text: string): ManifestDocument {
  const [document] = readFile("object.yaml", text).documents;
  if (document === undefined) throw new Error("no document");
  return document;
}

function newChecker(options: Partial<CheckerOptions> = {}): Checker {
  return new Checker(new MemoryCluster([], { engine: ENGINE }), { fieldValidation: "strict", ...options });
}

test.each(verdictCases)("$name", async ({ manifest, errors, warnings }) => {
  const findings = await newChecker().check(read(manifest));
  const shown = findings.map(({ severity, message }) => ({ severity, message }));
  expect(shown).toEqual([
    ...errors.map((start) => ({ severity: "error", message: expect.stringContaining(start) })),
    ...warnings.map((start) => ({ severity: "warning", message: expect.stringContaining(start) })),
  ]);
});

test("a cluster-scoped object is an update of the old one whatever namespaces they name", async () => {
  const text = (provisioner: string, namespace: string): string =>
    `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, namespace: ${namespace}}, provisioner: ${provisioner}}`;
  const findings = await newChecker({ old: [read(text("a", "one"))] }).check(read(text("b", "two")));
  expect(findings.map(({ path }) => path)).toEqual(["provisioner"]);
});

test("the stored object is as a client reads it", async () => {
  const manifest =
    "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a}, addressType: IPv4, endpoints: []}";
  const examined = await newChecker().examine(read(manifest));
  expect(examined?.stored?.["endpoints"]).toBeNull();
});

test("repeated keys are among the warnings of the review", async () => {
  const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: a, k: b}\n";
  const examined = await newChecker({ fieldValidation: "warn" }).examine(read(manifest));
  expect(examined?.outcome.warnings).toEqual(['line 4: key "k" already set in map']);
});

const WIDGETS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

test.each([
  ["a refused custom resource gets no warnings about finalizers", "[plain, a b]", ["error"]],
  ["an accepted one does", "[plain]", ["warning"]],
])("%s", async (_, finalizers, severities) => {
  const checker = new Checker(new MemoryCluster([WIDGETS], { engine: ENGINE }), { fieldValidation: "strict" });
  const manifest = `{apiVersion: example.com/v1, kind: Widget, metadata: {name: a, finalizers: ${finalizers}}}`;
  const findings = await checker.check(read(manifest));
  expect(findings.map(({ severity }) => severity)).toEqual(severities);
});
