/**
 * What the server counts, under the names that dashboards for kube-apiserver look for.
 *
 * Requests are labelled by resource only if the server knows it, so that clients cannot fill the memory with names.
 */
import type { RequestInfo } from "../http/request-info.ts";
import { AccessMetrics } from "./access-metrics.ts";
import { AddressMetrics } from "./address-metrics.ts";
import { AggregatorMetrics } from "./aggregator-metrics.ts";
import { AuthorizationMetrics } from "./authorization-metrics.ts";
import { addBuildMetrics, type Build } from "./build-metrics.ts";
import { CelMetrics } from "./cel-metrics.ts";
import { ConversionMetrics } from "./conversion-metrics.ts";
import { DeprecatedApis } from "./deprecated-apis.ts";
import { FlowMetrics } from "./flow/flow-metrics.ts";
import { HealthMetrics } from "./health-metrics.ts";
import { type Counter, type Histogram, type Labels, Metrics } from "./metrics.ts";
import { PluginTimes } from "./plugin-times.ts";
import { PodSecurityMetrics } from "./pod-security-metrics.ts";
import { PolicyMetrics } from "./policy-metrics.ts";
import { addProcessMetrics, type ProcessUsage } from "./process-metrics.ts";
import { QueueMetrics } from "./queue-metrics.ts";
import { BODY_BYTES, REQUEST_SECONDS, RESPONSE_BYTES, SLI_SECONDS } from "./request-buckets.ts";
import { StorageMetrics } from "./storage-metrics.ts";
import { StoreMetrics } from "./store-metrics.ts";
import { WatchMetrics } from "./watch-metrics.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

const ADMISSION_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
/** From ten microseconds on, each four times the last. */
const RATCHETING_SECONDS = Array.from({ length: 10 }, (_, index) => (10 * 4 ** index) / 1e6);

export type AdmissionStep = "admit" | "validate";

export class ServerMetrics {
  /** The time in seconds, from any beginning. */
  readonly clock: () => number;
  readonly policies: PolicyMetrics;
  readonly podSecurity: PodSecurityMetrics;
  readonly webhooks: WebhookMetrics;
  readonly conversions: ConversionMetrics;
  readonly flows: FlowMetrics;
  readonly storage: StorageMetrics;
  readonly store: StoreMetrics;
  readonly addresses: AddressMetrics;
  readonly access: AccessMetrics;
  readonly authorization: AuthorizationMetrics;
  readonly queues: QueueMetrics;
  readonly watches: WatchMetrics;
  readonly aggregator: AggregatorMetrics;
  readonly cel: CelMetrics;
  readonly deprecatedApis: DeprecatedApis;
  readonly health: HealthMetrics;
  readonly #metrics = new Metrics();
  readonly #auditEvents = countFromZero(
    this.#metrics,
    "apiserver_audit_event_total",
    "Events written to the audit log.",
  );
  readonly #handshakeErrors = countFromZero(
    this.#metrics,
    "apiserver_tls_handshake_errors_total",
    "Connections that ended before TLS was established.",
  );
  readonly #bodySizes = measureBodies(this.#metrics);
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #sliDurations: Histogram;
  readonly #responseSizes: Histogram;
  readonly #inflight: Counter;
  readonly #terminations: Counter;
  readonly #longRunning: Counter;
  readonly #plugins: PluginTimes;
  readonly #steps: Histogram;
  readonly #ratcheting: Histogram;
  readonly #fieldValidation: Histogram;

  constructor(clock: () => number) {
    this.clock = clock;
    const metrics = this.#metrics;
    this.policies = new PolicyMetrics(metrics);
    this.podSecurity = new PodSecurityMetrics(metrics);
    this.webhooks = new WebhookMetrics(metrics, this.policies);
    this.conversions = new ConversionMetrics(metrics, clock);
    this.flows = new FlowMetrics(metrics, clock);
    this.storage = new StorageMetrics(metrics);
    this.store = new StoreMetrics(metrics);
    this.addresses = new AddressMetrics(metrics);
    this.access = new AccessMetrics(metrics);
    this.authorization = new AuthorizationMetrics(metrics);
    this.queues = new QueueMetrics(metrics, clock);
    this.watches = new WatchMetrics(metrics);
    this.aggregator = new AggregatorMetrics(metrics);
    this.cel = new CelMetrics(metrics, clock);
    this.deprecatedApis = new DeprecatedApis(metrics);
    this.health = new HealthMetrics(metrics);
    this.#requests = metrics.counter("apiserver_request_total", "Requests by verb, resource, scope and response code.");
    this.#durations = metrics.histogram(
      "apiserver_request_duration_seconds",
      "Time to answer a request, by verb, resource and scope. Watches are not among them.",
      REQUEST_SECONDS,
    );
    this.#sliDurations = metrics.histogram(
      "apiserver_request_sli_duration_seconds",
      "Time to answer a request, by verb, resource and scope, for service level indicators.",
      SLI_SECONDS,
    );
    this.#responseSizes = metrics.histogram(
      "apiserver_response_sizes",
      "Bytes of the responses to GET and LIST, by resource and scope.",
      RESPONSE_BYTES,
    );
    this.#inflight = metrics.gauge(
      "apiserver_current_inflight_requests",
      "Requests that are being served, without watches, by whether they write.",
    );
    this.#terminations = metrics.counter(
      "apiserver_request_terminations_total",
      "Requests that were not completed: their time was over, or there was no seat for them.",
    );
    this.#fieldValidation = metrics.histogram(
      "field_validation_request_duration_seconds",
      "Time to answer a request, by its fieldValidation parameter.",
      SLI_SECONDS,
    );
    this.#longRunning = metrics.gauge("apiserver_longrunning_requests", "Watches that are open.");
    const pluginSeconds = metrics.histogram(
      "apiserver_admission_controller_admission_duration_seconds",
      "Time of one admission plugin, by operation and step.",
      ADMISSION_SECONDS,
    );
    this.#plugins = new PluginTimes(pluginSeconds);
    this.#steps = metrics.histogram(
      "apiserver_admission_step_admission_duration_seconds",
      "Time of all admission plugins together, by operation and step.",
      ADMISSION_SECONDS,
    );
    this.#ratcheting = timeRatcheting(metrics);
  }

  /** For servers that know their process. */
  addProcess(usage: () => ProcessUsage): void {
    addProcessMetrics(this.#metrics, usage);
  }

  /** For one of several processes of a server: what its values add up to is one. */
  addBuild(build: Build): void {
    addBuildMetrics(this.#metrics, build);
  }

  text(): string {
    this.flows.load.update();
    return this.#metrics.text();
  }

  /** `answered` is undefined for a watch. */
  request(labels: Labels, status: number, answered: Answered | undefined): void {
    this.#requests.add({ ...labels, code: String(status) });
    if (TERMINATED.has(status)) this.#terminations.add({ ...withoutDryRun(labels), code: String(status) });
    if (answered === undefined) return;
    const { seconds, size } = answered;
    this.#durations.observe(labels, seconds);
    this.#sliDurations.observe(withoutDryRun(labels), seconds);
    if (READS.has(labels["verb"] ?? "")) this.#responseSizes.observe(withoutDryRun(labels), size);
  }

  bodyRead({ group, resource, verb }: RequestInfo, size: number): void {
    this.#bodySizes.observe({ group, resource, verb: verb === "deletecollection" ? "delete_collection" : verb }, size);
  }

  handshakeFailed(): void {
    this.#handshakeErrors.add({});
  }

  /** Called with 1 when a request begins that is not a watch, and with -1 when it ends. */
  inflight(isWrite: boolean, change: 1 | -1): void {
    this.#inflight.add({ request_kind: isWrite ? "mutating" : "readOnly" }, change);
  }

  /** `given` are the values of the parameter. */
  fieldValidation(given: readonly string[], seconds: number): void {
    this.#fieldValidation.observe({ field_validation: fieldValidationLabel(given) }, seconds);
  }

  /** Called with 1 when a watch begins and with -1 when it ends. */
  longRunning(labels: Labels, change: 1 | -1): void {
    this.#longRunning.add(withoutDryRun(labels), change);
  }

  admissionPlugin(name: string, step: AdmissionStep, operation: string, outcome: Outcome): void {
    this.#plugins.note(name, step, operation, outcome);
  }

  admissionStep(step: AdmissionStep, operation: string, { seconds, isRejected }: Outcome): void {
    this.#steps.observe({ operation, rejected: String(isRejected), type: step }, seconds);
  }

  ratcheting(seconds: number): void {
    this.#ratcheting.observe({}, seconds);
  }

  auditEvent(): void {
    this.#auditEvents.add({});
  }
}

/** A request that is over: how long it took, and how long its answer was. */
export interface Answered {
  readonly seconds: number;
  readonly size: number;
}

export interface Outcome {
  readonly seconds: number;
  readonly isRejected: boolean;
}

const READS: ReadonlySet<string> = new Set(["GET", "LIST"]);
const TERMINATED: ReadonlySet<number> = new Set([429, 504]);

function withoutDryRun({ dry_run: _, ...labels }: Labels): Labels {
  return labels;
}

const VERBS: Readonly<Record<string, string>> = {
  get: "GET",
  list: "LIST",
  watch: "WATCH",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETECOLLECTION",
  post: "POST",
  put: "PUT",
  head: "HEAD",
};

const OWN_PATHS = /^\/(?:livez|readyz|healthz|metrics|version|openapi\/v[23])(?:$|\/$)/;

/** `isServed` says whether there is such a resource. */
export function requestLabels(info: RequestInfo, isServed: boolean, isApply: boolean): Labels {
  const verb = isApply ? "APPLY" : (VERBS[info.verb] ?? "other");
  const isNamed = isServed && info.isResource;
  const path = OWN_PATHS.test(info.path) ? info.path : "";
  return {
    component: isNamed ? "apiserver" : "",
    dry_run: isNamed ? dryRun(info) : "",
    group: isNamed ? info.group : "",
    resource: isNamed ? info.resource : "",
    scope: isNamed ? scopeOf(info) : "",
    subresource: isNamed ? info.subresource : path,
    verb,
    version: isNamed ? info.version : "",
  };
}

function dryRun({ query }: RequestInfo): string {
  const values = query.get("dryRun") ?? [];
  return values.length === 0 ? "" : values.every((value) => value === "All") ? "All" : "invalid";
}

export function scopeOf({ name, verb, namespace }: RequestInfo): string {
  if (name !== "" || verb === "create") return "resource";
  return namespace === "" ? "cluster" : "namespace";
}

const FIELD_VALIDATION: ReadonlySet<string> = new Set(["", "Ignore", "Warn", "Strict"]);

/** Anything else is `invalid`, so that clients cannot make up labels. */
function fieldValidationLabel(given: readonly string[]): string {
  const [value = ""] = given;
  return given.length > 1 || !FIELD_VALIDATION.has(value) ? "invalid" : value;
}

function timeRatcheting(metrics: Metrics): Histogram {
  return metrics.histogram(
    "apiextensions_apiserver_validation_ratcheting_seconds",
    "Time spent comparing old and new objects for ratcheting, one observation per update.",
    RATCHETING_SECONDS,
  );
}

function measureBodies(metrics: Metrics): Histogram {
  return metrics.histogram(
    "apiserver_request_body_size_bytes",
    "Bytes of the bodies of requests, by resource and verb.",
    BODY_BYTES,
  );
}

/** Shows the series before anything is counted. */
function countFromZero(metrics: Metrics, name: string, help: string): Counter {
  const counter = metrics.counter(name, help);
  counter.add({}, 0);
  return counter;
}
