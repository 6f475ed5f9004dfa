/**
 * Values of flags that kube-apiserver refuses when it starts: also of flags without effect here, so that a mistake is
 * found with either server. All throw an Error with its message.
 */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { parseDuration } from "@portcullis/gostd/duration";
import { quote } from "@portcullis/gostd/quote";
import type { KubeFlags } from "./serve-kube-flags.ts";
import { badArgument, readCount, readDuration } from "./serve-limits.ts";

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

const DURATIONS = namesIn(`
  audit-log-batch-max-wait audit-webhook-batch-max-wait audit-webhook-initial-backoff
  coordinated-leadership-lease-duration coordinated-leadership-renew-deadline coordinated-leadership-retry-period
  etcd-compaction-interval etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout
  etcd-readycheck-timeout event-ttl kubelet-timeout livez-grace-period log-flush-frequency shutdown-delay-duration
  shutdown-watch-termination-grace-period storage-initialization-timeout`);
const COUNTS = namesIn(`
  audit-log-maxage audit-log-maxbackup audit-log-maxsize default-watch-cache-size delete-collection-workers
  http2-max-streams-per-connection kubernetes-service-node-port lease-reuse-duration-seconds
  max-connection-bytes-per-sec min-request-timeout`);

export function checkKubeValues(flags: KubeFlags): void {
  for (const name of DURATIONS) for (const text of flags.all(name)) readDuration(name, text);
  for (const name of COUNTS) for (const text of flags.all(name)) readCount(name, text);
  for (const [name, check] of Object.entries(CHECKS)) for (const text of flags.all(name)) check(text, name);
  checkInflight(flags);
}

const MEDIA_TYPES = ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"];
const RECONCILERS = ["master-count", "lease", "none"];
const MOST_GOAWAYS = 0.02;
const MAX_PORT = 65_535;

const CHECKS: Readonly<Record<string, (text: string, name: string) => void>> = {
  "advertise-address": (text, name) => {
    if (isIP(text) === 0) throw badArgument(name, text, `failed to parse IP: ${quote(text)}`);
  },
  "audit-policy-file": (text) => {
    if (text !== "") readPolicy(text);
  },
  "endpoint-reconciler-type": (text) => {
    if (!RECONCILERS.includes(text)) throw new Error(`Reconciler not implemented: ${text}`);
  },
  "goaway-chance": (text) => {
    const probability = Number(text);
    if (!(probability >= 0 && probability <= MOST_GOAWAYS)) {
      throw new Error(`--goaway-chance can not be less than 0 or greater than ${MOST_GOAWAYS}`);
    }
  },
  "kubernetes-service-node-port": (text, name) => {
    if (Number(text) >= 0 && Number(text) <= MAX_PORT) return;
    throw new Error(
      `--${name} ${text} must be between 0 and ${MAX_PORT}, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
    );
  },
  "livez-grace-period": (text, name) => refuseNegative(text, `--${name} can not be a negative value`),
  "logging-format": (text) => {
    if (text !== "text" && text !== "json")
      throw new Error(`format: Invalid value: ${quote(text)}: Unsupported log format`);
  },
  "shutdown-delay-duration": (text, name) => refuseNegative(text, `--${name} can not be negative value`),
  "storage-media-type": (text, name) => {
    if (MEDIA_TYPES.includes(text)) return;
    throw new Error(`--${name} ${quote(text)} invalid, allowed values: ${MEDIA_TYPES.join(", ")}`);
  },
  v: (text) => {
    if (/^\d+$/.test(text)) return;
    const problem = `strconv.ParseUint: parsing ${quote(text)}: invalid syntax`;
    throw new Error(`invalid argument ${quote(text)} for "-v, --v" flag: ${problem}`);
  },
  vmodule: (text, name) => {
    const wrong = text.split(",").find((part) => part !== "" && !/^[^=]+=-?\d+$/.test(part));
    if (wrong !== undefined) throw badArgument(name, text, `${quote(wrong)} does not have the pattern=N format`);
  },
  "watch-cache-sizes": (text) => {
    const wrong = text.split(",").find((part) => part !== "" && !/^[^#]+#\d+$/.test(part));
    if (wrong !== undefined) throw new Error(`invalid value of watch cache size: ${wrong}`);
  },
};

function refuseNegative(text: string, message: string): void {
  if (Number(parseDuration(text).value ?? 0) < 0) throw new Error(message);
}

function readPolicy(file: string): void {
  try {
    readFileSync(file);
  } catch {
    throw new Error(
      `loading audit policy file: failed to read file path ${quote(file)}: open ${file}: no such file or directory`,
    );
  }
}

function checkInflight(flags: KubeFlags): void {
  const [readers, writers] = [flags.text("max-requests-inflight"), flags.text("max-mutating-requests-inflight")];
  if (flags.isOn("enable-priority-and-fairness") === false || Number(readers) !== 0 || Number(writers) !== 0) return;
  throw new Error(
    "invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive",
  );
}
