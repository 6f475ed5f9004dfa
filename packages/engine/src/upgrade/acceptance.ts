/** Whether the API server would accept a CRD as an update of the stored one. */
import { prepareForUpdate } from "../crd/prepare.ts";
import { type DefinitionVerdict, validateDefinition } from "../crd/validate/validate.ts";
import type { EngineOptions } from "../review/custom-resource/custom-resource.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { type Side, withRevision } from "./side.ts";

export function checkUpdateAcceptance(
  { stored }: Side,
  { definition }: Side,
  options: EngineOptions,
): DefinitionVerdict {
  const prepared = prepareForUpdate(withSystemOf(definition.json, stored), stored, options.gates);
  return validateDefinition(prepared, stored, options);
}

/**
 * Fields that the server sets are not part of what is applied: they keep their stored values, whichever cluster a side
 * came from.
 */
function withSystemOf(json: JsonObject, stored: JsonObject): JsonObject {
  const own = isObject(json["metadata"]) ? json["metadata"] : newObject();
  const live = isObject(stored["metadata"]) ? stored["metadata"] : newObject();
  const metadata = Object.assign(newObject(), own);
  for (const key of SYSTEM_METADATA) {
    const value = live[key];
    if (value === undefined) delete metadata[key];
    else metadata[key] = value;
  }
  return withRevision(withMember(json, "metadata", metadata));
}

const SYSTEM_METADATA: readonly string[] = [
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "selfLink",
  "managedFields",
];
