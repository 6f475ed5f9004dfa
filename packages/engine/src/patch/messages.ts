/** What the patch algorithms say. Clients see little of it: most failures of a JSON patch get one fixed text. */
import { quote } from "@portcullis/gostd/quote";
import { goText, goTypeName } from "../kubecel/go-data.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";

export const MAX_OPERATIONS = 10_000;
/** How much copy operations may add, in bytes of JSON. */
export const MAX_COPIED = 3 * 1024 * 1024;

export const notAPatch = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type jsonpatch.Patch`;
export const notAnOperation = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type jsonpatch.Operation`;
export const tooManyOperations = (count: number): string =>
  `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`;
export const notJson = (): string => "invalid JSON patch";
export const badMergePatch = (): string => "Invalid JSON Patch";
export const decodingPatch = (error: string): string => `error decoding patch: ${error}`;
export const inJsonPatch = (finding: string): string => `json patch ${finding}`;

export const badRetainKeys = (): string => "invalid patch format of retainKeys";
export const badPrimitiveList = (): string => "invalid patch format of primitive list";
export const badElementOrder = (): string => "invalid patch format of setElementOrder list";
export const rejected = (): string => "the server rejected our request due to an error in our request";
/** Upstream compares maps as if they were scalars in places; Go does not forgive that. */
export const crashed = (): string => "This request caused apiserver to panic. Look in the logs for details.";
export const noListMerge = (): string => "merging lists cannot yet be specified in the patch";
export const noElements = (): string => "no elements in any of the given slices";
export const sliceOfSlices = (): string => "unexpected slice of slice";
export const notASlice = (kind: string): string => `expected slice or array type, but got: ${kind}`;
export const notAStruct = (kind: string): string =>
  `merging an object in json but data type is not struct, instead is: ${kind}`;
export const noField = (struct: string, field: string): string =>
  `unable to find api field in struct ${struct} for the json field ${quote(field)}`;
export const noMergeKeyFor = (kind: string): string => `cannot merge lists without merge key for ${kind}`;
export const noMergeKey = (map: JsonObject, key: string): string =>
  `map: ${goText(map)} does not contain declared merge key: ${key}`;
export const badDirective = (directive: JsonValue, map: JsonObject): string =>
  `unknown patch type: ${goStringVerb(directive)} in map: ${goText(map)}`;
export const badArgument = (found: JsonValue): string => `expected a []interface {}, but received a ${typeVerb(found)}`;
export const badMapArgument = (found: JsonValue): string =>
  `expected a map[string]interface {}, but received a ${typeVerb(found)}`;
export const notAMapAt = (index: number): string => `value for key ${index} is not a map`;
export const orderMismatch = (patch: JsonValue[], order: JsonValue[]): string =>
  `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`;
export const mixedElements = (lists: readonly string[]): string =>
  `list element types are not identical: [${lists.join(" ")}]`;

/** Go's kind of a scalar. */
export const scalarKind = (value: JsonValue): string => goTypeName(value);

/**
 * Go's %s, which prints the type of values that are not strings, also inside maps and lists; nil inside those is just
 * nil.
 */
function goStringVerb(value: JsonValue): string {
  return value === null ? "%!s(<nil>)" : goStringVerbWithin(value);
}

function goStringVerbWithin(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isArray(value)) return `[${value.map(goStringVerbWithin).join(" ")}]`;
  if (isObject(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goStringVerbWithin(value[key] ?? null)}`)
      .join(" ")}]`;
  return value === null ? "<nil>" : `%!s(${goTypeName(value)}=${goText(value)})`;
}

function typeVerb(value: JsonValue): string {
  return value === null ? "%!s(<nil>)" : goTypeName(value);
}
export const notAMap = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
