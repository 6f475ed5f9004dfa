/**
 * The Go types of the built-in kinds, read from the data file.
 *
 * The data file has one line a struct: `go name;how it is applied;field;field…`, a field being
 * `json|type|flags|proto number|patch strategy|merge key|apply|default`. Types are written
 *
 *     s b i l f y       string, bool, int32, int64, float64, bytes; `s:v1.Protocol` is a named string
 *     *T  []T  <>T      pointer, list, map with string keys; a Go name may be between the brackets, and `=` before
 *                       that name marks a list that is a message of its own in protobuf
 *     @12  !v1.Time     the struct on line 12; a type that decodes itself
 *
 * Fields, kinds and types that not all versions have carry their minor versions: `33-` since 1.33, `-35` up to 1.35,
 * `31-34` both. A field has them in front (`33-:name|type`), a type after how it is applied, a kind at the end.
 *
 * Flags: `e` omitempty, `z` omitzero, `n` inlined, `r` required. Apply: `a` atomic list, `s` set, `mkey,key` keyed list,
 * `A` atomic and `G` granular map. Lines are taken apart when first asked for.
 */

import { fromPlain } from "../value/copy.ts";
import type { JsonValue } from "../value/json.ts";
import { currentMinor, minorOf, SERVER_VERSION } from "../value/server-version.ts";
import { stableVersionOf } from "./early-versions.ts";
import { KINDS, TYPES } from "./generated/kinds.ts";

export type TypeExpr =
  | { readonly kind: "string" | "bool" | "int32" | "int64" | "float" | "bytes"; readonly go: string }
  | { readonly kind: "pointer"; readonly to: TypeExpr }
  | { readonly kind: "list"; readonly go: string; readonly of: TypeExpr; readonly isMessage: boolean }
  | { readonly kind: "map"; readonly go: string; readonly of: TypeExpr }
  | { readonly kind: "struct"; readonly index: number }
  | { readonly kind: "special"; readonly go: string };

export interface StructType {
  readonly index: number;
  /** Of the data file; the same in all versions. */
  readonly line: number;
  /** With its package: `v1.Deployment`. */
  readonly go: string;
  readonly isAtomic: boolean;
  /** As declared; an inlined struct is one field without a name. */
  readonly fields: readonly StructField[];
  /** By JSON name, those of inlined structs among them, in the order Go writes them. */
  readonly members: ReadonlyMap<string, StructField>;
}

export interface StructField {
  readonly name: string;
  readonly type: TypeExpr;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly isInline: boolean;
  readonly isRequired: boolean;
  /** 0 where the field is not part of the protobuf message. */
  readonly proto: number;
  readonly strategies: readonly string[];
  readonly mergeKey: string;
  readonly apply: ApplyRule | undefined;
  /** What the published schema gives as default; mostly zero values, which only say that the field is always written. */
  readonly default: JsonValue | undefined;
}

export type ApplyRule =
  | { readonly kind: "atomicList" | "set" | "atomicMap" | "granularMap" }
  | { readonly kind: "keyedList"; readonly keys: readonly string[] };

/** The numbers of structs in other versions than the newest are shifted by a multiple of this. */
const STRIDE = 100_000;
const NEWEST = minorOf(SERVER_VERSION);

const structs = new Map<number, StructType>();

/** The number says which version the struct is of; those that it refers to are of the same version. */
export function structAt(index: number): StructType {
  const known = structs.get(index);
  if (known !== undefined) return known;
  const line = TYPES[index % STRIDE];
  if (line === undefined) throw new Error(`the data file has no type ${index}`);
  const parsed = parseStruct(line, index);
  structs.set(index, parsed);
  return parsed;
}

/** The struct on a line of the data file in a version. */
export function structOnLine(line: number, minor: number): StructType {
  return structAt(line + shiftOf(minor));
}

function shiftOf(minor: number): number {
  return minor === NEWEST ? 0 : minor * STRIDE;
}

function minorAt(index: number): number {
  return index < STRIDE ? NEWEST : Math.trunc(index / STRIDE);
}

const kindsByMinor = new Map<number, ReadonlyMap<string, number>>();

function kindsNow(): ReadonlyMap<string, number> {
  const minor = currentMinor();
  const known = kindsByMinor.get(minor);
  if (known !== undefined) return known;
  const kinds = new Map(KINDS.flatMap((line) => parseKind(line, minor)));
  kindsByMinor.set(minor, kinds);
  return kinds;
}

/**
 * The struct of a kind, such as `apps/v1/Deployment`, in the version whose rules apply; the core group is the empty text
 * before the first slash.
 */
export function structOfKind(group: string, version: string, kind: string): StructType | undefined {
  const kinds = kindsNow();
  const index =
    kinds.get(`${group}/${version}/${kind}`) ?? kinds.get(`${group}/${stableVersionOf(group, version, kind)}/${kind}`);
  return index === undefined ? undefined : structAt(index);
}

const namesByMinor = new Map<number, ReadonlyMap<number, readonly string[]>>();

/** The kinds that a struct is registered as, by group and version; none if it is only a part of others. */
export function kindsOfStruct({ index }: StructType): { group: string; version: string; kind: string }[] {
  const minor = currentMinor();
  const names = namesByMinor.get(minor) ?? groupKinds();
  namesByMinor.set(minor, names);
  return (names.get(index) ?? []).map((name) => {
    const [group = "", version = "", kind = ""] = name.split("/");
    return { group, version, kind };
  });
}

function groupKinds(): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [name, index] of kindsNow()) groups.set(index, [...(groups.get(index) ?? []), name]);
  return groups;
}

function parseKind(line: string, minor: number): [string, number][] {
  const [kind = "", index, range] = line.split(" ");
  return isWithin(range, minor) ? [[kind, Number(index) + shiftOf(minor)]] : [];
}

/** Whether a range such as `33-` contains a minor version. No range contains all. */
export function isWithin(range: string | undefined, minor: number): boolean {
  if (range === undefined || range === "") return true;
  const [from = "", to = ""] = range.split("-");
  return (from === "" || minor >= Number(from)) && (to === "" || minor <= Number(to));
}

/** Go's name of a type, as error messages print it. */
export function goTypeName(type: TypeExpr): string {
  switch (type.kind) {
    case "pointer":
      return `*${goTypeName(type.to)}`;
    case "struct":
      return structName(type.index);
    default:
      return type.go;
  }
}

/** Read off the line: a struct may contain itself, and is not taken apart for its name. */
function structName(index: number): string {
  const line = TYPES[index % STRIDE] ?? "";
  return line.slice(0, line.indexOf(";"));
}

/** What a pointer points to; any other type itself. */
export function pointee(type: TypeExpr): TypeExpr {
  return type.kind === "pointer" ? type.to : type;
}

function parseStruct(line: string, index: number): StructType {
  const [go = "", apply = "", ...texts] = line.split(";");
  const minor = minorAt(index);
  const fields = texts.flatMap((text) => fieldsIn(text, minor));
  let members: ReadonlyMap<string, StructField> | undefined;
  return {
    index,
    line: index % STRIDE,
    go,
    isAtomic: apply.startsWith("A"),
    fields,
    get members() {
      members ??= new Map(fields.flatMap(membersOf));
      return members;
    },
  };
}

function membersOf(field: StructField): [string, StructField][] {
  if (!field.isInline) return [[field.name, field]];
  const inlined = pointee(field.type);
  return inlined.kind === "struct" ? [...structAt(inlined.index).members] : [];
}

const RANGE = /^(\d*-\d*):/;

function fieldsIn(text: string, minor: number): StructField[] {
  const range = RANGE.exec(text);
  if (range === null) return [parseField(text, minor)];
  return isWithin(range[1], minor) ? [parseField(text.slice(range[0].length), minor)] : [];
}

function parseField(text: string, minor: number): StructField {
  const [name = "", type = "", flags = "", proto = "", strategies = "", mergeKey = "", apply = "", ...rest] =
    text.split("|");
  return {
    name,
    type: parseType(type, shiftOf(minor)),
    omitEmpty: flags.includes("e"),
    omitZero: flags.includes("z"),
    isInline: flags.includes("n"),
    isRequired: flags.includes("r"),
    proto: Number(proto),
    strategies: strategies === "" ? [] : strategies.split(","),
    mergeKey,
    apply: parseApply(apply),
    default: rest.length === 0 ? undefined : fromPlain(JSON.parse(rest.join("|"))),
  };
}

const APPLY_CODES = { a: "atomicList", s: "set", A: "atomicMap", G: "granularMap" } as const;

function parseApply(text: string): ApplyRule | undefined {
  if (text.startsWith("m")) return { kind: "keyedList", keys: text.slice(1).split(",") };
  return text === "a" || text === "s" || text === "A" || text === "G" ? { kind: APPLY_CODES[text] } : undefined;
}

const SCALARS = {
  s: ["string", "string"],
  b: ["bool", "bool"],
  i: ["int32", "int32"],
  l: ["int64", "int64"],
  f: ["float", "float64"],
  y: ["bytes", "[]uint8"],
} as const;

function isScalarCode(text: string): text is keyof typeof SCALARS {
  return text in SCALARS;
}

function parseType(text: string, shift: number): TypeExpr {
  const [code = "", rest] = [text[0], text.slice(1)];
  if (code === "*") return { kind: "pointer", to: parseType(rest, shift) };
  if (code === "@") return { kind: "struct", index: Number(rest) + shift };
  if (code === "!") return { kind: "special", go: rest };
  if (code === "[") return parseList(rest, shift);
  if (code === "<") return parseMap(rest, shift);
  if (!isScalarCode(code)) throw new Error(`the data file has a type ${text}`);
  const [kind, go] = SCALARS[code];
  return { kind, go: rest === "" ? go : rest.slice(1) };
}

function parseList(text: string, shift: number): TypeExpr {
  const end = text.indexOf("]");
  const of = parseType(text.slice(end + 1), shift);
  const name = text.slice(0, end);
  const isMessage = name.startsWith("=");
  return { kind: "list", go: name.replace("=", "") || `[]${goTypeName(of)}`, of, isMessage };
}

function parseMap(text: string, shift: number): TypeExpr {
  const end = text.indexOf(">");
  const of = parseType(text.slice(end + 1), shift);
  return { kind: "map", go: text.slice(0, end) || `map[string]${goTypeName(of)}`, of };
}
