/**
 * Whether a ValidatingAdmissionPolicy is accepted, on create and on update.
 *
 * Expressions that the stored policy already has may use everything any version knew; new ones only what the version
 * before the server's own knows. Which set an expression is looked up in follows upstream: variables are looked up
 * among the validations. Match conditions are compiled trimmed and without `variables`; when neither they nor the
 * paramKind change, they are not looked at again. Follows kubernetes pkg/apis/admissionregistration/validation.
 */
import { jsonString } from "@portcullis/gostd/json-text";
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import {
  duplicate,
  type FieldError,
  GoJson,
  internalError,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../field/error.ts";
import { type FieldPath, newPath } from "../field/path.ts";
import type { ExpressionMode } from "../kubecel/environment.ts";
import { isReservedWord } from "../kubecel/escaping.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { validateMeta } from "../schema/object-meta.ts";
import { deepEqual } from "../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import {
  type CompiledExpression,
  ExpressionCompiler,
  RETURNS_BOOL,
  RETURNS_STRING,
  RETURNS_STRING_OR_NULL,
} from "./compile.ts";
import type { Declarations } from "./environment.ts";
import * as messages from "./object-messages.ts";
import {
  type AdmissionPolicy,
  type AuditAnnotation,
  type NamedExpression,
  readPolicy,
  type Validation,
} from "./policy.ts";
import { objectOf } from "./read.ts";
import { validateChoice, validateMatchResources } from "./validate-match.ts";
import { META_RULES, named, validateQualifiedName } from "./validate-names.ts";
import { validateParamKind } from "./validate-param-kind.ts";

export const FAILURE_POLICIES = ["Fail", "Ignore"];
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const MAX_MATCH_CONDITIONS = 64;
const MAX_AUDIT_ANNOTATIONS = 20;
/** Bytes. */
const MAX_VALUE_EXPRESSION = 5 * 1024;

export interface PolicyValidationOptions {
  /** What new expressions must be compatible with; by default the version before the server's. */
  readonly version?: KubernetesVersion | undefined;
  /** What expressions may use that were there before; by default all that there is. */
  readonly serverVersion?: KubernetesVersion | undefined;
}

/** Both objects have been decoded and defaulted. */
export function validatePolicy(json: JsonObject, options: PolicyValidationOptions = {}): FieldError[] {
  return validate(json, undefined, options);
}

/** Besides what an update of metadata demands. */
export function validatePolicyUpdate(
  json: JsonObject,
  old: JsonObject,
  options: PolicyValidationOptions = {},
): FieldError[] {
  return validate(json, old, options);
}

function validate(json: JsonObject, old: JsonObject | undefined, options: PolicyValidationOptions): FieldError[] {
  const policy = readPolicy(json);
  const spec = objectOf(json["spec"]);
  const path = newPath("spec");
  const scene = newScene(policy, old && readPolicy(old), options);
  const keepsConditions = old !== undefined && hasSameConditions(spec, objectOf(old["spec"]));
  return [
    ...validateMeta(objectOf(json["metadata"]), META_RULES, newPath("metadata")),
    ...validateChoice(spec["failurePolicy"], FAILURE_POLICIES, path.child("failurePolicy")),
    ...validateParamKind(policy.paramKind, path.child("paramKind")),
    ...validateConstraints(spec["matchConstraints"], path.child("matchConstraints")),
    ...(keepsConditions ? [] : validateConditions(policy.matchConditions, scene, path.child("matchConditions"))),
    ...policy.variables.flatMap((variable, index) =>
      validateVariable(variable, scene, path.child("variables").index(index)),
    ),
    ...validateContents(policy, scene, path),
  ];
}

/** Neither they nor what they may read changed. */
export function hasSameConditions(spec: JsonObject, old: JsonObject): boolean {
  const same = (key: string): boolean => deepEqual(spec[key] ?? null, old[key] ?? null);
  return same("paramKind") && same("matchConditions");
}

/** What checking expressions of any policy shares. */
export interface ExpressionScene {
  readonly compiler: ExpressionCompiler;
  readonly conditionCompiler: ExpressionCompiler;
  readonly withAuthorizer: Declarations;
  readonly mode: (kind: "conditions" | "validations", expression: string) => ExpressionMode;
}

interface Scene extends ExpressionScene {
  readonly withoutAuthorizer: Declarations;
  readonly mode: (kind: keyof StoredExpressions, expression: string) => ExpressionMode;
}

interface StoredExpressions {
  readonly conditions: ReadonlySet<string>;
  readonly validations: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

function newScene(
  policy: AdmissionPolicy,
  old: AdmissionPolicy | undefined,
  { version, serverVersion }: PolicyValidationOptions,
): Scene {
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

export function validateConstraints(constraints: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (!isObject(constraints)) return [required(path)];
  const rules = constraints["resourceRules"];
  const isEmpty = !Array.isArray(rules) || rules.length === 0;
  return [...validateMatchResources(constraints, path), ...(isEmpty ? [required(path.child("resourceRules"))] : [])];
}

/** The match conditions of a webhook. */
export function validateMatchConditions(
  conditions: readonly NamedExpression[],
  path: FieldPath,
  { version, serverVersion }: PolicyValidationOptions = {},
): FieldError[] {
  const compiler = new ExpressionCompiler({ version, serverVersion, composes: false });
  const withAuthorizer = { hasParams: false, hasAuthorizer: true };
  const mode = (): ExpressionMode => "new";
  return validateConditions(conditions, { compiler, conditionCompiler: compiler, withAuthorizer, mode }, path);
}

export function validateConditions(
  conditions: readonly NamedExpression[],
  scene: ExpressionScene,
  path: FieldPath,
): FieldError[] {
  const names = conditions.map(({ name }) => name);
  return [
    ...(conditions.length > MAX_MATCH_CONDITIONS ? [tooMany(path, conditions.length, MAX_MATCH_CONDITIONS)] : []),
    ...conditions.flatMap((condition, index) => [
      ...validateCondition(condition, scene, path.index(index)),
      ...(condition.name !== "" && names.indexOf(condition.name) < index
        ? [duplicate(path.index(index).child("name"), condition.name)]
        : []),
    ]),
  ];
}

function validateCondition(
  { name, expression }: NamedExpression,
  scene: ExpressionScene,
  path: FieldPath,
): FieldError[] {
  const trimmed = trimSpace(expression);
  const at = path.child("expression");
  const errors: FieldError[] = [];
  if (trimmed === "") errors.push(required(at));
  else {
    const mode = scene.mode("conditions", trimmed);
    const compiled = scene.conditionCompiler.compile(trimmed, RETURNS_BOOL, scene.withAuthorizer, mode);
    errors.push(...compileErrors(compiled, trimmed, at));
  }
  if (name === "") return [...errors, required(path.child("name"))];
  return [...errors, ...validateQualifiedName(name, path.child("name"))];
}

export function validateVariable(
  { name, expression }: NamedExpression,
  scene: ExpressionScene,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (trimSpace(name) === "") errors.push(required(path.child("name"), messages.nameNotSpecified()));
  else if (!isIdentifier(name))
    errors.push(invalid(path.child("name"), name, messages.notAnIdentifier(), "identifier"));
  const at = path.child("expression");
  if (trimSpace(expression) === "") return [...errors, required(at, messages.expressionNotSpecified())];
  const mode = scene.mode("validations", expression);
  const compiled = scene.compiler.compileVariable(name, expression, scene.withAuthorizer, mode);
  return [...errors, ...compileErrors(compiled, expression, at)];
}

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReservedWord(name);
}

export function compileErrors({ error }: CompiledExpression, shown: string, path: FieldPath): FieldError[] {
  if (error === undefined) return [];
  return [
    error.kind === "internal" ? internalError(path, error.detail) : invalid(path, shown, error.detail, "compile"),
  ];
}

function validateContents(policy: AdmissionPolicy, scene: Scene, path: FieldPath): FieldError[] {
  const { validations, auditAnnotations } = policy;
  const [at, annotationsAt] = [path.child("validations"), path.child("auditAnnotations")];
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [required(at, messages.itemsNeeded()), required(annotationsAt, messages.itemsNeeded())];
  }
  return [
    ...validations.flatMap((validation, index) => validateValidation(validation, scene, at.index(index))),
    ...validateAnnotations(policy, scene, annotationsAt),
  ];
}

function validateValidation(validation: Validation, scene: Scene, path: FieldPath): FieldError[] {
  return [
    ...validateExpression(validation.expression, scene, path.child("expression")),
    ...validateMessageExpression(validation.messageExpression, scene, path.child("messageExpression")),
    ...validateMessage(validation.message, path.child("message")),
    ...validateReason(validation.reason, path.child("reason")),
  ];
}

function validateExpression(expression: string, scene: Scene, path: FieldPath): FieldError[] {
  if (trimSpace(expression) === "") return [required(path, messages.expressionNotSpecified())];
  const mode = scene.mode("validations", expression);
  const compiled = scene.compiler.compile(expression, RETURNS_BOOL, scene.withAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}

function validateMessageExpression(expression: string, scene: Scene, path: FieldPath): FieldError[] {
  if (expression === "") return [];
  if (trimSpace(expression) === "") return [invalid(path, expression, messages.blankNotAllowed(), "blank")];
  const mode = scene.mode("texts", expression);
  const compiled = scene.compiler.compile(expression, RETURNS_STRING, scene.withoutAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}

function validateMessage(message: string, path: FieldPath): FieldError[] {
  const trimmed = trimSpace(message);
  if (message !== "" && trimmed === "") return [invalid(path, message, messages.blankNotAllowed(), "blank")];
  return /[\n\r]/.test(trimmed) ? [invalid(path, message, messages.lineBreaksNotAllowed(), "lineBreaks")] : [];
}

function validateReason(reason: string | undefined, path: FieldPath): FieldError[] {
  return reason === undefined || REASONS.includes(reason) ? [] : [notSupported(path, named(reason), REASONS)];
}

function validateAnnotations(policy: AdmissionPolicy, scene: Scene, path: FieldPath): FieldError[] {
  const { name, auditAnnotations } = policy;
  const keys = auditAnnotations.map(({ key }) => key);
  const errors: FieldError[] = [];
  if (auditAnnotations.length > MAX_AUDIT_ANNOTATIONS) {
    errors.push(invalid(path, goAnnotations(auditAnnotations), messages.tooManyAnnotations(MAX_AUDIT_ANNOTATIONS)));
  }
  for (const [index, annotation] of auditAnnotations.entries()) {
    errors.push(...validateAnnotation(annotation, name, scene, path.index(index)));
    if (keys.indexOf(annotation.key) < index) errors.push(duplicate(path.index(index).child("key"), annotation.key));
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

function validateAnnotation(annotation: AuditAnnotation, name: string, scene: Scene, path: FieldPath): FieldError[] {
  const { key, valueExpression } = annotation;
  const keyErrors =
    name === ""
      ? [invalid(path.child("key"), key, messages.policyNameNeeded(), "name")]
      : validateQualifiedName(`${name}/${key}`, path.child("key"));
  return [...keyErrors, ...validateValueExpression(valueExpression, scene, path.child("valueExpression"))];
}

function validateValueExpression(expression: string, scene: Scene, path: FieldPath): FieldError[] {
  const trimmed = trimSpace(expression);
  if (trimmed === "") return [required(path, messages.valueExpressionNotSpecified())];
  if (byteLength(trimmed) > MAX_VALUE_EXPRESSION) {
    return [required(path, messages.tooLongExpression(MAX_VALUE_EXPRESSION))];
  }
  const mode = scene.mode("annotations", expression);
  const compiled = scene.compiler.compile(trimmed, RETURNS_STRING_OR_NULL, scene.withAuthorizer, mode);
  return compileErrors(compiled, expression, path);
}
