/**
 * Whether a webhook is called for a request.
 *
 * Selectors are applied first, then rules, but selector errors only count if a rule matches; match conditions come
 * last. Follows ShouldCallHook of apiserver pkg/admission/plugin/webhook/generic/webhook.go.
 */
import type { AdmissionAttributes, GroupVersionKind, GroupVersionResource } from "../policy/attributes.ts";
import type { ConditionsObservation } from "../policy/enforce.ts";
import { type MatchContext, type MatchResult, matchNamespace, matchObject, matchRules } from "../policy/match.ts";
import * as reasons from "../policy/reasons.ts";
import { forbidden, internalError, StatusError } from "../status/error.ts";
import { type ConditionsContext, evaluateConditions, type VersionedObjects } from "./conditions.ts";
import * as messages from "./messages.ts";
import type { AdmissionWebhook } from "./webhook.ts";

export interface SelectionContext extends MatchContext, ConditionsContext {
  /** The objects as the given kind; a StatusError if they cannot be converted. */
  readonly versioned: (kind: GroupVersionKind) => VersionedObjects | StatusError;
}

/** What is sent to a webhook: the request with the resource of the matching rule. */
export interface Invocation {
  readonly webhook: AdmissionWebhook;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface Selection {
  /** Undefined if the webhook is not called. */
  readonly invocation?: Invocation | undefined;
  /** Refuses the request. */
  readonly error?: StatusError | undefined;
  /** Match conditions that were false or failed. */
  readonly conditions?: ConditionsObservation | undefined;
  readonly isExcludedByConditions?: boolean;
  /** Why it is called or not. */
  readonly reason: string;
}

export function selectWebhook(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  context: SelectionContext,
): Selection {
  const { criteria } = webhook;
  const byNamespace = matchNamespace(criteria, attributes, context);
  if (byNamespace === false) return { reason: reasons.namespaceNotSelected() };
  const byObject = matchObject(criteria, attributes);
  if (byObject === false) return { reason: reasons.objectNotSelected() };
  const { resourceRules, matchPolicy } = criteria.match;
  const matched = matchRules(resourceRules, matchPolicy ?? "Exact", attributes, context.equivalents);
  if (matched.outcome === "error") return refused(internalError(matched.error));
  if (matched.outcome === "skip") return { reason: ofWebhook(matched.reason) };
  if (byNamespace instanceof StatusError) return refused(byNamespace);
  if (byObject instanceof StatusError) return refused(byObject);
  return applyConditions(webhook, attributes, matched, context);
}

/** Replaces the policies' name for rules. */
function ofWebhook(reason: string): string {
  return reason.replaceAll("resourceRules", "rules");
}

function refused(error: StatusError): Selection {
  return { error, reason: error.message };
}

type Matched = MatchResult & { readonly outcome: "match" };

function applyConditions(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { resource, kind, ...matched }: Matched,
  context: SelectionContext,
): Selection {
  const invocation: Invocation = { webhook, resource, kind };
  const reason = ofWebhook(matched.reason);
  if (webhook.matchConditions.length === 0) return { invocation, reason };
  const versioned = context.versioned(kind);
  if (versioned instanceof StatusError) return refused(versioned);
  const { matches, error, observation, excludedBy } = evaluateConditions(webhook, attributes, versioned, context);
  if (error !== undefined) return { ...refused(forbiddenBy(error, attributes)), conditions: observation };
  if (matches) return { invocation, reason };
  const isFalse = excludedBy === undefined ? messages.conditionsFailed() : messages.conditionFalse(excludedBy);
  return { conditions: observation, isExcludedByConditions: true, reason: isFalse };
}

function forbiddenBy(error: string, { resource, name }: AdmissionAttributes): StatusError {
  return forbidden({ group: resource.group, resource: resource.resource }, name, error);
}
