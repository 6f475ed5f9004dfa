/**
 * All values of an object that do not fit their Go types.
 *
 * The API server stops at the first one and does not always name its field. The values are found with the same decoder,
 * one by one, and removed from a copy of the object to get the server's message about each of them.
 */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import { decodeGo } from "@portcullis/engine/internal/field/go-decode";
import type { GoShape } from "@portcullis/engine/internal/field/go-shape";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { objectMeta } from "@portcullis/engine/internal/schema/meta-shape";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { ManifestDocument } from "../report/manifest.ts";

export interface DecodeProblem {
  readonly steps: readonly Step[];
  readonly value: JsonValue;
  /** The type that the value does not fit. */
  readonly shape: GoShape;
}

interface Step {
  readonly key: string | number;
  /** Keys of maps are written in brackets. */
  readonly isField: boolean;
}

/** More are not reported: something is wrong with the whole object. */
const MAX_PROBLEMS = 20;

/** Of a custom resource, only the metadata has a Go type. */
export function decodeProblems(object: JsonObject, kind: ResourceKind): readonly DecodeProblem[] {
  const problems: DecodeProblem[] = [];
  if (kind.isCustom) {
    const meta = object["metadata"];
    if (meta !== undefined) collect(meta, objectMeta, [{ key: "metadata", isField: true }], problems);
  } else {
    const shape = shapeOfKind(kind);
    if (shape !== undefined) collect(object, shape, [], problems);
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function shapeOfKind({ group, version, plural }: ResourceKind): GoShape | undefined {
  return group === "apiextensions.k8s.io" ? definitionShape : builtinResource(group, version, plural)?.shape;
}

function collect(value: JsonValue, shape: GoShape, steps: readonly Step[], problems: DecodeProblem[]): void {
  if (value === null || problems.length >= MAX_PROBLEMS) return;
  if (shape.kind === "struct" && isObject(value)) {
    const fields = shape.fields();
    for (const [key, member] of Object.entries(value)) {
      const field = fields.get(key);
      if (field !== undefined) collect(member, field.shape, [...steps, { key, isField: true }], problems);
    }
  } else if (shape.kind === "list" && isArray(value)) {
    for (const [key, item] of value.entries()) collect(item, shape.of, [...steps, { key, isField: false }], problems);
  } else if (shape.kind === "map" && isObject(value)) {
    for (const [key, member] of Object.entries(value))
      collect(member, shape.of, [...steps, { key, isField: false }], problems);
  } else if (decodeGo(value, shape).error !== undefined) problems.push({ steps, value, shape });
}

/** The object without these values. */
export function withoutValues(object: JsonObject, problems: readonly DecodeProblem[]): JsonObject {
  return problems.reduce((rest, { steps }) => {
    const copy = removed(rest, steps);
    return isObject(copy) ? copy : rest;
  }, object);
}

/** An item of a list becomes null, so that the others keep their places. */
function removed(value: JsonValue, [first, ...rest]: readonly Step[]): JsonValue {
  if (first === undefined) return null;
  if (isArray(value)) return value.map((item, index) => (index === first.key ? removed(item, rest) : item));
  if (!isObject(value)) return value;
  const copy = Object.assign(newObject(), value);
  if (rest.length === 0) delete copy[first.key];
  else copy[first.key] = removed(copy[first.key] ?? null, rest);
  return copy;
}

export function problemPath({ steps }: DecodeProblem): string {
  return steps.map(({ key, isField }, at) => (isField ? `${at === 0 ? "" : "."}${key}` : `[${key}]`)).join("");
}

/** What to do about the usual mistakes. */
export function problemHint({ value, shape }: DecodeProblem, written: string): string | undefined {
  if (shape.kind === "bytes") return "the value must be base64; a Secret takes plain text in `stringData`";
  if (shape.kind === "string" && (typeof value === "number" || typeof value === "bigint"))
    return `quote the number: "${written || String(value)}"`;
  if (shape.kind === "string" && typeof value === "boolean") {
    const isPlain = written === "" || written === String(value);
    return `${isPlain ? "" : `\`${written}\` is a boolean in YAML; `}quote it: "${written || String(value)}"`;
  }
  if (typeof value !== "string") return undefined;
  const isNumber = (shape.kind === "int" || shape.kind === "float") && /^-?\d+(\.\d+)?$/.test(value);
  const isBoolean = shape.kind === "bool" && /^(true|false)$/.test(value);
  return isNumber || isBoolean ? `remove the quotes: ${value}` : undefined;
}

/** The text of the value in the file, if it is on one line. */
export function writtenAt({ text, source, offset }: ManifestDocument, problem: DecodeProblem): string {
  let node = source;
  for (const { key } of problem.steps) node = typeof key === "number" ? node?.items?.[key] : node?.fields?.get(key);
  const written = node === undefined ? "" : text.slice(offset + node.start, offset + node.end).trim();
  return written.includes("\n") ? "" : written;
}
