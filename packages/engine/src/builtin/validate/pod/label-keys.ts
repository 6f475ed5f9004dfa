/** Keys of labels that a pod shares with those it is counted with. */
import { type FieldError, forbidden, invalid } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { hasKey, type JsonObject } from "../../../value/json.ts";
import { has, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { qualifiedName } from "../checks.ts";
import * as messages from "./messages.ts";

export function validateLabelKeys(term: JsonObject, path: FieldPath): FieldError[] {
  if (!has(term, "matchLabelKeys") && !has(term, "mismatchLabelKeys")) return [];
  const [keys, others] = [textsOf(term, "matchLabelKeys"), new Set(textsOf(term, "mismatchLabelKeys"))];
  return [
    ...listedKeys(term, "matchLabelKeys", path),
    ...listedKeys(term, "mismatchLabelKeys", path),
    ...keysInSelector(keys, objectOf(term, "labelSelector"), path),
    ...keys.flatMap((key, index) =>
      others.has(key) ? [invalid(path.child("matchLabelKeys").index(index), key, messages.keyInBoth())] : [],
    ),
  ];
}

function listedKeys(term: JsonObject, key: string, path: FieldPath): FieldError[] {
  const keys = textsOf(term, key);
  if (keys.length === 0) return [];
  if (!has(term, "labelSelector")) return [forbidden(path.child(key), messages.keysWithoutSelector())];
  return keys.flatMap((each, index) => qualifiedName(each, path.child(key).index(index)));
}

/** A key that the selector has twice was put there by the server; the path leaves out the list. */
function keysInSelector(keys: readonly string[], selector: JsonObject | undefined, path: FieldPath): FieldError[] {
  const labels = objectOf(selector, "matchLabels") ?? {};
  const seen = new Set<string>();
  const last = new Map(keys.map((key, index) => [key, index]));
  return objectsOf(selector, "matchExpressions").flatMap((expression) => {
    const key = textOf(expression, "key");
    const isTaken = hasKey(labels, key) || seen.has(key);
    seen.add(key);
    const index = last.get(key);
    return index !== undefined && isTaken ? [invalid(path.index(index), key, messages.keyInSelector())] : [];
  });
}
