/** Metadata of templates of claims: labels and annotations alone. Follows ValidateTemplateObjectMeta of core/validation. */
import { type FieldError, forbidden } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import * as messages from "./messages.ts";

const ALLOWED = new Set(["labels", "annotations"]);

export function validateTemplateMeta(meta: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateAnnotations(meta["annotations"], path.child("annotations")),
    ...validateLabels(meta["labels"], path.child("labels")),
    ...Object.keys(meta)
      .filter((key) => !ALLOWED.has(key) && meta[key] !== null)
      // Go's own name of the field, with a small first letter.
      .map((key) => forbidden(path.child(key === "uid" ? "uID" : key), messages.cannotBeSet())),
  ];
}
