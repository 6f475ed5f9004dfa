/** Evaluates one expression in the Kubernetes environment: its value, type and cost, as text and in parts. */
import { DYN, type Environment, formatType, type Issue, isError, type Value } from "@portcullis/cel";
import {
  compatibilityVersion,
  type KubernetesVersion,
  kubernetesEnvironment,
  PER_CALL_LIMIT,
} from "@portcullis/engine/kubecel";
import { showValue } from "./show.ts";

export interface CelAnswer {
  /** Whether it compiles and has a value. */
  readonly isValue: boolean;
  /** What is printed. */
  readonly text: string;
  /** Why it does not compile. */
  readonly issues: readonly Issue[];
  /** Undefined if the expression does not compile. */
  readonly result: CelResult | undefined;
}

export interface CelResult {
  readonly value: string;
  readonly type: string;
  readonly cost: number;
}

export type CelEvaluator = (expression: string) => CelAnswer;

/** An environment that declares the variables with the types of their values. */
export function celEnvironment(variables: Readonly<Record<string, Value>>, server: KubernetesVersion): Environment {
  const types = Object.fromEntries(Object.keys(variables).map((name) => [name, DYN]));
  return kubernetesEnvironment({
    version: compatibilityVersion(server),
    serverVersion: server,
    mode: "new",
    variables: types,
  });
}

export function celEvaluator(variables: Readonly<Record<string, Value>>, server: KubernetesVersion): CelEvaluator {
  const environment = celEnvironment(variables, server);
  return (expression) => {
    const compiled = environment.compile(expression);
    if (!compiled.ok) return refused(compiled.text, compiled.issues);
    const planned = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
    if (!planned.ok) return refused(planned.error.message, []);
    const { value, cost } = planned.program.evaluate(variables);
    const result = { value: showValue(value), type: formatType(compiled.ast.type), cost };
    const text = `${result.value}  (${result.type}, cost ${cost})`;
    return { isValue: !isError(value), text, issues: [], result };
  };
}

function refused(text: string, issues: readonly Issue[]): CelAnswer {
  return { isValue: false, text, issues, result: undefined };
}
