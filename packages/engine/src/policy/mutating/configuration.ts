/**
 * What an `Object` literal is as data.
 *
 * Upstream converts one level of each list and map that an expression made; what lies deeper stays a value of the language
 * and fits no schema, unless it is an `Object` itself or comes from data. A null of the language is no JSON null either.
 * Such values are foreign: they are told with the place they stand at. Follows apiserver pkg/cel/mutation/dynamic.
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

/** A value that is no JSON, as Go would print it. */
export class Foreign {
  readonly goType: string;
  readonly plain: string;
  readonly syntax: string;
  /** What protobuf makes of it, for the few that it takes. */
  readonly json: JsonValue | undefined;
  constructor(goType: string, plain: string, syntax: string, json?: JsonValue) {
    this.goType = goType;
    this.plain = plain;
    this.syntax = syntax;
    this.json = json;
  }
  static of(value: Value): Foreign {
    return new Foreign(goTypeOf(value), goPlainOf(value), goSyntaxOf(value), protoJson(value));
  }
}

function protoJson(value: Value): JsonValue | undefined {
  if (value instanceof Uint) return new Float64(Number(value.value));
  return value instanceof Bytes ? encodeBase64(value.data) : undefined;
}

/** JSON with foreign values in it. */
export type Native = null | boolean | number | bigint | Float64 | string | Foreign | Native[] | NativeObject;
export type NativeObject = Map<string, Native>;

/** The names of types that do not fit the fields they stand in. */
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
    return typeof data === "string" ? new Foreign("*types.Err", data, data) : data;
  }
  if (value instanceof OptionalValue) return value.value === undefined ? null : valueData(value.value);
  if (value instanceof Double && Number.isFinite(value.value)) return floatData(value.value);
  if (value instanceof JsonList || value instanceof JsonMap) return plainData(value);
  if (value instanceof ConcatList) return itemsOf(value).map(valueData);
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  const isScalar = typeof value === "string" || typeof value === "boolean";
  return isScalar || typeof value === "number" || typeof value === "bigint" ? value : Foreign.of(value);
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
  return typeof value === "number" || typeof value === "bigint" ? value : Foreign.of(value);
}

function itemsOf(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

export interface ForeignMember {
  /** Names of members and positions of items. */
  readonly path: readonly (string | number)[];
  readonly value: Foreign;
}

export interface Configuration {
  /** With nulls for foreign members, and without foreign items. */
  readonly object: JsonObject;
  readonly foreign: readonly ForeignMember[];
}

export function toConfiguration(data: NativeObject): Configuration {
  const foreign: ForeignMember[] = [];
  return { object: objectJson(data, [], foreign), foreign };
}

function objectJson(data: NativeObject, path: ForeignMember["path"], foreign: ForeignMember[]): JsonObject {
  const object = newObject();
  for (const [name, value] of data) object[name] = toJson(value, [...path, name], foreign) ?? null;
  return object;
}

/** Undefined for what is foreign. */
function toJson(value: Native, path: ForeignMember["path"], foreign: ForeignMember[]): JsonValue | undefined {
  if (value instanceof Map) return objectJson(value, path, foreign);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => toJson(item, [...path, index], foreign));
    return items.filter((item) => item !== undefined);
  }
  if (!(value instanceof Foreign)) return value;
  foreign.push({ path, value });
  return undefined;
}
