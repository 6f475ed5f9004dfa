/** StorageVersionMigrations. Follows pkg/apis/storagemigration/validation. */
import { type FieldError, GoJson, invalid, required } from "../../field/error.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { objectOf, objectsOf, textOf } from "../object.ts";
import { validateConditions } from "./conditions.ts";
import * as messages from "./messages.ts";

const RESOURCE = newPath("spec", "resource");
const STATUS = newPath("status");

export function validateMigration(migration: JsonObject): FieldError[] {
  const resource = objectOf(objectOf(migration, "spec"), "resource");
  const [name, group] = [textOf(resource, "resource"), textOf(resource, "group")];
  const problems = { resource: checkDns1035Label(name), group: group === "" ? [] : checkDnsSubdomain(group) };
  return [
    ...(name === "" ? [required(RESOURCE.child("resource"), messages.migratedResourceNeeded())] : []),
    ...(name === "" || problems.resource.length === 0
      ? []
      : [invalid(RESOURCE.child("resource"), name, problems.resource.join(","))]),
    ...(problems.group.length === 0 ? [] : [invalid(RESOURCE.child("group"), group, problems.group.join(","))]),
  ];
}

export function validateMigrationUpdate(migration: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [migration["spec"] ?? null, old["spec"] ?? null];
  const changed = semanticEqual(spec, before)
    ? []
    : [invalid(newPath("spec"), new GoJson(canonicalJson(spec)), messages.immutable())];
  return [...validateMigration(migration), ...changed];
}

export function validateMigrationStatus(migration: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectOf(migration, "status"), objectOf(old, "status")];
  const [version, earlier] = [textOf(status, "resourceVersion"), textOf(before, "resourceVersion")];
  const isBad = version !== "" && !/^[1-9]\d*$/.test(version);
  const conditions = new GoJson(canonicalJson(status?.["conditions"] ?? null));
  const at = STATUS.child("conditions");
  const holds = (each: JsonObject | undefined, type: string): boolean =>
    objectsOf(each, "conditions").some((condition) => condition["type"] === type && condition["status"] === "True");
  return [
    ...(isBad ? [invalid(STATUS.child("resourceVersion"), version, messages.badResourceVersion(version))] : []),
    ...validateConditions(status, STATUS),
    ...(earlier !== "" && earlier !== version
      ? [invalid(STATUS.child("resourceVersion"), version, messages.immutable())]
      : []),
    ...(holds(status, "Succeeded") && holds(status, "Failed")
      ? [invalid(at, conditions, messages.bothOutcomes())]
      : []),
    ...(holds(before, "Succeeded") && !holds(status, "Succeeded")
      ? [invalid(at, conditions, messages.keptOutcome("Success"))]
      : []),
    ...(holds(before, "Failed") && !holds(status, "Failed")
      ? [invalid(at, conditions, messages.keptOutcome("Failed"))]
      : []),
  ];
}
