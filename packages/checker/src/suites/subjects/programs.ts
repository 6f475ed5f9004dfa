/** Compiles the expressions of API server configurations. They are compiled as stored expressions. */
import type { Environment, Type, Value } from "@portcullis/cel";
import { isError } from "@portcullis/cel";
import type { DeclType } from "@portcullis/engine/internal/kubecel/decl-type";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { compatibilityVersion, kubernetesEnvironment } from "@portcullis/engine/kubecel";

export interface ConfiguredProgram {
  readonly expression: string;
  /** Undefined if it does not compile. */
  readonly type: Type | undefined;
  /** Why it does not compile. */
  readonly problem: string | undefined;
  /** A string is the message of an error. */
  readonly evaluate: (variables: Readonly<Record<string, Value>>) => Evaluated;
}

export type Evaluated =
  | { readonly value: Value; readonly cost: number; readonly error?: undefined }
  | { readonly error: string; readonly cost: number };

export function configuredEnvironment(
  variables: Readonly<Record<string, Type>>,
  declared: readonly DeclType[],
  version: KubernetesVersion,
): Environment {
  return kubernetesEnvironment({
    version: compatibilityVersion(version),
    serverVersion: version,
    mode: "stored",
    variables,
    declared,
  });
}

export function compileProgram(expression: string, environment: Environment, costLimit?: number): ConfiguredProgram {
  const compiled = environment.compile(expression);
  if (!compiled.ok) return broken(expression, `compilation failed: ${compiled.text}`);
  const planned = environment.program(compiled.ast, costLimit === undefined ? {} : { costLimit });
  if (!planned.ok) return broken(expression, `program instantiation failed: ${planned.error.message}`);
  return {
    expression,
    type: compiled.ast.type,
    problem: undefined,
    evaluate: (variables) => {
      const { value, cost } = planned.program.evaluate(variables);
      return isError(value) ? { error: value.message, cost } : { value, cost };
    },
  };
}

function broken(expression: string, problem: string): ConfiguredProgram {
  return { expression, type: undefined, problem, evaluate: () => ({ error: problem, cost: 0 }) };
}
