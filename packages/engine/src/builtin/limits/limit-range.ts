/**
 * What a LimitRange does to pods and claims: it fills in resources that containers leave open, and refuses what is out of
 * bounds. Follows kubernetes plugin/pkg/admission/limitranger; resources are taken by name, where upstream's order is
 * chance.
 */
import { countWork } from "@portcullis/gostd/work";
import { deepCopy } from "../../value/copy.ts";
import { type JsonObject, newObject, sortedKeys } from "../../value/json.ts";
import { formatQuantity, type Quantity, quantityAt } from "../../value/quantity.ts";
import { inner } from "../defaults/draft.ts";
import * as messages from "../messages.ts";
import { objectOf, objectsOf, textOf } from "../object.ts";
import { type Amounts, amountsOf, podResources, type Resources, resourcesOf } from "./pod-resources.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** The pod with the defaults of the range; the same one where there is nothing to fill in. */
export function applyLimitDefaults(pod: JsonObject, range: JsonObject): JsonObject {
  const items = itemsOf(range).filter((item) => item["type"] === "Container");
  const draft = deepCopy(pod);
  const spec = inner(draft, "spec");
  const notes = CONTAINERS.flatMap(([key, name]) =>
    objectsOf(spec, key).flatMap((container) => fillContainer(container, items, name)),
  );
  if (notes.length === 0) return pod;
  inner(inner(draft, "metadata"), "annotations")[ANNOTATION] = messages.limitRangerSet(notes);
  return draft;
}

const CONTAINERS = [
  ["containers", "container"],
  ["initContainers", "init container"],
] as const;

/** The text of what was filled in. */
function fillContainer(container: JsonObject, items: readonly JsonObject[], name: string): string[] {
  const resources = inner(container, "resources");
  const limits = fillList(resources, "limits", items, "default");
  const requests = fillList(resources, "requests", items, "defaultRequest");
  return [
    ...(requests.length === 0 ? [] : [messages.filledIn(requests, "request", name, textOf(container, "name"))]),
    ...(limits.length === 0 ? [] : [messages.filledIn(limits, "limit", name, textOf(container, "name"))]),
  ];
}

/** Of several items the last counts. */
function fillList(resources: JsonObject, key: string, items: readonly JsonObject[], from: string): string[] {
  const defaults = newObject();
  countWork(WORK_OF_BOUND);
  for (const item of items) Object.assign(defaults, objectOf(item, from));
  const missing = sortedKeys(defaults).filter((name) => objectOf(resources, key)?.[name] === undefined);
  countWork(WORK_OF_BOUND * missing.length);
  for (const name of missing) inner(resources, key)[name] = defaults[name] ?? "0";
  return missing;
}

/** Everything of a pod that is out of the range's bounds. */
export function podLimitProblems(pod: JsonObject, range: JsonObject): string[] {
  const spec = objectOf(pod, "spec") ?? newObject();
  const containers = CONTAINERS.flatMap(([key]) => objectsOf(spec, key)).map(resourcesOf);
  return itemsOf(range).flatMap((item) => {
    if (item["type"] === "Pod") return problemsOf(item, [podResources(spec)]);
    return item["type"] === "Container" ? problemsOf(item, containers) : [];
  });
}

/** Of a claim only what it requests counts. */
export function claimLimitProblems(claim: JsonObject, range: JsonObject): string[] {
  const { requests } = resourcesOf(objectOf(claim, "spec") ?? newObject());
  return itemsOf(range)
    .filter((item) => item["type"] === "PersistentVolumeClaim")
    .flatMap((item) => [
      ...boundsOf(item, "min").flatMap((bound) => tooLittle(bound, { requests, limits: new Map() })),
      ...boundsOf(item, "max").flatMap((bound) => requestTooMuch(bound, requests)),
    ]);
}

function itemsOf(range: JsonObject): JsonObject[] {
  return objectsOf(objectOf(range, "spec"), "limits");
}

/** Of each container in turn. */
function problemsOf(item: JsonObject, containers: readonly Resources[]): string[] {
  const least = boundsOf(item, "min");
  const most = boundsOf(item, "max");
  const ratios = boundsOf(item, "maxLimitRequestRatio");
  return containers.flatMap((resources) => {
    countWork(WORK_OF_BOUND * (least.length + most.length + ratios.length));
    return [
      ...least.flatMap((bound) => tooLittle(bound, resources)),
      ...most.flatMap((bound) => tooMuch(bound, resources)),
      ...ratios.flatMap((bound) => tooFarApart(bound, resources)),
    ];
  });
}

const WORK_OF_BOUND = 50;

/** The amount of a resource that something of a type may have. */
interface Bound {
  readonly type: string;
  readonly resource: string;
  readonly amount: Quantity;
}

function boundsOf(item: JsonObject, key: string): Bound[] {
  const type = textOf(item, "type");
  return [...amountsOf(item[key])].map(([resource, amount]) => ({ type, resource, amount }));
}

function tooLittle({ type, resource, amount }: Bound, { requests, limits }: Resources): string[] {
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const bound = messages.bound("minimum", resource, type, formatQuantity(amount));
  if (request === undefined) return [messages.noneSpecified(bound, "request")];
  const [asked, capped, least] = comparable([request, limit, amount]);
  if (asked < least) return [messages.beyond(bound, "request", formatQuantity(request))];
  return limit !== undefined && capped < least ? [messages.beyond(bound, "limit", formatQuantity(limit))] : [];
}

function tooMuch({ type, resource, amount }: Bound, { requests, limits }: Resources): string[] {
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const bound = messages.bound("maximum", resource, type, formatQuantity(amount));
  if (limit === undefined) return [messages.noneSpecified(bound, "limit")];
  const [asked, capped, most] = comparable([request, limit, amount]);
  if (capped > most) return [messages.beyond(bound, "limit", formatQuantity(limit))];
  return request !== undefined && asked > most ? [messages.beyond(bound, "request", formatQuantity(request))] : [];
}

function requestTooMuch({ type, resource, amount }: Bound, requests: Amounts): string[] {
  const request = requests.get(resource);
  const bound = messages.bound("maximum", resource, type, formatQuantity(amount));
  if (request === undefined) return [messages.noneSpecified(bound, "request")];
  const [asked, , most] = comparable([request, undefined, amount]);
  return asked > most ? [messages.beyond(bound, "request", formatQuantity(request))] : [];
}

function tooFarApart({ type, resource, amount }: Bound, { requests, limits }: Resources): string[] {
  const [request, limit] = [requests.get(resource), limits.get(resource)];
  const bound = messages.ratioBound(resource, type, formatQuantity(amount));
  const [asked, capped] = comparable([request, limit, amount]);
  if (asked === 0n) return [messages.noRatio(bound, "request")];
  if (capped === 0n) return [messages.noRatio(bound, "limit")];
  const ratio = Number(capped) / Number(asked);
  const isFine = quantityAt(amount, 0) <= MAX_MILLI;
  const [found, most] = isFine ? [ratio * 1000, quantityAt(amount, -3)] : [ratio, quantityAt(amount, 0)];
  return found > Number(most) ? [messages.ratioBeyond(bound, ratio.toFixed(6))] : [];
}

/** Whose thousandths still fit an int64. */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

/** In thousandths where no amount is too large for that, and whole otherwise; an absent amount is zero. */
function comparable(
  amounts: readonly [Quantity | undefined, Quantity | undefined, Quantity],
): readonly [bigint, bigint, bigint] {
  const at = (exponent: number): [bigint, bigint, bigint] => {
    const [a, b, c] = amounts;
    return [
      a === undefined ? 0n : quantityAt(a, exponent),
      b === undefined ? 0n : quantityAt(b, exponent),
      quantityAt(c, exponent),
    ];
  };
  const whole = at(0);
  return whole.every((each) => each <= MAX_MILLI) ? at(-3) : whole;
}
