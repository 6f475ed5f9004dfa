/** The replica counts and the selector that the scale subresource reads must be of the right type, wherever they stand. */
import type { ScaleSubresource } from "../../crd/definition.ts";
import { type FieldError, invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { goText, goTypeName } from "../../kubecel/go-data.ts";
import { hasKey, isInteger, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import * as messages from "./messages.ts";

const MAX_REPLICAS = 2 ** 31 - 1;

export function validateScaleSpec(object: JsonObject, scale: ScaleSubresource | undefined): FieldError[] {
  return scale === undefined ? [] : validateReplicas(object, scale.specReplicasPath);
}

export function validateScaleStatus(object: JsonObject, scale: ScaleSubresource | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = validateReplicas(object, scale.statusReplicasPath);
  if (scale.labelSelectorPath === undefined) return errors;
  const selector = nested(object, scale.labelSelectorPath, "string", isScaleSelector);
  if (selector.error === undefined) return errors;
  return [...errors, invalid(newPath(scale.labelSelectorPath), "", selector.error, "scale")];
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const { value, error } = nested(object, path, "int64", isInteger);
  const at = newPath(path);
  if (error !== undefined) return [invalid(at, 0, error, "scale")];
  if (!isInteger(value)) return [];
  if (value < 0) return [invalid(at, value, messages.notNegativeInteger(), "scale")];
  return value > MAX_REPLICAS ? [invalid(at, value, messages.atMost(MAX_REPLICAS), "scale")] : [];
}

/** Whether the subresource accepts the value as a number of replicas. */
export function isScaleValue(value: JsonValue): boolean {
  return isInteger(value) && value >= 0 && value <= MAX_REPLICAS;
}

export function isScaleSelector(value: JsonValue): boolean {
  return typeof value === "string";
}

interface Nested {
  readonly value: JsonValue | undefined;
  readonly error: string | undefined;
}

/** The value at a dotted path, undefined if nothing is there. Follows unstructured.NestedFieldNoCopy. */
export function nested(
  object: JsonObject,
  path: string,
  expected: string,
  isExpected: (value: JsonValue) => boolean,
): Nested {
  const fields = path.replace(/^\./, "").split(".");
  let value: JsonValue = object;
  for (const [depth, field] of fields.entries()) {
    if (value === null) return { value: undefined, error: undefined };
    if (!isObject(value)) return wrongType(fields.slice(0, depth + 1), value, "map[string]interface{}");
    if (!hasKey(value, field)) return { value: undefined, error: undefined };
    value = value[field] as JsonValue;
  }
  return isExpected(value) ? { value, error: undefined } : wrongType(fields, value, expected);
}

function wrongType(fields: readonly string[], value: JsonValue, expected: string): Nested {
  const path = `.${fields.join(".")}`;
  return { value: undefined, error: messages.accessorError(path, goText(value), goTypeName(value), expected) };
}
