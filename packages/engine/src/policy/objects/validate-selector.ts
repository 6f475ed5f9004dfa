/** Structured label selectors, checked strictly. Follows apimachinery pkg/apis/meta/v1/validation. */
import { type FieldError, forbidden, invalid, required } from "../../field/error.ts";
import { checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { validateLabels } from "../../schema/object-meta.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectsOf, textOf, textsOf } from "../../value/read.ts";
import * as messages from "./object-messages.ts";
import { named } from "./validate-names.ts";

export function validateSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const labels = selector["matchLabels"];
  return [
    ...(isObject(labels) ? validateLabels(labels, path.child("matchLabels")) : []),
    ...objectsOf(selector["matchExpressions"]).flatMap((each, index) =>
      validateRequirement(each, path.child("matchExpressions").index(index)),
    ),
  ];
}

function validateRequirement(requirement: JsonObject, path: FieldPath): FieldError[] {
  const values = textsOf(requirement["values"]);
  const key = textOf(requirement["key"]);
  return [
    ...checkOperator(textOf(requirement["operator"]), values.length, path),
    ...checkQualifiedName(key).map((problem) => invalid(path.child("key"), key, problem, "format=k8s-label-key")),
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalid(path.child("values").index(index), value, problem, "values")),
    ),
  ];
}

function checkOperator(operator: string, count: number, path: FieldPath): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return count === 0 ? [required(path.child("values"), messages.valuesNeeded(), "values")] : [];
    case "Exists":
    case "DoesNotExist":
      return count > 0 ? [forbidden(path.child("values"), messages.valuesNotAllowed(), "values")] : [];
    default:
      return [invalid(path.child("operator"), named(operator), messages.badOperator(), "operator")];
  }
}
