/** How a verdict came about. */
import type { PolicyEvaluation } from "./evaluate.ts";

export type Outcome = "match" | "skip" | "error";

export interface PolicyTrace {
  readonly policy: string;
  readonly outcome: Outcome;
  /** What matched, why nothing did, or what is wrong. */
  readonly reason: string;
  readonly bindings: readonly BindingTrace[];
}

export interface BindingTrace {
  readonly binding: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** One a parameter. */
  readonly evaluations: readonly EvaluationTrace[];
}

export interface EvaluationTrace extends PolicyEvaluation {
  /** Undefined where `params` is null. */
  readonly param: { readonly namespace: string; readonly name: string } | undefined;
}
