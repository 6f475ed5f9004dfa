/**
 * Objects as kube-apiserver prints them in messages: as JSON of its internal types, whose fields have no JSON names and are
 * never left out.
 *
 * The data file has one line a struct: `go name;field;field…`, a field being `shown:wire type e`, where `wire` is left out when
 * it is `shown` with a small first letter, and `e` marks omitempty; `...12` embeds the struct on line 12. `37-:` in front of a
 * field names the versions that have it, `-36:` those up to 1.36. Types are written
 *
 *     s b i q t o x     string, bool, number, quantity, time, number or string, anything that writes itself
 *     *T  [T  <T  @12   pointer, list, map with string keys, the struct on line 12
 */
import { GoJson } from "../field/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../value/json.ts";
import { currentMinor } from "../value/server-version.ts";
import { canonicalJson } from "../value/text.ts";
import { INTERNAL } from "./generated/internal.ts";
import { metaOf } from "./object.ts";

/** One value of an internal type in one line. */
export function internalJson(type: string, value: JsonValue | undefined): GoJson {
  return new GoJson(write(value, `@${lineOf(type)}`, undefined));
}

/** A list of values of an internal type; nil where absent. */
export function internalListJson(type: string, value: JsonValue | undefined): GoJson {
  return new GoJson(write(value, `[@${lineOf(type)}`, undefined));
}

/** Over many lines, each level indented by one space; what differences are shown of. */
export function internalText(type: string, value: JsonValue | undefined): string {
  return write(value, `@${lineOf(type)}`, 0);
}

interface Field {
  readonly shown: string;
  readonly wire: string;
  readonly type: string;
  readonly omitEmpty: boolean;
  /** Embedded metadata: its members are in `metadata`. */
  readonly inMeta?: boolean;
}

const lines = new Map<string, number>();
/** By line and minor version. */
const fieldsOfLine = new Map<string, readonly Field[]>();

function lineOf(type: string): number {
  if (lines.size === 0)
    for (const [index, text] of INTERNAL.entries()) lines.set(text.slice(0, text.indexOf(";")), index);
  const line = lines.get(type);
  if (line === undefined) throw new Error(`no internal type ${type}`);
  return line;
}

function fieldsAt(line: number): readonly Field[] {
  const minor = currentMinor();
  const key = `${line} ${minor}`;
  const known = fieldsOfLine.get(key);
  if (known !== undefined) return known;
  const fields = (INTERNAL[line] ?? "")
    .split(";")
    .slice(1)
    .flatMap((text) => parseField(text, minor));
  fieldsOfLine.set(key, fields);
  return fields;
}

const RANGE = /^(\d*)-(\d*):/;

function parseField(given: string, minor: number): readonly Field[] {
  const [versions = "", from = "", to = ""] = RANGE.exec(given) ?? [];
  if ((from !== "" && minor < Number(from)) || (to !== "" && minor > Number(to))) return [];
  const text = given.slice(versions.length);
  if (text.startsWith("...")) return embedded(Number(text.slice(3)));
  const [name = "", type = "", flags = ""] = text.split(" ");
  const [shown = "", wire = shown.charAt(0).toLowerCase() + shown.slice(1)] = name.split(":");
  return [{ shown, wire, type, omitEmpty: flags === "e" }];
}

function embedded(line: number): readonly Field[] {
  const fields = fieldsAt(line);
  if (line !== lineOf("v1.ObjectMeta")) return fields;
  return fields.map((field) => ({ ...field, inMeta: true }));
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
    return field.omitEmpty && isEmpty(from[field.wire]) ? [] : [{ ...field, from }];
  });
  return enclose(
    "{}",
    members.map(({ shown, wire, type, from }) =>
      member(shown, write(membersOf(from, wire), type, deeper(indent)), indent),
    ),
    indent,
  );
}

const POD_LEVEL = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** Inside, what a pod shares with its node is part of its security context. */
function membersOf(value: JsonObject, wire: string): JsonValue | undefined {
  const own = value[wire];
  if (wire !== "securityContext" || value["containers"] === undefined) return own;
  const context = newObject();
  for (const key of POD_LEVEL) if (value[key] !== undefined) context[key] = value[key];
  if (isObject(own)) for (const key of Object.keys(own)) context[key] = own[key] ?? null;
  return context;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return isArray(value) && value.length === 0;
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
