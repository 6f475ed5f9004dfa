/** What pods count for: themselves, and their compute resources while they run. Follows evaluator/core/pods.go. */
import { parseRfc3339 } from "@portcullis/gostd/time";
import {
  type Amounts,
  addAmounts,
  amountsOf,
  isPodLevel,
  podResources,
  resourcesOf,
} from "../builtin/limits/pod-resources.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../builtin/object.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { addQuantities, isZero, type Quantity } from "../value/quantity.ts";
import { countOf } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { mustSpecify } from "./messages.ts";
import { matchesName, type ScopeRequirement } from "./scopes.ts";

const COUNT = "count/pods";
/** What every container must request where a quota limits it. */
const REQUIRED: ReadonlySet<string> = new Set([
  ...["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"],
]);
const RESOURCES: ReadonlySet<string> = new Set([
  ...[COUNT, "pods", ...REQUIRED],
  ...["ephemeral-storage", "requests.ephemeral-storage", "limits.ephemeral-storage"],
]);
const HUGE = "hugepages-";
const REQUESTS = "requests.";
const DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

export const podEvaluator: Evaluator = {
  handles: ({ operation, subresource, object, old }) => {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    const isScopeChanged = old !== undefined && isTerminating(old) !== isTerminating(object);
    return operation === "CREATE" || (operation === "UPDATE" && isScopeChanged);
  },
  matchingResources: (names) => names.filter(isPodResource),
  matchesScope,
  constraint: missingResources,
  usage: podUsage,
};

function isPodResource(name: string): boolean {
  if (RESOURCES.has(name) || name.startsWith(HUGE) || name.startsWith(REQUESTS + HUGE)) return true;
  const isOther = name.includes("/") && !name.includes("kubernetes.io/");
  return name.startsWith(REQUESTS) && (isOther || name.startsWith(REQUESTS + DEVICE_CLASS));
}

function matchesScope(scope: ScopeRequirement, pod: JsonObject): boolean {
  const className = textOf(objectOf(pod, "spec"), "priorityClassName");
  switch (scope.scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return matchesName(scope, className === "" ? undefined : className);
    case "CrossNamespacePodAffinity":
      return hasCrossNamespaceAffinity(pod);
    default:
      return false;
  }
}

/** The name of the scope: a pod that ends by itself. */
function isTerminating(pod: JsonObject): boolean {
  const spec = objectOf(pod, "spec");
  return has(spec, "activeDeadlineSeconds") && numberOf(spec, "activeDeadlineSeconds") >= 0;
}

function isBestEffort(pod: JsonObject): boolean {
  return textOf(objectOf(pod, "status"), "qosClass") === "BestEffort";
}

function hasCrossNamespaceAffinity(pod: JsonObject): boolean {
  const affinity = objectOf(objectOf(pod, "spec"), "affinity");
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const rules = objectOf(affinity, kind);
    const preferred = objectsOf(rules, "preferredDuringSchedulingIgnoredDuringExecution");
    const terms = [
      ...objectsOf(rules, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...preferred.map((each) => objectOf(each, "podAffinityTerm") ?? newObject()),
    ];
    return terms.some(crossesNamespaces);
  });
}

function crossesNamespaces(term: JsonObject): boolean {
  return textsOf(term, "namespaces").length > 0 || isObject(term["namespaceSelector"]);
}

function missingResources(resources: readonly string[], pod: JsonObject): string | undefined {
  const spec = objectOf(pod, "spec");
  if (hasPodResources(spec)) return undefined;
  const required = resources.filter((name) => REQUIRED.has(name)).sort();
  const containers = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
  const missing = required.flatMap((name) => {
    const without = containers.filter((each) => !computeUsage(resourcesOf(each)).has(name));
    const names = [...new Set(without.map((each) => textOf(each, "name")))].sort();
    return names.length === 0 ? [] : [[name, names] as const];
  });
  return missing.length === 0 ? undefined : mustSpecify(missing);
}

function hasPodResources(spec: JsonObject | undefined): boolean {
  const resources = objectOf(spec, "resources");
  return ["requests", "limits"].some((kind) => {
    const names = Object.keys(objectOf(resources, kind) ?? {});
    return names.some(isPodLevel);
  });
}

function podUsage(pod: JsonObject, now: string): Amounts {
  const counted = new Map([[COUNT, countOf(1)]]);
  return isOver(pod, now) ? counted : new Map([...counted, ...computeUsage(totalOf(pod))]);
}

/** With the overhead of the pod itself. */
function totalOf(pod: JsonObject) {
  const spec = objectOf(pod, "spec") ?? newObject();
  const overhead = amountsOf(spec["overhead"]);
  const { requests, limits } = podResources(spec);
  const asked = new Map(requests);
  addAmounts(asked, overhead);
  const limited = [...limits].map(([name, limit]) => [name, plus(limit, overhead.get(name))] as const);
  return { requests: asked, limits: new Map(limited) };
}

function plus(limit: Quantity, overhead: Quantity | undefined): Quantity {
  return overhead === undefined || isZero(limit) ? limit : addQuantities(limit, overhead);
}

function computeUsage({ requests, limits }: { readonly requests: Amounts; readonly limits: Amounts }): Amounts {
  const usage = new Map([["pods", countOf(1)]]);
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) usage.set(name, request).set(REQUESTS + name, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith(HUGE)) usage.set(name, request).set(REQUESTS + name, request);
    else if (isExtended(name)) usage.set(REQUESTS + name, request);
  }
  return usage;
}

function isExtended(name: string): boolean {
  if (name.startsWith(DEVICE_CLASS)) return true;
  return name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith(REQUESTS);
}

/** Pods that are done, and those that should be gone, do not use anything. */
function isOver(pod: JsonObject, now: string): boolean {
  const phase = textOf(objectOf(pod, "status"), "phase");
  if (phase === "Failed" || phase === "Succeeded") return true;
  const [end, time] = [parseRfc3339(textOf(metaOf(pod), "deletionTimestamp")).value, parseRfc3339(now).value];
  if (end === undefined || time === undefined || !has(metaOf(pod), "deletionGracePeriodSeconds")) return false;
  return time.seconds > end.seconds + BigInt(numberOf(metaOf(pod), "deletionGracePeriodSeconds"));
}
