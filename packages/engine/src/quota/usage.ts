/** What the objects of a namespace use of a quota. Follows CalculateUsage of apiserver pkg/quota/v1/resources.go. */

import { type Amounts, addAmounts, amountsOf } from "../builtin/limits/pod-resources.ts";
import { objectOf } from "../builtin/object.ts";
import type { JsonObject } from "../value/json.ts";
import type { Quantity } from "../value/quantity.ts";
import { amountsJson, countOf, maskOf } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { countedKinds, evaluatorOf } from "./evaluators.ts";
import { scopesOf } from "./scopes.ts";

/** The objects of a kind in the quota's namespace; undefined if the kind is not served. */
export type ListKind = (group: string, plural: string) => Promise<readonly JsonObject[] | undefined>;

/** The status that the quota should have. */
export async function quotaStatus(quota: JsonObject, list: ListKind, now: string): Promise<JsonObject> {
  const hard = amountsOf(objectOf(quota, "spec")?.["hard"]);
  const used = new Map<string, Quantity>(amountsOf(objectOf(quota, "status")?.["used"]));
  for (const [group, plural] of countedKinds([...hard.keys()])) {
    const evaluator = evaluatorOf(group, plural);
    const names = evaluator?.matchingResources([...hard.keys()]) ?? [];
    const objects = names.length === 0 ? undefined : await list(group, plural);
    if (evaluator === undefined || objects === undefined) continue;
    for (const [name, amount] of usageOf(objects, { quota, evaluator, names, now })) used.set(name, amount);
  }
  const status = Object.create(null) as JsonObject;
  status["hard"] = amountsJson(hard);
  status["used"] = amountsJson(maskOf(used, hard.keys()));
  return status;
}

interface Measure {
  readonly quota: JsonObject;
  readonly evaluator: Evaluator;
  readonly names: readonly string[];
  readonly now: string;
}

function usageOf(objects: readonly JsonObject[], { quota, evaluator, names, now }: Measure): Amounts {
  const { matchesScope = () => false } = evaluator;
  const scopes = scopesOf(quota);
  const used = new Map(names.map((name) => [name, countOf(0)]));
  for (const object of objects) {
    if (!scopes.every((scope) => matchesScope(scope, object))) continue;
    addAmounts(used, maskOf(evaluator.usage(object, now), names));
  }
  return used;
}
