/**
 * What is answered to whom: reviews under `/policies/NAME`, `/healthz`, `/readyz`, `/metrics`.
 *
 * A review that cannot be answered gets an HTTP error, never a verdict: the API server then does what the entry's
 * failurePolicy says.
 */
import type { AsyncAuthorizer } from "@portcullis/engine/internal/policy/authorizer";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Discovery } from "./cluster/discovery.ts";
import { problemOf } from "./cluster/reflector.ts";
import * as messages from "./messages.ts";
import type { Metrics } from "./metrics.ts";
import type { ParamKinds } from "./params.ts";
import type { PolicySource } from "./policies.ts";
import {
  decodeReview,
  encodeAllowed,
  encodeAudited,
  encodeVerdict,
  evaluateReview,
  needsFamily,
  type Review,
} from "./review.ts";

export interface WebhookRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  /** Undefined if it is larger than the limit. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
}

export interface WebhookResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface HandlerOptions {
  readonly policies: PolicySource;
  readonly params: ParamKinds;
  readonly discovery: Discovery;
  readonly authorizer: AsyncAuthorizer;
  readonly metrics: Metrics;
  readonly isReady: () => boolean;
  readonly bodyLimit: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onProblem: (problem: string) => void;
  /** Allows everything and reports what would be denied to this function. */
  readonly onAudited?: ((text: string) => void) | undefined;
  /** Gets each review that was answered, and the answer. */
  readonly record?: ((review: Uint8Array, answer: string) => void) | undefined;
}

const PLAIN = "text/plain; charset=utf-8";
const POLICIES = "/policies/";
/** As long as the API server itself waits for parameters. */
const PARAM_WAIT_MS = 1_000;

export class Handler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  async handle(request: WebhookRequest): Promise<WebhookResponse> {
    const { metrics, isReady } = this.#options;
    const { path } = request;
    if (path.startsWith(POLICIES)) return this.#timed(request, path.slice(POLICIES.length));
    if (path === "/healthz" || path === "/livez") return plain(200, "ok");
    if (path === "/readyz") return isReady() ? plain(200, "ok") : plain(503, messages.notSynced());
    if (path !== "/metrics") return plain(404, messages.noSuchPage());
    metrics.set("portcullis_webhook_ready", isReady() ? 1 : 0);
    return { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: metrics.text() };
  }

  async #timed(request: WebhookRequest, policy: string): Promise<WebhookResponse> {
    const { metrics, now, onProblem } = this.#options;
    const start = now();
    try {
      return await this.#answer(request, policy);
    } catch (error) {
      onProblem(problemOf(error));
      metrics.count("portcullis_webhook_reviews_total", { policy: this.#knownName(policy), outcome: "error" });
      return plain(500, problemOf(error));
    } finally {
      metrics.observe("portcullis_webhook_review_duration_seconds", (now() - start) / 1000);
    }
  }

  /** Names that callers make up must not fill the memory. */
  #knownName(policy: string): string {
    return this.#options.policies.isReady && this.#options.policies.state().sets.has(policy) ? policy : "";
  }

  async #answer(request: WebhookRequest, policy: string): Promise<WebhookResponse> {
    const { policies, bodyLimit } = this.#options;
    if (request.method !== "POST") return plain(405, messages.onlyPost());
    if (!/^application\/json\b/.test(request.contentType)) return plain(415, messages.onlyJson());
    const body = await request.readBody();
    if (body === undefined) return plain(413, messages.bodyTooLarge(bodyLimit));
    const review = decodeReview(body);
    if (typeof review === "string") return plain(400, review);
    if (!policies.isReady) return plain(503, messages.notSynced());
    const set = policies.state().sets.get(policy);
    const response = await (set === undefined
      ? this.#answerUnknown(policy, review)
      : this.#evaluate(policy, review, set));
    if (response.status === 200) this.#options.record?.(body, response.body);
    return response;
  }

  /** The policy may be gone, its entry being the last to know, or so new that another replica was first to hear. */
  async #answerUnknown(policy: string, review: Review): Promise<WebhookResponse> {
    if (await this.#options.policies.existsNow(policy)) return plain(503, messages.policyNotSynced(policy));
    return json(encodeAllowed(review));
  }

  async #evaluate(policy: string, review: Review, set: PolicySet): Promise<WebhookResponse> {
    const { params, discovery, authorizer } = this.#options;
    const [hook] = set.hooks;
    if (hook === undefined) return json(encodeAllowed(review));
    await params.settled(hook.policy, PARAM_WAIT_MS);
    const family = needsFamily(set) ? await discovery.family(review.attributes.resource) : [];
    const namespace = await this.#namespaces(review);
    const verdict = await evaluateReview(review, set, {
      params,
      namespace,
      authorizer,
      family,
      clock: () => this.#options.now() / 1000,
    });
    this.#count(policy, verdict);
    const { onAudited } = this.#options;
    if (onAudited === undefined) return json(encodeVerdict(review, policy, verdict));
    if (verdict.error !== undefined) onAudited(messages.wouldDeny(policy, review.attributes, verdict.error.message));
    return json(encodeAudited(review, policy, verdict));
  }

  /** A namespace that was made only just now is asked for; memory may not have it yet. */
  async #namespaces({ attributes }: Review): Promise<(name: string) => JsonObject | undefined> {
    const { policies } = this.#options;
    const own = attributes.namespace;
    const found = own === "" ? undefined : await policies.namespaceNow(own);
    return (name) => policies.namespace(name) ?? (name === own ? found : undefined);
  }

  #count(policy: string, { allowed, observations }: PolicyVerdict): void {
    const { metrics } = this.#options;
    metrics.count("portcullis_webhook_reviews_total", { policy, outcome: allowed ? "allowed" : "denied" });
    for (const { policy: name, binding, action, errorType, elapsed } of observations) {
      const labels = { enforcement_action: action, error_type: errorType, policy: name, policy_binding: binding };
      metrics.count("apiserver_validating_admission_policy_check_total", labels);
      metrics.observe("apiserver_validating_admission_policy_check_duration_seconds", elapsed, labels);
    }
  }
}

function json(body: string): WebhookResponse {
  return { status: 200, type: "application/json", body };
}

function plain(status: number, text: string): WebhookResponse {
  return { status, type: PLAIN, body: `${text}\n` };
}
