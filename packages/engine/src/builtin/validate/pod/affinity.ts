/** Which nodes and neighbours a pod wants. Follows validateAffinity of core/validation. */
import { type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import { checkDnsSubdomain, checkLabelValue } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { eachOf, labelName, qualifiedName } from "../checks.ts";
import * as shared from "../messages.ts";
import { validateSelector } from "../selector.ts";
import { validateLabelKeys } from "./label-keys.ts";
import * as messages from "./messages.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

export function validateAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  const node = objectOf(affinity, "nodeAffinity");
  return [
    ...(node === undefined ? [] : validateNodeAffinity(node, path.child("nodeAffinity"))),
    ...["podAffinity", "podAntiAffinity"].flatMap((key) => {
      const pods = objectOf(affinity, key);
      return pods === undefined ? [] : validatePodAffinity(pods, path.child(key));
    }),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  const needed = objectOf(affinity, REQUIRED);
  return [
    ...(needed === undefined ? [] : validateNodeSelector(needed, path.child(REQUIRED))),
    ...eachOf(affinity, PREFERRED, path, (term, at) => [
      ...validateWeight(term, at),
      ...validateNodeTerm(objectOf(term, "preference") ?? {}, at.child("preference"), false),
    ]),
  ];
}

export function validateNodeSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const terms = objectsOf(selector, "nodeSelectorTerms");
  if (terms.length === 0) return [required(path.child("nodeSelectorTerms"), messages.needNodeTerm())];
  return eachOf(selector, "nodeSelectorTerms", path, (term, at) => validateNodeTerm(term, at, true));
}

/** Values of preferences were never checked. */
function validateNodeTerm(term: JsonObject, path: FieldPath, checksValues: boolean): FieldError[] {
  return [
    ...eachOf(term, "matchExpressions", path, (each, at) => validateRequirement(each, at, checksValues)),
    ...eachOf(term, "matchFields", path, validateFieldRequirement),
  ];
}

function validateRequirement(requirement: JsonObject, path: FieldPath, checksValues: boolean): FieldError[] {
  const [operator, values] = [textOf(requirement, "operator"), textsOf(requirement, "values")];
  const at = path.child("values");
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) errors.push(required(at, shared.valuesNeeded()));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) errors.push(forbidden(at, shared.valuesForbidden()));
  } else if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1) errors.push(required(at, messages.oneValue()));
  } else errors.push(invalid(path.child("operator"), operator, shared.badOperator()));
  errors.push(...qualifiedName(textOf(requirement, "key"), path.child("key")));
  if (!checksValues || !since("1.33")) return errors;
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalid(at.index(index), value, problem)),
    ),
  ];
}

/** A node is selected by its name only. */
function validateFieldRequirement(requirement: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator] = [textOf(requirement, "key"), textOf(requirement, "operator")];
  const values = textsOf(requirement, "values");
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn")
    errors.push(invalid(path.child("operator"), operator, shared.badOperator()));
  else if (values.length !== 1) errors.push(required(path.child("values"), messages.oneFieldValue()));
  if (key !== "metadata.name") return [...errors, invalid(path.child("key"), key, messages.badFieldKey())];
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      checkDnsSubdomain(value).map((problem) => invalid(path.child("values").index(index), value, problem)),
    ),
  ];
}

function validateWeight(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = numberOf(term, "weight");
  return weight >= 1 && weight <= 100 ? [] : [invalid(path.child("weight"), weight, messages.weightRange())];
}

function validatePodAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...eachOf(affinity, REQUIRED, path, validatePodTerm),
    ...eachOf(affinity, PREFERRED, path, (term, at) => [
      ...validateWeight(term, at),
      ...validatePodTerm(objectOf(term, "podAffinityTerm") ?? {}, at.child("podAffinityTerm")),
    ]),
  ];
}

function validatePodTerm(term: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(term, "topologyKey");
  return [
    ...validateSelector(objectOf(term, "labelSelector"), path.child("labelSelector")),
    ...validateSelector(objectOf(term, "namespaceSelector"), path.child("namespaceSelector")),
    ...textsOf(term, "namespaces").flatMap((name) => labelName(name, path.child("namespace"))),
    ...validateLabelKeys(term, path),
    ...(key === "" ? [required(path.child("topologyKey"), messages.notEmpty())] : []),
    ...qualifiedName(key, path.child("topologyKey")),
  ];
}
