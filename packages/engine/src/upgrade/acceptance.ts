/** Whether the API server would take a definition as an update of one that it has. */
import { prepareForCreate, prepareForUpdate } from "../crd/prepare.ts";
import { validateDefinition } from "../crd/validate.ts";
import type { FieldError } from "../field/error.ts";
import type { EngineOptions } from "../pipeline/custom-resource.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";

/** Both definitions decoded (`crd/decode`). */
export function acceptanceErrors(old: JsonObject, next: JsonObject, options: EngineOptions): readonly FieldError[] {
  const { gates } = options;
  const stored = storedForm(prepareForCreate(old, gates), old);
  const prepared = prepareForUpdate(withSystemOf(next, stored), stored, gates);
  return validateDefinition(prepared, stored, options).errors;
}

/** A definition in a cluster: accepted once, with established names and the stored versions it reports. */
function storedForm(prepared: JsonObject, json: JsonObject): JsonObject {
  const reported = isObject(json["status"]) ? json["status"] : newObject();
  const established = newObject();
  Object.assign(established, { type: "Established", status: "True" });
  const status = isObject(prepared["status"]) ? prepared["status"] : newObject();
  const stored = reported["storedVersions"] ?? status["storedVersions"] ?? [];
  const settled = withMember(withMember(status, "storedVersions", stored), "conditions", [established]);
  return withRevision(withMember(prepared, "status", settled));
}

/** What the server sets is not part of what is applied: it stays as it is there, whichever cluster a side came from. */
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

function withRevision(json: JsonObject): JsonObject {
  const metadata = isObject(json["metadata"]) ? json["metadata"] : newObject();
  return withMember(json, "metadata", withMember(metadata, "resourceVersion", "1"));
}
