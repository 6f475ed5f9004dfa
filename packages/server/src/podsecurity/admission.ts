/** Pod Security admission, by the labels of namespaces. Follows kubernetes plugin/pkg/admission/security/podsecurity. */
import { type KubernetesVersion, minorOf } from "@portcullis/engine/kubecel/versions";
import { admitBySecurity, isAboutPods, type PodSecurityRequest } from "@portcullis/engine/podsecurity/admit";
import { DEFAULT_CONFIGURATION, type PodSecurityConfiguration } from "@portcullis/engine/podsecurity/configuration";
import type { LevelVersion } from "@portcullis/engine/podsecurity/level";
import { warnOfPods } from "@portcullis/engine/podsecurity/namespace";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionPlugin, AdmissionRequest, ServerContext } from "../registry/context.ts";
import { namespaceType } from "../registry/namespace.ts";
import { decodeEntry, keyOf, prefixOf } from "../registry/object-codec.ts";

export interface PodSecurityOptions {
  /** The version of the server, which limits what `latest` means. */
  readonly version: KubernetesVersion;
  readonly configuration?: PodSecurityConfiguration | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function podSecurityAdmission(options: PodSecurityOptions): AdmissionPlugin {
  return { name: "PodSecurity", validate: (request) => validate(request, options) };
}

async function validate(request: AdmissionRequest, options: PodSecurityOptions): Promise<void> {
  const { endpoint, operation, object, server, warn, annotate } = request;
  const { group, plural } = endpoint.type;
  const resource = { group, resource: plural };
  if ((operation !== "CREATE" && operation !== "UPDATE") || object === undefined || !isAboutPods(resource)) return;
  const asked = requestOf(request, operation, object);
  const context = {
    configuration: options.configuration ?? DEFAULT_CONFIGURATION,
    serverMinor: minorOf(options.version),
  };
  const namespace = plural === "namespaces" ? undefined : await namespaceOf(server, asked.namespace);
  const verdict = admitBySecurity(asked, namespace, context);
  for (const observation of verdict.observations) {
    server.metrics.podSecurity.observe(observation, asked, context.serverMinor);
  }
  for (const [key, value] of Object.entries(verdict.auditAnnotations)) annotate(key, value);
  verdict.warnings.forEach(warn);
  if (verdict.error !== undefined) throw verdict.error;
  if (verdict.podsAgainst !== undefined) {
    (await existingPods(request, asked.name, verdict.podsAgainst, { ...context, ...options })).forEach(warn);
  }
}

function requestOf(
  { endpoint, name, namespace, user, old }: AdmissionRequest,
  operation: PodSecurityRequest["operation"],
  object: JsonObject,
): PodSecurityRequest {
  const { group, plural } = endpoint.type;
  const isNamespace = group === "" && plural === "namespaces";
  return {
    ...{ group, resource: plural, subresource: endpoint.subresource?.name ?? "", operation },
    ...{ name, namespace: isNamespace ? name : namespace, username: user.name, object, old },
  };
}

async function namespaceOf({ store }: ServerContext, name: string): Promise<JsonObject | undefined> {
  const entry = await store.get(keyOf(namespaceType, "", name));
  return entry && decodeEntry(entry, namespaceType);
}

const CHECK_MS = 1000;

/** Not more than a second, and not more than half of what is left of the request's time. */
async function existingPods(
  { server, deadline }: AdmissionRequest,
  namespace: string,
  enforce: LevelVersion,
  { configuration, version, now }: PodSecurityOptions,
): Promise<string[]> {
  const end = now() + Math.min(CHECK_MS, (deadline - now()) / 2);
  const type = server.registry.find("", "v1", "pods");
  if (type === undefined) return [];
  const { entries } = await server.store.list(prefixOf(type, namespace));
  const pods = entries.map((entry) => decodeEntry(entry, type));
  return warnOfPods(pods, namespace, enforce, {
    configuration: configuration ?? DEFAULT_CONFIGURATION,
    serverMinor: minorOf(version),
    hasTime: () => now() < end,
  });
}
