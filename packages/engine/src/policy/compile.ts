/**
 * Compiling a policy's expressions.
 *
 * Variables are compiled in order; each sees those before it, and a second variable of a name replaces the first for
 * all that come later. What a variable's type cannot be said with scalars, lists and maps becomes dynamic. Results must
 * be of exactly the type asked for, so a dynamic one is refused. Follows apiserver pkg/admission/plugin/cel.
 */
import {
  type Ast,
  BOOL,
  DYN,
  type Environment,
  equalTypes,
  listOf,
  mapOf,
  NULL,
  type Program,
  runtimeTypeName,
  STRING,
  type Type,
} from "@portcullis/cel/internal";
import type { ExpressionMode } from "../kubecel/environment.ts";
import { PER_CALL_LIMIT } from "../kubecel/limits.ts";
import { defaultCompatibilityVersion, type KubernetesVersion } from "../kubecel/versions.ts";
import { type Declarations, policyEnvironment } from "./environment.ts";
import * as messages from "./messages.ts";
import type { AdmissionPolicy } from "./policy.ts";

/** An expression that compiled, or why it did not. */
export interface CompiledExpression {
  readonly expression: string;
  readonly program: Program | undefined;
  readonly type: Type | undefined;
  readonly error: ExpressionError | undefined;
  /** For reports: the checked expression. */
  readonly ast: Ast | undefined;
}

export interface ExpressionError {
  /** An internal one is reported as a fault of the server. */
  readonly kind: "invalid" | "internal";
  readonly detail: string;
}

/** What an expression may evaluate to. */
export const RETURNS_BOOL: readonly Type[] = [BOOL];
export const RETURNS_STRING: readonly Type[] = [STRING];
export const RETURNS_STRING_OR_NULL: readonly Type[] = [STRING, NULL];
const RETURNS_ANYTHING: readonly Type[] = [];

export interface CompilerOptions {
  /** Undefined means the version new expressions are checked against by default. */
  readonly version?: KubernetesVersion | undefined;
  /** What stored expressions may use; by default all that there is. */
  readonly serverVersion?: KubernetesVersion | undefined;
  /** False leaves `variables` undeclared. */
  readonly composes: boolean;
}

/** Compiles expressions that share one list of variables. */
export class ExpressionCompiler {
  readonly #version: KubernetesVersion;
  readonly #serverVersion: KubernetesVersion | undefined;
  readonly #variables: Map<string, Type> | undefined;
  readonly #environments = new Map<string, Environment>();

  constructor({ version, serverVersion, composes }: CompilerOptions) {
    this.#version = version ?? defaultCompatibilityVersion();
    this.#serverVersion = serverVersion;
    this.#variables = composes ? new Map() : undefined;
  }

  compile(
    expression: string,
    returns: readonly Type[],
    declarations: Declarations,
    mode: ExpressionMode,
  ): CompiledExpression {
    const failed = { expression, program: undefined, type: undefined, ast: undefined };
    const environment = this.#environment(declarations, mode);
    const compiled = environment.compile(expression);
    if (!compiled.ok) {
      return { ...failed, error: { kind: "invalid", detail: messages.compilationFailed(compiled.text) } };
    }
    const { ast } = compiled;
    if (returns.length > 0 && !returns.some((type) => equalTypes(type, ast.type))) {
      const detail = messages.wrongReturnType(returns.map(declaredTypeText), declaredTypeText(ast.type));
      return { ...failed, error: { kind: "invalid", detail } };
    }
    const planned = environment.program(ast, { costLimit: PER_CALL_LIMIT });
    if (!planned.ok) {
      return { ...failed, error: { kind: "internal", detail: messages.instantiationFailed(planned.error.message) } };
    }
    return { expression, program: planned.program, type: ast.type, error: undefined, ast };
  }

  /** Compiles a variable and declares it for what is compiled later, also where it failed. */
  compileVariable(
    name: string,
    expression: string,
    declarations: Declarations,
    mode: ExpressionMode,
  ): CompiledExpression {
    const compiled = this.compile(expression, RETURNS_ANYTHING, declarations, mode);
    this.#variables?.set(name, compiled.type === undefined ? DYN : variableType(compiled.type));
    return compiled;
  }

  #environment({ hasParams, hasAuthorizer, hasPatchTypes = false }: Declarations, mode: ExpressionMode): Environment {
    const [version, serverVersion, variables] = [this.#version, this.#serverVersion, this.#variables];
    const key = `${mode} ${hasParams} ${hasAuthorizer} ${hasPatchTypes} ${version} ${serverVersion ?? ""}`;
    const known = variables === undefined ? plainEnvironments : this.#environments;
    let made = known.get(key);
    if (made === undefined) {
      made = policyEnvironment({ version, mode, serverVersion, hasParams, hasAuthorizer, hasPatchTypes, variables });
      known.set(key, made);
    }
    return made;
  }
}

/** Environments without variables are alike for all policies. */
const plainEnvironments = new Map<string, Environment>();

/** What is kept of a variable's type. */
export function variableType(type: Type): Type {
  switch (type.kind) {
    case "list":
      return listOf(variableType(type.element));
    case "map":
      return mapOf(variableType(type.key), variableType(type.value));
    case "type":
    case "param":
    case "opaque":
    case "object":
    case "wrapper":
    case "error":
      return DYN;
    default:
      return type;
  }
}

/** A type as cel-go's `String` has it, which names some types differently from checker messages. */
export function declaredTypeText(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${declaredTypeText(type.element)})`;
    case "map":
      return `map(${declaredTypeText(type.key)}, ${declaredTypeText(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${declaredTypeText(type.of)})`;
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(declaredTypeText).join(", ")})`;
    default:
      return runtimeTypeName(type);
  }
}

/** A policy ready to be evaluated. */
export interface CompiledPolicy {
  readonly policy: AdmissionPolicy;
  /** By name; of several variables of one name the last. */
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly matchConditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledExpression[];
  /** Undefined if a validation has none. */
  readonly messageExpressions: readonly (CompiledExpression | undefined)[];
  readonly auditAnnotations: readonly CompiledExpression[];
}

/** Compiles as stored expressions are compiled: whatever a server of the version knows runs. */
export function compilePolicy(policy: AdmissionPolicy, serverVersion?: KubernetesVersion): CompiledPolicy {
  const compiler = new ExpressionCompiler({ serverVersion, composes: true });
  const hasParams = policy.paramKind !== undefined;
  const full = { hasParams, hasAuthorizer: true };
  const withoutAuthorizer = { hasParams, hasAuthorizer: false };
  const variables = new Map<string, CompiledExpression>();
  for (const { name, expression } of policy.variables) {
    variables.set(name, compiler.compileVariable(name, expression, full, "stored"));
  }
  const compile = (expression: string, returns: readonly Type[], declarations: Declarations = full) =>
    compiler.compile(expression, returns, declarations, "stored");
  return {
    policy,
    variables,
    matchConditions: policy.matchConditions.map(({ expression }) => compile(expression, RETURNS_BOOL)),
    validations: policy.validations.map(({ expression }) => compile(expression, RETURNS_BOOL)),
    messageExpressions: policy.validations.map(({ messageExpression }) =>
      messageExpression === "" ? undefined : compile(messageExpression, RETURNS_STRING, withoutAuthorizer),
    ),
    auditAnnotations: policy.auditAnnotations.map(({ valueExpression }) =>
      compile(valueExpression, RETURNS_STRING_OR_NULL),
    ),
  };
}

const compiledPolicies = new WeakMap<AdmissionPolicy, Compilation>();

interface Compilation {
  readonly version: KubernetesVersion | undefined;
  readonly compiled: CompiledPolicy;
}

/** Compiles once for each policy object, and again for another version. */
export function compiledPolicy(policy: AdmissionPolicy, serverVersion?: KubernetesVersion): CompiledPolicy {
  const known = compiledPolicies.get(policy);
  if (known !== undefined && known.version === serverVersion) return known.compiled;
  const compiled = compilePolicy(policy, serverVersion);
  compiledPolicies.set(policy, { version: serverVersion, compiled });
  return compiled;
}
