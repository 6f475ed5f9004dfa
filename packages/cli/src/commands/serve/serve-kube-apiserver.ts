/**
 * The server with kube-apiserver's flags, for programs that start a kube-apiserver themselves, above all
 * controller-runtime's envtest.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type KubernetesVersion, SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import {
  type AuditFile,
  openAuditFile,
  openEtcdStore,
  type RunningServer,
  type ServerOptions,
  startServer,
} from "@portcullis/server";
import { CONTROLLER_NAMES, readTokenKey } from "@portcullis/server/internal";
import type { CommandIo } from "../../frame/command.ts";
import { storeCodeOfServer } from "../../workers/store-code.ts";
import { readEmulatedVersion } from "./emulated-version.ts";
import { readAdmission } from "./serve-admission.ts";
import { readAuthorization, readTokenWebhook } from "./serve-authorization.ts";
import { isEtcdStub } from "./serve-etcd-stub.ts";
import { readFeatureGates } from "./serve-feature-gates.ts";
import { type KubeFlags, parseKubeFlags, USED } from "./serve-kube-flags.ts";
import { requestHeadersOf, tlsLimitsOf } from "./serve-kube-security.ts";
import { checkKubeValues } from "./serve-kube-values.ts";
import { readDuration, readInflight, readPortRange, readSeconds } from "./serve-limits.ts";
import { readRuntimeConfig } from "./serve-runtime-config.ts";
import { readServiceAddresses } from "./serve-services.ts";
import { readCompactionInterval } from "./serve-storage.ts";
import { openTracingFile } from "./serve-tracing.ts";

/**
 * A kube-apiserver has no controllers, and tests rely on that. Namespaces are emptied anyway: a test that deletes one
 * waits for its end.
 */
const DEFAULT_CONTROLLERS = ["namespace-controller"];

const HELP = `portcullis-kube-apiserver [flags]

Accepts the flags of kube-apiserver, so that programs can start it instead of kube-apiserver. For envtest:

  export TEST_ASSET_KUBE_APISERVER="$PWD/node_modules/.bin/portcullis-kube-apiserver"
  export TEST_ASSET_ETCD="$PWD/node_modules/.bin/portcullis-etcd" TEST_ASSET_KUBECTL="$(command -v kubectl)"
  go test ./...

Supported flags:

${Object.keys(USED)
  .sort()
  .map((name) => `      --${name}`)
  .join("\n")}

Other kube-apiserver flags are ignored, except for flags that cannot safely be ignored, which are refused. --in-memory
keeps objects in memory and does not use etcd. --service-address sets the address of a webhook's service. --controllers
turns on controllers of kube-controller-manager: ${CONTROLLER_NAMES.join(", ")}, or * for all of them (default ${DEFAULT_CONTROLLERS.join(",")}).
`;

/** Resolves to the exit code when the server has stopped. */
export async function runKubeApiserver(args: readonly string[], io: CommandIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) return print(io, HELP);
  if (args.some((arg) => /^--version(=|$)/.test(arg))) return print(io, `Kubernetes v${SERVER_VERSION}.0\n`);
  try {
    const flags = parseKubeFlags(args);
    checkKubeValues(flags);
    for (const name of flags.ignored) io.stderr(`--${name} has no effect\n`);
    await serve(flags, io);
    return 0;
  } catch (problem) {
    io.stderr(`Error: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    return 1;
  }
}

function print(io: CommandIo, text: string): number {
  io.stdout(text);
  return 0;
}

async function serve(flags: KubeFlags, io: CommandIo): Promise<void> {
  const stopped = untilStopped();
  const audit = openAudit(flags, io);
  const tracing = await openTracingFile(flags.text("tracing-config-file"));
  const options = serverOptions(flags, io);
  const storage = await storageOf(flags, io);
  const server = await startServer({
    ...options,
    ...storage,
    ...(audit === undefined ? {} : { audit }),
    ...(tracing === undefined ? {} : { tracing }),
  }).catch(async (error) => {
    // An open connection would keep the process alive.
    await storage.store?.close();
    await audit?.close();
    throw error;
  });
  io.stderr(`serving on ${server.url}\n`);
  storeCodeOfServer();
  await stopped;
  await stop(server, audit);
  await tracing?.close();
}

async function stop(server: RunningServer, audit: AuditFile | undefined): Promise<void> {
  await server.stop();
  await audit?.close();
}

/** Signals are handled from the start: the caller may stop the server before it listens. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

async function storageOf(flags: KubeFlags, io: CommandIo): Promise<Pick<ServerOptions, "store">> {
  if (flags.isOn("in-memory") === true) return {};
  const endpoints = flags.all("etcd-servers");
  if (endpoints.length === 0) throw new Error("--etcd-servers must be specified");
  const parts = { ca: "etcd-cafile", cert: "etcd-certfile", key: "etcd-keyfile" } as const;
  const tls = Object.fromEntries(Object.entries(parts).flatMap(([part, flag]) => fileEntry(part, flags.text(flag))));
  const prefix = flags.text("etcd-prefix");
  if (await isEtcdStub(endpoints[0] ?? "")) return {};
  const store = await openEtcdStore({
    endpoints,
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(prefix === undefined ? {} : { prefix }),
    log: (message) => io.stderr(`${message}\n`),
  });
  return { store };
}

function fileEntry(name: string, file: string | undefined): [string, string][] {
  return file === undefined ? [] : [[name, readFileSync(file, "utf8")]];
}

const DEFAULT_PORT = 6443;
const DEFAULT_HOST = "0.0.0.0";

function serverOptions(flags: KubeFlags, io: CommandIo): ServerOptions {
  const text = (name: string): string | undefined => flags.text(name);
  const file = (flag: string, option: string): Record<string, string> =>
    Object.fromEntries(fileEntry(option, text(flag)));
  const given = (flag: string, option: string): Record<string, string> => {
    const value = text(flag);
    return value === undefined ? {} : { [option]: value };
  };
  const rules = rulesOf(flags, io);
  return {
    host: text("bind-address") ?? DEFAULT_HOST,
    port: Number(text("secure-port") ?? DEFAULT_PORT),
    ...given("cert-dir", "certDir"),
    ...given("service-cluster-ip-range", "serviceRange"),
    ...given("advertise-address", "advertiseAddress"),
    ...file("client-ca-file", "clientCa"),
    // Without the flag, no tokens are read from a file.
    tokenFile: "",
    ...file("token-auth-file", "tokenFile"),
    ...certificatesOf(flags),
    ...tlsLimitsOf(flags),
    ...requestHeadersOf(flags),
    ...proxyClientOf(flags),
    ...transportSecurityOf(flags.all("strict-transport-security-directives")),
    ...readCompactionInterval(text("etcd-compaction-interval")),
    ...tokensOf(flags),
    ...readTokenWebhook(flags),
    ...readAuthorization(flags, rules.version ?? SERVER_VERSION),
    allowsPrivileged: flags.isOn("allow-privileged") ?? false,
    allowsAnonymous: flags.isOn("anonymous-auth") ?? true,
    services: readServiceAddresses(flags.all("service-address")),
    ...rules,
    ...tolerationsOf(flags),
    ...readAdmission({
      ...pluginsOf(flags),
      configFile: text("admission-control-config-file"),
      allowsManifests: rules.gates?.ManifestBasedAdmissionControlConfig === true,
    }),
    ...(flags.all("runtime-config").length === 0 ? {} : { servesResource: runtimeConfigOf(flags, rules.version, io) }),
    ...limitsOf(flags),
    flags: flags.given,
    controllers: flags.all("controllers").length === 0 ? DEFAULT_CONTROLLERS : flags.all("controllers"),
    onDefect: (error) => io.stderr(`${error instanceof Error ? error.stack : error}\n`),
  };
}

/** This plugin is on here, as in any kube-apiserver. */
const SERVICE_ACCOUNT = "ServiceAccount";

function pluginsOf(flags: KubeFlags) {
  const [enable, disable] = [flags.all("enable-admission-plugins"), flags.all("disable-admission-plugins")];
  const isNamed = [...enable, ...disable].includes(SERVICE_ACCOUNT);
  return { enable: isNamed ? enable : [...enable, SERVICE_ACCOUNT], disable };
}

const TOLERATION_SECONDS = "300";

function tolerationsOf(flags: KubeFlags): Pick<ServerOptions, "tolerationSeconds"> {
  const read = (reason: string): number => {
    const flag = `default-${reason}-toleration-seconds`;
    return readSeconds(flag, flags.text(flag) ?? TOLERATION_SECONDS);
  };
  return { tolerationSeconds: { notReady: read("not-ready"), unreachable: read("unreachable") } };
}

function certificatesOf(flags: KubeFlags): Pick<ServerOptions, "tls"> {
  const [cert, key] = [flags.text("tls-cert-file"), flags.text("tls-private-key-file")];
  if (cert === undefined || key === undefined) return {};
  return { tls: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8"), ca: undefined } };
}

const BAD_DIRECTIVE =
  "--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information";

/** Follows validateHSTSDirectives of apiserver pkg/server/options. */
function transportSecurityOf(directives: readonly string[]): Pick<ServerOptions, "transportSecurity"> {
  if (directives.length === 0) return {};
  if (directives.some((each) => each.trim() === ""))
    throw new Error("empty value in strict-transport-security-directives");
  const isKnown = (each: string): boolean => /^(?:max-age=[^=]*|includeSubDomains|preload)$/.test(each);
  if (!directives.every(isKnown)) throw new Error(BAD_DIRECTIVE);
  return { transportSecurity: directives.join("; ") };
}

/** How extension API servers recognize this server. */
function proxyClientOf(flags: KubeFlags): Pick<ServerOptions, "proxyClient"> {
  const [cert, key] = [flags.text("proxy-client-cert-file"), flags.text("proxy-client-key-file")];
  if (cert === undefined || key === undefined) return {};
  return { proxyClient: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") } };
}

function tokensOf(flags: KubeFlags): Pick<ServerOptions, "tokenKey" | "tokenIssuers" | "apiAudiences"> {
  const signing = flags.text("service-account-signing-key-file");
  const [issuers, audiences] = [flags.all("service-account-issuer"), flags.all("api-audiences")];
  const believed = flags.all("service-account-key-file").map((file) => readFileSync(file, "utf8"));
  return {
    ...(signing === undefined ? {} : { tokenKey: readTokenKey(readFileSync(signing, "utf8"), believed) }),
    ...(issuers.length === 0 ? {} : { tokenIssuers: issuers }),
    ...(audiences.length === 0 ? {} : { apiAudiences: audiences }),
  };
}

/** The version that is emulated, and its feature gates. */
function rulesOf(flags: KubeFlags, io: CommandIo): Pick<ServerOptions, "version" | "gates" | "featureGates"> {
  const version = readEmulatedVersion(flags.all("emulated-version"));
  const { gates, featureGates, ignored } = readFeatureGates(flags.all("feature-gates"), version);
  for (const name of ignored) io.stderr(`feature gate ${name} has no effect\n`);
  return { version, gates, featureGates };
}

function runtimeConfigOf(
  flags: KubeFlags,
  version: KubernetesVersion | undefined,
  io: CommandIo,
): NonNullable<ServerOptions["servesResource"]> {
  const { servesResource, ignored } = readRuntimeConfig(flags.all("runtime-config"), version);
  for (const key of ignored) io.stderr(`--runtime-config=${key} turns on nothing that is served\n`);
  return servesResource;
}

type Limits = "requestTimeout" | "maxRequestsInflight" | "inflightLimits" | "nodePortRange";

function limitsOf(flags: KubeFlags): Pick<ServerOptions, Limits> {
  const timeout = flags.text("request-timeout");
  const ports = flags.text("service-node-port-range");
  const [readers, writers] = [flags.text("max-requests-inflight"), flags.text("max-mutating-requests-inflight")];
  const hasLevels = flags.isOn("enable-priority-and-fairness") ?? true;
  return {
    ...(timeout === undefined ? {} : { requestTimeout: readDuration("request-timeout", timeout) }),
    ...(ports === undefined ? {} : { nodePortRange: readPortRange(ports) }),
    ...readInflight({ readers, writers, hasLevels }),
  };
}

function openAudit(flags: KubeFlags, io: CommandIo): AuditFile | undefined {
  const file = flags.text("audit-log-path");
  if (file === undefined) return undefined;
  const policy = flags.text("audit-policy-file");
  return openAuditFile({
    path: file === "-" ? file : path.resolve(file),
    policy: policy === undefined ? undefined : readFileSync(policy, "utf8"),
    onError: (error) => io.stderr(`${error.message}\n`),
  });
}
