/**
 * Mutating policies, which proofs do not follow: a request that one of them may change is not used as an example, and
 * sides that change requests in different ways cannot be compared.
 */
import type { AdmissionAttributes, EquivalentResources } from "../policy/attributes.ts";
import type { MatchedPolicy, PolicySet } from "../policy/policy-set.ts";
import { plainAttributes } from "./match-model.ts";
import type { Scenario } from "./sorts/kinds.ts";

export interface Mutations {
  readonly policies: PolicySet<MatchedPolicy>;
  /** Equal for the same policies and bindings. */
  readonly text: string;
}

/** Whether a mutating policy may change the request, by its resource. */
export function mayMutate(
  { policies }: Mutations,
  attributes: AdmissionAttributes,
  equivalents: EquivalentResources,
): boolean {
  return policies.candidates(attributes, equivalents).length > 0;
}

/** Whether one of the sides may change a request that the other one changes differently. */
export function differInMutations(
  left: Mutations,
  right: Mutations,
  scenarios: Iterable<Scenario>,
  equivalents: EquivalentResources,
): boolean {
  if (left.text === right.text) return false;
  for (const scenario of scenarios) {
    const attributes = plainAttributes(scenario);
    if ([left, right].some((each) => mayMutate(each, attributes, equivalents))) return true;
  }
  return false;
}
