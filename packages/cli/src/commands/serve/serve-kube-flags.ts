/**
 * kube-apiserver's flags: which exist, and which need a value.
 *
 * A flag without effect here is accepted and reported on standard error. A flag that protects something is refused,
 * because ignoring it would grant access or reveal data.
 */

/** Flags with an effect, by kind. Lists may be repeated and are split at commas. */
export const USED: Readonly<Record<string, "text" | "list" | "switch">> = {
  "admission-control-config-file": "text",
  "advertise-address": "text",
  "allow-privileged": "switch",
  "anonymous-auth": "switch",
  "api-audiences": "list",
  "audit-log-path": "text",
  "audit-policy-file": "text",
  "authentication-token-webhook-cache-ttl": "text",
  "authentication-token-webhook-config-file": "text",
  "authentication-token-webhook-version": "text",
  "authorization-config": "text",
  "authorization-mode": "list",
  "authorization-policy-file": "text",
  "authorization-webhook-cache-authorized-ttl": "text",
  "authorization-webhook-cache-unauthorized-ttl": "text",
  "authorization-webhook-config-file": "text",
  "authorization-webhook-version": "text",
  "bind-address": "text",
  "cert-dir": "text",
  "client-ca-file": "text",
  "disable-admission-plugins": "list",
  "enable-admission-plugins": "list",
  "emulated-version": "text",
  "etcd-cafile": "text",
  "etcd-certfile": "text",
  "etcd-compaction-interval": "text",
  "etcd-keyfile": "text",
  "etcd-prefix": "text",
  "etcd-servers": "list",
  "enable-priority-and-fairness": "switch",
  "feature-gates": "list",
  "max-mutating-requests-inflight": "text",
  "max-requests-inflight": "text",
  "proxy-client-cert-file": "text",
  "proxy-client-key-file": "text",
  "default-not-ready-toleration-seconds": "text",
  "default-unreachable-toleration-seconds": "text",
  "request-timeout": "text",
  "requestheader-allowed-names": "list",
  "requestheader-client-ca-file": "text",
  "requestheader-extra-headers-prefix": "list",
  "requestheader-group-headers": "list",
  "requestheader-uid-headers": "list",
  "requestheader-username-headers": "list",
  "runtime-config": "list",
  "secure-port": "text",
  "service-account-issuer": "list",
  "service-account-key-file": "list",
  "service-account-signing-key-file": "text",
  "service-cluster-ip-range": "text",
  "service-node-port-range": "text",
  "strict-transport-security-directives": "list",
  "tls-cert-file": "text",
  "tls-cipher-suites": "list",
  "tls-min-version": "text",
  "tls-private-key-file": "text",
  "tracing-config-file": "text",
  "token-auth-file": "text",
  // Our own, and one of kube-controller-manager.
  controllers: "list",
  "in-memory": "switch",
  "service-address": "list",
};

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Security flags: users would not notice that they are missing. */
const REFUSED = words(`
  admission-control audit-webhook-config-file authentication-config
  egress-selector-config-file encryption-provider-config oidc-issuer-url service-account-max-token-expiration service-account-signing-endpoint
  tls-curve-preferences tls-sni-cert-key`);

/** The same for switches, unless they are off. */
const REFUSED_IF_ON = words("disable-http2-serving enable-bootstrap-token-auth");

/** Commonly passed, and consistent with what the server does. */
const QUIET = words(`
  endpoint-reconciler-type event-ttl
  enable-garbage-collector log-flush-frequency logging-format profiling shutdown-delay-duration storage-backend
  storage-media-type v vmodule
  watch-cache watch-cache-sizes`);

const SWITCHES = words(`
  aggregator-reject-forwarding-redirect audit-log-batch-throttle-enable audit-log-compress
  audit-log-truncate-enabled audit-webhook-batch-throttle-enable audit-webhook-truncate-enabled contention-profiling
  disable-http2-serving emulation-forward-compatible enable-aggregator-routing enable-bootstrap-token-auth
  enable-garbage-collector enable-logs-handler encryption-provider-config-automatic-reload
  log-json-split-stream log-text-split-stream permit-address-sharing permit-port-sharing profiling
  runtime-config-emulation-forward-compatible service-account-extend-token-expiration service-account-lookup
  shutdown-send-retry-after watch-cache`);

const WITH_VALUE = words(`
  admission-control allow-metric-labels allow-metric-labels-manifest
  audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-max-wait audit-log-batch-throttle-burst
  audit-log-batch-throttle-qps audit-log-format audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-mode
  audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-log-version audit-webhook-batch-buffer-size
  audit-webhook-batch-max-size audit-webhook-batch-max-wait audit-webhook-batch-throttle-burst
  audit-webhook-batch-throttle-qps audit-webhook-config-file audit-webhook-initial-backoff audit-webhook-mode
  audit-webhook-truncate-max-batch-size audit-webhook-truncate-max-event-size audit-webhook-version
  authentication-config coordinated-leadership-lease-duration
  coordinated-leadership-renew-deadline coordinated-leadership-retry-period cors-allowed-origins debug-socket-path
  default-watch-cache-size delete-collection-workers
  disabled-metrics egress-selector-config-file
  encryption-provider-config endpoint-reconciler-type etcd-count-metric-poll-period
  etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout etcd-servers-overrides event-ttl
  external-hostname goaway-chance http2-max-streams-per-connection kubelet-certificate-authority
  kubelet-client-certificate kubelet-client-key kubelet-preferred-address-types kubelet-timeout
  kubernetes-service-node-port lease-reuse-duration-seconds livez-grace-period log-flush-frequency
  log-json-info-buffer-size log-text-info-buffer-size logging-format max-connection-bytes-per-sec
  min-compatibility-version min-request-timeout oidc-ca-file
  oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-required-claim oidc-signing-algs
  oidc-username-claim oidc-username-prefix peer-advertise-ip peer-advertise-port peer-ca-file service-account-jwks-uri service-account-max-token-expiration
  service-account-signing-endpoint show-hidden-metrics-for-version shutdown-delay-duration
  shutdown-watch-termination-grace-period storage-backend storage-initialization-timeout storage-media-type
  tls-curve-preferences tls-sni-cert-key
  v vmodule watch-cache-sizes`);

export interface KubeFlags {
  /** All values of a flag; lists are split at commas. */
  all(name: string): readonly string[];
  /** The last value. */
  text(name: string): string | undefined;
  /** Undefined if it was not given. */
  isOn(name: string): boolean | undefined;
  /** All flags that were given, with their values as pflag prints them. */
  readonly given: ReadonlyMap<string, string>;
  /** The flags that were ignored. */
  readonly ignored: readonly string[];
}

/** Throws an Error with pflag's message. */
export function parseKubeFlags(args: readonly string[]): KubeFlags {
  const values = new Map<string, string[]>();
  const ignored: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [, name = "", inline] = /^(?:--|-(?=v(?:=|$)))([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === "") throw new Error(arg.startsWith("-") ? `bad flag syntax: ${arg}` : `unknown command "${arg}"`);
    const value = inline ?? (isSwitch(name) ? "true" : args[++at]);
    if (!isKnown(name)) throw new Error(`unknown flag: --${name}`);
    if (REFUSED.has(name)) throw new Error(`--${name} is not supported and cannot be ignored`);
    if (value === undefined) throw new Error(`flag needs an argument: --${name}`);
    if (REFUSED_IF_ON.has(name) && value !== "false")
      throw new Error(`--${name} is not supported and cannot be ignored`);
    if (!(name in USED) && !QUIET.has(name)) ignored.push(name);
    const parts = USED[name] !== "list" ? [value] : value === "" ? [] : value.split(",");
    values.set(name, [...(values.get(name) ?? []), ...parts]);
  }
  const all = (name: string): readonly string[] => values.get(name) ?? [];
  const text = (name: string): string | undefined => all(name).at(-1);
  const isOn = (name: string): boolean | undefined => (text(name) === undefined ? undefined : text(name) === "true");
  const shown = (name: string, list: readonly string[]): string =>
    USED[name] === "list" ? `[${list.join(",")}]` : (list.at(-1) ?? "");
  const given = new Map([...values].map(([name, list]) => [name, shown(name, list)]));
  return { all, text, given, ignored, isOn };
}

function isKnown(name: string): boolean {
  return name in USED || SWITCHES.has(name) || WITH_VALUE.has(name);
}

function isSwitch(name: string): boolean {
  return USED[name] === "switch" || SWITCHES.has(name);
}
