/** The recorded questions about custom resources and CRDs: one JSON line each, one file per topic. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

export const corpusFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "corpora", "engine");

export type Kind = "values" | "updates" | "definitions";

export interface EngineCase {
  readonly id: string;
  /** The schema of `spec`, or with `isRoot` of the whole object. */
  readonly schema: JsonValue | undefined;
  readonly isRoot: boolean;
  readonly subresources: JsonValue | undefined;
  readonly isStatus: boolean;
  readonly object: JsonValue | undefined;
  readonly old: JsonValue | undefined;
  readonly want: Answer;
}

export interface Answer {
  readonly decode?: string | undefined;
  /** The result of decoding the object; absent if it changed nothing. */
  readonly object?: JsonValue | undefined;
  readonly unknown: readonly string[];
  readonly errors: readonly Finding[];
  readonly warnings: readonly string[];
  readonly costs: readonly Cost[];
  /** Upstream crashed. */
  readonly panic?: string | undefined;
}

export interface Finding {
  readonly type: string;
  readonly field: string;
  readonly text: string;
}

export interface Cost {
  readonly path: string;
  readonly cost: string;
}

export function topicsOf(kind: Kind): readonly string[] {
  const names = readdirSync(corpusFolder).filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".jsonl"));
  return names.map((name) => name.slice(0, -".jsonl".length)).sort();
}

export function readTopic(topic: string): readonly EngineCase[] {
  const lines = readFileSync(path.join(corpusFolder, `${topic}.jsonl`), "utf8").split("\n");
  return lines.filter((line) => line !== "").map(parseCase);
}

/** Numbers keep their type: `1.0` in a line is a float64. */
export function parseCase(line: string): EngineCase {
  const { error, ...decoded } = decodeJson(line);
  if (error !== undefined || !("value" in decoded) || !isObject(decoded.value)) throw new Error(`no case: ${line}`);
  const json = decoded.value;
  return {
    id: text(json["id"]),
    schema: json["schema"],
    isRoot: json["root"] === true,
    subresources: json["subresources"],
    isStatus: json["status"] === true,
    object: json["object"],
    old: json["old"],
    want: readAnswer(isObject(json["want"]) ? json["want"] : {}),
  };
}

function readAnswer(json: JsonObject): Answer {
  return {
    decode: typeof json["decode"] === "string" ? json["decode"] : undefined,
    object: json["object"],
    unknown: texts(json["unknown"]),
    errors: objects(json["errors"]).map((each) => ({
      type: text(each["type"]),
      field: text(each["field"]),
      text: text(each["text"]),
    })),
    warnings: texts(json["warnings"]),
    costs: objects(json["costs"]).map((each) => ({ path: text(each["path"]), cost: text(each["cost"]) })),
    panic: typeof json["panic"] === "string" ? json["panic"] : undefined,
  };
}

function objects(json: JsonValue | undefined): readonly JsonObject[] {
  return isArray(json) ? json.filter(isObject) : [];
}

function texts(json: JsonValue | undefined): readonly string[] {
  return isArray(json) ? json.map(text) : [];
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}
