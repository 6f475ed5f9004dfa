/**
 * What an `Object` literal is as data.
 *
 * Upstream converts one level of each list and map that an expression created. Deeper values stay CEL values and fit no
 * schema, unless they are `Object`s or come from data. A CEL null is not a JSON null either. Such values are not JSON
 * and are reported with their path. Follows apiserver pkg/cel/mutation/dynamic.
 */
import {
  Bytes,
  ConcatList,
  Double,
  EntryMap,
  JsonList,
  JsonMap,
  ListValue,
  MapValue,
  OptionalValue,
  runtimeTypeName,
  TextList,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { encodeBase64 } from "@portcullis/gostd/base64";
import { quoteRune } from "@portcullis/gostd/quote";
import { Float64, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { goPlainOf, goSyntaxOf, goTypeOf } from "./go-type.ts";
import * as messages from "./messages.ts";
import { ObjectLiteral } from "./types.ts";

/** A value that is not JSON, as Go would print it. */
export class NonJsonValue {
  readonly goType: string;
  readonly plain: string;
  readonly syntax: string;
  /** The protobuf form, for the few types that have one. */
  readonly json: JsonValue | undefined;
  constructor(goType: string, plain: string, syntax: string, json?: JsonValue) {
    this.goType = goType;
    this.plain = plain;
    this.syntax = syntax;
    this.json = json;
  }
  static of(value: Value): NonJsonValue {
    return new NonJsonValue(goTypeOf(value), goPlainOf(value), goSyntaxOf(value), protoJson(value));
  }
}

function protoJson(value: Value): JsonValue | undefined {
  if (value instanceof Uint) return new Float64(Number(value.value));
  return value instanceof Bytes ? encodeBase64(value.data) : undefined;
}

/** JSON that may contain values that are not JSON. */
export type Native = null | boolean | number | bigint | Float64 | string | NonJsonValue | Native[] | NativeObject;
export type NativeObject = Map<string, Native>;

/** The names of types that do not fit their fields. */
export function misnamedTypes(literal: ObjectLiteral): string[] {
  return misnamedIn(literal, literal.typeName);
}

function misnamedIn(value: Value, expected: string): string[] {
  if (value instanceof ObjectLiteral) {
    const own = value.typeName === expected ? [] : [messages.wrongTypeName(value.typeName, expected)];
    return [...own, ...[...value.fields].flatMap(([name, field]) => misnamedIn(field, `${expected}.${name}`))];
  }
  if (value instanceof ListValue && isMade(value)) return itemsOf(value).flatMap((item) => misnamedIn(item, expected));
  if (!(value instanceof MapValue) || !isMade(value)) return [];
  return value.keys().flatMap((key) => misnamedIn(value.get(key) ?? null, expected));
}

/** Whether an expression made it of values; other lists and maps hold what Go has, or are views of data. */
function isMade(value: ListValue | MapValue): boolean {
  const isGo = value instanceof ConcatList || value instanceof TextList;
  return !isGo && !(value instanceof JsonList) && !(value instanceof JsonMap);
}

/** A text says why it cannot be had. */
export function literalData(literal: ObjectLiteral): NativeObject | string {
  const data: NativeObject = new Map();
  for (const [name, value] of literal.fields) {
    const field = fieldData(value);
    if (field instanceof Unconverted) return messages.notConverted(name, field.problem);
    data.set(name, field);
  }
  return data;
}

class Unconverted {
  readonly problem: string;
  constructor(problem: string) {
    this.problem = problem;
  }
}

function fieldData(value: Value): Native | Unconverted {
  if (value instanceof ListValue && isMade(value)) return itemsOf(value).map(valueData);
  if (!(value instanceof EntryMap)) return valueData(value);
  const data: NativeObject = new Map();
  for (const key of value.keys()) {
    if (typeof key !== "string") return new Unconverted(messages.keyNotString(shownKey(key), goKeyType(key)));
    data.set(key, valueData(value.get(key) ?? null));
  }
  return data;
}

/** Upstream prints keys with `%q`, which takes a number for a character. */
function shownKey(key: Value): string {
  const number = key instanceof Uint ? key.value : key;
  return typeof number === "number" ? quoteRune(number) : `%!q(${goKeyType(key)}=${goPlainOf(key)})`;
}

function goKeyType(key: Value): string {
  const name = typeNameOf(key);
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What Go's `Value()` of a value is. */
function valueData(value: Value): Native {
  if (value instanceof ObjectLiteral) {
    const data = literalData(value);
    return typeof data === "string" ? new NonJsonValue("*types.Err", data, data) : data;
  }
  if (value instanceof OptionalValue) return value.value === undefined ? null : valueData(value.value);
  if (value instanceof Double && Number.isFinite(value.value)) return floatData(value.value);
  if (value instanceof JsonList || value instanceof JsonMap) return plainData(value);
  if (value instanceof ConcatList) return itemsOf(value).map(valueData);
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  const isScalar = typeof value === "string" || typeof value === "boolean";
  return isScalar || typeof value === "number" || typeof value === "bigint" ? value : NonJsonValue.of(value);
}

function floatData(value: number): Native {
  return Number.isInteger(value) ? new Float64(value) : value;
}

/** Data is JSON all the way down. */
function plainData(value: Value): Native {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Double) return floatData(value.value);
  if (value instanceof ListValue) return itemsOf(value).map(plainData);
  if (value instanceof MapValue) {
    return new Map(value.keys().map((key) => [String(key), plainData(value.get(key) ?? null)]));
  }
  return typeof value === "number" || typeof value === "bigint" ? value : NonJsonValue.of(value);
}

function itemsOf(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

export interface NonJsonMember {
  /** Names of members and positions of items. */
  readonly path: readonly (string | number)[];
  readonly value: NonJsonValue;
}

export interface Configuration {
  /** Members that are not JSON become null, such items are dropped. */
  readonly object: JsonObject;
  readonly nonJson: readonly NonJsonMember[];
}

export function toConfiguration(data: NativeObject): Configuration {
  const nonJson: NonJsonMember[] = [];
  return { object: objectJson(data, [], nonJson), nonJson };
}

function objectJson(data: NativeObject, path: NonJsonMember["path"], nonJson: NonJsonMember[]): JsonObject {
  const object = newObject();
  for (const [name, value] of data) object[name] = toJson(value, [...path, name], nonJson) ?? null;
  return object;
}

/** Undefined if the value is not JSON. */
function toJson(value: Native, path: NonJsonMember["path"], nonJson: NonJsonMember[]): JsonValue | undefined {
  if (value instanceof Map) return objectJson(value, path, nonJson);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => toJson(item, [...path, index], nonJson));
    return items.filter((item) => item !== undefined);
  }
  if (!(value instanceof NonJsonValue)) return value;
  nonJson.push({ path, value });
  return undefined;
}
