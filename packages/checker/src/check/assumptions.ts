/**
 * What depends on how the cluster is configured. Files that are named are checked as by an API server with default flags;
 * in folders nothing is refused for a reason that another cluster does not have, as these are often samples for several.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";

/** `any` accepts every family. */
export const IP_FAMILIES = ["any", "ipv4", "ipv6", "ipv4,ipv6"] as const;
export type IpFamilies = (typeof IP_FAMILIES)[number];

export interface ClusterAssumptions {
  /** Where absent: `ipv4` for files that are named, `any` in folders. */
  readonly ipFamilies: IpFamilies | undefined;
  /** Whether the API server runs with `--allow-privileged`. */
  readonly allowsPrivileged: boolean;
}

export const DEFAULT_ASSUMPTIONS: ClusterAssumptions = { ipFamilies: undefined, allowsPrivileged: true };

/** The findings under these assumptions. The review assumes a cluster with IPv4 that allows privileged containers. */
export function underAssumptions(
  findings: readonly Finding[],
  document: ManifestDocument,
  { ipFamilies: given, allowsPrivileged, isNamed }: ClusterAssumptions & { readonly isNamed: boolean },
): readonly Finding[] {
  const ipFamilies = given ?? (isNamed ? "ipv4" : "any");
  const familyNeutral =
    ipFamilies === "ipv4" ? findings : findings.filter(({ message }) => !ABOUT_FAMILIES.test(message));
  const others = isNamed ? familyNeutral : familyNeutral.filter(({ message }) => !message.endsWith(NO_ACCOUNT));
  const families = ipFamilies === "ipv6" ? familyFindings(document) : [];
  return [...others, ...families, ...(allowsPrivileged ? [] : privilegedFindings(document))];
}

/** Almost every cluster gives pods the service account `default` before they are validated. */
const NO_ACCOUNT = "must not be specified when serviceAccountName is not set";

const ABOUT_FAMILIES =
  /: (?:(?:IPv[46] is )?not configured on this cluster|this cluster is not configured for dual-stack services)$/;

function familyFindings(document: ManifestDocument): Finding[] {
  const { id, object } = document;
  const spec = object["spec"];
  if (id.apiVersion !== "v1" || id.kind !== "Service" || !isObject(spec)) return [];
  const families = isArray(spec["ipFamilies"]) ? spec["ipFamilies"] : [];
  return [
    ...families.flatMap((family, index) =>
      family === "IPv4"
        ? [invalid(document, `spec.ipFamilies[${index}]`, family, "not configured on this cluster")]
        : [],
    ),
    ...(spec["ipFamilyPolicy"] === "RequireDualStack"
      ? [
          invalid(
            document,
            "spec.ipFamilyPolicy",
            "RequireDualStack",
            "this cluster is not configured for dual-stack services",
          ),
        ]
      : []),
  ];
}

function invalid(document: ManifestDocument, path: string, value: string, detail: string): Finding {
  const message = `${path}: Invalid value: ${JSON.stringify(value)}: ${detail}`;
  return findingAt(document, { rule: "validation", severity: "error", path, message });
}

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];

function privilegedFindings(document: ManifestDocument): Finding[] {
  const found = podSpecOf(document);
  if (found === undefined) return [];
  return CONTAINERS.flatMap((field) => {
    const list = found.spec[field];
    if (!isArray(list)) return [];
    return list.flatMap((container, index) => {
      if (!isPrivileged(container)) return [];
      const path = `${found.path}.${field}[${index}].securityContext.privileged`;
      const message = `${path}: Forbidden: disallowed by cluster policy`;
      return [findingAt(document, { rule: "validation", severity: "error", path, message })];
    });
  });
}

function isPrivileged(container: JsonValue): boolean {
  const context = isObject(container) ? container["securityContext"] : undefined;
  return isObject(context) && context["privileged"] === true;
}

const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ["v1 Pod", ["spec"]],
  ["v1 PodTemplate", ["template", "spec"]],
  ["v1 ReplicationController", ["spec", "template", "spec"]],
  ["apps/v1 DaemonSet", ["spec", "template", "spec"]],
  ["apps/v1 Deployment", ["spec", "template", "spec"]],
  ["apps/v1 ReplicaSet", ["spec", "template", "spec"]],
  ["apps/v1 StatefulSet", ["spec", "template", "spec"]],
  ["batch/v1 Job", ["spec", "template", "spec"]],
  ["batch/v1 CronJob", ["spec", "jobTemplate", "spec", "template", "spec"]],
]);

function podSpecOf({ id, object }: ManifestDocument): { readonly path: string; readonly spec: JsonObject } | undefined {
  const steps = TEMPLATES.get(`${id.apiVersion} ${id.kind}`);
  let at: JsonValue | undefined = object;
  for (const step of steps ?? []) at = isObject(at) ? at[step] : undefined;
  return steps !== undefined && isObject(at) ? { path: steps.join("."), spec: at } : undefined;
}
