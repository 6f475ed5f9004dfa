/** What policies changed in an object, one line per field. */
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export function changedLines(before: JsonObject, after: JsonObject): string[] {
  return changes(before, after, "");
}

function changes(before: JsonValue | undefined, after: JsonValue | undefined, path: string): string[] {
  if (before !== undefined && after !== undefined && deepEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changes(before[name], after[name], memberPath(path, name)));
  }
  if (isArray(before) && isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => changes(before[at], after[at], `${path}[${at}]`)).flat();
  }
  if (after === undefined) return [`${path} is gone, it was ${show(before)}`];
  return [before === undefined ? `${path}: ${show(after)}` : `${path}: ${show(after)}, it was ${show(before)}`];
}

function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? "absent" : canonicalJson(value, { escapeHtml: false });
}
