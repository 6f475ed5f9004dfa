/** Finalizers that the server adds to new objects. */
import { type Draft, inner } from "../defaults/draft.ts";
import { metaOf, textsOf } from "../object.ts";

export function addFinalizer(object: Draft, name: string): void {
  const finalizers = textsOf(metaOf(object), "finalizers");
  if (!finalizers.includes(name)) inner(object, "metadata")["finalizers"] = [...finalizers, name];
}
