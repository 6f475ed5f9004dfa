/** What every object goes through before its kind is asked: namespace, name, owner references, system fields. */
import { checkPathSegment } from "../field/names.ts";
import { badRequest } from "../status/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { metaOf, metaText, textOf, withMeta } from "../value/metadata.ts";
import { canonicalJson } from "../value/text.ts";
import * as messages from "./messages.ts";
import type { Write } from "./write.ts";

/** The namespace of the request, where the object names none; another one is refused. */
export function checkNamespace(
  object: JsonObject,
  { endpoint, namespace }: Pick<Write, "endpoint" | "namespace">,
): JsonObject {
  const own = metaText(object, "namespace");
  if (!endpoint.type.namespaced) return own === "" ? object : withMeta(object, { namespace: undefined });
  if (own === "") return withMeta(object, { namespace });
  if (own !== namespace) throw badRequest(messages.namespaceMismatch());
  return object;
}

export function checkName(object: JsonObject, name: string): void {
  const own = metaText(object, "name");
  if (own === "") throw badRequest(messages.nameUndeterminable(name));
  if (own !== name) throw badRequest(messages.nameMismatch(own, name));
}

/** Equal owner references are kept once, with a warning. */
export function uniqueOwners(object: JsonObject, warn: (text: string) => void, isAfterAdmission: boolean): JsonObject {
  const owners = metaOf(object)["ownerReferences"];
  if (!isArray(owners) || owners.length < 2) return object;
  const unique = new Map<string, JsonValue>();
  const duplicates: string[] = [];
  for (const owner of owners) {
    const text = canonicalJson(owner);
    if (!unique.has(text)) unique.set(text, owner);
    else duplicates.push(isObject(owner) ? textOf(owner["uid"]) : "");
  }
  if (duplicates.length === 0) return object;
  warn(messages.duplicateOwners(duplicates, isAfterAdmission));
  return withMeta(object, { ownerReferences: [...unique.values()] });
}

/** Names that cannot be part of a path were never stored. Upstream notices when it makes the key, after reading the body. */
export function checkKey({ endpoint, namespace, name }: Pick<Write, "endpoint" | "namespace" | "name">): void {
  if (endpoint.type.namespaced && namespace === "") throw badRequest(messages.namespaceRequired());
  const problems = checkPathSegment(name, false);
  if (problems.length > 0) throw badRequest(messages.nameParameterInvalid(name, problems));
}

const SYSTEM_FIELDS = ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/** Removes what only the server may set. */
export function wipeSystemFields(draft: JsonObject): JsonObject {
  if (!("metadata" in draft)) return withMeta(draft, {});
  const meta = metaOf(draft);
  if (!SYSTEM_FIELDS.some((field) => field in meta)) return draft;
  return withMeta(draft, Object.fromEntries(SYSTEM_FIELDS.map((field) => [field, undefined])));
}
