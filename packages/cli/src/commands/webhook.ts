/** `portcullis webhook`: enforces admission policies in clusters as a validating webhook. */

import { createWriteStream } from "node:fs";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { createAuthority } from "@portcullis/server";
import {
  type CertificateFiles,
  type ClusterAccess,
  DEFAULT_POLICY_API,
  type IssuedCertificate,
  inClusterAccess,
  startWebhook,
} from "@portcullis/webhook";
import { refreshed } from "@portcullis/webhook/internal";
import { readKubeconfig } from "../cluster/kubeconfig.ts";
import { type Command, type CommandIo, EXIT, type Manual } from "../frame/command.ts";
import { type Options, parseOptions } from "../frame/options.ts";

const DEFAULT_NAME = "portcullis-webhook";
const DEFAULT_NAMESPACE = "portcullis-system";

const CLUSTER = "the cluster";
const REACHED = "connection";
const CERTIFICATES = "certificates";

const OPTIONS = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    group: CLUSTER,
    text: "the cluster (default: the pod's service account)",
  },
  context: {
    type: "string",
    value: "NAME",
    group: CLUSTER,
    text: "the context in the kubeconfig (default: the current context)",
  },
  "policy-api": {
    type: "string",
    value: "GROUP/VER",
    group: CLUSTER,
    text: `the API that serves the policies (default ${DEFAULT_POLICY_API}); for other APIs the status is written too`,
  },
  "audit-only": {
    type: "boolean",
    group: CLUSTER,
    text: "deny nothing: log what policies would deny, and add an audit annotation",
  },
  namespace: {
    type: "string",
    value: "NAME",
    group: REACHED,
    text: `the namespace of the Service and the Secret; policies do not apply to it (default ${DEFAULT_NAMESPACE})`,
  },
  name: {
    type: "string",
    value: "NAME",
    group: REACHED,
    text: `the name of the Service, the Secret and the webhook configuration (default ${DEFAULT_NAME})`,
  },
  url: {
    type: "string",
    value: "URL",
    group: REACHED,
    text: "the URL that API servers use instead of the Service",
  },
  port: { type: "string", value: "PORT", group: REACHED, text: "default 8443; 0 for a free port" },
  "bind-address": { type: "string", value: "HOST", group: REACHED, text: "default 0.0.0.0" },
  "timeout-seconds": {
    type: "string",
    value: "N",
    group: REACHED,
    text: "how long API servers wait for a response, 1 to 30 (default 10)",
  },
  "shutdown-delay-seconds": {
    type: "string",
    value: "N",
    group: REACHED,
    text: "how long to continue serving after a stop signal (default 5)",
  },
  "rotate-after-days": {
    type: "string",
    value: "N",
    group: CERTIFICATES,
    text: "the maximum age of the generated certificate (default 30)",
  },
  record: {
    type: "string",
    value: "FILE",
    group: REACHED,
    text: "append each review with its response to FILE, for `portcullis replay`",
  },
  "tls-cert-file": {
    type: "string",
    value: "FILE",
    group: CERTIFICATES,
    text: "an externally managed certificate, such as cert-manager's; read again when it changes",
  },
  "tls-private-key-file": { type: "string", value: "FILE", group: CERTIFICATES, text: "its key" },
  "tls-ca-file": {
    type: "string",
    value: "FILE",
    group: CERTIFICATES,
    text: "the CA bundle for API servers; without it, caBundle is not changed",
  },
} as const;

const MANUAL: Manual = {
  usage: ["webhook [options]"],
  examples: [
    { does: "run in a pod", run: "portcullis webhook" },
    { does: "try policies without denying anything", run: "portcullis webhook --audit-only" },
    {
      does: "run outside the cluster",
      run: "portcullis webhook --kubeconfig admin.kubeconfig --url https://10.0.0.5:8443",
    },
    {
      does: "use a certificate of cert-manager",
      run: "portcullis webhook --tls-cert-file /tls/tls.crt --tls-private-key-file /tls/tls.key --tls-ca-file /tls/ca.crt",
    },
  ],
  about: [
    "Enforces the ValidatingAdmissionPolicies of a cluster as an admission webhook. Watches policies, bindings, params and namespaces, and maintains one entry per policy in a ValidatingWebhookConfiguration. In a pod it uses the service account; elsewhere use --kubeconfig. See docs/webhook.md.",
    "Press Ctrl-C to stop. The webhook configuration remains, so policies with failurePolicy Fail deny requests until the webhook runs again.",
  ],
  options: OPTIONS,
};

export const webhook: Command = {
  name: "webhook",
  summary: "enforce admission policies in a cluster, as a webhook",
  manual: MANUAL,
  run: runWebhook,
};

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DELAY_SECONDS = 5;

async function runWebhook(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const days = readNumber(options, "rotate-after-days", { from: 1, to: 3000 });
  const delay = readNumber(options, "shutdown-delay-seconds", { from: 0, to: 3600 }) ?? DEFAULT_DELAY_SECONDS;
  const recorder = openRecorder(options.text("record"), io);
  const running = await startWebhook({
    record: recorder?.write,
    issue: issueCertificate,
    certificateFiles: readFiles(options),
    namespace: options.text("namespace") ?? DEFAULT_NAMESPACE,
    name: options.text("name") ?? DEFAULT_NAME,
    url: readUrl(options.text("url")),
    host: options.text("bind-address"),
    port: readNumber(options, "port", { from: 0, to: 65535 }),
    timeoutSeconds: readNumber(options, "timeout-seconds", { from: 1, to: 30 }),
    policyApi: options.text("policy-api"),
    auditOnly: options.flag("audit-only"),
    rotation: days === undefined ? {} : { rotateAfterMs: days * DAY_MS },
    drainMs: delay * 1000,
    access: readAccess(options),
    log: (text) => io.stderr(`${new Date().toISOString()} ${text}\n`),
    signal: stop.signal,
  });
  io.stdout(`the webhook listens on port ${running.port}\n`);
  await aborted(stop.signal);
  await running.stop();
  await recorder?.close();
  return EXIT.ok;
}

interface Recorder {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

/** What a slow disk may keep in memory. */
const RECORDED_LIMIT = 64 * 1024 * 1024;

/** Recording must never delay or stop answers: what cannot be written in time is left out, and so is all after an error. */
function openRecorder(file: string | undefined, io: CommandIo): Recorder | undefined {
  if (file === undefined) return undefined;
  const stream = createWriteStream(file, { flags: "a", mode: 0o600 });
  let isBroken = false;
  stream.on("error", (problem) => {
    isBroken = true;
    io.stderr(`portcullis: nothing more is recorded: ${problem.message}\n`);
  });
  return {
    write: (line) => {
      if (!isBroken && stream.writableLength < RECORDED_LIMIT) stream.write(`${line}\n`);
    },
    close: () => new Promise((resolve) => (isBroken ? resolve() : stream.end(() => resolve()))),
  };
}

function readFiles(options: Options): CertificateFiles | undefined {
  const [certFile, keyFile] = [options.text("tls-cert-file"), options.text("tls-private-key-file")];
  const caFile = options.text("tls-ca-file");
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, caFile };
  if (certFile === undefined && keyFile === undefined && caFile === undefined) return undefined;
  throw new UsageError("--tls-cert-file and --tls-private-key-file must be used together");
}

/** Each certificate has its own CA, whose key is not stored. */
async function issueCertificate(hosts: readonly string[]): Promise<IssuedCertificate> {
  const authority = await createAuthority(Date.now());
  return { ...(await authority.issue({ commonName: hosts[0] ?? DEFAULT_NAME, hosts })), ca: authority.cert };
}

function readAccess(options: Options): ClusterAccess {
  const file = options.text("kubeconfig");
  if (file === undefined) return serviceAccountAccess();
  const read = (): ReturnType<typeof readKubeconfig> => readKubeconfig(file, options.text("context"));
  return { ...read(), token: refreshed(() => read().token, Date.now) };
}

function serviceAccountAccess(): ClusterAccess {
  try {
    return inClusterAccess(process.env);
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
}

/** A URL without a port gets the listening port only if it says so: `https://host:0`. */
function readUrl(text: string | undefined): ((port: number) => string) | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:") throw new UsageError(`\`${text}\` is not an https URL`);
  return (port) => (url.port === "0" ? text.replace(":0", `:${port}`) : text);
}

function readNumber(options: Options, name: string, { from, to }: { readonly from: number; readonly to: number }) {
  const text = options.text(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  throw new UsageError(`--${name} must be a number from ${from} to ${to}, not \`${text}\``);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
