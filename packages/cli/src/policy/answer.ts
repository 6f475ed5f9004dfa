/** A request put to mutating and then to validating policies, as the API server does it. */
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import { type MutationVerdict, mutateFully } from "@portcullis/engine/policy/mutating/dispatch";
import { changedLines } from "./changes.ts";
import { makeRequest, type RequestParts } from "./request.ts";
import type { World } from "./world.ts";

export interface Answered {
  readonly attributes: AdmissionAttributes;
  readonly verdict: PolicyVerdict;
  /** What mutating policies did; undefined where there are none. */
  readonly mutation: Mutated | undefined;
  /** What the answer should be read with. */
  notes(): readonly string[];
}

export interface Mutated extends MutationVerdict {
  /** One line a field that they changed. */
  readonly changes: readonly string[];
}

export function answerRequest(parts: RequestParts, world: World): Answered {
  const mutation = mutate(parts, world);
  const isRefused = mutation?.error !== undefined;
  const isChanged = !isRefused && mutation !== undefined && mutation.changes.length > 0;
  const { attributes, notes } = makeRequest(isChanged ? { ...parts, object: mutation.object } : parts, world.kinds);
  const verdict = isRefused
    ? { ...NO_VERDICT, allowed: false, error: mutation.error }
    : evaluatePolicies(world.policies, attributes, world.context);
  return { attributes, verdict, mutation, notes };
}

/** Validating policies are not asked where a mutating one refuses. */
const NO_VERDICT: Omit<PolicyVerdict, "allowed" | "error"> = {
  warnings: [],
  auditAnnotations: new Map(),
  denials: [],
  traces: [],
  observations: [],
  conditions: [],
};

function mutate(parts: RequestParts, world: World): Mutated | undefined {
  const { hooks, unbound } = world.mutating;
  if (hooks.length + unbound.length === 0) return undefined;
  const { attributes } = makeRequest(parts, world.kinds, { isDraft: true });
  const verdict = mutateFully(world.mutating, attributes, world.context);
  const { object } = attributes;
  const changes = object === undefined || verdict.object === undefined ? [] : changedLines(object, verdict.object);
  return { ...verdict, changes };
}
