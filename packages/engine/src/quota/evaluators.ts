/**
 * What objects of a kind count for in a quota. Pods, services and claims have rules of their own; of everything else the
 * objects are counted.
 *
 * Follows apiserver pkg/quota/v1/generic and kubernetes pkg/quota/v1/evaluator/core.
 */
import { countOf } from "./amounts.ts";
import { claimEvaluator } from "./claims.ts";
import type { Evaluator } from "./evaluator.ts";
import { podEvaluator } from "./pods.ts";
import { serviceEvaluator } from "./services.ts";

const OWN: Readonly<Record<string, Evaluator>> = {
  pods: podEvaluator,
  services: serviceEvaluator,
  persistentvolumeclaims: claimEvaluator,
};

/** Kinds that can be counted under their plain name too. */
const ALIASES: ReadonlySet<string> = new Set(["configmaps", "replicationcontrollers", "resourcequotas", "secrets"]);

/** What is not stored is not counted, and neither are events. */
const IGNORED: ReadonlySet<string> = new Set([
  ...["bindings.", "componentstatuses.", "events.", "events.events.k8s.io"],
  ...["tokenreviews.authentication.k8s.io", "selfsubjectreviews.authentication.k8s.io"],
  ...["subjectaccessreviews.authorization.k8s.io", "selfsubjectaccessreviews.authorization.k8s.io"],
  ...["localsubjectaccessreviews.authorization.k8s.io", "selfsubjectrulesreviews.authorization.k8s.io"],
]);

/** Undefined for kinds that no quota counts. */
export function evaluatorOf(group: string, plural: string): Evaluator | undefined {
  if (IGNORED.has(`${plural}.${group}`)) return undefined;
  return (group === "" ? OWN[plural] : undefined) ?? countEvaluator(group, plural);
}

function countEvaluator(group: string, plural: string): Evaluator {
  const counted = [countName(group, plural), ...(group === "" && ALIASES.has(plural) ? [plural] : [])];
  return {
    handles: ({ operation, subresource }) => subresource === "" && operation === "CREATE",
    matchingResources: (names) => names.filter((name) => counted.includes(name)),
    usage: () => new Map(counted.map((name) => [name, countOf(1)])),
  };
}

/** Such as `count/deployments.apps`. */
function countName(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}

/** The kinds that the resources of a quota may be about: those with rules of their own, and those that are counted. */
export function countedKinds(names: readonly string[]): (readonly [group: string, plural: string])[] {
  const kinds = new Set(Object.keys(OWN).map((plural) => `${plural}.`));
  for (const name of names) {
    if (name.startsWith("count/")) kinds.add(dotted(name.slice("count/".length)));
    else if (ALIASES.has(name)) kinds.add(`${name}.`);
  }
  return [...kinds].map((kind) => {
    const dot = kind.indexOf(".");
    return [kind.slice(dot + 1), kind.slice(0, dot)];
  });
}

function dotted(kind: string): string {
  return kind.includes(".") ? kind : `${kind}.`;
}
