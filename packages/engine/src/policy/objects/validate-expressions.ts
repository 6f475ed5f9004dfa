/**
 * Expressions that policies of both kinds and webhooks have: match conditions and variables.
 *
 * Match conditions are compiled trimmed and without `variables`. Follows kubernetes
 * pkg/apis/admissionregistration/validation.
 */

import { trimSpace } from "@portcullis/gostd/space";
import { duplicate, type FieldError, internalError, invalid, required, tooMany } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import type { ExpressionMode } from "../../kubecel/environment.ts";
import { isReservedWord } from "../../kubecel/escaping.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import { repeats } from "../../value/repeated.ts";
import { type CompiledExpression, ExpressionCompiler, RETURNS_BOOL } from "../compile.ts";
import type { Declarations } from "../environment.ts";
import type { NamedExpression } from "../policy.ts";
import * as messages from "./object-messages.ts";
import { validateQualifiedName } from "./validate-names.ts";

const MAX_MATCH_CONDITIONS = 64;

/** The versions that expressions of a policy are checked against. */
export interface PolicyValidationOptions {
  /** What new expressions must be compatible with; by default the version before the server's. */
  readonly version?: KubernetesVersion | undefined;
  /** What expressions may use that were there before; by default all that there is. */
  readonly serverVersion?: KubernetesVersion | undefined;
}

/** What checking expressions of any policy shares. */
export interface ExpressionContext {
  readonly compiler: ExpressionCompiler;
  readonly conditionCompiler: ExpressionCompiler;
  readonly withAuthorizer: Declarations;
  readonly mode: (kind: "conditions" | "validations", expression: string) => ExpressionMode;
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
  context: ExpressionContext,
  path: FieldPath,
): FieldError[] {
  const isRepeated = repeats(conditions.map(({ name }) => name));
  return [
    ...(conditions.length > MAX_MATCH_CONDITIONS ? [tooMany(path, conditions.length, MAX_MATCH_CONDITIONS)] : []),
    ...conditions.flatMap((condition, index) => [
      ...validateCondition(condition, context, path.index(index)),
      ...(condition.name !== "" && isRepeated(index)
        ? [duplicate(path.index(index).child("name"), condition.name)]
        : []),
    ]),
  ];
}

function validateCondition(
  { name, expression }: NamedExpression,
  context: ExpressionContext,
  path: FieldPath,
): FieldError[] {
  const trimmed = trimSpace(expression);
  const at = path.child("expression");
  const errors: FieldError[] = [];
  if (trimmed === "") errors.push(required(at));
  else {
    const mode = context.mode("conditions", trimmed);
    const compiled = context.conditionCompiler.compile(trimmed, RETURNS_BOOL, context.withAuthorizer, mode);
    errors.push(...compileErrors(compiled, trimmed, at));
  }
  if (name === "") return [...errors, required(path.child("name"))];
  return [...errors, ...validateQualifiedName(name, path.child("name"))];
}

export function validateVariable(
  { name, expression }: NamedExpression,
  context: ExpressionContext,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (trimSpace(name) === "") errors.push(required(path.child("name"), messages.nameNotSpecified()));
  else if (!isIdentifier(name))
    errors.push(invalid(path.child("name"), name, messages.notAnIdentifier(), "identifier"));
  const at = path.child("expression");
  if (trimSpace(expression) === "") return [...errors, required(at, messages.expressionNotSpecified())];
  const mode = context.mode("validations", expression);
  const compiled = context.compiler.compileVariable(name, expression, context.withAuthorizer, mode);
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
