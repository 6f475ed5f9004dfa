/** Finalizer names that are allowed but asking for trouble. Follows apiextensions pkg/registry/customresource/validator.go. */
import { quote } from "@portcullis/gostd/quote";
import { checkQualifiedName } from "../../field/names.ts";
import { isArray, isObject, type JsonObject } from "../../value/json.ts";
import * as messages from "./messages.ts";

const STANDARD: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** For all finalizers of a new object, and for those an update adds. */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const before = old === undefined ? [] : finalizersOf(old);
  const added = [...new Set(finalizersOf(object))].filter((name) => !before.includes(name)).sort();
  return added.flatMap(warningsOf);
}

function warningsOf(name: string): string[] {
  const quoted = quote(name);
  const warnings = checkQualifiedName(name).map((problem) => messages.badFinalizer(quoted, problem));
  if (name.includes("/") || STANDARD.has(name)) return warnings;
  return [...warnings, messages.preferQualifiedFinalizer(quoted, name.includes("."))];
}

function finalizersOf(object: JsonObject): string[] {
  const finalizers = isObject(object["metadata"]) ? object["metadata"]["finalizers"] : undefined;
  return isArray(finalizers) && finalizers.every((each) => typeof each === "string") ? finalizers : [];
}
