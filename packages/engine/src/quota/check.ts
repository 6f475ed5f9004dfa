/**
 * Whether a write stays within the quotas of its namespace, and what they have used up afterwards.
 *
 * Follows CheckRequest of apiserver pkg/admission/plugin/resourcequota/controller.go.
 */

import { countWork } from "@portcullis/gostd/work";
import { type Amounts, amountsOf } from "../builtin/limits/pod-resources.ts";
import { metaOf, objectOf, textOf } from "../builtin/object.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { signOf } from "../value/quantity.ts";
import {
  formatAmounts,
  increaseOf,
  isEqualTo,
  maskOf,
  namesBeyond,
  namesOfNegative,
  sumOf,
  withoutZeros,
} from "./amounts.ts";
import type { Evaluator, QuotaRequest } from "./evaluator.ts";
import * as messages from "./messages.ts";
import { formatScope, type ScopeRequirement, scopesOf } from "./scopes.ts";

/** Resources that may be used only within a quota that limits them. */
export interface LimitedResource {
  readonly group: string;
  readonly plural: string;
  /** Parts of the names of resources. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** What a quota would have used after the write. */
export interface Charge {
  readonly quota: JsonObject;
  readonly used: Amounts;
}

export type QuotaVerdict =
  | { readonly charges: readonly Charge[]; readonly problem?: undefined }
  /** `isForbidden` is false for what upstream reports as an internal error. */
  | { readonly problem: string; readonly isForbidden: boolean };

const NOTHING: QuotaVerdict = { charges: [] };

export function checkQuotas(
  quotas: readonly JsonObject[],
  request: QuotaRequest,
  evaluator: Evaluator,
  limited: readonly LimitedResource[] = [],
): QuotaVerdict {
  if (!evaluator.handles(request)) return NOTHING;
  const { object, now } = request;
  const matching = quotas.filter((quota) => matches(quota, object, evaluator));
  for (const quota of matching) {
    const problem = problemOf(quota, object, evaluator);
    if (problem !== undefined) return forbid(problem);
  }
  const usage = evaluator.usage(object, now);
  const negative = namesOfNegative(usage);
  if (negative.length > 0) return forbid(messages.negativeUsage(negative.sort()));
  const delta = usageDelta(request, evaluator, usage);
  const deltas = matching.map((quota) => ({ quota, delta: deltaFor(quota, request, evaluator, { usage, delta }) }));
  const changed = deltas.filter((each) => each.delta.size > 0);
  if (matching.length > 0 ? changed.length === 0 : delta.size === 0) return NOTHING;
  return uncovered(quotas, matching, { request, evaluator, limited }) ?? charge(changed, request);
}

function forbid(problem: string): QuotaVerdict {
  return { problem, isForbidden: true };
}

function hardOf(quota: JsonObject): Amounts {
  return knownAmounts(objectOf(quota, "status")?.["hard"]);
}

function usedOf(quota: JsonObject): Amounts {
  return knownAmounts(objectOf(quota, "status")?.["used"]);
}

/** A namespace may have many quotas, whose amounts are read several times for each write. Quotas are never mutated. */
const known = new WeakMap<object, Amounts>();

function knownAmounts(list: JsonValue | undefined): Amounts {
  if (!isObject(list)) return amountsOf(list);
  let amounts = known.get(list);
  if (amounts === undefined) {
    amounts = amountsOf(list);
    countWork(WORK_OF_AMOUNT * amounts.size);
    known.set(list, amounts);
  }
  countWork(amounts.size);
  return amounts;
}

const WORK_OF_AMOUNT = 20;

function matches(quota: JsonObject, object: JsonObject, evaluator: Evaluator): boolean {
  const { matchesScope = () => false } = evaluator;
  if (evaluator.matchingResources([...hardOf(quota).keys()]).length === 0) return false;
  return scopesOf(quota).every((scope) => matchesScope(scope, object));
}

function problemOf(quota: JsonObject, object: JsonObject, evaluator: Evaluator): string | undefined {
  const name = textOf(metaOf(quota), "name");
  const restricted = evaluator.matchingResources([...hardOf(quota).keys()]);
  const missing = evaluator.constraint?.(restricted, object);
  if (missing !== undefined) return messages.failedQuota(name, missing);
  const used = usedOf(quota);
  const isKnown = restricted.every((resource) => used.has(resource));
  return isKnown ? undefined : messages.statusUnknown(name, restricted.sort());
}

/** What the write adds, without what it leaves as it was. */
function usageDelta({ operation, old, now }: QuotaRequest, evaluator: Evaluator, usage: Amounts): Amounts {
  const isChange = operation === "UPDATE" && old !== undefined && textOf(metaOf(old), "resourceVersion") !== "";
  return withoutZeros(isChange ? increaseOf(usage, evaluator.usage(old, now)) : usage);
}

interface Usage {
  readonly usage: Amounts;
  readonly delta: Amounts;
}

/** An object that did not count for this quota before counts as a whole. */
function deltaFor(quota: JsonObject, { old }: QuotaRequest, evaluator: Evaluator, { usage, delta }: Usage): Amounts {
  return old === undefined || matches(quota, old, evaluator) ? delta : withoutZeros(usage);
}

interface Limits {
  readonly request: QuotaRequest;
  readonly evaluator: Evaluator;
  readonly limited: readonly LimitedResource[];
}

/** Resources and scopes that may only be used within a quota, where there is none for them. */
function uncovered(quotas: readonly JsonObject[], matching: readonly JsonObject[], limits: Limits) {
  const { request, evaluator, limited } = limits;
  const covered = new Set(matching.flatMap((quota) => evaluator.matchingResources([...hardOf(quota).keys()])));
  const names = limitedNames(limits).filter((name) => !covered.has(name));
  if (names.length > 0) return forbid(messages.noCoveringQuota([...new Set(names)].sort()));
  const { matchesScope } = evaluator;
  if (matchesScope === undefined) return undefined;
  const isMatch = (scope: ScopeRequirement): boolean => matchesScope(scope, request.object);
  const coveredScopes = new Set(
    quotas
      .flatMap(scopesOf)
      .filter(isMatch)
      .map(({ scopeName }) => scopeName),
  );
  const scopes = limited.flatMap(({ matchScopes }) => matchScopes).filter(isMatch);
  const left = scopes.filter(({ scopeName }) => !coveredScopes.has(scopeName));
  if (left.length === 0) return undefined;
  return { problem: messages.noCoveringScopes(left.map(formatScope)), isForbidden: false };
}

function limitedNames({ request, evaluator, limited }: Limits): string[] {
  const ours = limited.filter(({ group, plural }) => group === request.group && plural === request.plural);
  if (ours.length === 0) return [];
  const used = [...evaluator.usage(request.object, request.now)].filter(([, amount]) => signOf(amount) > 0);
  return ours.flatMap(({ matchContains }) =>
    used.map(([name]) => name).filter((name) => matchContains.some((part) => name.includes(part))),
  );
}

interface Change {
  readonly quota: JsonObject;
  readonly delta: Amounts;
}

function charge(changes: readonly Change[], { subresource }: QuotaRequest): QuotaVerdict {
  const charges: Charge[] = [];
  for (const { quota, delta } of changes) {
    const [hard, before] = [hardOf(quota), usedOf(quota)];
    const requested = maskOf(delta, hard.keys());
    const used = sumOf(before, requested);
    const beyond = subresource === "status" ? [] : namesBeyond(maskOf(used, requested.keys()), hard);
    if (beyond.length > 0) {
      const [name, format] = [textOf(metaOf(quota), "name"), (each: Amounts) => formatAmounts(maskOf(each, beyond))];
      const texts = { requested: format(requested), used: format(before), limited: format(hard) };
      return forbid(messages.exceeded({ quota: name, ...texts }));
    }
    if (!isEqualTo(used, before)) charges.push({ quota, used });
  }
  return { charges };
}
