/** Judging a whole object of a built-in kind: its metadata, then what its kind demands. */
import type { FieldError } from "../../field/error.ts";
import { invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { validateMeta } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import * as messages from "../messages.ts";
import { metaOf, textsOf } from "../object.ts";
import type { ResourceInfo } from "../resources.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { rulesOf } from "./table.ts";

const METADATA = newPath("metadata");

export function validateObject(object: JsonObject, info: ResourceInfo, { checkName }: Strategy): FieldError[] {
  const { namespaced } = info;
  return [
    ...validateMeta(metaOf(object), { namespaced, checkName }, METADATA),
    ...finalizerNames(object),
    ...(rulesOf(info.group, info.kind)?.create(object) ?? []),
  ];
}

export function validateObjectUpdate(object: JsonObject, old: JsonObject, info: ResourceInfo): FieldError[] {
  const rules = rulesOf(info.group, info.kind);
  return [...finalizerNames(object), ...(rules?.update(object, old) ?? [])];
}

const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function finalizerNames(object: JsonObject): FieldError[] {
  return textsOf(metaOf(object), "finalizers").flatMap((name, index) => {
    if (name.includes("/") || STANDARD_FINALIZERS.has(name)) return [];
    return [invalid(METADATA.child("finalizers").index(index), name, messages.oddFinalizer(), "finalizer")];
  });
}
