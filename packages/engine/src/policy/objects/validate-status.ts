/** The status of a policy, checked when the status subresource is written. */

import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { isInteger, type JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import { repeats } from "../../value/repeated.ts";
import { jsonPathProblem } from "../json-path.ts";
import * as messages from "./object-messages.ts";
import { named, validateQualifiedName } from "./validate-names.ts";

const STATUSES = ["False", "True", "Unknown"];
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

/** `json` is the whole policy; nothing but its status is looked at. */
export function validatePolicyStatus(json: JsonObject): FieldError[] {
  const status = objectOf(json["status"]);
  const path = newPath("status");
  const warnings = objectsOf(objectOf(status["typeChecking"])["expressionWarnings"]);
  const conditions = objectsOf(status["conditions"]);
  const types = conditions.map(({ type }) => textOf(type));
  const isRepeated = repeats(types);
  return [
    ...warnings.flatMap((warning, index) =>
      validateWarning(warning, path.child("typeChecking", "expressionWarnings").index(index)),
    ),
    ...conditions.flatMap((condition, index) => {
      const at = path.child("conditions").index(index);
      const type = types[index] ?? "";
      const repeated = isRepeated(index) ? [duplicate(at.child("type"), type)] : [];
      return [...repeated, ...validateCondition(condition, at)];
    }),
  ];
}

function validateWarning(warning: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...(textOf(warning["warning"]) === "" ? [required(path.child("warning"))] : []),
    ...validateFieldRef(trimSpace(textOf(warning["fieldRef"])), path.child("fieldRef")),
  ];
}

function validateFieldRef(fieldRef: string, path: FieldPath): FieldError[] {
  if (fieldRef === "") return [required(path)];
  const problem = jsonPathProblem(`{${fieldRef}}`);
  return problem === undefined ? [] : [invalid(path, fieldRef, messages.badJsonPath(problem), "fieldRef")];
}

function validateCondition(condition: JsonObject, path: FieldPath): FieldError[] {
  const [type, status] = [textOf(condition["type"]), textOf(condition["status"])];
  const observed = condition["observedGeneration"];
  const isNegative = isInteger(observed) && observed < 0;
  return [
    ...validateQualifiedName(type, path.child("type")),
    ...(STATUSES.includes(status) ? [] : [notSupported(path.child("status"), named(status), STATUSES)]),
    ...(isNegative ? [invalid(path.child("observedGeneration"), observed, messages.notNegative(), "minimum")] : []),
    ...(typeof condition["lastTransitionTime"] === "string"
      ? []
      : [required(path.child("lastTransitionTime"), messages.conditionNeeds())]),
    ...validateReason(textOf(condition["reason"]), path.child("reason")),
    ...(byteLength(textOf(condition["message"])) > MAX_MESSAGE ? [tooLong(path.child("message"), MAX_MESSAGE)] : []),
  ];
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === "") return [required(path, messages.conditionNeeds())];
  const isWellFormed = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason);
  return [
    ...(isWellFormed ? [] : [invalid(path, reason, messages.badConditionReason(), "reason")]),
    ...(byteLength(reason) > MAX_REASON ? [tooLong(path, MAX_REASON)] : []),
  ];
}
