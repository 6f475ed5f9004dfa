/**
 * Values of kube-apiserver's internal types as Go's `%#v` prints them: messages up to 1.33 have this form.
 */

import { quote } from "@portcullis/gostd/quote";
import { GoJson, SOME_ADDRESS } from "../../field/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../../value/json.ts";
import { currentMinor } from "../../value/server-version.ts";
import { canonicalJson } from "../../value/text.ts";
import { goTypeName, pointee, type TypeExpr } from "../types.ts";
import { quantityValue } from "../validate/go-values.ts";
import { isMeta, membersAt, membersOf, structNameAt } from "./fields.ts";
import { publishedStruct } from "./published.ts";

/** `type` is in the notation of fields.ts. */
export function internalGoSyntax(type: string, value: JsonValue | undefined): string {
  return print(value, { type, published: undefined, group: "" });
}

/** A type as the internal table has it, the published one if it is known, and the group of both. */
export interface Place {
  readonly type: string;
  readonly published: TypeExpr | undefined;
  readonly group: string;
}

function print(value: JsonValue | undefined, place: Place): string {
  const { type } = place;
  const isNil = value === undefined || value === null;
  switch (type.charAt(0)) {
    case "*":
      return printPointer(value, place);
    case "[":
      return isArray(value)
        ? `${typeName(place)}{${value.map((item) => print(item, inside(place))).join(", ")}}`
        : `${typeName(place)}(nil)`;
    case "<":
      return isObject(value) ? `${typeName(place)}{${printMembers(value, place)}}` : `${typeName(place)}(nil)`;
    case "@":
      return printStruct(isObject(value) ? value : newObject(), Number(type.slice(1)));
    default:
      return isNil ? (ZERO[type] ?? "interface {}(nil)") : printPlain(value, type);
  }
}

function printPointer(value: JsonValue | undefined, place: Place): string {
  const isNil = value === undefined || value === null;
  // Times print themselves, and those that are nil cannot.
  if (place.type === "*t") return isNil ? "<nil>" : printPlain(value, "t");
  if (place.type === "*y") return isNil ? "[]uint8(nil)" : "[]uint8{}";
  if (place.type === "*x") return isNil ? "interface {}(nil)" : canonicalJson(value);
  return `(${typeName(place)})(${isNil ? "nil" : SOME_ADDRESS})`;
}

function printMembers(value: JsonObject, place: Place): string {
  return sortedKeys(value)
    .map((key) => `${quote(key)}:${print(value[key], inside(place))}`)
    .join(", ");
}

function printStruct(value: JsonObject, line: number): string {
  const members = structMembers(value, line).map((member) => `${member.name}:${print(member.value, member.place)}`);
  return `${structNameAt(line)}{${members.join(", ")}}`;
}

/** A field of a struct, with what an object has in it. */
export interface StructMember {
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly place: Place;
}

export function structMembers(value: JsonObject, line: number): readonly StructMember[] {
  const name = structNameAt(line);
  const group = name.slice(0, name.indexOf("."));
  const published = publishedStruct(name, currentMinor());
  return membersAt(line).map((member) => {
    if ("embeds" in member) {
      const from = isMeta(member.embeds) ? value["metadata"] : value;
      const embedded = structNameAt(member.embeds);
      const place = { type: `@${member.embeds}`, published: undefined, group };
      return { name: embedded.slice(embedded.indexOf(".") + 1), value: from, place };
    }
    const place = { type: member.type, published: published?.members.get(member.wire)?.type, group };
    return { name: goName(member.shown), value: membersOf(value, member.wire), place };
  });
}

/** Types with JSON names are shown by them. */
function goName(shown: string): string {
  if (shown === "uid") return "UID";
  const name = shown.charAt(0).toUpperCase() + shown.slice(1);
  return name.replace(/^Api(?=[A-Z])/, "API");
}

const ZERO: Readonly<Record<string, string>> = {
  s: '""',
  b: "false",
  i: "0",
  o: 'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}',
  t: "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)",
  q: 'resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:""}',
};

function printPlain(value: JsonValue, type: string): string {
  if (type === "o") {
    return typeof value === "string"
      ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`
      : `intstr.IntOrString{Type:0, IntVal:${canonicalJson(value)}, StrVal:""}`;
  }
  if (type === "q" && typeof value === "string") {
    const shown = quantityValue(value);
    return shown instanceof GoJson ? shown.text : quote(value);
  }
  return typeof value === "string" ? quote(value) : canonicalJson(value);
}

export function inside({ type, published, group }: Place): Place {
  const of = published?.kind === "list" || published?.kind === "map" ? published.of : undefined;
  return { type: type.slice(1), published: of, group };
}

const SCALARS: Readonly<Record<string, string>> = {
  s: "string",
  b: "bool",
  i: "int32",
  q: "resource.Quantity",
  o: "intstr.IntOrString",
  t: "v1.Time",
  x: "interface {}",
};

export function typeName({ type, published, group }: Place): string {
  const inner = type.slice(1);
  switch (type.charAt(0)) {
    case "*":
      return `*${typeName({ type: inner, published: published && pointee(published), group })}`;
    case "[":
      return inGroup(published, group) ?? `[]${typeName(inside({ type, published, group }))}`;
    case "<":
      return inGroup(published, group) ?? `map[string]${typeName(inside({ type, published, group }))}`;
    case "@":
      return structNameAt(Number(inner));
    default:
      return inGroup(published, group) ?? SCALARS[type] ?? "interface {}";
  }
}

/** The published types of a group have the same names as its internal ones, in a package named after their version. */
function inGroup(published: TypeExpr | undefined, group: string): string | undefined {
  if (published === undefined || published.kind === "struct" || containsStruct(published)) return undefined;
  return goTypeName(published).replace(/\bv\d\w*\.(?!Time\b|MicroTime\b|Duration\b)/g, `${group}.`);
}

function containsStruct(type: TypeExpr): boolean {
  if (type.kind === "list" || type.kind === "map") return containsStruct(type.of);
  return type.kind === "pointer" ? containsStruct(type.to) : type.kind === "struct";
}
