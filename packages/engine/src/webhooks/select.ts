/**
 * Whether a webhook is asked about a request.
 *
 * Selectors are applied first, then rules, but errors of selectors count only where a rule matches; match conditions come
 * last. Follows ShouldCallHook of apiserver pkg/admission/plugin/webhook/generic/webhook.go.
 */
import type { AdmissionAttributes, GroupVersionKind, GroupVersionResource } from "../policy/attributes.ts";
import type { ConditionsObservation } from "../policy/enforce.ts";
import { type MatchContext, type MatchResult, matchNamespace, matchObject, matchRules } from "../policy/match.ts";
import { forbidden, internalError, StatusError } from "../status/error.ts";
import { type ConditionsContext, evaluateConditions, type VersionedObjects } from "./conditions.ts";
import type { AdmissionWebhook } from "./webhook.ts";

export interface SelectionContext extends MatchContext, ConditionsContext {
  /** The objects as the given kind; a StatusError where they cannot be converted. */
  readonly versioned: (kind: GroupVersionKind) => VersionedObjects | StatusError;
}

/** What a webhook is asked about: the request as the rule that matched names it. */
export interface Invocation {
  readonly webhook: AdmissionWebhook;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface Selection {
  /** Undefined where the webhook is not asked. */
  readonly invocation?: Invocation | undefined;
  /** Refuses the request. */
  readonly error?: StatusError | undefined;
  /** Match conditions that were false or failed. */
  readonly conditions?: ConditionsObservation | undefined;
  readonly isExcludedByConditions?: boolean;
}

const NOT_CALLED: Selection = {};

export function selectWebhook(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  context: SelectionContext,
): Selection {
  const { criteria } = webhook;
  const byNamespace = matchNamespace(criteria, attributes, context);
  if (byNamespace === false) return NOT_CALLED;
  const byObject = matchObject(criteria, attributes);
  if (byObject === false) return NOT_CALLED;
  const { resourceRules, matchPolicy } = criteria.match;
  const matched = matchRules(resourceRules, matchPolicy ?? "Exact", attributes, context.equivalents);
  if (matched.outcome === "error") return { error: internalError(matched.error) };
  if (matched.outcome === "skip") return NOT_CALLED;
  if (byNamespace instanceof StatusError) return { error: byNamespace };
  if (byObject instanceof StatusError) return { error: byObject };
  return applyConditions(webhook, attributes, matched, context);
}

type Matched = MatchResult & { readonly outcome: "match" };

function applyConditions(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { resource, kind }: Matched,
  context: SelectionContext,
): Selection {
  const invocation: Invocation = { webhook, resource, kind };
  if (webhook.matchConditions.length === 0) return { invocation };
  const versioned = context.versioned(kind);
  if (versioned instanceof StatusError) return { error: versioned };
  const { matches, error, observation } = evaluateConditions(webhook, attributes, versioned, context);
  if (error !== undefined) return { error: forbiddenBy(error, attributes), conditions: observation };
  if (!matches) return { conditions: observation, isExcludedByConditions: true };
  return { invocation };
}

function forbiddenBy(error: string, { resource, name }: AdmissionAttributes): StatusError {
  return forbidden({ group: resource.group, resource: resource.resource }, name, error);
}
