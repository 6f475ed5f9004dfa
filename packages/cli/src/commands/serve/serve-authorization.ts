/**
 * The authorization flags of kube-apiserver. Errors have upstream's messages.
 *
 * Follows kubernetes pkg/kubeapiserver/options/authorization.go.
 */

import { aggregate } from "@portcullis/engine/internal/field/format";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { quote } from "@portcullis/gostd/quote";
import type { AuthorizationMode, ServerOptions, WebhookMode } from "@portcullis/server";
import { openAuthorizationFile, readAbacFile, readConnection } from "@portcullis/server/internal";
import type { KubeFlags } from "./serve-kube-flags.ts";
import { readDuration } from "./serve-limits.ts";

type Options = Pick<ServerOptions, "authorizationModes" | "authorizationFile">;

/** Without modes everything is allowed, as upstream. */
export function readAuthorization(flags: KubeFlags, version: KubernetesVersion): Options {
  const file = flags.text("authorization-config");
  const policyFile = flags.text("authorization-policy-file");
  if (file !== undefined && file !== "") {
    if (LEGACY.some((name) => flags.text(name) !== undefined)) throw new Error(EXCLUSIVE);
    const authorizationFile = openAuthorizationFile({ file, policyFile, version });
    // What is wrong in it is reported before anything starts.
    authorizationFile.parse(authorizationFile.readText());
    return { authorizationFile };
  }
  const given = flags.all("authorization-mode").filter((mode) => mode !== "");
  const modes = given.length === 0 ? ["AlwaysAllow"] : given;
  const problems = problemsOf(modes, flags);
  if (problems.length > 0) throw new Error(aggregate(problems));
  return { authorizationModes: modes.map((mode) => readMode(mode, flags)) };
}

// biome-ignore format: a list
const LEGACY = [
  "authorization-mode", "authorization-webhook-config-file", "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl", "authorization-webhook-cache-unauthorized-ttl",
];
const EXCLUSIVE =
  "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined";

const MODES = ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"];

function problemsOf(modes: readonly string[], flags: KubeFlags): string[] {
  const [policies, webhook] = [
    flags.text("authorization-policy-file"),
    flags.text("authorization-webhook-config-file"),
  ];
  const [hasAbac, hasWebhook] = [modes.includes("ABAC"), modes.includes("Webhook")];
  const unknown = modes.filter((mode) => !MODES.includes(mode));
  return [
    ...unknown.map((mode) => `authorization-mode ${quote(mode)} is not a valid mode`),
    ...(hasAbac && !policies ? ["authorization-mode ABAC's authorization policy file not passed"] : []),
    ...(hasWebhook && !webhook ? ["authorization-mode Webhook's authorization config file not passed"] : []),
    ...(policies && !hasAbac ? ["cannot specify --authorization-policy-file without mode ABAC"] : []),
    ...(webhook && !hasWebhook ? ["cannot specify --authorization-webhook-config-file without mode Webhook"] : []),
    ...(new Set(modes).size === modes.length
      ? []
      : [`authorization-mode [${modes.map((mode) => quote(mode)).join(" ")}] has mode specified more than once`]),
  ];
}

function readMode(mode: string, flags: KubeFlags): AuthorizationMode {
  switch (mode) {
    case "ABAC":
      return readAbacFile(flags.text("authorization-policy-file") ?? "");
    case "Webhook":
      return readWebhook(flags);
    case "RBAC":
    case "Node":
    case "AlwaysDeny":
      return mode;
    default:
      return "AlwaysAllow";
  }
}

const TIMEOUT_MS = 30_000;

function readWebhook(flags: KubeFlags): WebhookMode {
  const ttl = (result: string, standard: string): number => {
    const flag = `authorization-webhook-cache-${result}-ttl`;
    return readDuration(flag, flags.text(flag) ?? standard);
  };
  const version = flags.text("authorization-webhook-version") ?? "v1beta1";
  if (version !== "v1" && version !== "v1beta1") throw new Error(unsupportedVersion("webhook authorizer", version));
  return {
    type: "Webhook",
    name: "default",
    connection: readConnection(flags.text("authorization-webhook-config-file") ?? ""),
    version,
    timeoutMs: TIMEOUT_MS,
    authorizedTtl: ttl("authorized", "5m"),
    unauthorizedTtl: ttl("unauthorized", "30s"),
    failurePolicy: "NoOpinion",
    matchConditions: [],
  };
}

const unsupportedVersion = (what: string, version: string): string =>
  `unsupported ${what} version ${quote(version)}, supported versions are "v1", "v1beta1"`;

/** The webhook that checks bearer tokens. */
export function readTokenWebhook(flags: KubeFlags): Pick<ServerOptions, "tokenWebhook"> {
  const file = flags.text("authentication-token-webhook-config-file") ?? "";
  if (file === "") return {};
  const version = flags.text("authentication-token-webhook-version") ?? "v1beta1";
  if (version !== "v1" && version !== "v1beta1") throw new Error(unsupportedVersion("authentication webhook", version));
  const flag = "authentication-token-webhook-cache-ttl";
  const ttl = readDuration(flag, flags.text(flag) ?? "2m");
  return { tokenWebhook: { connection: readConnection(file), version, ttl } };
}
