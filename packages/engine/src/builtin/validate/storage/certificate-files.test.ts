import { expect, test } from "vitest";
import { formatFieldErrors } from "../../../field/format.ts";
import { newPath } from "../../../field/path.ts";
import { fromPlain } from "../../../value/copy.ts";
import type { JsonObject } from "../../../value/json.ts";
import { certificateSource, trustBundleSource } from "./certificate-files.ts";

const PATH = newPath("at");

test.each([
  { source: { name: "b", path: "x" }, problem: "" },
  { source: { signerName: "example.com/s", path: "x" }, problem: "" },
  { source: { name: "example.com:s:b", path: "x" }, problem: "" },
  { source: { path: "x" }, problem: "at: Required value: either name or signerName must be specified" },
  { source: { name: "b" }, problem: "at.path: Required value" },
  { source: { name: "b", path: "../x" }, problem: "at.path: Invalid value: \"../x\": must not contain '..'" },
])("a trust bundle $source", ({ source, problem }) => {
  expect(formatFieldErrors(trustBundleSource(fromPlain(source) as JsonObject, PATH))).toBe(problem);
});

test.each([
  { source: { signerName: "a.b/s", keyType: "ED25519", keyPath: "k" }, problem: "" },
  {
    source: { signerName: "a.b/s", keyType: "ED25519" },
    problem: "at: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
  },
  {
    source: { signerName: "kubernetes.io/s", keyType: "ED25519", keyPath: "k", maxExpirationSeconds: 90000 },
    problem: "at.maxExpirationSeconds: Invalid value: 90000: if provided, maxExpirationSeconds must be <= 86400",
  },
])("a certificate $source", ({ source, problem }) => {
  expect(formatFieldErrors(certificateSource(fromPlain(source) as JsonObject, PATH, () => []))).toBe(problem);
});
