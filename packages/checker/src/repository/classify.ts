/** Decides by its content whether a document that was found in a folder is an object to apply. */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { isFoundClientKind } from "./client-kinds.ts";
import { baseName, folderOf } from "./paths.ts";
import type { SkipReason } from "./survey.ts";

/** The last is a placeholder that scripts replace: `clusterIP: {PREFIX}.16`. */
const TEMPLATE = /\{\{|\{%|<%|: *\{[A-Z][A-Z0-9_]*\}[^\s,}\]]/;
const API_VERSION = /\bapiVersion["']?[ \t]*:/;
const KIND = /\bkind["']?[ \t]*:/;

/** In a flow mapping, as in `{port: ${PORT}}`, a variable is YAML only after it is replaced. */
const VARIABLE = /\$\{[A-Za-z_]/;

/**
 * Why a text that cannot be parsed is not an error: it is a template, or it is not about Kubernetes. `broken` are the
 * lines with syntax errors.
 */
export function reasonNotToParse(text: string, broken: readonly string[]): SkipReason | "other" | undefined {
  if (TEMPLATE.test(text) || broken.every((line) => VARIABLE.test(line))) return "template";
  return API_VERSION.test(text) && KIND.test(text) ? undefined : "other";
}

/** Whether a file is a patch by its name: `patches/a.yaml`, `manager_auth_patch.yaml`, `patch.json`. */
export function isNamedLikePatch(file: string): boolean {
  return /(?:^|[-_.])patch(?:es)?[-_.]/i.test(baseName(file)) || /^patch(?:es)?$/i.test(baseName(folderOf(file)));
}

/** Why a document is not an object to apply; undefined if it is one. `other` has nothing to do with Kubernetes. */
export function reasonToSkip(object: JsonObject, text: string): SkipReason | "other" | undefined {
  const { apiVersion, kind } = object;
  const hasVersion = typeof apiVersion === "string" && apiVersion !== "";
  const hasKind = typeof kind === "string" && kind !== "";
  if (!hasVersion || !hasKind) return (hasVersion || hasKind) && hasName(object) ? undefined : "other";
  if (isFoundClientKind(apiVersion, kind)) return "configuration";
  return text.includes("$patch") && hasDirective(object) ? "patch" : undefined;
}

function hasName({ metadata }: JsonObject): boolean {
  return isObject(metadata) && (metadata["name"] !== undefined || metadata["generateName"] !== undefined);
}

/** A strategic merge patch may contain `$patch: delete` at any depth. */
function hasDirective(value: JsonValue): boolean {
  if (isArray(value)) return value.some(hasDirective);
  return isObject(value) && (value["$patch"] !== undefined || Object.values(value).some(hasDirective));
}
