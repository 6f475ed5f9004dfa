/**
 * Whether a ValidatingAdmissionPolicy is accepted, on create and on update.
 *
 * Expressions that the stored policy already has may use everything any version knew; new ones only what the version
 * before the server's own knows. Which set an expression is looked up in follows upstream: variables are looked up
 * among the validations. Follows kubernetes pkg/apis/admissionregistration/validation.
 */

import { jsonString } from "@portcullis/gostd/json-text";
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import type { ExpressionMode } from "../../kubecel/environment.ts";
import type { JsonObject } from "../../value/json.ts";
import { repeats } from "../../value/repeated.ts";
import { ExpressionCompiler, RETURNS_BOOL, RETURNS_STRING, RETURNS_STRING_OR_NULL } from "../compile.ts";
import type { Declarations } from "../environment.ts";
import { type AdmissionPolicy, type AuditAnnotation, readPolicy, type Validation } from "../policy.ts";
import * as messages from "./object-messages.ts";
import { compileErrors, type ExpressionContext, type PolicyValidationOptions } from "./validate-expressions.ts";
import { validateFrame } from "./validate-frame.ts";
import { named, validateQualifiedName } from "./validate-names.ts";

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const MAX_AUDIT_ANNOTATIONS = 20;
/** Bytes. */
const MAX_VALUE_EXPRESSION = 5 * 1024;

/** Both objects have been decoded and defaulted. */
export function validatePolicy(json: JsonObject, options: PolicyValidationOptions = {}): FieldError[] {
  return validate(json, undefined, options);
}

/** Without the metadata checks of updates. */
export function validatePolicyUpdate(
  json: JsonObject,
  old: JsonObject,
  options: PolicyValidationOptions = {},
): FieldError[] {
  return validate(json, old, options);
}

function validate(json: JsonObject, old: JsonObject | undefined, options: PolicyValidationOptions): FieldError[] {
  const policy = readPolicy(json);
  const context = newValidationContext(policy, old && readPolicy(old), options);
  return [...validateFrame({ json, old, policy, context }), ...validateContents(policy, context, newPath("spec"))];
}

interface ValidationContext extends ExpressionContext {
  readonly withoutAuthorizer: Declarations;
  readonly mode: (kind: keyof StoredExpressions, expression: string) => ExpressionMode;
}

interface StoredExpressions {
  readonly conditions: ReadonlySet<string>;
  readonly validations: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

function newValidationContext(
  policy: AdmissionPolicy,
  old: AdmissionPolicy | undefined,
  { version, serverVersion }: PolicyValidationOptions,
): ValidationContext {
  const stored = old && storedExpressions(old);
  const hasParams = policy.paramKind !== undefined;
  return {
    compiler: new ExpressionCompiler({ version, serverVersion, composes: policy.variables.length > 0 }),
    conditionCompiler: new ExpressionCompiler({ version, serverVersion, composes: false }),
    withAuthorizer: { hasParams, hasAuthorizer: true },
    withoutAuthorizer: { hasParams, hasAuthorizer: false },
    mode: (kind, expression) => (stored?.[kind].has(expression) === true ? "stored" : "new"),
  };
}

function storedExpressions(old: AdmissionPolicy): StoredExpressions {
  return {
    conditions: new Set(old.matchConditions.map(({ expression }) => expression)),
    validations: new Set(old.validations.map(({ expression }) => expression)),
    texts: new Set(old.validations.map(({ messageExpression }) => messageExpression)),
    annotations: new Set(old.auditAnnotations.map(({ valueExpression }) => valueExpression)),
  };
}

function validateContents(policy: AdmissionPolicy, context: ValidationContext, path: FieldPath): FieldError[] {
  const { validations, auditAnnotations } = policy;
  const [at, annotationsAt] = [path.child("validations"), path.child("auditAnnotations")];
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [required(at, messages.itemsNeeded()), required(annotationsAt, messages.itemsNeeded())];
  }
  return [
    ...validations.flatMap((validation, index) => validateValidation(validation, context, at.index(index))),
    ...validateAnnotations(policy, context, annotationsAt),
  ];
}

function validateValidation(validation: Validation, context: ValidationContext, path: FieldPath): FieldError[] {
  return [
    ...validateExpression(validation.expression, context, path.child("expression")),
    ...validateMessageExpression(validation.messageExpression, context, path.child("messageExpression")),
    ...validateMessage(validation.message, path.child("message")),
    ...validateReason(validation.reason, path.child("reason")),
  ];
}

function validateExpression(expression: string, context: ValidationContext, path: FieldPath): FieldError[] {
  if (trimSpace(expression) === "") return [required(path, messages.expressionNotSpecified())];
  const mode = context.mode("validations", expression);
  const compiled = context.compiler.compile(expression, RETURNS_BOOL, context.withAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}

function validateMessageExpression(expression: string, context: ValidationContext, path: FieldPath): FieldError[] {
  if (expression === "") return [];
  if (trimSpace(expression) === "") return [invalid(path, expression, messages.blankNotAllowed(), "blank")];
  const mode = context.mode("texts", expression);
  const compiled = context.compiler.compile(expression, RETURNS_STRING, context.withoutAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}

function validateMessage(message: string, path: FieldPath): FieldError[] {
  const trimmed = trimSpace(message);
  if (message !== "" && trimmed === "") return [invalid(path, message, messages.blankMessage(), "blank")];
  return /[\n\r]/.test(trimmed) ? [invalid(path, message, messages.lineBreaksNotAllowed(), "lineBreaks")] : [];
}

function validateReason(reason: string | undefined, path: FieldPath): FieldError[] {
  return reason === undefined || REASONS.includes(reason) ? [] : [notSupported(path, named(reason), REASONS)];
}

function validateAnnotations(policy: AdmissionPolicy, context: ValidationContext, path: FieldPath): FieldError[] {
  const { name, auditAnnotations } = policy;
  const isRepeated = repeats(auditAnnotations.map(({ key }) => key));
  const errors: FieldError[] = [];
  if (auditAnnotations.length > MAX_AUDIT_ANNOTATIONS) {
    errors.push(invalid(path, goAnnotations(auditAnnotations), messages.tooManyAnnotations(MAX_AUDIT_ANNOTATIONS)));
  }
  for (const [index, annotation] of auditAnnotations.entries()) {
    errors.push(...validateAnnotation(annotation, name, context, path.index(index)));
    if (isRepeated(index)) errors.push(duplicate(path.index(index).child("key"), annotation.key));
  }
  return errors;
}

/** Upstream prints its internal type, with Go's names of the fields. */
function goAnnotations(annotations: readonly AuditAnnotation[]): GoJson {
  const quoted = (text: string): string => jsonString(text, { escapeHtml: true });
  const items = annotations.map(
    ({ key, valueExpression }) => `{"Key":${quoted(key)},"ValueExpression":${quoted(valueExpression)}}`,
  );
  return new GoJson(`[${items.join(",")}]`);
}

function validateAnnotation(
  annotation: AuditAnnotation,
  name: string,
  context: ValidationContext,
  path: FieldPath,
): FieldError[] {
  const { key, valueExpression } = annotation;
  const keyErrors =
    name === ""
      ? [invalid(path.child("key"), key, messages.policyNameNeeded(), "name")]
      : validateQualifiedName(`${name}/${key}`, path.child("key"));
  return [...keyErrors, ...validateValueExpression(valueExpression, context, path.child("valueExpression"))];
}

function validateValueExpression(expression: string, context: ValidationContext, path: FieldPath): FieldError[] {
  const trimmed = trimSpace(expression);
  if (trimmed === "") return [required(path, messages.valueExpressionNotSpecified())];
  if (byteLength(trimmed) > MAX_VALUE_EXPRESSION) {
    return [required(path, messages.tooLongExpression(MAX_VALUE_EXPRESSION))];
  }
  const mode = context.mode("annotations", expression);
  const compiled = context.compiler.compile(trimmed, RETURNS_STRING_OR_NULL, context.withAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}
