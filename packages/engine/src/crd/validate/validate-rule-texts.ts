/** What can be wrong with `x-kubernetes-validations` before anything is compiled. */
import { trimSpace } from "@portcullis/gostd/space";
import { type FieldError, invalid, notSupported, required } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { resolveFieldPath } from "../../rules/field-path.ts";
import type { Structural, ValidationRule } from "../../schema/structural.ts";
import { goValue } from "../go-json.ts";
import * as messages from "../messages.ts";
import { structuralProblem } from "./validate-structural.ts";

export function validateRuleTexts(schema: Structural, path: FieldPath): FieldError[] {
  return schema.validations.flatMap((rule, index) => {
    const at = path.child("x-kubernetes-validations").index(index);
    return [...checkRuleAndMessage(rule, at), ...checkReason(rule, at), ...checkFieldPath(rule, schema, at)];
  });
}

function checkRuleAndMessage(rule: ValidationRule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const first = checkMessage(rule, path);
  if (first !== undefined) errors.push(first);
  if (rule.messageExpression !== "" && trimSpace(rule.messageExpression) === "") {
    errors.push(required(path.child("messageExpression"), messages.messageExpressionEmpty(), "messageExpression"));
  }
  return errors;
}

/** Only the first of these is reported. */
function checkMessage(rule: ValidationRule, path: FieldPath): FieldError | undefined {
  const [expression, message] = [trimSpace(rule.rule), trimSpace(rule.message)];
  if (expression === "") return required(path.child("rule"), messages.ruleMissing(), "rule");
  const at = path.child("message");
  if (rule.message !== "" && message === "")
    return invalid(at, rule.message, messages.notEmptyIfSet("message"), "message");
  if (hasLineBreak(message)) return invalid(at, rule.message, messages.noLineBreaks("message"), "message");
  if (hasLineBreak(expression) && message === "") return required(at, messages.messageForLines(), "message");
  return undefined;
}

const REASONS: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

function checkReason({ reason }: ValidationRule, path: FieldPath): FieldError[] {
  if (reason === undefined || REASONS.includes(reason)) return [];
  return [notSupported(path.child("reason"), goValue(reason), REASONS, "reason")];
}

function checkFieldPath({ fieldPath }: ValidationRule, schema: Structural, path: FieldPath): FieldError[] {
  if (fieldPath === "") return [];
  const errors: FieldError[] = [];
  const refuse = (detail: string): void => {
    errors.push(invalid(path.child("fieldPath"), fieldPath, detail, "fieldPath"));
  };
  if (trimSpace(fieldPath) === "") refuse(messages.notEmptyIfSet("fieldPath"));
  if (hasLineBreak(fieldPath)) refuse(messages.noLineBreaks("fieldPath"));
  if (!isValidPath(fieldPath, schema)) refuse(messages.validPath("fieldPath"));
  return errors;
}

/** A schema that is not structural has errors enough. */
function isValidPath(fieldPath: string, schema: Structural): boolean {
  return structuralProblem(schema) !== undefined || resolveFieldPath(fieldPath, schema).error === undefined;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
