/** DeviceTaintRules. Follows pkg/apis/resource/validation. */
import { type FieldError, tooMany } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, objectOf, objectsOf, textOf } from "../../object.ts";
import { labelName } from "../checks.ts";
import { validateConditions } from "../conditions.ts";
import { csiDriverName } from "../storage/csi-name.ts";
import { validateTaint } from "./device.ts";
import { poolName } from "./names.ts";

const SPEC = newPath("spec");
const SELECTOR = SPEC.child("deviceSelector");
const MAX_CONDITIONS = 8;

export function validateTaintRule(rule: JsonObject): FieldError[] {
  const spec = objectOf(rule, "spec") ?? {};
  const selector = objectOf(spec, "deviceSelector");
  return [
    ...(has(selector, "driver") ? csiDriverName(textOf(selector, "driver"), SELECTOR.child("driver")) : []),
    ...(has(selector, "pool") ? poolName(textOf(selector, "pool"), SELECTOR.child("pool")) : []),
    ...(has(selector, "device") ? labelName(textOf(selector, "device"), SELECTOR.child("device")) : []),
    ...validateTaint(objectOf(spec, "taint") ?? {}, SPEC.child("taint")),
  ];
}

export function validateTaintRuleStatus(rule: JsonObject): FieldError[] {
  const status = objectOf(rule, "status");
  const path = newPath("status");
  const count = objectsOf(status, "conditions").length;
  const tooLongList = count > MAX_CONDITIONS ? [tooMany(path.child("conditions"), count, MAX_CONDITIONS)] : [];
  return [...validateConditions(status, path), ...tooLongList];
}
