/**
 * Resources of a pod as a whole that are not given, from those of its containers. Follows pkg/apis/core/v1/defaults.go
 * and, since 1.37, DefaultPodLevelResources of pkg/api/pod, which runs after webhooks and completes limits, too.
 */
import { deepCopy } from "../../value/copy.ts";
import { isEnabled } from "../../value/gates.ts";
import { type JsonObject, newObject } from "../../value/json.ts";
import { formatQuantity, parseQuantity, type Quantity } from "../../value/quantity.ts";
import { type AmountKind, amountsIn, containerSum, larger } from "../container-sums.ts";
import { has, objectOf, objectsOf, textOf } from "../object.ts";
import { type Draft, fill, inner } from "./draft.ts";

const FIXED = "PodLevelResourcesFixDefaulting";

/** When a pod is decoded. */
export function fillPodResources(spec: Draft): void {
  if (!isEnabled("PodLevelResources") || isEnabled(FIXED) || isNothing(spec)) return;
  fillHugePages(spec);
  if (hasAmounts(spec, "limits")) fillRequests(spec);
}

/** When a pod is created or resized. */
export function completePodResources(spec: Draft): void {
  if (!isEnabled("PodLevelResources") || !isEnabled(FIXED) || isNothing(spec)) return;
  fillHugePages(spec);
  fillRequests(spec);
  fillLimits(spec);
}

/** Clients that do not know these resources leave them out of updates. */
export function keepPodResources(spec: Draft, before: JsonObject | undefined): void {
  const resources = objectOf(before, "resources");
  if (isEnabled(FIXED) && resources !== undefined) fill(spec, "resources", deepCopy(resources));
}

/** Whether the resources of the pod, and not those of its containers, make its class. */
export function hasOwnResources(spec: JsonObject): boolean {
  if (!isEnabled("PodLevelResources") || objectOf(spec, "resources") === undefined) return false;
  if (!isEnabled("PodLevelResourcesFixKubeletQOSClass")) return true;
  return KINDS.some((kind) => Object.keys(amountsIn(spec, kind)).some(isSupported));
}

const KINDS: readonly AmountKind[] = ["requests", "limits"];
const COMPUTE = ["cpu", "memory"];
const HUGE_PAGES = "hugepages-";

function isSupported(name: string): boolean {
  return COMPUTE.includes(name) || name.startsWith(HUGE_PAGES);
}

function isNothing(spec: JsonObject): boolean {
  return !KINDS.some((kind) => hasAmounts(spec, kind));
}

function hasAmounts(spec: JsonObject, kind: AmountKind): boolean {
  return Object.keys(amountsIn(spec, kind)).length > 0;
}

function fillHugePages(spec: Draft): void {
  const containers = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
  const names = new Set(containers.flatMap((container) => Object.keys(amountsIn(container, "limits"))));
  for (const name of names) {
    const isGiven = has(amountsIn(spec, "requests"), name);
    if (name.startsWith(HUGE_PAGES) && !isGiven) fillAmount(spec, "limits", name, containerSum(spec, "limits", name));
  }
}

function fillRequests(spec: Draft): void {
  for (const name of COMPUTE) fillAmount(spec, "requests", name, containerSum(spec, "requests", name));
  for (const [name, limit] of Object.entries(amountsIn(spec, "limits"))) {
    if (isSupported(name)) fillAmount(spec, "requests", name, parseQuantity(String(limit)).value);
  }
}

/** Only where every container has a limit; at least what is requested. */
function fillLimits(spec: Draft): void {
  const containers = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
  const everyContainer = [...containers, ...objectsOf(spec, "ephemeralContainers")];
  for (const name of Object.keys(amountsIn(spec, "requests")).filter(isSupported)) {
    if (!everyContainer.every((container) => has(amountsIn(container, "limits"), name))) continue;
    const request = parseQuantity(textOf(amountsIn(spec, "requests"), name)).value;
    fillAmount(spec, "limits", name, larger(containerSum(spec, "limits", name), request));
  }
}

function fillAmount(spec: Draft, kind: AmountKind, name: string, amount: Quantity | undefined): void {
  if (amount === undefined) return;
  const resources = inner(spec, "resources");
  const amounts = objectOf(resources, kind) ?? newObject();
  fill(amounts, name, formatQuantity(amount));
  resources[kind] = amounts;
}
