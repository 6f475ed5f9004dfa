/** When and how pods are placed: tolerations, spreading, gates. Follows core/validation. */

import { duplicate, type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import { checkLabelValue, checkQualifiedName } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, qualifiedName } from "../checks.ts";
import * as shared from "../messages.ts";
import { validateSelector } from "../selector.ts";
import { validateLabelKeys } from "./label-keys.ts";
import * as messages from "./messages.ts";

export const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function validateTolerations(object: JsonObject | undefined, path: FieldPath): FieldError[] {
  return eachOf(object, "tolerations", path, validateToleration);
}

export function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, effect] = ["key", "operator", "effect"].map((each) => textOf(toleration, each));
  const errors = key === "" ? [] : qualifiedName(key ?? "", path.child("key"));
  if (key === "" && operator !== "Exists")
    errors.push(invalid(path.child("operator"), operator ?? "", messages.keylessToleration()));
  if (has(toleration, "tolerationSeconds") && effect !== "NoExecute")
    errors.push(invalid(path.child("effect"), effect ?? "", messages.tolerationEffect()));
  errors.push(...tolerated(operator ?? "", textOf(toleration, "value"), path.child("operator")));
  if (effect !== "" && !EFFECTS.includes(effect ?? ""))
    errors.push(notSupported(path.child("effect"), effect ?? "", EFFECTS));
  return errors;
}

function tolerated(operator: string, value: string, path: FieldPath): FieldError[] {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = checkLabelValue(value);
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalid(path, value, messages.tolerationValue())];
    case "Lt":
    case "Gt":
      // Reported although comparing is off.
      return [notSupported(path, operator, since("1.35") ? ["Equal", "Exists", "Lt", "Gt"] : ["Equal", "Exists"])];
    default:
      return [notSupported(path, operator, ["Equal", "Exists"])];
  }
}

const WHEN = ["DoNotSchedule", "ScheduleAnyway"];
const INCLUSIONS = ["Honor", "Ignore"];

export function validateSpread(spec: JsonObject, path: FieldPath): FieldError[] {
  const last = new Map<string, number>();
  objectsOf(spec, "topologySpreadConstraints").forEach((each, index) => {
    last.set(spreadKey(each), index);
  });
  return eachOf(spec, "topologySpreadConstraints", path, (each, at, index) => {
    const [skew, key, when] = [
      numberOf(each, "maxSkew"),
      textOf(each, "topologyKey"),
      textOf(each, "whenUnsatisfiable"),
    ];
    const isRepeated = (last.get(spreadKey(each)) ?? index) > index;
    return [
      ...(skew > 0 ? [] : [invalid(at.child("maxSkew"), skew, shared.aboveZero())]),
      ...(key === "" ? [required(at.child("topologyKey"), messages.notEmpty())] : []),
      ...(WHEN.includes(when) ? [] : [notSupported(at.child("whenUnsatisfiable"), when, WHEN)]),
      ...(isRepeated ? [duplicate(at.child("{topologyKey, whenUnsatisfiable}"), `{${key}, ${when}}`)] : []),
      ...validateMinDomains(each, when, at.child("minDomains")),
      ...["nodeAffinityPolicy", "nodeTaintsPolicy"].flatMap((policy) => inclusion(each, policy, at)),
      ...validateLabelKeys(each, at),
      ...validateSelector(objectOf(each, "labelSelector"), at.child("labelSelector")),
    ];
  });
}

function spreadKey(constraint: JsonObject): string {
  return JSON.stringify([textOf(constraint, "topologyKey"), textOf(constraint, "whenUnsatisfiable")]);
}

function inclusion(constraint: JsonObject, key: string, path: FieldPath): FieldError[] {
  const policy = textOf(constraint, key);
  const isFine = !has(constraint, key) || INCLUSIONS.includes(policy);
  return isFine ? [] : [notSupported(path.child(key), policy, INCLUSIONS)];
}

function validateMinDomains(constraint: JsonObject, when: string, path: FieldPath): FieldError[] {
  if (!has(constraint, "minDomains")) return [];
  const count = numberOf(constraint, "minDomains");
  const errors = count > 0 ? [] : [invalid(path, count, shared.aboveZero())];
  return when === "DoNotSchedule" ? errors : [...errors, invalid(path, count, messages.minDomainsOnly(when))];
}

export function validateReadinessGates(spec: JsonObject, path: FieldPath): FieldError[] {
  return eachOf(spec, "readinessGates", path, (gate, at) =>
    qualifiedName(textOf(gate, "conditionType"), at.child("conditionType")),
  );
}

export function validateSchedulingGates(spec: JsonObject, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(spec, "schedulingGates", path, (gate, at) => {
    const name = textOf(gate, "name");
    const errors = checkQualifiedName(name).map((problem) => invalid(at, name, problem));
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    return errors;
  });
}
