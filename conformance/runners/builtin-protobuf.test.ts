/** Protobuf of built-in kinds against the bytes of the real types; see corpora/builtin/PROVENANCE.md. */
import { readFileSync } from "node:fs";
import { normalize } from "@portcullis/engine/internal/builtin/decode";
import { decodeProtobuf, encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { encodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { decodeBase64, encodeBase64 } from "@portcullis/gostd/base64";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";

const lines = readFileSync(new URL("../corpora/builtin/protobuf.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cases = lines.map((line, index): [string, JsonObject] => {
  const recorded = parse(line);
  return [`${String(member(recorded, "object")["kind"])} ${index}`, recorded];
});

test.each(cases)("%s is read as the real types read it", (_, recorded) => {
  asVersion(RECORDED_VERSION, () => expectRead(recorded));
});

function expectRead(recorded: JsonObject): void {
  const again = member(recorded, "again");
  const bytes = decodeBase64(String(recorded["protobuf"]));
  if (bytes.error !== undefined) throw new Error(bytes.error);
  const decoded = decodeProtobuf(bytes.value, kindOf(again));
  // Schemas inside definitions are decoded by `crd`.
  const isDefinition = again["kind"] === "CustomResourceDefinition";
  const object = isDefinition ? encodeDefinition(decoded) : normalize(decoded, kindOf(again));
  expect(canonicalJson(object)).toBe(canonicalJson(again));
}

test.each(cases)("%s is written byte for byte", (_, recorded) => {
  asVersion(RECORDED_VERSION, () => expectWritten(recorded));
});

function expectWritten(recorded: JsonObject): void {
  const object = normalize(member(recorded, "object"), kindOf(member(recorded, "object")));
  const bytes = encodeProtobuf(object);
  expect(bytes && encodeBase64(bytes)).toBe(recorded["protobuf"]);
}

function kindOf(object: JsonObject): { group: string; version: string; kind: string } {
  const parts = String(object["apiVersion"]).split("/");
  const [group, version] = parts.length === 2 ? parts : ["", parts[0]];
  return { group: group ?? "", version: version ?? "", kind: String(object["kind"]) };
}

function parse(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("a line of the corpus is not an object");
  return decoded.value;
}

function member(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : newObject();
}
