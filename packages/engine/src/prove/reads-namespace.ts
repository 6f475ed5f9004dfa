/** Whether policies read the namespace of a request, which a new namespace with a generated name does not have. */
import type { PolicyHook, PolicySet } from "../policy/policy-set.ts";

/** The other members of `request`. */
const OTHERS =
  "name|operation|userInfo|kind|resource|subResource|requestKind|requestResource|requestSubResource|dryRun|options";

const READS = new RegExp(`\\brequest\\b(?!\\s*\\.\\s*(?:${OTHERS})\\b)`);

const known = new WeakMap<PolicySet, boolean>();

/** False only if they certainly do not. */
export function readsNamespace(policies: PolicySet): boolean {
  const before = known.get(policies);
  if (before !== undefined) return before;
  const isRead = policies.hooks.some((hook) => expressionsOf(hook).some((text) => READS.test(text)));
  known.set(policies, isRead);
  return isRead;
}

function expressionsOf({ policy }: PolicyHook): string[] {
  const { variables, matchConditions, validations, auditAnnotations } = policy;
  return [
    ...[...variables, ...matchConditions, ...validations].map(({ expression }) => expression),
    ...auditAnnotations.map(({ valueExpression }) => valueExpression),
  ];
}
