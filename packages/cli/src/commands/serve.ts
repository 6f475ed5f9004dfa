/** `portcullis serve`: an API server that kubectl talks to. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { type AuditFile, jsonLog, openAuditFile, type RunningServer, startServer } from "@portcullis/server";
import { readInputs } from "../input/documents.ts";
import type { ManifestDocument } from "../input/manifest.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { engineOptions } from "./engine-options.ts";
import { type Options, parseOptions } from "./options.ts";
import { openPlayground, PLAYGROUND_OPTIONS, PLAYGROUND_PORT } from "./serve-playground.ts";
import { readServiceAddresses } from "./serve-services.ts";
import { DEFAULT_DATA, openStorage } from "./serve-storage.ts";
import { readUpgradeCheck, UPGRADE_CHECK_OPTIONS } from "./serve-upgrades.ts";

const DEFAULT_PORT = 6443;
const DEFAULT_KUBECONFIG = "portcullis.kubeconfig";

const HELP = `portcullis serve [options]

Starts an API server for definitions, custom resources and the built-in kinds: the real kubectl and
client-go work against it. TLS with a generated authority; a kubeconfig for an administrator is written.
Objects are kept in ./${DEFAULT_DATA} unless another place is named.

  portcullis serve
  portcullis serve --in-memory --secure-port 0 --kubeconfig-out test.kubeconfig --load manifests/
  kubectl --kubeconfig ${DEFAULT_KUBECONFIG} get crds

  --secure-port PORT      default ${DEFAULT_PORT}; 0 takes a free one
  --bind-address HOST     default 127.0.0.1
  --data-dir DIR          keep objects in a file here (default ${DEFAULT_DATA})
  --in-memory             keep objects in memory; they are gone when it stops
  --etcd-servers URL,…    keep objects in etcd, shared by all servers that use it
  --etcd-cafile FILE      the authority of etcd's certificates
  --etcd-certfile FILE    the certificate to show to etcd, with --etcd-keyfile
  --etcd-keyfile FILE
  --load PATH             create the objects of a file or folder at the start; those that exist stay as they are
  --cert-dir DIR          keep generated certificates here (default: certs in the data directory)
  --token-auth-file FILE  lines of token,user,uid,"group1,group2" instead of one generated token
  --client-ca-file FILE   believe client certificates of these authorities instead of the generated one's
  --service-address NAME.NAMESPACE=HOST:PORT
                          where a service that a conversion webhook is named by listens; may be repeated
  --kubeconfig-out FILE   where to write the kubeconfig (default ${DEFAULT_KUBECONFIG})
  --playground            also serve the playground, over plain HTTP on a port of its own
  --playground-port PORT  which one (default ${PLAYGROUND_PORT}, or a free one if that is taken)
  --crd-upgrade-check MODE  updates of definitions that refuse or lose what is accepted: off (default), warn or error
  --crd-upgrade-fail-mode MODE
                          those neither proved safe nor shown unsafe: closed (default: as unsafe ones) or open
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --audit-log-path FILE   write who asked for what, one JSON event a line; - is standard output
  --audit-policy-file FILE  how much of which requests (default everything, without bodies)
  --log-requests          log every request to standard error, one JSON object a line
  --insecure-http         plain HTTP, for tests on one machine

Ctrl-C stops it.
`;

export const serve: Command = {
  name: "serve",
  summary: "an API server that kubectl talks to",
  help: HELP,
  run: runServe,
};

const OPTIONS = {
  ...UPGRADE_CHECK_OPTIONS,
  "secure-port": { type: "string" },
  "bind-address": { type: "string" },
  "token-auth-file": { type: "string" },
  "client-ca-file": { type: "string" },
  "service-address": { type: "string", multiple: true },
  "kubeconfig-out": { type: "string" },
  "feature-gates": { type: "string" },
  "kube-version": { type: "string" },
  "audit-log-path": { type: "string" },
  "audit-policy-file": { type: "string" },
  "log-requests": { type: "boolean" },
  "insecure-http": { type: "boolean" },
  "data-dir": { type: "string" },
  "in-memory": { type: "boolean" },
  "etcd-servers": { type: "string" },
  "etcd-cafile": { type: "string" },
  "etcd-certfile": { type: "string" },
  "etcd-keyfile": { type: "string" },
  load: { type: "string", multiple: true },
  "cert-dir": { type: "string" },
  ...PLAYGROUND_OPTIONS,
} as const;

async function runServe(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const upgrades = readUpgradeCheck(options);
  const [tokenFile, clientCa] = [options.text("token-auth-file"), options.text("client-ca-file")];
  const host = options.text("bind-address");
  const log = jsonLog((line) => io.stderr(`${line}\n`));
  const logDefect = (error: unknown): void =>
    log("defect", { err: error instanceof Error ? `${error.stack}` : `${error}` });
  const manifests = readManifests(options.texts("load"));
  const audit = openAudit(options, logDefect);
  const playground = await openPlayground(options);
  const storage = await openStorage(options, (message) => io.stderr(`${message}\n`));
  const server = await startServer({
    onDefect: logDefect,
    ...storage.server,
    ...(options.flag("log-requests") ? { log } : {}),
    ...(audit === undefined ? {} : { audit }),
    port: readPort(options.text("secure-port")),
    ...engineOptions(options.text("kube-version"), options.text("feature-gates")),
    ...upgrades,
    tls: options.flag("insecure-http") ? "none" : "generated",
    ...(host === undefined ? {} : { host }),
    ...(tokenFile === undefined ? {} : { tokenFile: readFileSync(tokenFile, "utf8") }),
    ...(clientCa === undefined ? {} : { clientCa: readFileSync(clientCa, "utf8") }),
    services: readServiceAddresses(options.texts("service-address")),
  });
  for (const manifest of manifests) await load(manifest, server, io);
  const kubeconfig = path.resolve(options.text("kubeconfig-out") ?? DEFAULT_KUBECONFIG);
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  io.stdout(banner(server, storage.place, path.relative(process.cwd(), kubeconfig)));
  if (playground !== undefined) io.stdout(`the playground is at ${playground.url}\n`);
  await untilStopped();
  await playground?.stop();
  await server.stop();
  await audit?.close();
  return EXIT.ok;
}

/** What is wrong with a file is told before anything starts. */
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

/** Of a Status. */
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

function readPort(text: string | undefined): number {
  const port = text === undefined ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`\`${text}\` is not a port`);
  return port;
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
