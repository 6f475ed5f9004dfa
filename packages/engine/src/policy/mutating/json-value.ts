/**
 * The JSON of a value in a JSON patch.
 *
 * All numbers are doubles, and an int that a double would round is a text. An `Object` is converted in other ways than
 * other values are, and one inside a list or a map makes upstream panic.
 */
import {
  ConversionFailure,
  Double,
  ListValue,
  MapValue,
  OptionalValue,
  Panic,
  toJson,
  type Value,
} from "@portcullis/cel/internal";
import { Float64, type JsonValue, newObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { literalData, misnamedTypes, type Native, NonJsonValue } from "./configuration.ts";
import * as messages from "./messages.ts";
import { ObjectLiteral } from "./types.ts";

export type JsonText =
  | { readonly text: string; readonly error?: undefined }
  | { readonly error: string; readonly text?: undefined };

/** Throws a Panic where upstream does. */
export function jsonOf(value: Value): JsonText {
  if (value instanceof OptionalValue && value.value !== undefined) return jsonOf(value.value);
  if (value instanceof ObjectLiteral) return literalJson(value);
  if (holdsLiteral(value)) throw new Panic("interface conversion: interface {} is *structpb.Struct");
  const converted = toJson(value);
  if (converted instanceof ConversionFailure) return { error: messages.notJson(converted.detail) };
  const json = fromConverted(converted);
  if (json instanceof Double) return { error: messages.notJson(messages.notFinite(json.value)) };
  return { text: canonicalJson(json) };
}

function holdsLiteral(value: Value): boolean {
  if (value instanceof ObjectLiteral) return true;
  if (value instanceof ListValue) {
    for (let index = 0; index < value.size; index++) if (holdsLiteral(value.at(index))) return true;
    return false;
  }
  return value instanceof MapValue && value.keys().some((key) => holdsLiteral(value.get(key) ?? null));
}

/** A number that is none of JSON is what is given back. */
function fromConverted(value: Value): JsonValue | Double {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Double) return Number.isFinite(value.value) ? new Float64(value.value) : value;
  if (value instanceof ListValue) {
    const items: JsonValue[] = [];
    for (let index = 0; index < value.size; index++) {
      const item = fromConverted(value.at(index));
      if (item instanceof Double) return item;
      items.push(item);
    }
    return items;
  }
  if (!(value instanceof MapValue)) throw new Error("JSON has no other values");
  const object = newObject();
  for (const key of value.keys()) {
    const member = fromConverted(value.get(key) ?? null);
    if (member instanceof Double) return member;
    object[String(key)] = member;
  }
  return object;
}

function literalJson(literal: ObjectLiteral): JsonText {
  const misnamed = misnamedTypes(literal);
  if (misnamed.length > 0) return { error: messages.typeMismatch(misnamed) };
  const data = literalData(literal);
  if (typeof data === "string") return { error: messages.notJson(data) };
  const json = structJson(data);
  if (json instanceof NonJsonValue) return { error: messages.notJson(messages.invalidProtoType(json.goType)) };
  return { text: canonicalJson(json) };
}

/** Data as a protobuf struct; otherwise the first value that it does not accept. */
function structJson(data: Native): JsonValue | NonJsonValue {
  if (typeof data === "number" || typeof data === "bigint") return new Float64(Number(data));
  if (data instanceof NonJsonValue) return data.json ?? data;
  if (Array.isArray(data)) {
    const items: JsonValue[] = [];
    for (const item of data) {
      const json = structJson(item);
      if (json instanceof NonJsonValue) return json;
      items.push(json);
    }
    return items;
  }
  if (!(data instanceof Map)) return data;
  const object = newObject();
  for (const [name, member] of data) {
    const json = structJson(member);
    if (json instanceof NonJsonValue) return json;
    object[name] = json;
  }
  return object;
}
