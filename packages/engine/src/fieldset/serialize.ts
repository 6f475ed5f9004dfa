/**
 * Field sets as managed fields store them: `FieldsV1`, a tree whose keys are path elements.
 *
 * Follows structured-merge-diff fieldpath/serialize.go. `f:name` is a field, `k:{"name":"a"}` an item by its keys,
 * `v:"a"` an item of a set, `i:0` an index; `.` says that the element itself is a member although it also has members
 * below it. Keys of other kinds are skipped, since a later version may know them.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import { atoi, formatFloat } from "@portcullis/gostd/strconv";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../value/json.ts";
import { asFloat, isFloat } from "../value/number.ts";
import { compareElements, fieldElement, indexElement, keyElement, type PathElement, valueElement } from "./element.ts";
import * as messages from "./messages.ts";
import { parseKeyValue } from "./parse-value.ts";
import { type FieldSet, SetBuilder } from "./set.ts";

/** Members are written in the order of the set, which upstream's bytes have too. */
export function encodeSet(set: FieldSet): JsonObject {
  return encodeNode(set, false);
}

function encodeNode(set: FieldSet, includeSelf: boolean): JsonObject {
  const { members, children } = set;
  const object = newObject();
  if (includeSelf && members.length + children.length > 0) object["."] = newObject();
  let [m, c] = [0, 0];
  for (;;) {
    const [member, child] = [members[m], children[c]];
    if (member === undefined && child === undefined) return object;
    const order = orderOf(member, child?.element);
    if (order < 0 && member !== undefined) object[encodeElement(member)] = newObject();
    else if (child !== undefined) object[encodeElement(child.element)] = encodeNode(child.set, order === 0);
    if (order <= 0) m++;
    if (order >= 0) c++;
  }
}

function orderOf(member: PathElement | undefined, child: PathElement | undefined): number {
  if (member === undefined) return 1;
  return child === undefined ? -1 : compareElements(member, child);
}

export function encodeElement(element: PathElement): string {
  switch (element.kind) {
    case "field":
      return `f:${element.name}`;
    case "key":
      return `k:{${element.fields.map(({ name, value }) => `${text(name, false)}:${json(value)}`).join(",")}}`;
    case "value":
      return `v:${json(element.value)}`;
    default:
      return `i:${element.index}`;
  }
}

// As json-iterator writes: `<`, `>` and `&` escaped in values but not in names, small exponents with two digits, and no
// short escapes for backspace and form feed.
function json(value: JsonValue): string {
  if (typeof value === "string") return text(value, true);
  if (isNumber(value)) return isFloat(value) ? float(asFloat(value)) : String(value);
  if (isArray(value)) return `[${value.map(json).join(",")}]`;
  if (!isObject(value)) return String(value);
  const fields = sortedKeys(value).map((key) => `${text(key, true)}:${json(value[key] ?? null)}`);
  return `{${fields.join(",")}}`;
}

function float(value: number): string {
  const magnitude = Math.abs(value);
  const isFixed = magnitude === 0 || (magnitude >= 1e-6 && magnitude < 1e21);
  return formatFloat(value, isFixed ? "f" : "e", -1, 64);
}

const LONG_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\\u0008"],
  ["f", "\\u000c"],
]);

function text(value: string, escapeHtml: boolean): string {
  const quoted = jsonString(value, { escapeHtml });
  if (!value.includes("\b") && !value.includes("\f")) return quoted;
  return quoted.replace(/\\(.)/g, (pair, char) => LONG_ESCAPES.get(char) ?? pair);
}

export type DecodedSet =
  | { readonly set: FieldSet; readonly error?: undefined }
  | { readonly set?: undefined; readonly error: string };

export function decodeSet(fields: JsonValue): DecodedSet {
  const root = new SetBuilder();
  const error = decodeNode(fields, root).error;
  return error === undefined ? { set: root.build() } : { error };
}

interface DecodedNode {
  /** Whether the element above is a member: it says so, or there is nothing below it. */
  readonly isMember: boolean;
  readonly error?: string;
}

function decodeNode(fields: JsonValue, into: SetBuilder): DecodedNode {
  if (fields === null) return { isMember: true };
  if (!isObject(fields)) return { isMember: false, error: messages.notAnObject() };
  let isMember = false;
  let hasChildren = false;
  for (const key in fields) {
    if (key === ".") {
      isMember = true;
      continue;
    }
    const parsed = decodeElement(key);
    if (parsed.error !== undefined) return { isMember, error: messages.badElement(parsed.error) };
    if (parsed.element === undefined) continue;
    const error = decodeChild(fields[key] ?? null, parsed.element, into);
    if (error !== undefined) return { isMember, error };
    hasChildren = true;
  }
  return { isMember: isMember || !hasChildren };
}

function decodeChild(fields: JsonValue, element: PathElement, into: SetBuilder): string | undefined {
  const below = new SetBuilder();
  const { isMember, error } = decodeNode(fields, below);
  if (error !== undefined) return error;
  if (isMember) into.insert(element);
  into.adoptBelow(element, below);
  return undefined;
}

export type DecodedElement =
  | { readonly element: PathElement | undefined; readonly error?: undefined }
  | { readonly element?: undefined; readonly error: string };

/** The element is undefined for kinds this version does not know. */
export function decodeElement(key: string): DecodedElement {
  if (key.length < 2) return { error: messages.tooShort() };
  if (key[1] !== ":") return { error: messages.missingColon(key) };
  const content = key.slice(2);
  switch (key[0]) {
    case "f":
      return { element: fieldElement(content) };
    case "v":
      return decodeValue(content);
    case "k":
      return decodeKey(content);
    case "i":
      return decodeIndex(content);
    default:
      return { element: undefined };
  }
}

function decodeValue(content: string): DecodedElement {
  const parsed = parseKeyValue(content);
  return parsed.error === undefined ? { element: valueElement(parsed.value) } : parsed;
}

function decodeKey(content: string): DecodedElement {
  const parsed = parseKeyValue(content);
  if (parsed.error !== undefined) return { error: parsed.error };
  const { value } = parsed;
  if (value === null) return { element: keyElement([]) };
  if (!isObject(value)) return { error: messages.notAnObject() };
  return { element: keyElement(Object.keys(value).map((name) => ({ name, value: value[name] ?? null }))) };
}

function decodeIndex(content: string): DecodedElement {
  const parsed = atoi(content);
  return parsed.error === undefined ? { element: indexElement(Number(parsed.value)) } : { error: parsed.error };
}
