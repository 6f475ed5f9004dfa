/** What kinds that make pods require of their templates. */

import { type FieldError, forbidden, invalid, notSupported } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, metaOf, objectOf, textOf } from "../../object.ts";
import { nilOf } from "../go-values.ts";
import * as messages from "./messages.ts";

const NO_LABELS: JsonObject = {};

export function labelsOf(template: JsonObject): JsonObject {
  return objectOf(metaOf(template), "labels") ?? NO_LABELS;
}

/** `path` is that of the template. */
export function mismatch(template: JsonObject, path: FieldPath): FieldError {
  const labels = metaOf(template)["labels"] ?? nilOf("map[string]string");
  return invalid(path.child("metadata", "labels"), labels, messages.selectorMismatch());
}

export function alwaysRestarted(template: JsonObject, kind: string, path: FieldPath): FieldError[] {
  const spec = objectOf(template, "spec") ?? {};
  const policy = textOf(spec, "restartPolicy");
  const at = path.child("spec");
  return [
    ...(policy === "Always" ? [] : [notSupported(at.child("restartPolicy"), policy, ["Always"])]),
    ...(has(spec, "activeDeadlineSeconds")
      ? [forbidden(at.child("activeDeadlineSeconds"), messages.noDeadline(kind))]
      : []),
  ];
}
