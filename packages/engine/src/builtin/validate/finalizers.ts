/** Names of finalizers: with a slash, but for those of Kubernetes itself. */
import { type FieldError, invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import * as messages from "../messages.ts";
import { metaOf, textsOf } from "../object.ts";

const FINALIZERS = newPath("metadata", "finalizers");
const STANDARD = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

export function validateFinalizerNames(object: JsonObject): FieldError[] {
  return textsOf(metaOf(object), "finalizers").flatMap((name, index) => {
    if (name.includes("/") || STANDARD.has(name)) return [];
    return [invalid(FINALIZERS.index(index), name, messages.oddFinalizer(), "finalizer")];
  });
}
