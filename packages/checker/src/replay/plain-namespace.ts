/** Namespaces of which only the name is known. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";

const NAME_LABEL = "kubernetes.io/metadata.name";

const plainNamespaces = new Map<string, JsonObject>();
const MOST_NAMESPACES = 1000;

/** As much as is known of every namespace. */
export function plainNamespace(name: string): JsonObject {
  const known = plainNamespaces.get(name);
  if (known !== undefined) return known;
  if (plainNamespaces.size >= MOST_NAMESPACES) plainNamespaces.clear();
  const made = newPlainNamespace(name);
  plainNamespaces.set(name, made);
  return made;
}

function newPlainNamespace(name: string): JsonObject {
  return objectOf({ metadata: objectOf({ name, labels: objectOf({ [NAME_LABEL]: name }) }) });
}
