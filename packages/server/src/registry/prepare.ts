/** What is settled about every object before its kind is asked. */
import { badRequest } from "@portcullis/engine/status/error";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import type { WriteCall } from "./context.ts";
import * as messages from "./messages.ts";
import { metaOf, metaText, textOf, withMeta } from "./meta.ts";

/** The namespace of the request, where the object names none; another one is refused. */
export function checkNamespace(object: JsonObject, { endpoint, namespace }: WriteCall): JsonObject {
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
