/** Go types by what fmt and encoding/json print of their values, which are given as the JSON of the published types. */

import { jsonString } from "@portcullis/gostd/json-text";
import { quote } from "@portcullis/gostd/quote";
import { SOME_ADDRESS } from "../field/error.ts";
import { goSyntax } from "../field/format.ts";
import { isArray, isObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";

type Write = (json: JsonValue | undefined) => string;

export interface GoType {
  readonly name: string;
  readonly json: Write;
  /** As `%#v` prints it. */
  readonly syntax: Write;
}

/** The name in Go, where the value is found in the JSON, and its type. */
export type Row = readonly [
  go: string,
  from: string | ((json: JsonValue | undefined) => JsonValue | undefined),
  GoType,
];

export const jsonOf: Write = (json) => (json === undefined ? "null" : canonicalJson(json));

const textOf = (json: JsonValue | undefined): string => (typeof json === "string" ? json : "");
const isTrue: Write = (json) => (json === true ? "true" : "false");
const numberText: Write = (json) => (json === undefined ? "0" : canonicalJson(json));

export const text: GoType = {
  name: "string",
  json: (json) => jsonString(textOf(json), { escapeHtml: true }),
  syntax: (json) => quote(textOf(json)),
};
export const flag: GoType = { name: "bool", json: isTrue, syntax: isTrue };
export const number: GoType = { name: "int32", json: numberText, syntax: numberText };
export const anyValue: GoType = {
  name: "apiextensions.JSON",
  json: jsonOf,
  syntax: (json) => goSyntax(json ?? null, false),
};

export function scalarPointer(name: string): GoType {
  return { name: `*${name}`, json: jsonOf, syntax: (json) => addressOf(name, json !== undefined) };
}

export function pointerTo(type: GoType): GoType {
  return {
    name: `*${type.name}`,
    json: (json) => (json === undefined ? "null" : type.json(json)),
    syntax: (json) => addressOf(type.name, json !== undefined),
  };
}

function addressOf(name: string, isSet: boolean): string {
  return `(*${name})(${isSet ? SOME_ADDRESS : "nil"})`;
}

export function listOf(type: GoType, name = `[]${type.name}`): GoType {
  return {
    name,
    json: (json) => (isArray(json) ? `[${json.map(type.json).join(",")}]` : "null"),
    syntax: (json) => (isArray(json) ? `${name}{${json.map(type.syntax).join(", ")}}` : `${name}(nil)`),
  };
}

export function mapOf(type: GoType, name = `map[string]${type.name}`): GoType {
  return {
    name,
    json: (json) => {
      if (!isObject(json)) return "null";
      return `{${sortedKeys(json)
        .map((key) => `${text.json(key)}:${type.json(json[key])}`)
        .join(",")}}`;
    },
    syntax: (json) => {
      if (!isObject(json)) return `${name}(nil)`;
      return `${name}{${sortedKeys(json)
        .map((key) => `${quote(key)}:${type.syntax(json[key])}`)
        .join(", ")}}`;
    },
  };
}

/** The rows are asked for when they are needed, as structs may contain themselves. */
export function struct(name: string, rows: () => readonly Row[]): GoType {
  const qualified = `apiextensions.${name}`;
  return {
    name: qualified,
    json: (json) =>
      `{${rows()
        .map(([go, from, type]) => `"${go}":${type.json(read(json, from))}`)
        .join(",")}}`,
    syntax: (json) => {
      return `${qualified}{${rows()
        .map(([go, from, type]) => `${go}:${type.syntax(read(json, from))}`)
        .join(", ")}}`;
    },
  };
}

function read(json: JsonValue | undefined, from: Row[1]): JsonValue | undefined {
  if (typeof from === "function") return from(json);
  return isObject(json) ? json[from] : undefined;
}
