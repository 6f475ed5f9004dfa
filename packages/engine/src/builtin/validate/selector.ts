/** Label selectors of objects: what is wrong with them, and what they match. */
import { type FieldError, forbidden, GoJson, invalid, required } from "../../field/error.ts";
import { checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { validateLabels } from "../../schema/object-meta.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { internalJson } from "../internal/internal.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import * as messages from "./messages.ts";
import { versionedJson } from "./versioned-json.ts";

export function validateSelector(selector: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector["matchLabels"], path.child("matchLabels")),
    ...objectsOf(selector, "matchExpressions").flatMap((each, index) =>
      validateExpression(each, path.child("matchExpressions").index(index)),
    ),
  ];
}

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];

function validateExpression(expression: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, values] = [
    textOf(expression, "key"),
    textOf(expression, "operator"),
    textsOf(expression, "values"),
  ];
  const errors: FieldError[] = [];
  const wantsValues = operator === "In" || operator === "NotIn";
  if (!OPERATORS.includes(operator)) errors.push(invalid(path.child("operator"), operator, messages.badOperator()));
  else if (wantsValues && values.length === 0) errors.push(required(path.child("values"), messages.valuesNeeded()));
  else if (!wantsValues && values.length > 0) errors.push(forbidden(path.child("values"), messages.valuesForbidden()));
  errors.push(...checkQualifiedName(key).map((problem) => invalid(path.child("key"), key, problem)));
  const at = path.child("values");
  errors.push(
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalid(at.index(index), value, problem)),
    ),
  );
  return errors;
}

export function isEmptySelector(selector: JsonObject | undefined): boolean {
  if (selector === undefined) return false;
  return (
    Object.keys(objectOf(selector, "matchLabels") ?? {}).length + objectsOf(selector, "matchExpressions").length === 0
  );
}

/** Whether upstream can turn it into a selector that matches. */
export function isUsable(selector: JsonObject | undefined, path: FieldPath): boolean {
  return validateSelector(selector, path).length === 0;
}

/** No selector matches nothing; an empty one matches everything. */
export function matches(selector: JsonObject | undefined, labels: JsonObject): boolean {
  if (selector === undefined) return false;
  const wanted = Object.entries(objectOf(selector, "matchLabels") ?? {});
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    objectsOf(selector, "matchExpressions").every((each) => matchesExpression(each, labels))
  );
}

function matchesExpression(expression: JsonObject, labels: JsonObject): boolean {
  const value = labels[textOf(expression, "key")];
  const isListed = typeof value === "string" && textsOf(expression, "values").includes(value);
  switch (expression["operator"]) {
    case "In":
      return isListed;
    case "NotIn":
      return !isListed;
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}

/** As messages print it: in the order of the struct. */
export function selectorJson(selector: JsonValue | undefined): GoJson {
  if (!isObject(selector)) return new GoJson("null");
  if (!since("1.34")) return internalJson("v1.LabelSelector", selector);
  return versionedJson("apps/v1/Deployment spec.selector", selector);
}
