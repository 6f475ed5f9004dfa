/** The whole webhook: certificates, server, watches and configuration, started and stopped together. */
import { ACCESS_REVIEWS, accessAuthorizer } from "./authorizer.ts";
import { type CertificateFiles, FileKeeper } from "./certificate-files.ts";
import { CertificateKeeper } from "./certificate-keeper.ts";
import { type CertificateState, caBundle, type IssuedCertificate, type RotationTiming } from "./certificates.ts";
import type { ClusterAccess } from "./cluster/access.ts";
import { ClusterClient } from "./cluster/client.ts";
import { Discovery } from "./cluster/discovery.ts";
import { pause } from "./cluster/pause.ts";
import { ConfigurationKeeper } from "./configuration.ts";
import type { Target } from "./entries.ts";
import { Handler } from "./handler.ts";
import { type Listener, listen } from "./listen.ts";
import * as messages from "./messages.ts";
import { Metrics } from "./metrics.ts";
import { ParamKinds } from "./params.ts";
import { PolicySource } from "./policies.ts";
import { StatusKeeper } from "./policy-status.ts";
import { recordedReview } from "./recorded-review.ts";

/** The cluster to read policies from, and under which name the webhook registers itself. */
export interface WebhookOptions {
  readonly access: ClusterAccess;
  /** Issues a certificate for these hosts, with a new CA. */
  readonly issue: (hosts: readonly string[]) => Promise<IssuedCertificate>;
  /** An externally managed certificate; if given, none is issued and no Secret is written. */
  readonly certificateFiles?: CertificateFiles | undefined;
  /** The namespace of the Secret; policies do not apply to it. */
  readonly namespace: string;
  /** The name of the Service, the Secret and the webhook configuration. */
  readonly name: string;
  /** The URL for API servers if they do not use the Service; gets the port that was opened. */
  readonly url?: ((port: number) => string) | undefined;
  readonly host?: string | undefined;
  /** Default 8443; 0 for a free port. */
  readonly port?: number | undefined;
  readonly servicePort?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Deny nothing: what policies would deny is logged and becomes an audit annotation. */
  readonly auditOnly?: boolean | undefined;
  readonly bodyLimit?: number | undefined;
  /** `GROUP/VERSION` under which policies are served. */
  readonly policyApi?: string | undefined;
  /**
   * Whether the type check's warnings are written to the status of policies. By default only for other APIs than that of
   * Kubernetes, whose controller manager writes them.
   */
  readonly writesStatus?: boolean | undefined;
  readonly rotation?: Partial<RotationTiming & { readonly checkMs: number }> | undefined;
  /** How long requests are still accepted during a shutdown, so that API servers can notice. */
  readonly drainMs?: number | undefined;
  /** How long running requests may take after that. */
  readonly graceMs?: number | undefined;
  readonly log?: ((text: string) => void) | undefined;
  /** Receives each review with its response, as one line of JSON. */
  readonly record?: ((line: string) => void) | undefined;
  /** Aborts the start; use `stop` for a webhook that has started. */
  readonly signal?: AbortSignal | undefined;
}

/** A running webhook. */
export interface RunningWebhook {
  readonly port: number;
  /** Resolves once policies, bindings and namespaces have been read. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The group and version that policies are read from.
 * @example DEFAULT_POLICY_API // "admissionregistration.k8s.io/v1"
 */
export const DEFAULT_POLICY_API = "admissionregistration.k8s.io/v1";
const DAY_MS = 24 * 3600 * 1000;
const DEFAULTS = {
  host: "0.0.0.0",
  port: 8443,
  servicePort: 443,
  timeoutSeconds: 10,
  /** Two objects of the largest size that API servers take, and room for how JSON may write them. */
  bodyLimit: 16 * 1024 * 1024,
  drainMs: 0,
  graceMs: 10_000,
};
const ROTATION = { rotateAfterMs: 30 * DAY_MS, propagationMs: 60_000, checkMs: 15_000 };
const FILES_CHECK_MS = 1_000;
const GLANCE_MS = 20;

/**
 * Starts an admission webhook that enforces the policies of a cluster.
 * @example
 * const access = inClusterAccess(process.env);
 * const webhook = await startWebhook({ access, issue, namespace: "portcullis-system", name: "portcullis-webhook" });
 * await webhook.stop();
 */
export async function startWebhook(options: WebhookOptions): Promise<RunningWebhook> {
  const webhook = new Webhook(options);
  await webhook.start(options.signal ?? new AbortController().signal);
  return { port: webhook.port, ready: () => webhook.ready(), stop: () => webhook.stop() };
}

class Webhook {
  readonly #options: WebhookOptions & typeof DEFAULTS;
  readonly #stop = new AbortController();
  readonly #metrics = new Metrics();
  readonly #client: ClusterClient;
  readonly #discovery: Discovery;
  readonly #params: ParamKinds;
  readonly #policies: PolicySource;
  readonly #certificates: CertificateKeeper | FileKeeper;
  readonly #status: StatusKeeper | undefined;
  #configuration: ConfigurationKeeper | undefined;
  #listener: Listener | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: WebhookOptions) {
    this.#options = withDefaults(options);
    this.#client = new ClusterClient(options.access);
    this.#discovery = new Discovery(this.#client, Date.now);
    const shared = {
      client: this.#client,
      onProblem: (problem: string) => this.#problem(problem),
      onList: () => this.#metrics.count("portcullis_webhook_lists_total"),
    };
    this.#params = new ParamKinds({ ...shared, discovery: this.#discovery });
    const policyApi = `/apis/${options.policyApi ?? DEFAULT_POLICY_API}`;
    this.#policies = new PolicySource({ ...shared, policyApi, onChange: () => this.#policiesChanged() });
    this.#certificates = this.#newCertificates();
    this.#status = this.#newStatus(policyApi);
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  async start(signal: AbortSignal): Promise<void> {
    const state = await this.#certificates.load(signal);
    if (state === undefined) throw new Error(messages.stopping());
    const { host, port, bodyLimit } = this.#options;
    this.#listener = await listen(this.#newHandler(), { host, port, bodyLimit, certificate: state.serving });
    const configuration = this.#newConfiguration(this.#listener.port);
    this.#configuration = configuration;
    const running = this.#stop.signal;
    this.#work = Promise.all([
      this.#policies.run(running),
      this.#certificates.run(running),
      configuration.run(running),
      this.#status?.run(running),
    ]);
  }

  async ready(): Promise<void> {
    const { signal } = this.#stop;
    while (!this.#policies.isReady && !signal.aborted) await pause(GLANCE_MS, signal);
  }

  /** What is in memory stays until the last request is answered. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await pause(this.#options.drainMs, new AbortController().signal);
    await this.#listener?.stop(this.#options.graceMs);
    this.#params.stop();
    await this.#work;
    this.#client.close();
  }

  #problem(problem: string): void {
    this.#metrics.count("portcullis_webhook_problems_total");
    this.#options.log?.(problem);
  }

  #policiesChanged(): void {
    this.#params.follow(this.#policies.state().bound);
    this.#configuration?.changed();
    this.#status?.changed();
  }

  #certificatesChanged(state: CertificateState): void {
    this.#listener?.use(state.serving);
    this.#configuration?.changed();
    this.#metrics.set("portcullis_webhook_certificate_issued_timestamp_seconds", state.issuedAt / 1000);
  }

  #newStatus(policyApi: string): StatusKeeper | undefined {
    const { writesStatus = this.#options.policyApi !== undefined && this.#options.policyApi !== DEFAULT_POLICY_API } =
      this.#options;
    if (!writesStatus) return undefined;
    return new StatusKeeper({
      client: this.#client,
      discovery: this.#discovery,
      policyApi,
      policies: () => (this.#policies.isReady ? this.#policies.objects() : []),
      onProblem: (problem) => this.#problem(problem),
      onLog: (text) => this.#options.log?.(text),
    });
  }

  #newCertificates(): CertificateKeeper | FileKeeper {
    const { namespace, name, issue, rotation, certificateFiles } = this.#options;
    const shared = {
      now: Date.now,
      onChange: (state: CertificateState) => this.#certificatesChanged(state),
      onLog: (text: string) => this.#options.log?.(text),
      onProblem: (problem: string) => this.#problem(problem),
    };
    if (certificateFiles !== undefined) {
      return new FileKeeper({ ...shared, ...certificateFiles, checkMs: rotation?.checkMs ?? FILES_CHECK_MS });
    }
    return new CertificateKeeper({
      ...shared,
      client: this.#client,
      namespace,
      secret: name,
      issue: () => issue(hostsOf(this.#options)),
      ...ROTATION,
      ...rotation,
      published: () => this.#configuration?.published,
    });
  }

  #newHandler(): Handler {
    const metrics = this.#metrics;
    const { record, auditOnly, log } = this.#options;
    return new Handler({
      onAudited: auditOnly === true ? (text) => log?.(text) : undefined,
      policies: this.#policies,
      params: this.#params,
      discovery: this.#discovery,
      authorizer: accessAuthorizer({
        review: (review) => this.#client.send("POST", ACCESS_REVIEWS, review),
        now: Date.now,
        onAsk: () => metrics.count("portcullis_webhook_access_reviews_total"),
      }),
      metrics,
      isReady: () => this.#policies.isReady && !this.#stop.signal.aborted,
      bodyLimit: this.#options.bodyLimit,
      now: () => performance.now(),
      onProblem: (problem) => this.#problem(problem),
      record: record && ((review, answer) => record(recordedReview(review, answer, new Date().toISOString()))),
    });
  }

  #newConfiguration(port: number): ConfigurationKeeper {
    const { name, namespace, timeoutSeconds, auditOnly, log } = this.#options;
    const options = {
      client: this.#client,
      name,
      target: targetOf(this.#options, port),
      ownNamespace: namespace,
      timeoutSeconds,
      auditOnly,
      onWrite: (entries: number) => {
        this.#metrics.count("portcullis_webhook_configuration_writes_total");
        log?.(messages.configurationWritten(entries));
      },
      onProblem: (problem: string) => this.#problem(problem),
    };
    return new ConfigurationKeeper(options, () => {
      const { state } = this.#certificates;
      if (!this.#policies.isReady || state === undefined) return undefined;
      return { policies: this.#policies.state().bound, caBundle: caBundle(state) };
    });
  }
}

/** An option that is given as undefined counts as not given. */
function withDefaults(options: WebhookOptions): WebhookOptions & typeof DEFAULTS {
  const { host, port, servicePort, timeoutSeconds, bodyLimit, drainMs, graceMs } = options;
  return {
    ...options,
    host: host ?? DEFAULTS.host,
    port: port ?? DEFAULTS.port,
    servicePort: servicePort ?? DEFAULTS.servicePort,
    timeoutSeconds: timeoutSeconds ?? DEFAULTS.timeoutSeconds,
    bodyLimit: bodyLimit ?? DEFAULTS.bodyLimit,
    drainMs: drainMs ?? DEFAULTS.drainMs,
    graceMs: graceMs ?? DEFAULTS.graceMs,
  };
}

function targetOf({ url, namespace, name, servicePort }: WebhookOptions & typeof DEFAULTS, port: number): Target {
  return url === undefined ? { service: { namespace, name, port: servicePort } } : { url: url(port) };
}

/** What callers may call us. */
function hostsOf({ url, namespace, name }: WebhookOptions): readonly string[] {
  if (url !== undefined) return [new URL(url(0)).hostname.replace(/^\[|\]$/g, "")];
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}
