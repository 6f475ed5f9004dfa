/**
 * Objects as kube-apiserver prints them in messages: as JSON of its internal types, whose fields have no JSON names and are
 * never left out.
 */
import { GoJson } from "../../field/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { canonicalJson } from "../../value/text.ts";
import { isEmpty, metaOf } from "../object.ts";
import { fieldsAt, lineOf, membersOf } from "./fields.ts";
import { internalGoSyntax } from "./go-syntax.ts";

/** One value of an internal type in one line. */
export function internalJson(type: string, value: JsonValue | undefined): GoJson {
  return internalValue(`@${lineOf(type)}`, value);
}

/** A list of values of an internal type; nil where absent. */
export function internalListJson(type: string, value: JsonValue | undefined): GoJson {
  return internalValue(`[@${lineOf(type)}`, value);
}

/** Up to 1.33 in Go's own syntax. */
function internalValue(type: string, value: JsonValue | undefined): GoJson {
  return new GoJson(since("1.34") ? write(value, type, undefined) : internalGoSyntax(type, value));
}

/** Over many lines, each level indented by one space; what differences are shown of. */
export function internalText(type: string, value: JsonValue | undefined): string {
  return write(value, `@${lineOf(type)}`, 0);
}

/** `indent` is undefined for one line. */
function write(value: JsonValue | undefined, type: string, indent: number | undefined): string {
  const inner = type.slice(1);
  switch (type.charAt(0)) {
    case "*":
      return value === undefined || value === null ? "null" : write(value, inner, indent);
    case "[":
      return isArray(value) ? writeList(value, inner, indent) : "null";
    case "<":
      return isObject(value) ? writeMap(value, inner, indent) : "null";
    case "@":
      return writeStruct(isObject(value) ? value : newObject(), Number(inner), indent);
    default:
      return writePlain(value, type);
  }
}

const ZERO: Readonly<Record<string, string>> = { s: '""', b: "false", i: "0", o: "0", q: '"0"' };

function writePlain(value: JsonValue | undefined, type: string): string {
  return value === undefined || value === null ? (ZERO[type] ?? "null") : canonicalJson(value);
}

function writeList(items: readonly JsonValue[], type: string, indent: number | undefined): string {
  return enclose(
    "[]",
    items.map((item) => write(item, type, deeper(indent))),
    indent,
  );
}

function writeMap(map: JsonObject, type: string, indent: number | undefined): string {
  return enclose(
    "{}",
    sortedKeys(map).map((key) => member(key, write(map[key], type, deeper(indent)), indent)),
    indent,
  );
}

function writeStruct(value: JsonObject, line: number, indent: number | undefined): string {
  const members = fieldsAt(line).flatMap(({ inMeta, ...field }) => {
    const from = inMeta === true ? metaOf(value) : value;
    return field.omitEmpty && isLeftOut(from[field.wire], field.type) ? [] : [{ ...field, from }];
  });
  return enclose(
    "{}",
    members.map(({ shown, wire, type, from }) =>
      member(shown, write(membersOf(from, wire), type, deeper(indent)), indent),
    ),
    indent,
  );
}

function isLeftOut(value: JsonValue | undefined, type: string): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return isArray(value) ? value.length === 0 : type.startsWith("<") && isEmpty(value);
}

function deeper(indent: number | undefined): number | undefined {
  return indent === undefined ? undefined : indent + 1;
}

function member(key: string, text: string, indent: number | undefined): string {
  return `${canonicalJson(key)}:${indent === undefined ? "" : " "}${text}`;
}

function enclose(brackets: string, parts: readonly string[], indent: number | undefined): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0) return brackets;
  if (indent === undefined) return `${open}${parts.join(",")}${close}`;
  const margin = `\n${" ".repeat(indent + 1)}`;
  return `${open}${margin}${parts.join(`,${margin}`)}\n${" ".repeat(indent)}${close}`;
}
