/** The messages of validation rules: paths, evaluation, cost. Follows apiextensions pkg/apiserver/schema/cel. */
import { trimSpace } from "@portcullis/gostd/space";

export function notAField(): string {
  return "does not refer to a valid field";
}

export function pathEndsEarly(): string {
  return "unexpected end of JSON path";
}

export function expectedBracketOrDot(token: string): string {
  return `expected [ or . but got: ${token}`;
}

export function expectedCloseBracket(token: string): string {
  return `expected ] but got ${token}`;
}

export function expectedQuotedName(token: string): string {
  return `expected single quoted string but got ${token}`;
}

export function bracketsNotAllowed(): string {
  return "array notation is not allowed";
}

export function badEscape(sequence: string): string {
  return `invalid string literal: invalid escape char ${sequence}`;
}

export function compilationFailed(issues: string): string {
  return `compilation failed: ${issues}`;
}

export function mustBeBool(): string {
  return "cel expression must evaluate to a bool";
}

export function instantiationFailed(reason: string): string {
  return `program instantiation failed: ${reason}`;
}

export function messageCompilationFailed(issues: string): string {
  return `messageExpression compilation failed: ${issues}`;
}

export function messageMustBeString(): string {
  return "messageExpression must evaluate to a string";
}

export function messageInstantiationFailed(reason: string): string {
  return `messageExpression instantiation failed: ${reason}`;
}

export function noDeclaredType(): string {
  return "failed to convert to declType for CEL validation rules";
}

export function initializationError(reason: string): string {
  return `rule compiler initialization error: ${reason}`;
}

export function ruleCompileError(reason: string): string {
  return `rule compile error: ${reason}`;
}

export function outOfBudget(): string {
  return "validation failed due to running out of cost budget, no further validation rules will be run";
}

export function callCostExceeded(error: string, rule: string): string {
  return `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
}

export function noSuchOverload(error: string, rule: string): string {
  return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
}

export function evaluationFailed(error: string, rule: string): string {
  return `${error} evaluating rule: ${rule}`;
}

function failedRule(rule: string): string {
  return `failed rule: ${rule}`;
}

export function messageOutOfBudget(): string {
  return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
}

export function messageCallCostExceeded(quotedExpression: string): string {
  return `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quotedExpression}`;
}

export function rulesNotChecked(): string {
  return "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
}

/** What is shown of a rule: its message, else its expression. */
export function ruleText(rule: { readonly rule: string; readonly message: string }): string {
  return trimSpace(rule.message === "" ? rule.rule : rule.message);
}

export function ruleMessage(rule: { readonly rule: string; readonly message: string }): string {
  return rule.message === "" ? failedRule(ruleText(rule)) : trimSpace(rule.message);
}
