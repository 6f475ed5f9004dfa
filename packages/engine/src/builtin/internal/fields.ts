/**
 * The internal structs of kube-apiserver that its messages print.
 *
 * The data file has one line a struct: `go name;field;field…`, a field being `shown:wire type e`, where `wire` is left out when
 * it is `shown` with a small first letter, and `e` marks omitempty; `...12` embeds the struct on line 12. `37-:` in front of a
 * field names the versions that have it, `-36:` those up to 1.36. Types are written
 *
 *     s b i q t o x     string, bool, number, quantity, time, number or string, anything that writes itself
 *     *T  [T  <T  @12   pointer, list, map with string keys, the struct on line 12
 */
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { currentMinor } from "../../value/server-version.ts";
import { INTERNAL } from "../generated/internal.ts";
import { hasField } from "./published.ts";

export interface Field {
  readonly shown: string;
  readonly wire: string;
  readonly type: string;
  readonly omitEmpty: boolean;
  /** Embedded metadata: its members are in `metadata`. */
  readonly inMeta?: boolean;
}

/** A struct inside another whose fields are the other's, too. */
interface Embedded {
  readonly embeds: number;
}

const lines = new Map<string, number>();
/** By line and minor version. */
const fieldsOfLine = new Map<string, readonly Field[]>();

export function lineOf(type: string): number {
  if (lines.size === 0)
    for (const [index, text] of INTERNAL.entries()) lines.set(text.slice(0, text.indexOf(";")), index);
  const line = lines.get(type);
  if (line === undefined) throw new Error(`no internal type ${type}`);
  return line;
}

/** Fields of embedded structs among them. */
export function fieldsAt(line: number): readonly Field[] {
  const minor = currentMinor();
  const key = `${line} ${minor}`;
  const known = fieldsOfLine.get(key);
  if (known !== undefined) return known;
  const fields = membersAt(line).flatMap((member) => ("embeds" in member ? embedded(member.embeds) : [member]));
  fieldsOfLine.set(key, fields);
  return fields;
}

/** As declared, in the version whose rules apply. */
export function membersAt(line: number): readonly (Field | Embedded)[] {
  const minor = currentMinor();
  const [type = "", ...texts] = (INTERNAL[line] ?? "").split(";");
  return texts
    .flatMap((text) => parseField(text, minor))
    .filter((member) => "embeds" in member || hasField(type, member.wire, minor));
}

/** The Go name of the struct on a line. */
export function structNameAt(line: number): string {
  return (INTERNAL[line] ?? "").split(";", 1)[0] ?? "";
}

const RANGE = /^(\d*)-(\d*):/;

function parseField(given: string, minor: number): readonly (Field | Embedded)[] {
  const [versions = "", from = "", to = ""] = RANGE.exec(given) ?? [];
  if ((from !== "" && minor < Number(from)) || (to !== "" && minor > Number(to))) return [];
  const text = given.slice(versions.length);
  if (text.startsWith("...")) return [{ embeds: Number(text.slice(3)) }];
  const [name = "", type = "", flags = ""] = text.split(" ");
  const [shown = "", wire = shown.charAt(0).toLowerCase() + shown.slice(1)] = name.split(":");
  return [{ shown, wire, type, omitEmpty: flags === "e" }];
}

function embedded(line: number): readonly Field[] {
  const fields = fieldsAt(line);
  return isMeta(line) ? fields.map((field) => ({ ...field, inMeta: true })) : fields;
}

/** Whether a struct is the one whose members are in `metadata`. */
export function isMeta(line: number): boolean {
  return line === lineOf("v1.ObjectMeta");
}

const POD_LEVEL = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** Inside, what a pod shares with its node is part of its security context. */
export function membersOf(value: JsonObject, wire: string): JsonValue | undefined {
  const own = value[wire];
  if (wire !== "securityContext" || value["containers"] === undefined) return own;
  const context = newObject();
  for (const key of POD_LEVEL) if (value[key] !== undefined) context[key] = value[key];
  if (isObject(own)) for (const key of Object.keys(own)) context[key] = own[key] ?? null;
  return context;
}
