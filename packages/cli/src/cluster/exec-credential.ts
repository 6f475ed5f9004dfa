/**
 * Credentials from a program, as kubectl gets them: it reads `KUBERNETES_EXEC_INFO` and prints an ExecCredential of
 * `client.authentication.k8s.io` v1 or v1beta1.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

const GROUP = "client.authentication.k8s.io";
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`];

export interface Credential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface PluginContext {
  /** The folder of the kubeconfig. */
  readonly folder: string;
  readonly place: string;
  readonly server: {
    readonly server: string;
    readonly ca: string | undefined;
    readonly skipVerify: boolean;
    readonly serverName: string | undefined;
    readonly proxy: URL | undefined;
  };
}

export function runCredentialPlugin(exec: JsonObject, context: PluginContext): Credential {
  const apiVersion = text(exec["apiVersion"]);
  const command = text(exec["command"]);
  const fail = (problem: string): never => {
    const hint = text(exec["installHint"]);
    throw new UsageError(`${context.place}: exec: ${problem}${hint === "" ? "" : `\n${hint}`}`);
  };
  if (!VERSIONS.includes(apiVersion))
    return fail(`the apiVersion \`${apiVersion}\` is not one of ${VERSIONS.join(", ")}`);
  if (command === "") return fail("there is no command");
  const isInteractive = interactive(exec, fail);
  // A path, unlike a name, is relative to the file that it is in.
  const program = /[\\/]/.test(command) ? path.resolve(context.folder, command) : command;
  const info = execInfo(exec, { apiVersion, isInteractive }, context);
  const { status, stdout, error, signal } = spawnSync(program, texts(exec["args"]), {
    env: { ...process.env, ...environment(exec), KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdio: [isInteractive ? "inherit" : "ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 20,
  });
  if (error !== undefined && "code" in error && error.code === "ENOBUFS") return fail(`\`${command}\` prints too much`);
  if (error !== undefined) return fail(`\`${command}\` cannot be run: ${error.message}`);
  if (status !== 0) return fail(`\`${command}\` ended with ${status ?? signal}`);
  return readCredential(stdout, apiVersion, (problem) => fail(`\`${command}\` ${problem}`));
}

/** As client-go decides whether the program may ask questions. */
function interactive(exec: JsonObject, fail: (problem: string) => never): boolean {
  const mode = text(exec["interactiveMode"]) || "IfAvailable";
  const hasTerminal = process.stdin.isTTY === true;
  if (mode === "Always" && !hasTerminal) return fail("it needs a terminal, and there is none");
  return mode !== "Never" && hasTerminal;
}

function execInfo(
  exec: JsonObject,
  { apiVersion, isInteractive }: { readonly apiVersion: string; readonly isInteractive: boolean },
  { server: { server, ca, skipVerify, serverName, proxy } }: PluginContext,
): unknown {
  const cluster = {
    server,
    ...(serverName === undefined ? {} : { "tls-server-name": serverName }),
    ...(skipVerify ? { "insecure-skip-tls-verify": true } : {}),
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(proxy === undefined ? {} : { "proxy-url": proxy.href }),
  };
  const spec = { interactive: isInteractive, ...(exec["provideClusterInfo"] === true ? { cluster } : {}) };
  return { kind: "ExecCredential", apiVersion, spec };
}

function environment(exec: JsonObject): Record<string, string> {
  const list = exec["env"];
  const pairs = (isArray(list) ? list.filter(isObject) : []).map(
    ({ name, value }) => [text(name), text(value)] as const,
  );
  return Object.fromEntries(pairs.filter(([name]) => name !== ""));
}

function readCredential(stdout: string, apiVersion: string, fail: (problem: string) => never): Credential {
  const decoded = decodeJson(Buffer.from(stdout));
  if (decoded.error !== undefined || !isObject(decoded.value)) return fail("does not print JSON");
  const { kind, apiVersion: printed, status } = decoded.value;
  if (kind !== "ExecCredential" || printed !== apiVersion) {
    return fail(`prints ${text(printed)} ${text(kind)}; ${apiVersion} ExecCredential is expected`);
  }
  if (!isObject(status)) return fail("prints no status");
  const [token, cert, key] = ["token", "clientCertificateData", "clientKeyData"].map(
    (name) => text(status[name]) || undefined,
  );
  if (token === undefined && cert === undefined) return fail("prints neither a token nor a certificate");
  if ((cert === undefined) !== (key === undefined))
    return fail("prints a certificate without a key, or a key without one");
  return { token, cert, key };
}

function texts(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.map(text) : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
