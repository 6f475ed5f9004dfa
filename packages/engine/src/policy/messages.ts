/** kube-apiserver's messages about admission policies. */

import { quote } from "@portcullis/gostd/quote";
import { reworded } from "../value/server-version.ts";

// Compiling

export const compilationFailed = (issues: string): string => `compilation failed: ${issues}`;
export const instantiationFailed = (reason: string): string => `program instantiation failed: ${reason}`;

export function wrongReturnType(wanted: readonly string[], found: string): string {
  const types = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(" ")}]`;
  return `must evaluate to ${types}${reworded("1.32", ` but got ${found}`, "")}`;
}

export const conditionNotBool = (found: string): string => `must evaluate to bool but got ${found}`;

// Evaluating

export const compilationError = (detail: string): string => `compilation error: ${detail}`;
export const outOfBudget = (): string =>
  "validation failed due to running out of cost budget, no further validation rules will be run";
export const expressionError = (expression: string, error: string): string =>
  `expression '${expression}' resulted in error: ${error}`;
export const conditionError = (expression: string, error: string): string =>
  `cel evaluation error: ${expressionError(expression, error)}`;
export const variableNotCompiled = (name: string, detail: string): string =>
  `composited variable ${quote(name)} fails to compile: ${detail}`;
export const variableFailed = (name: string, error: string): string =>
  `composited variable ${quote(name)} fails to evaluate: ${error}`;
export const failedMessageExpression = (reason: string): string => `failed messageExpression: ${reason}`;
export const failedExpression = (expression: string): string => `failed expression: ${expression}`;
export const unsupportedAnnotationType = (expression: string, type: string): string =>
  `valueExpression '${expression}' resulted in unsupported return type: ${type}. Return type must be either string or null.`;

// Configuring

export const failedToConfigurePolicy = (reason: string): string => `failed to configure policy: ${reason}`;
export const failedToConfigureBinding = (reason: string): string => `failed to configure binding: ${reason}`;
export const unrecognizedFailurePolicy = (policy: string): string => `unrecognized failure policy: '${policy}'`;
export const noMatchConstraints = (): string => "policy contained no match constraints, a required field";
export const nilSelector = (which: "namespace" | "object"): string =>
  `a nil ${which} selector was passed, please ensure selectors are initialized properly`;
export const unknownKind = (resource: string): string => `unable to convert to ${resource}: unknown kind`;
export const conversionFailed = (reason: string): string => `failed to convert object version: ${reason}`;
export const paramKindNotFound = (kind: string): string => `failed to find resource referenced by paramKind: '${kind}'`;
export const paramKindNotSynced = (kind: string): string =>
  `paramKind kind \`${kind}\` not yet synced to use for admission`;
export const paramNamespaceNeeded = (): string =>
  "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
export const paramNamespaceForbidden = (): string =>
  "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
export const nameAndSelectorExclude = (): string => "paramRef.name and paramRef.selector are mutually exclusive";
export const nameOrSelectorNeeded = (): string => "one of name or selector must be provided";
export const noParams = (): string => "no params found for policy binding with `Deny` parameterNotFoundAction";

// Answering

export const denied = (policy: string, binding: string | undefined, message: string): string =>
  binding === undefined
    ? `ValidatingAdmissionPolicy '${policy}' denied request: ${message}`
    : `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
export const warned = (policy: string, binding: string, message: string): string =>
  `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
