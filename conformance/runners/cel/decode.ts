/** Bindings of the corpus as values: the inverse of `encode.ts`, plus plain objects and a stub authorizer. */
import {
  ArrayList,
  Bytes,
  Double,
  Duration,
  EntryMap,
  fromJson,
  normalInt,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { Float64, isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { decodeBase64 } from "@portcullis/gostd/base64";
import { parseDuration } from "@portcullis/gostd/duration";
import type { Result } from "@portcullis/gostd/result";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { stubAuthorizer, stubResourceCheck } from "./stub-authorizer.ts";

/** INVARIANT: `typed` was decoded with exact numbers. */
export function decodeValue(typed: JsonValue): Value {
  const [tag, content] = tagOf(typed);
  switch (tag) {
    case "null":
      return null;
    case "bool":
      return content === true;
    case "json":
      return fromJson(content, adaptFloat);
    case "list":
      return new ArrayList(itemsOf(content).map(decodeValue));
    case "map":
      return decodeMap(itemsOf(content));
    case "optional":
      return content === null ? OptionalValue.none : new OptionalValue(decodeValue(content));
    case "authorizer":
      return stubAuthorizer(content);
    case "resourceCheck":
      return stubResourceCheck(content);
    default:
      return decodeScalar(tag, String(content));
  }
}

/** The content of `{"json": …}`, for data that goes through a schema. */
export function decodeData(typed: JsonValue): JsonValue {
  return tagOf(typed)[1];
}

function tagOf(typed: JsonValue): readonly [string, JsonValue] {
  const entry = isObject(typed) ? Object.entries(typed)[0] : undefined;
  if (entry === undefined) throw new Error("a binding has one tag");
  return entry;
}

function itemsOf(content: JsonValue): readonly JsonValue[] {
  return isArray(content) ? content : [];
}

function decodeMap(entries: readonly JsonValue[]): Value {
  const map = new EntryMap();
  for (const entry of entries) {
    const [key = null, value = null] = itemsOf(entry).map(decodeValue);
    map.set(key, value);
  }
  return map;
}

function decodeScalar(tag: string, text: string): Value {
  switch (tag) {
    case "int":
      return normalInt(BigInt(text));
    case "uint":
      return new Uint(normalInt(BigInt(text)));
    case "double":
      return new Double(Number(text));
    case "string":
      return text;
    case "bytes":
      return new Bytes(expectValue(decodeBase64(text)));
    case "duration":
      return new Duration(expectValue(parseDuration(text)));
    case "timestamp": {
      const instant = expectValue(parseRfc3339(text));
      return new Timestamp(Number(instant.seconds), instant.nanos);
    }
    default:
      throw new Error(`unknown tag ${tag}`);
  }
}

function expectValue<T>(result: Result<T>): T {
  if (result.error !== undefined) throw new Error(`bad corpus: ${result.error}`);
  return result.value;
}

function adaptFloat(data: object): Value | undefined {
  return data instanceof Float64 ? new Double(data.value) : undefined;
}
