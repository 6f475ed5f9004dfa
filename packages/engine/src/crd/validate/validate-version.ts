/** What a version may have besides its schema: a deprecation warning, printer columns, scale, selectable fields. */
import { isPrint } from "@portcullis/gostd/quote";
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, invalid, required, tooMany } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { resolveFieldPath } from "../../rules/field-path.ts";
import { notAField } from "../../rules/messages.ts";
import { EMPTY_SCHEMA, type Structural } from "../../schema/structural.ts";
import { append } from "../../value/append.ts";
import type { PrinterColumn, ScaleSubresource } from "../definition.ts";
import { goValue } from "../go-json.ts";
import * as messages from "../messages.ts";
import { MAX_SELECTABLE_FIELDS } from "./ratchet.ts";

export interface Deprecation {
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

export function validateDeprecation(version: Deprecation, path: FieldPath): FieldError[] {
  const { deprecated, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const problems = deprecated ? warningProblems(warning) : [messages.onlyDeprecated()];
  return problems.map((problem) => invalid(path, goValue(warning), problem, "deprecationWarning"));
}

const MAX_WARNING_BYTES = 256;

function warningProblems(warning: string): string[] {
  const problems: string[] = [];
  if (byteLength(warning) > MAX_WARNING_BYTES) problems.push(messages.warningTooLong());
  if (warning === "") problems.push(messages.warningEmpty());
  let index = 0;
  for (const char of warning) {
    if (!isPrint(char.codePointAt(0) ?? 0)) {
      problems.push(messages.warningUnprintable("non-printable", index));
      break;
    }
    index += byteLength(char);
  }
  return problems;
}

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** The path of a column is reported under its Go name. */
export function validateColumn(column: PrinterColumn, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (column.name === "") errors.push(required(path.child("name"), "", "column"));
  const types = messages.oneOf(COLUMN_TYPES);
  if (column.type === "") errors.push(required(path.child("type"), types, "column"));
  else if (!COLUMN_TYPES.includes(column.type)) errors.push(invalid(path.child("type"), column.type, types, "column"));
  if (column.format !== "" && !COLUMN_FORMATS.includes(column.format)) {
    errors.push(invalid(path.child("format"), column.format, messages.oneOf(COLUMN_FORMATS), "column"));
  }
  const at = path.child("JSONPath");
  if (column.jsonPath === "") errors.push(required(at, "", "column"));
  else append(errors, checkSimplePath(column.jsonPath, at));
  return errors;
}

function checkSimplePath(jsonPath: string, path: FieldPath): FieldError[] {
  return jsonPath.startsWith(".") ? [] : [invalid(path, jsonPath, messages.simplePath(), "jsonPath")];
}

/** `path` is that of the subresources; upstream writes the rest of it as one element. */
export function validateScale(scale: ScaleSubresource, path: FieldPath): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const [spec, status] = [path.child("scale.specReplicasPath"), path.child("scale.statusReplicasPath")];
  const errors = [
    ...checkReplicasPath(specReplicasPath, ".spec", spec),
    ...checkReplicasPath(statusReplicasPath, ".status", status),
  ];
  if (labelSelectorPath === undefined || labelSelectorPath === "") return errors;
  return [...errors, ...checkSelectorPath(labelSelectorPath, path.child("scale.labelSelectorPath"))];
}

function checkReplicasPath(jsonPath: string, parent: string, path: FieldPath): FieldError[] {
  if (jsonPath === "") return [required(path, "", "scale")];
  const errors = checkSimplePath(jsonPath, path);
  if (errors.length > 0 || jsonPath.startsWith(`${parent}.`)) return errors;
  return [invalid(path, jsonPath, messages.pathUnder(parent), "scale")];
}

function checkSelectorPath(jsonPath: string, path: FieldPath): FieldError[] {
  const errors = checkSimplePath(jsonPath, path);
  if (errors.length > 0 || jsonPath.startsWith(".spec.") || jsonPath.startsWith(".status.")) return errors;
  return [invalid(path, goValue(jsonPath), messages.pathUnder("either .spec or .status"), "scale")];
}

export interface SelectableOptions {
  readonly allowMany: boolean;
}

/** Without a schema, which could not be read, only the form of the paths is checked. */
export function validateSelectableFields(
  paths: readonly string[],
  schema: Structural | undefined,
  path: FieldPath,
  options: SelectableOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const distinct = new Set<string>();
  for (const [index, jsonPath] of paths.entries()) {
    append(errors, checkSelectable(jsonPath, schema, path.index(index).child("jsonPath"), distinct));
  }
  if (distinct.size > MAX_SELECTABLE_FIELDS && !options.allowMany) {
    errors.push(tooMany(path, distinct.size, MAX_SELECTABLE_FIELDS, "selectableFields"));
  }
  return errors;
}

const SELECTABLE_TYPES = ["string", "boolean", "integer"];

function checkSelectable(
  jsonPath: string,
  schema: Structural | undefined,
  path: FieldPath,
  seen: Set<string>,
): FieldError[] {
  if (jsonPath === "") return [required(path, "", "selectableFields")];
  const resolved = resolveFieldPath(jsonPath, schema ?? EMPTY_SCHEMA, { allowBrackets: false });
  if (resolved.error !== undefined) {
    // Upstream looks into the missing schema at this point, and the request dies.
    if (schema === undefined && resolved.error === notAField()) return [];
    return [invalid(path, jsonPath, messages.badSelectablePath(resolved.error), "selectableFields")];
  }
  const errors: FieldError[] = [];
  const found = resolved.path.toString();
  if (rootOf(resolved.path) === "metadata") {
    errors.push(invalid(path, jsonPath, messages.notInMetadata(), "selectableFields"));
  }
  if (!SELECTABLE_TYPES.includes(resolved.schema?.type ?? "")) {
    errors.push(invalid(path, jsonPath, messages.selectableType(), "selectableFields"));
  }
  if (seen.has(found)) errors.push(duplicate(path, jsonPath, "selectableFields"));
  seen.add(found);
  return errors;
}

function rootOf(path: FieldPath): string {
  return path.parent === undefined ? path.toString() : rootOf(path.parent);
}
