/** `portcullis serve`: run an API server for kubectl and controllers. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { readInputs } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { type AuditFile, jsonLog, openAuditFile, type RunningServer, startServer } from "@portcullis/server";
import { writePrivate } from "@portcullis/server/internal";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { engineOptions, FEATURE_GATES } from "../../frame/engine-options.ts";
import { KUBE_VERSION } from "../../frame/kube-versions.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { type Options, parseOptions } from "../../frame/options.ts";
import { storeCodeOfServer } from "../../workers/store-code.ts";
import { ADMISSION_OPTIONS, readAdmissionOptions, readControllers } from "./serve-admission-options.ts";
import { DEFAULT_PORT, plainWarning, readPort, readProcesses } from "./serve-listening.ts";
import { openPlayground, PLAYGROUND_OPTIONS, PLAYGROUND_PORT } from "./serve-playground.ts";
import { readServiceAddresses } from "./serve-services.ts";
import { DEFAULT_DATA, openStorage, readCompactionInterval } from "./serve-storage.ts";
import { openTracingFile } from "./serve-tracing.ts";
import { readUpgradeCheck, UPGRADE_CHECK_OPTIONS } from "./serve-upgrades.ts";

const DEFAULT_KUBECONFIG = "portcullis.kubeconfig";

const LISTEN = "listening";
const STORAGE = "storage";
const ACCESS = "authentication";
const SERVER = "the API server";
const LOGS = "logs";

const OPTIONS = {
  "secure-port": { type: "string", value: "PORT", group: LISTEN, text: `default ${DEFAULT_PORT}; 0 for a free port` },
  "bind-address": { type: "string", value: "HOST", group: LISTEN, text: "default 127.0.0.1" },
  processes: {
    type: "string",
    value: "N",
    group: LISTEN,
    text: "serve requests with this many processes behind one port (default 1)",
  },
  "kubeconfig-out": {
    type: "string",
    value: "FILE",
    group: LISTEN,
    text: `the kubeconfig file to write (default ${DEFAULT_KUBECONFIG})`,
  },
  "cert-dir": {
    type: "string",
    value: "DIR",
    group: LISTEN,
    text: "folder for generated certificates (default: certs in the data directory)",
  },
  "insecure-http": { type: "boolean", group: LISTEN, text: "use plain HTTP; for local tests only" },
  playground: {
    ...PLAYGROUND_OPTIONS.playground,
    group: LISTEN,
    text: "also serve the playground, over plain HTTP on a separate port",
  },
  "playground-port": {
    ...PLAYGROUND_OPTIONS["playground-port"],
    value: "PORT",
    group: LISTEN,
    text: `port of the playground (default ${PLAYGROUND_PORT}, or a free port if that is in use)`,
  },
  "data-dir": {
    type: "string",
    value: "DIR",
    group: STORAGE,
    text: `store objects in a file in this folder (default ${DEFAULT_DATA})`,
  },
  "in-memory": { type: "boolean", group: STORAGE, text: "keep objects in memory; they are lost when the server stops" },
  "etcd-servers": {
    type: "string",
    value: "URL,…",
    group: STORAGE,
    text: "store objects in etcd, shared with other servers",
  },
  "etcd-cafile": { type: "string", value: "FILE", group: STORAGE, text: "the CA of etcd's certificates" },
  "etcd-certfile": { type: "string", value: "FILE", group: STORAGE, text: "the client certificate for etcd" },
  "etcd-keyfile": { type: "string", value: "FILE", group: STORAGE, text: "its key" },
  "etcd-compaction-interval": {
    type: "string",
    value: "DURATION",
    group: STORAGE,
    text: "how often history is compacted, for every kind of storage (default 5m; 0 turns it off)",
  },
  load: {
    type: "string",
    multiple: true,
    value: "PATH",
    group: STORAGE,
    text: "create the objects in a file or folder at startup; existing objects are not changed",
  },
  "token-auth-file": {
    type: "string",
    value: "FILE",
    group: ACCESS,
    text: 'lines of token,user,uid,"group1,group2" instead of one generated token',
  },
  "client-ca-file": {
    type: "string",
    value: "FILE",
    group: ACCESS,
    text: "accept client certificates of these CAs instead of the generated CA",
  },
  "kube-version": KUBE_VERSION,
  "feature-gates": FEATURE_GATES,
  "crd-upgrade-check": { ...UPGRADE_CHECK_OPTIONS["crd-upgrade-check"], group: SERVER },
  "crd-upgrade-fail-mode": { ...UPGRADE_CHECK_OPTIONS["crd-upgrade-fail-mode"], group: SERVER },
  "service-address": {
    type: "string",
    multiple: true,
    value: "NAMESPACE/NAME=HOST:PORT",
    group: SERVER,
    text: "the address of a service that a webhook refers to",
  },
  ...ADMISSION_OPTIONS,
  "audit-log-path": {
    type: "string",
    value: "FILE",
    group: LOGS,
    text: "write audit events, one JSON object per line; - is standard output",
  },
  "audit-policy-file": {
    type: "string",
    value: "FILE",
    group: LOGS,
    text: "the audit policy (default: all requests, without bodies)",
  },
  "tracing-config-file": {
    type: "string",
    value: "FILE",
    group: LOGS,
    text: "a TracingConfiguration: send traces of requests to an OpenTelemetry collector",
  },
  "log-requests": {
    type: "boolean",
    group: LOGS,
    text: "log every request to standard error, one JSON object per line",
  },
} as const satisfies OptionSpecs;

const MANUAL: Manual = {
  usage: ["serve [options]"],
  examples: [
    { does: "start a server with the playground", run: "portcullis serve --playground" },
    {
      does: "start a server for a test: free port, in memory, with initial objects",
      run: "portcullis serve --in-memory --secure-port 0 --kubeconfig-out test.kubeconfig --load manifests/",
    },
    { does: "connect with kubectl", run: `kubectl --kubeconfig ${DEFAULT_KUBECONFIG} get crds` },
  ],
  about: [
    `Starts an API server for CRDs, custom resources and built-in kinds that works with kubectl and client-go. It uses TLS with a generated CA and writes a kubeconfig for an administrator. Objects are stored in ./${DEFAULT_DATA} by default.`,
    "Press Ctrl-C to stop.",
  ],
  options: OPTIONS,
};

export const serve: Command = {
  name: "serve",
  summary: "run an API server for kubectl and controllers",
  manual: MANUAL,
  run: runServe,
};

async function runServe(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const upgrades = readUpgradeCheck(options);
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const admission = readAdmissionOptions(options, engine.gates.ManifestBasedAdmissionControlConfig === true);
  const [tokenFile, clientCa] = [options.text("token-auth-file"), options.text("client-ca-file")];
  const host = options.text("bind-address");
  const log = jsonLog((line) => io.stderr(`${line}\n`));
  const logDefect = (error: unknown): void =>
    log("defect", { err: error instanceof Error ? `${error.stack}` : `${error}` });
  const manifests = readManifests(options.texts("load"));
  const audit = openAudit(options, logDefect);
  const tracing = await openTracingFile(options.text("tracing-config-file")).catch(asUsageError);
  const playground = await openPlayground(options);
  const storage = await openStorage(options, (message) => io.stderr(`${message}\n`));
  const server = await startServer({
    onDefect: logDefect,
    followers: { log: (message) => io.stderr(`${message}\n`) },
    ...storage.server,
    ...readCompactionInterval(options.text("etcd-compaction-interval")),
    ...(options.flag("log-requests") ? { log } : {}),
    ...(audit === undefined ? {} : { audit }),
    ...(tracing === undefined ? {} : { tracing }),
    port: readPort(options.text("secure-port")),
    processes: readProcesses(options.text("processes")),
    ...engine,
    ...upgrades,
    tls: options.flag("insecure-http") ? "none" : "generated",
    ...(host === undefined ? {} : { host }),
    ...(tokenFile === undefined ? {} : { tokenFile: readFileSync(tokenFile, "utf8") }),
    ...(clientCa === undefined ? {} : { clientCa: readFileSync(clientCa, "utf8") }),
    ...readControllers(options.text("controllers")),
    ...admission,
    services: readServiceAddresses(options.texts("service-address")),
  });
  for (const manifest of manifests) await load(manifest, server, io);
  const kubeconfig = path.resolve(options.text("kubeconfig-out") ?? DEFAULT_KUBECONFIG);
  await writePrivate(kubeconfig, server.kubeconfig());
  if (options.flag("insecure-http")) io.stderr(plainWarning(host));
  io.stdout(banner(server, storage.place, path.relative(process.cwd(), kubeconfig)));
  if (playground !== undefined) io.stdout(`the playground is at ${playground.url}\n`);
  storeCodeOfServer();
  await untilStopped();
  await playground?.stop();
  await server.stop();
  await audit?.close();
  await tracing?.close();
  return EXIT.ok;
}

function asUsageError(error: unknown): never {
  throw new UsageError(error instanceof Error ? error.message : String(error));
}

/** File errors are reported before anything starts. */
function readManifests(paths: readonly string[]): readonly ManifestDocument[] {
  const { documents, problems } = readInputs(paths);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`\`${problem.file}\` cannot be loaded: ${problem.message}`);
  return documents;
}

const EXISTS = 409;

async function load({ object, file }: ManifestDocument, server: RunningServer, io: CommandIo): Promise<void> {
  const { code, text } = await server.create(object);
  if (code >= 400 && code !== EXISTS) io.stderr(`${file}: ${messageOf(text)}\n`);
}

/** The message of a Status. */
function messageOf(text: string): string {
  return /"message":("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? text;
}

function openAudit(options: Options, onError: (error: Error) => void): AuditFile | undefined {
  const [path, policy] = [options.text("audit-log-path"), options.text("audit-policy-file")];
  if (path === undefined) {
    if (policy !== undefined) throw new UsageError("`--audit-policy-file` needs `--audit-log-path`");
    return undefined;
  }
  return openAuditFile({ path, policy: policy === undefined ? undefined : readFileSync(policy, "utf8"), onError });
}

function banner(server: RunningServer, place: string, kubeconfig: string): string {
  return `Portcullis listens on ${server.url}
objects are kept ${place}
try:
  kubectl --kubeconfig ${kubeconfig} api-resources
  kubectl --kubeconfig ${kubeconfig} apply -f crd.yaml
  kubectl --kubeconfig ${kubeconfig} get crds
`;
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
