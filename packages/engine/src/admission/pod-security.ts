/** Pod Security admission, by the labels of namespaces. Follows kubernetes plugin/pkg/admission/security/podsecurity. */
import { type KubernetesVersion, minorOf } from "../kubecel/versions.ts";
import { admitBySecurity, isAboutPods, type PodSecurityRequest } from "../podsecurity/admit.ts";
import { DEFAULT_CONFIGURATION, type PodSecurityConfiguration } from "../podsecurity/configuration.ts";
import type { PodSecurityObservation } from "../podsecurity/evaluate.ts";
import type { LevelVersion } from "../podsecurity/level.ts";
import { warnOfPods } from "../podsecurity/namespace.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { namespaceKind } from "../review/kinds/namespace.ts";
import type { JsonObject } from "../value/json.ts";

export interface PodSecurityOptions {
  /** The version of the server, which limits what `latest` means. */
  readonly version: KubernetesVersion;
  readonly configuration?: PodSecurityConfiguration | undefined;
  /** Milliseconds since 1970; without it the pods of a changed namespace are checked however long that takes. */
  readonly now?: () => number;
  /** Gets what the server counts. */
  readonly observe?: (observation: PodSecurityObservation, request: PodSecurityRequest, serverMinor: number) => void;
}

export function podSecurityAdmission(options: PodSecurityOptions): AdmissionPlugin {
  return { name: "PodSecurity", validate: (request) => validate(request, options) };
}

async function validate(request: AdmissionRequest, options: PodSecurityOptions): Promise<void> {
  const { endpoint, operation, object, cluster, warn, annotate, report } = request;
  const { group, plural } = endpoint.type;
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (!isWritten || object === undefined || !isAboutPods({ group, resource: plural })) return;
  const asked = requestOf(request, operation, object);
  const { version, configuration = DEFAULT_CONFIGURATION } = options;
  const context = { configuration, serverMinor: minorOf(version) };
  const namespace = plural === "namespaces" ? undefined : await cluster.get(namespaceKind, "", asked.namespace);
  const verdict = admitBySecurity(asked, namespace, context);
  report({ plugin: "PodSecurity", verdict, request });
  for (const observation of verdict.observations) options.observe?.(observation, asked, context.serverMinor);
  for (const [key, value] of Object.entries(verdict.auditAnnotations)) annotate(key, value);
  verdict.warnings.forEach(warn);
  if (verdict.error !== undefined) throw verdict.error;
  if (verdict.podsAgainst === undefined) return;
  (await existingPods(request, verdict.podsAgainst, { ...options, configuration })).forEach(warn);
}

function requestOf(
  { endpoint, name, namespace, user, old }: AdmissionRequest,
  operation: PodSecurityRequest["operation"],
  object: JsonObject,
): PodSecurityRequest {
  const { group, plural } = endpoint.type;
  const isNamespace = group === "" && plural === "namespaces";
  return {
    group,
    resource: plural,
    subresource: endpoint.subresource?.name ?? "",
    operation,
    name,
    namespace: isNamespace ? name : namespace,
    username: user.name,
    object,
    old,
  };
}

const CHECK_MS = 1000;

/** Not more than a second, and not more than half of what is left of the request's time. */
async function existingPods(
  { cluster, name, deadline = Number.POSITIVE_INFINITY }: AdmissionRequest,
  enforce: LevelVersion,
  { configuration = DEFAULT_CONFIGURATION, version, now = () => 0 }: PodSecurityOptions,
): Promise<string[]> {
  const end = now() + Math.min(CHECK_MS, (deadline - now()) / 2);
  const kind = cluster.kinds.find("", "v1", "pods");
  const pods = kind === undefined ? [] : await cluster.list(kind, name);
  return warnOfPods(pods, name, enforce, { configuration, serverMinor: minorOf(version), hasTime: () => now() < end });
}
