/** How a mutation came about. */
import type { VariableReading } from "../activation.ts";
import type { ExpressionResult, PassResult } from "../evaluate.ts";
import type { EvaluationTrace, Outcome } from "../trace.ts";
import type { PatchType } from "./compile.ts";

export interface MutatingPolicyTrace {
  readonly policy: string;
  readonly outcome: Outcome;
  /** What matched, why nothing did, or what is wrong. */
  readonly reason: string;
  readonly bindings: readonly MutatingBindingTrace[];
}

export interface MutatingBindingTrace {
  readonly binding: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** One a parameter. */
  readonly invocations: readonly InvocationTrace[];
}

export interface InvocationTrace {
  /** Undefined where `params` is null. */
  readonly param: EvaluationTrace["param"];
  /** Whether it ran because something changed after it had run. */
  readonly isReinvoke: boolean;
  readonly matchConditions: PassResult | undefined;
  /** The index of the condition that excluded the request. */
  readonly excludedBy: number | undefined;
  readonly mutations: readonly MutationTrace[];
}

export interface MutationTrace {
  readonly patchType: PatchType;
  /** Undefined if the expression was not evaluated. */
  readonly result: ExpressionResult | undefined;
  readonly variables: readonly VariableReading[];
  /** Why the object stayed as it was. */
  readonly error: string | undefined;
  readonly isChanged: boolean;
}
