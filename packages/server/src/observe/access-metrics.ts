/** Who was let in, and how long it took to find out, under upstream's names. Follows apiserver pkg/endpoints/filters/metrics.go. */
import type { Counter, Histogram, Metrics } from "./metrics.ts";

/** From a millisecond on, each twice the last. */
const SECONDS = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
// biome-ignore format: a table
const CERTIFICATE_SECONDS = [0, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 360 * DAY];
const FILTER_SECONDS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];
const KNOWN_USERS: ReadonlySet<string> = new Set([
  "admin",
  "client",
  "kube_proxy",
  "kubelet",
  "system:serviceaccount:kube-system:default",
]);

export class AccessMetrics {
  readonly tokens: TokenMetrics;
  readonly #authentications: Counter;
  readonly #authenticationTimes: Histogram;
  readonly #users: Counter;
  readonly #certificates: Histogram;
  readonly #authorizations: Counter;
  readonly #authorizationTimes: Histogram;
  /** One histogram for all steps before a request is handled. */
  readonly #authenticationFilter: (seconds: number) => void;
  readonly #authorizationFilter: (seconds: number) => void;
  readonly #priorityFilter: (seconds: number) => void;

  constructor(metrics: Metrics) {
    this.tokens = new TokenMetrics(metrics);
    this.#authentications = metrics.counter("authentication_attempts", "Requests by result of authentication.");
    this.#authenticationTimes = metrics.histogram(
      "authentication_duration_seconds",
      "Time of authentication, by result.",
      SECONDS,
    );
    this.#users = metrics.counter("authenticated_user_requests", "Authenticated requests, by well-known user name.");
    this.#certificates = metrics.histogram(
      "apiserver_client_certificate_expiration_seconds",
      "Remaining lifetime of the client certificates of requests.",
      CERTIFICATE_SECONDS,
    );
    this.#certificates.begin({});
    this.#authorizations = metrics.counter("authorization_attempts_total", "Requests by result of authorization.");
    this.#authorizationTimes = metrics.histogram(
      "authorization_duration_seconds",
      "Time of authorization, by result.",
      SECONDS,
    );
    const filters = metrics.histogram(
      "apiserver_request_filter_duration_seconds",
      "Time of a step before a request is handled, by step.",
      FILTER_SECONDS,
    );
    this.#authenticationFilter = filters.observer({ filter: "authentication" });
    this.#authorizationFilter = filters.observer({ filter: "authorization" });
    this.#priorityFilter = filters.observer({ filter: "priorityandfairness" });
  }

  /** `user` is undefined if the credentials are wrong. */
  authentication(user: string | undefined, seconds: number): void {
    const labels = { result: user === undefined ? "failure" : "success" };
    this.#authentications.add(labels);
    this.#authenticationTimes.observe(labels, seconds);
    this.#authenticationFilter(seconds);
    if (user !== undefined) this.#users.add({ username: shortUser(user) });
  }

  certificate(secondsLeft: number): void {
    this.#certificates.observe({}, secondsLeft);
  }

  authorization(isAllowed: boolean, seconds: number): void {
    const labels = { result: isAllowed ? "allowed" : "denied" };
    this.#authorizations.add(labels);
    this.#authorizationTimes.observe(labels, seconds);
    this.#authorizationFilter(seconds);
  }

  /** A request got its seats, at once or after it waited for them. */
  seated(seconds: number): void {
    this.#priorityFilter(seconds);
  }
}

/** Other names would fill the memory, and are nobody's business. */
function shortUser(name: string): string {
  if (KNOWN_USERS.has(name)) return name;
  return name.includes("@") ? "email_id" : "other";
}

/** How a token in a Secret came to be: for its ServiceAccount, by hand, or so long ago that it is no longer valid. */
export type SecretTokenUse = "automatic" | "manual" | "invalidated";

/** Uses of service account tokens in Secrets. Follows kubernetes pkg/serviceaccount/metrics.go. */
export class TokenMetrics {
  readonly #all: Counter;
  readonly #uses: Readonly<Record<SecretTokenUse, Counter>>;

  constructor(metrics: Metrics) {
    const counter = (name: string, help: string): Counter => {
      const made = metrics.counter(`serviceaccount_${name}`, help);
      made.add({}, 0);
      return made;
    };
    this.#all = counter("legacy_tokens_total", "Tokens without audiences that were presented.");
    this.#uses = {
      automatic: counter("legacy_auto_token_uses_total", "Uses of tokens in Secrets that ServiceAccounts list."),
      manual: counter("legacy_manual_token_uses_total", "Uses of tokens in other Secrets."),
      invalidated: counter("invalid_legacy_auto_token_uses_total", "Uses of tokens in Secrets marked as invalid."),
    };
  }

  /** A token with a good signature, before it is validated. */
  presented(): void {
    this.#all.add({});
  }

  used(use: SecretTokenUse): void {
    this.#uses[use].add({});
  }
}
