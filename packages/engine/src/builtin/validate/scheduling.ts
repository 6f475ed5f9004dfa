/** Where pods may run: affinity, spreading, gates. Follows core/validation. */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import { checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { labelName, oneOfIfSet, qualifiedName } from "./checks.ts";
import * as messages from "./messages.ts";
import { validateSelector } from "./selector.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

export function validateAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  const node = objectOf(affinity, "nodeAffinity");
  return [
    ...(node === undefined ? [] : validateNodeAffinity(node, path.child("nodeAffinity"))),
    ...["podAffinity", "podAntiAffinity"].flatMap((key) =>
      validatePodAffinity(objectOf(affinity, key) ?? {}, path.child(key)),
    ),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  const needed = objectOf(affinity, REQUIRED);
  const at = path.child(PREFERRED);
  return [
    ...(needed === undefined ? [] : validateNodeSelector(needed, path.child(REQUIRED))),
    ...objectsOf(affinity, PREFERRED).flatMap((term, index) => [
      ...validateWeight(term, at.index(index)),
      ...validateNodeTerm(objectOf(term, "preference") ?? {}, at.index(index).child("preference")),
    ]),
  ];
}

export function validateNodeSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const terms = objectsOf(selector, "nodeSelectorTerms");
  const at = path.child("nodeSelectorTerms");
  if (terms.length === 0) return [required(at, messages.needNodeTerm())];
  return terms.flatMap((term, index) => validateNodeTerm(term, at.index(index)));
}

function validateNodeTerm(term: JsonObject, path: FieldPath): FieldError[] {
  return objectsOf(term, "matchExpressions").flatMap((expression, index) =>
    validateNodeRequirement(expression, path.child("matchExpressions").index(index)),
  );
}

function validateNodeRequirement(expression: JsonObject, path: FieldPath): FieldError[] {
  const [operator, count] = [textOf(expression, "operator"), textsOf(expression, "values").length];
  const values = path.child("values");
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (count === 0) errors.push(required(values, messages.valuesNeeded()));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (count > 0) errors.push(forbidden(values, messages.valuesForbidden()));
  } else if (operator === "Gt" || operator === "Lt") {
    if (count !== 1) errors.push(required(values, messages.oneValue()));
  } else errors.push(invalid(path.child("operator"), operator, messages.badOperator()));
  return [...errors, ...qualifiedName(textOf(expression, "key"), path.child("key"))];
}

function validateWeight(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = numberOf(term, "weight");
  return weight >= 1 && weight <= 100 ? [] : [invalid(path.child("weight"), weight, messages.weightRange())];
}

function validatePodAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...objectsOf(affinity, REQUIRED).flatMap((term, index) => validatePodTerm(term, path.child(REQUIRED).index(index))),
    ...objectsOf(affinity, PREFERRED).flatMap((term, index) => {
      const at = path.child(PREFERRED).index(index);
      return [
        ...validateWeight(term, at),
        ...validatePodTerm(objectOf(term, "podAffinityTerm") ?? {}, at.child("podAffinityTerm")),
      ];
    }),
  ];
}

function validatePodTerm(term: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(term, "topologyKey");
  return [
    ...validateSelector(objectOf(term, "labelSelector"), path.child("labelSelector")),
    ...validateSelector(objectOf(term, "namespaceSelector"), path.child("namespaceSelector")),
    ...textsOf(term, "namespaces").flatMap((name) => labelName(name, path.child("namespace"))),
    ...(key === "" ? [required(path.child("topologyKey"), messages.notEmpty())] : []),
    ...qualifiedName(key, path.child("topologyKey")),
  ];
}

const WHEN = ["DoNotSchedule", "ScheduleAnyway"];

export function validateSpread(constraints: readonly JsonObject[], path: FieldPath): FieldError[] {
  const identity = (each: JsonObject): string =>
    `{${textOf(each, "topologyKey")}, ${textOf(each, "whenUnsatisfiable")}}`;
  return constraints.flatMap((each, index) => {
    const at = path.index(index);
    const [skew, key, when] = [
      numberOf(each, "maxSkew"),
      textOf(each, "topologyKey"),
      textOf(each, "whenUnsatisfiable"),
    ];
    const isRepeated = constraints.slice(index + 1).some((other) => identity(other) === identity(each));
    return [
      ...(skew > 0 ? [] : [invalid(at.child("maxSkew"), skew, messages.aboveZero())]),
      ...(key === "" ? [required(at.child("topologyKey"), messages.notEmpty())] : []),
      ...(WHEN.includes(when) ? [] : [notSupported(at.child("whenUnsatisfiable"), when, WHEN)]),
      ...(isRepeated ? [duplicate(at.child("{topologyKey, whenUnsatisfiable}"), identity(each))] : []),
      ...validateMinDomains(each, when, at.child("minDomains")),
      ...oneOfIfSet(each, "nodeAffinityPolicy", ["Honor", "Ignore"], at),
      ...oneOfIfSet(each, "nodeTaintsPolicy", ["Honor", "Ignore"], at),
      ...validateSelector(objectOf(each, "labelSelector"), at.child("labelSelector")),
    ];
  });
}

function validateMinDomains(constraint: JsonObject, when: string, path: FieldPath): FieldError[] {
  if (!has(constraint, "minDomains")) return [];
  const count = numberOf(constraint, "minDomains");
  const errors = count > 0 ? [] : [invalid(path, count, messages.aboveZero())];
  return when === "DoNotSchedule" ? errors : [...errors, invalid(path, count, messages.minDomainsOnly(when))];
}

export function validateGates(spec: JsonObject, path: FieldPath): FieldError[] {
  const gates = objectsOf(spec, "schedulingGates").map((gate) => textOf(gate, "name"));
  const readiness = objectsOf(spec, "readinessGates").map((gate) => textOf(gate, "conditionType"));
  return [
    ...readiness.flatMap((type, index) =>
      qualifiedName(type, path.child("readinessGates").index(index).child("conditionType")),
    ),
    ...gates.flatMap((name, index) => {
      const at = path.child("schedulingGates").index(index);
      const errors = checkQualifiedName(name).map((problem) => invalid(at, name, problem));
      return gates.indexOf(name) < index ? [...errors, duplicate(at, name)] : errors;
    }),
  ];
}
