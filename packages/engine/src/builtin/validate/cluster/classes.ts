/** Classes of priorities and runtimes. Follows pkg/apis/{scheduling,node}/validation. */

import { duplicate, type FieldError, forbidden, required } from "../../../field/error.ts";
import { newPath, nilPath } from "../../../field/path.ts";
import { validateLabels } from "../../../schema/object-meta.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { isSet, metaOf, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { immutable, labelName, oneOfIfSet } from "../checks.ts";
import { validateOverhead } from "../pod/resources.ts";
import { validateTolerations } from "../pod/scheduling.ts";
import { PREEMPTION_POLICIES } from "../pod/spec.ts";
import * as messages from "./messages.ts";

const MAX_PRIORITY = 1_000_000_000;
const SYSTEM: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

export function validatePriorityClass(priorityClass: JsonObject): FieldError[] {
  const [name, value] = [textOf(metaOf(priorityClass), "name"), numberOf(priorityClass, "value")];
  const isSystem = name.startsWith("system-");
  const reason = isSystem ? systemProblem(name, value, isSet(priorityClass, "globalDefault")) : undefined;
  return [
    ...(reason === undefined ? [] : [forbidden(newPath("metadata", "name"), messages.systemPriority(reason))]),
    ...(!isSystem && value > MAX_PRIORITY ? [forbidden(newPath("value"), messages.maxPriority(MAX_PRIORITY))] : []),
    ...oneOfIfSet(priorityClass, "preemptionPolicy", PREEMPTION_POLICIES, nilPath),
  ];
}

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const known = SYSTEM[name];
  if (known === undefined) return messages.unknownSystemPriority(name);
  if (value !== known) return messages.systemPriorityValue(name, known);
  return isDefault ? messages.systemPriorityDefault(name) : undefined;
}

export function validatePriorityClassUpdate(priorityClass: JsonObject, old: JsonObject): FieldError[] {
  const isKept = numberOf(priorityClass, "value") === numberOf(old, "value");
  return [
    ...(isKept ? [] : [forbidden(newPath("value"), messages.notChanged())]),
    ...immutable(priorityClass["preemptionPolicy"], old["preemptionPolicy"], newPath("preemptionPolicy")),
  ];
}

export function validateRuntimeClass(runtimeClass: JsonObject): FieldError[] {
  const handler = textOf(runtimeClass, "handler");
  const overhead = objectOf(objectOf(runtimeClass, "overhead"), "podFixed");
  const scheduling = objectOf(runtimeClass, "scheduling");
  const path = newPath("scheduling");
  return [
    ...(handler === "" && since("1.36") ? [required(newPath("handler"))] : labelName(handler, newPath("handler"))),
    ...(overhead === undefined ? [] : validateOverhead(overhead, newPath("overhead"))),
    ...validateLabels(scheduling?.["nodeSelector"], path.child("nodeSelector")),
    // Up to 1.34 the path had the name of the list twice.
    ...validateTolerations(scheduling, since("1.35") ? path : path.child("tolerations")),
    ...repeatedTolerations(scheduling),
  ];
}

function repeatedTolerations(scheduling: JsonObject | undefined): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(scheduling, "tolerations").flatMap((toleration, index) => {
    const identity = JSON.stringify(["key", "operator", "value", "effect"].map((key) => textOf(toleration, key)));
    const isRepeated = seen.has(identity);
    seen.add(identity);
    const at = newPath("scheduling", "tolerations").index(index);
    return isRepeated ? [duplicate(at, internalJson("core.Toleration", toleration))] : [];
  });
}

export function validateRuntimeClassUpdate(runtimeClass: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...validateRuntimeClass(runtimeClass),
    ...immutable(runtimeClass["handler"], old["handler"], newPath("handler")),
  ];
}
