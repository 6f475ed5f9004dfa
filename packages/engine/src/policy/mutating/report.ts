/** What mutating policies did, as plain data: the object, the Status, and every step with its reason. */
import { statusBody } from "../../status/error.ts";
import { type Plain, toPlain } from "../../value/copy.ts";
import { type ExpressionReport, type PassReport, reportPass } from "../report.ts";
import type { PatchType } from "./compile.ts";
import type { MutationDenial, MutationVerdict } from "./dispatch.ts";
import type { InvocationTrace, MutatingBindingTrace, MutatingPolicyTrace, MutationTrace } from "./trace.ts";

/** The outcome of mutating policies as plain JSON. */
export interface MutationReport {
  readonly allowed: boolean;
  /** The object after mutation. */
  readonly object: Plain | undefined;
  /** The Status that the client would get; undefined if the request is not refused. */
  readonly status: Plain | undefined;
  /** Every reason to refuse. */
  readonly denials: readonly MutationDenial[];
  /** A policy that is asked again stands here twice. */
  readonly policies: readonly MutatingPolicyReport[];
}

export interface MutatingPolicyReport extends Omit<MutatingPolicyTrace, "bindings"> {
  readonly bindings: readonly MutatingBindingReport[];
}

export interface MutatingBindingReport extends Omit<MutatingBindingTrace, "invocations"> {
  /** One for each parameter. */
  readonly invocations: readonly InvocationReport[];
}

export interface InvocationReport extends Omit<InvocationTrace, "matchConditions" | "mutations"> {
  readonly matchConditions: PassReport | undefined;
  readonly mutations: readonly MutationStep[];
}

export interface MutationStep extends Partial<Omit<ExpressionReport, "error">> {
  readonly patchType: PatchType;
  readonly variables: PassReport["variables"];
  /** Why the object stayed as it was. */
  readonly error: string | undefined;
  readonly isChanged: boolean;
}

/** A verdict of mutating policies as plain JSON. */
export function reportMutation({ object, error, denials, traces }: MutationVerdict): MutationReport {
  return {
    allowed: error === undefined,
    object: object && toPlain(object),
    status: error && toPlain(statusBody(error)),
    denials,
    policies: traces.map(({ bindings, ...policy }) => ({
      ...policy,
      bindings: bindings.map(({ invocations, ...binding }) => ({
        ...binding,
        invocations: invocations.map(reportInvocation),
      })),
    })),
  };
}

function reportInvocation({ matchConditions, mutations, ...invocation }: InvocationTrace): InvocationReport {
  return { ...invocation, matchConditions: reportPass(matchConditions), mutations: mutations.map(reportStep) };
}

function reportStep({ patchType, result, variables, error, isChanged }: MutationTrace): MutationStep {
  const results = result === undefined ? [] : [result];
  const pass = reportPass({ results, variables, remaining: 0, failure: undefined, elapsed: 0 });
  return { ...pass?.expressions[0], patchType, variables: pass?.variables ?? [], error, isChanged };
}
