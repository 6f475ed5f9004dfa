/** `string.format`: the clauses filled with the elements of a list. */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import { compareStrings, encodeUtf8 } from "@portcullis/gostd/utf8";
import { countWork } from "@portcullis/gostd/work";
import { bytesToString, stringToDouble } from "../values/conversions.ts";
import { doubleText, durationText, timestampText } from "../values/text.ts";
import { runtimeTypeName, typeNameOf } from "../values/type-of.ts";
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "../values/value.ts";
import { type Clause, type FormatProblem, fillFormat } from "./format-parse.ts";
import { noFormatFor, noFormatForKey, notText, resultTooLarge, unformattable, wrongArgument } from "./messages.ts";
import { fixedText, scientificText, spacedScientificText } from "./number-text.ts";
import { MAX_RESULT_LENGTH } from "./replace.ts";

type Text = string | FormatProblem;

type NumberText = (value: number, precision: bigint) => string;

export function formatText(format: string, list: ListValue): string | CelError {
  return formatWith(scientificText, format, list);
}

/** As before cel-go 0.23. */
export function earlierFormatText(format: string, list: ListValue): string | CelError {
  return formatWith(spacedScientificText, format, list);
}

function formatWith(scientific: NumberText, format: string, list: ListValue): string | CelError {
  const filled = fillFormat(format, {
    argumentCount: list.size,
    checksArgumentsFirst: true,
    fill: (clause, argument) => {
      const text = fillClause(clause, list.at(argument), scientific);
      return typeof text === "string" ? text : { problem: unformattable(text.problem) };
    },
  });
  if ("problem" in filled) return new CelError(filled.problem);
  return filled.text.length > MAX_RESULT_LENGTH ? resultTooLarge() : filled.text;
}

function fillClause(clause: Clause, value: Value, scientific: NumberText): Text {
  switch (clause.letter) {
    case "s":
      return stringClause(value);
    case "d":
      return radixClause(clause, value, 10);
    case "o":
      return radixClause(clause, value, 8);
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : radixClause(clause, value, 2);
    case "x":
      return hexClause(clause, value);
    case "X":
      return upper(hexClause(clause, value));
    case "f":
      return doubleClause(clause, value, fixedText);
    case "e":
      return doubleClause(clause, value, scientific);
  }
}

function stringClause(value: Value): Text {
  if (value instanceof ListValue) return listText(value);
  if (value instanceof MapValue && value.objectType === undefined) return mapText(value);
  return scalarText(value) ?? { problem: wrongArgument("s", typeNameOf(value)) };
}

/** `string(x)`, for the types that have it; undefined for the others. */
function scalarText(value: Value): Text | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return runtimeTypeName(value.type);
  if (!(value instanceof Bytes)) return undefined;
  const text = bytesToString(value);
  return typeof text === "string" ? text : { problem: notText(quote(text.message)) };
}

function radixClause({ letter }: Clause, value: Value, radix: number): Text {
  const integer = integerOf(value);
  if (integer === undefined) return { problem: wrongArgument(letter, typeNameOf(value)) };
  return integer.toString(radix);
}

function hexClause(clause: Clause, value: Value): Text {
  if (typeof value === "string") return hexBytes(encodeUtf8(value));
  return value instanceof Bytes ? hexBytes(value.data) : radixClause(clause, value, 16);
}

function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function upper(text: Text): Text {
  return typeof text === "string" ? text.toUpperCase() : text;
}

function integerOf(value: Value): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof Uint ? value.value : undefined;
}

/** Also takes the three strings for what JSON cannot write as numbers. */
function doubleClause({ letter, precision }: Clause, value: Value, format: NumberText): Text {
  const isSpecial = value === "NaN" || value === "Infinity" || value === "-Infinity";
  const number = isSpecial ? stringToDouble(value) : value;
  if (number instanceof Double) return format(number.value, precision);
  return { problem: wrongArgument(letter, typeNameOf(value)) };
}

/** For each element. */
const WORK_OF_TEXT = 16;

function listText(list: ListValue): Text {
  countWork(WORK_OF_TEXT * (list.size + 1));
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const text = literalText(list.at(index));
    if (typeof text !== "string") return text;
    parts.push(text);
  }
  const text = `[${parts.join(", ")}]`;
  if (text.length > MAX_RESULT_LENGTH) throw new RangeError("Invalid string length");
  return text;
}

function mapText(map: MapValue): Text {
  countWork(WORK_OF_TEXT * (map.size + 1));
  const entries: { key: string; value: string }[] = [];
  for (const key of map.keys()) {
    const isKey = typeof key === "string" || typeof key === "boolean" || integerOf(key) !== undefined;
    if (!isKey) return { problem: noFormatForKey(typeNameOf(key)) };
    const keyText = literalText(key);
    const value = literalText(map.get(key) ?? null);
    if (typeof keyText !== "string") return keyText;
    if (typeof value !== "string") return value;
    entries.push({ key: keyText, value });
  }
  entries.sort((a, b) => compareStrings(a.key, b.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(", ")}}`;
}

/** A value inside a list or map, close to how an expression would write it. */
function literalText(value: Value): Text {
  if (typeof value === "string") return quote(value);
  if (value instanceof ListValue) return listText(value);
  if (value instanceof MapValue && value.objectType === undefined) return mapText(value);
  if (value instanceof Double) return nestedDouble(value.value);
  const text = scalarText(value);
  if (text === undefined) return { problem: noFormatFor(typeNameOf(value)) };
  if (typeof text !== "string") return text;
  if (value instanceof Bytes) return `b${quote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${quote(text)})`;
  return value instanceof Duration ? `duration(${quote(text)})` : text;
}

function nestedDouble(value: number): string {
  const text = formatFloat(value, "f", 6, 64);
  return Number.isFinite(value) ? text : quote(text);
}
