/** The CRDs of published projects: an index with the recorded verdicts, and each CRD compressed. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { JsonValue } from "@portcullis/engine/internal/value/json";
import { corpusFolder, type EngineCase, parseCase } from "./case.ts";

const folder = path.join(corpusFolder, "real");

export function readReal(): readonly EngineCase[] {
  const lines = readFileSync(path.join(folder, "index.jsonl"), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const listed = parseCase(line);
      return { ...listed, object: readRealDefinition(listed.id.replace(/^real\//, "")) };
    });
}

export function readRealDefinition(name: string): JsonValue {
  const decoded = decodeJson(gunzipSync(readFileSync(path.join(folder, `${name}.json.gz`))));
  if (decoded.error !== undefined) throw new Error(`${name}: ${decoded.error}`);
  return decoded.value;
}
