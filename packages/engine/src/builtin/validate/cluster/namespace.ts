/** Namespaces. Follows ValidateNamespace of core/validation. */
import { type FieldError, invalid } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { oddFinalizer } from "../../messages.ts";
import { has, metaOf, objectOf, textOf, textsOf } from "../../object.ts";
import { qualifiedName } from "../checks.ts";
import * as messages from "./messages.ts";

const FINALIZERS = newPath("spec", "finalizers");
const STANDARD = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

export function validateNamespace(namespace: JsonObject): FieldError[] {
  return textsOf(objectOf(namespace, "spec"), "finalizers").flatMap((name) => [
    ...qualifiedName(name, FINALIZERS),
    ...(name.includes("/") || STANDARD.has(name) ? [] : [invalid(FINALIZERS, name, oddFinalizer())]),
  ]);
}

export function validateNamespaceStatus(namespace: JsonObject): FieldError[] {
  const phase = textOf(objectOf(namespace, "status"), "phase");
  const isEnding = has(metaOf(namespace), "deletionTimestamp");
  const wanted = isEnding ? "Terminating" : "Active";
  return phase === wanted ? [] : [invalid(newPath("status", "Phase"), phase, messages.onlyPhase(wanted, isEnding))];
}
