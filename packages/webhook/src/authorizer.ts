/**
 * The cluster's own authorizer, asked by SubjectAccessReview.
 *
 * Answers are kept for a short time, so a change of rights takes that long to be seen. What could not be asked is an
 * error for this once and is not kept.
 */

import { type AsyncAuthorizer, questionKey } from "@portcullis/engine/internal/policy/authorizer";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import type { AuthorizationAttributes, AuthorizationDecision } from "@portcullis/engine/kubecel";
import { problemOf } from "./cluster/reflector.ts";

export interface AccessOptions {
  /** Posts a SubjectAccessReview and returns it answered. */
  readonly review: (review: JsonObject) => Promise<JsonObject>;
  readonly now: () => number;
  readonly lifetimeMs?: number;
  readonly onAsk?: () => void;
}

export const ACCESS_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

const LIFETIME_MS = 10_000;
const MOST_ANSWERS = 10_000;

interface Kept {
  readonly at: number;
  readonly answer: Promise<AuthorizationDecision>;
}

export function accessAuthorizer({ review, now, lifetimeMs = LIFETIME_MS, onAsk }: AccessOptions): AsyncAuthorizer {
  const kept = new Map<string, Kept>();
  return (attributes) => {
    const key = questionKey(attributes);
    const known = kept.get(key);
    if (known !== undefined && now() - known.at < lifetimeMs) return known.answer;
    const answer = requestDecision(attributes, review).catch((error: unknown) => {
      kept.delete(key);
      return { decision: "noOpinion" as const, reason: "", error: problemOf(error) };
    });
    onAsk?.();
    kept.delete(key);
    kept.set(key, { at: now(), answer });
    dropOldest(kept);
    return answer;
  };
}

/** A map keeps the order in which things were put in. */
function dropOldest(kept: Map<string, Kept>): void {
  if (kept.size <= MOST_ANSWERS) return;
  for (const key of kept.keys()) {
    kept.delete(key);
    return;
  }
}

async function requestDecision(
  attributes: AuthorizationAttributes,
  review: AccessOptions["review"],
): Promise<AuthorizationDecision> {
  const status = objectOf((await review(reviewOf(attributes)))["status"]);
  const decision = status["allowed"] === true ? "allow" : status["denied"] === true ? "deny" : "noOpinion";
  return { decision, reason: textOf(status["reason"]), error: textOf(status["evaluationError"]) || undefined };
}

export function reviewOf(attributes: AuthorizationAttributes): JsonObject {
  const { user, verb } = attributes;
  const where = attributes.resourceRequest
    ? { resourceAttributes: resourceAttributes(attributes) }
    : { nonResourceAttributes: { verb, path: attributes.path } };
  return objectOf(
    fromPlain({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: user.name,
        uid: user.uid || undefined,
        groups: user.groups,
        extra: Object.fromEntries(user.extra),
        ...where,
      },
    }),
  );
}

function resourceAttributes(attributes: AuthorizationAttributes): Record<string, unknown> {
  const { verb, apiGroup, apiVersion, resource, subresource, namespace, name } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  return {
    verb,
    group: apiGroup,
    version: apiVersion,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector: fieldSelector === "" ? undefined : { rawSelector: fieldSelector },
    labelSelector: labelSelector === "" ? undefined : { rawSelector: labelSelector },
  };
}
