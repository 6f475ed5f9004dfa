/**
 * Reports an object of an unknown kind.
 *
 * Groups of Kubernetes itself are known completely: a kind or version that they do not have is refused for certain.
 * Kinds of other groups come from CRDs, which may not be among the inputs. A version that a given CRD does not serve is
 * refused for certain, too.
 */
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { isArray, isObject } from "@portcullis/engine/internal/value/json";
import { schemaNameOf } from "../input/catalogue.ts";
import { nearest } from "../input/suggest.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { type ApiLifecycle, lifecycleOf } from "./api-lifecycle.ts";
import { type MissingSchemaMode, NOT_FOUND } from "./missing-modes.ts";

export interface MissingSchemaOptions {
  readonly mode: MissingSchemaMode;
  /** What the CRDs among the inputs serve. */
  readonly defined: readonly ServedVersion[];
  /** The Kubernetes version, such as `1.36`. */
  readonly version: string;
}

/** A version that a CRD serves. */
export interface ServedVersion {
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether all versions of the CRD are known. The schemas of a catalogue are those of some versions. */
  readonly isComplete: boolean;
}

/** What CRDs serve. */
export function servedVersions(definitions: readonly ManifestDocument[]): readonly ServedVersion[] {
  return definitions.flatMap(({ file, object: { spec } }) => {
    if (!isObject(spec) || !isObject(spec["names"]) || !isArray(spec["versions"])) return [];
    const { group, names, versions } = spec;
    const isComplete = schemaNameOf(file) === undefined;
    return versions
      .filter(isObject)
      .filter(({ served }) => served === true)
      .map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: String(names["kind"]), isComplete }));
  });
}

export function missingSchema(document: ManifestDocument, options: MissingSchemaOptions): Finding[] {
  const { apiVersion, kind } = document.id;
  if (isEmptyList(document)) return [];
  const lifecycle = lifecycleOf(apiVersion, kind);
  const minor = Number(options.version.slice("1.".length));
  const hint = (): string | undefined => meant(apiVersion, kind, options.defined.map(nameOf));
  if (lifecycle !== undefined) return knownVersion(document, lifecycle, minor, options.mode);
  if (isGroupOfKubernetes(groupOf(apiVersion))) {
    return [finding(document, { rule: "api/unknown", severity: "error", hint: hint() })];
  }
  const served = options.defined.filter(
    (each) => each.kind === kind && groupOf(each.apiVersion) === groupOf(apiVersion),
  );
  if (served.length > 0 && served.every(({ isComplete }) => isComplete)) {
    return [finding(document, { rule: "api/unknown", severity: "error", hint: hint() })];
  }
  if (options.mode === "ignore") return [];
  return [
    findingAt(document, {
      rule: NOT_FOUND,
      severity: options.mode === "error" ? "error" : "warning",
      path: "kind",
      message: `no schema for ${kind || "an unnamed kind"} in ${apiVersion || "an unnamed version"}`,
      hint: hint() ?? SUPPLY,
    }),
  ];
}

const SUPPLY =
  "name its CRD with --crds: a file, a folder, an archive, a URL, git:REF:PATH, a catalogue, or kube: for a cluster";

/** A list without items has no objects. */
function isEmptyList({ id, object }: ManifestDocument): boolean {
  if (!id.kind.endsWith("List") || (object["items"] ?? null) !== null) return false;
  return id.kind === "List" || builtInNames().includes(`${id.apiVersion} ${id.kind.slice(0, -"List".length)}`);
}

function knownVersion(
  document: ManifestDocument,
  lifecycle: ApiLifecycle,
  minor: number,
  mode: MissingSchemaMode,
): Finding[] {
  const { introduced, removed } = lifecycle;
  if (removed !== undefined && minor >= removed) {
    return [finding(document, { rule: "api/removed", severity: "error", hint: removedHint(lifecycle) })];
  }
  if (minor < introduced) {
    const hint = `it was introduced in Kubernetes 1.${introduced}`;
    return [finding(document, { rule: "api/unknown", severity: "error", hint })];
  }
  if (mode === "ignore") return [];
  const { apiVersion, kind } = document.id;
  const message = `${apiVersion} ${kind} is not served by default, so it is not checked`;
  const severity = mode === "error" ? "error" : "warning";
  return [finding(document, { rule: "api/not-served", severity, message, hint: replacementHint(lifecycle) })];
}

function removedHint(lifecycle: ApiLifecycle): string {
  const replacement = replacementHint(lifecycle);
  return `removed in Kubernetes 1.${lifecycle.removed}; ${replacement ?? "there is no replacement"}`;
}

function replacementHint({ replacement }: ApiLifecycle): string | undefined {
  return replacement === undefined ? undefined : `use \`${replacement}\``;
}

interface Parts {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly message?: string;
  readonly hint: string | undefined;
}

/** By default with the message of kubectl. */
function finding(document: ManifestDocument, { rule, severity, message, hint }: Parts): Finding {
  const { apiVersion, kind } = document.id;
  const noMatches = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
  const path = rule === "api/unknown" ? "kind" : "apiVersion";
  return findingAt(document, { rule, severity, path, message: message ?? noMatches, hint });
}

/**
 * API versions that will be removed: an error if the target version does not have them any more, otherwise a warning.
 */
export function deprecationFindings(document: ManifestDocument, target: number): Finding[] {
  const { apiVersion, kind } = document.id;
  const lifecycle = lifecycleOf(apiVersion, kind);
  if (lifecycle?.deprecated === undefined || lifecycle.removed === undefined) return [];
  const { deprecated, removed, replacement } = lifecycle;
  const instead = replacement === undefined ? "" : `; use ${replacement} ${kind}`;
  const message = `${apiVersion} ${kind} is deprecated in v1.${deprecated}+, unavailable in v1.${removed}+${instead}`;
  const isRemoved = removed <= target;
  return [
    findingAt(document, {
      rule: isRemoved ? "api/removed" : "api/deprecated",
      severity: isRemoved ? "error" : "warning",
      path: "apiVersion",
      message,
    }),
  ];
}

let builtIn: readonly string[] | undefined;

function builtInNames(): readonly string[] {
  builtIn ??= resourceInfos().map((info) => `${info.group === "" ? "" : `${info.group}/`}${info.version} ${info.kind}`);
  return builtIn;
}

function meant(apiVersion: string, kind: string, defined: readonly string[]): string | undefined {
  const all = [...defined, ...builtInNames()];
  const sameKind = all.filter((each) => each.endsWith(` ${kind}`));
  const group = groupOf(apiVersion);
  const sameGroup = sameKind.filter((each) => groupOf(each) === group);
  if (sameGroup.length > 0) return `${kind} is served in ${versionsOf(sameGroup)}`;
  if (sameKind.length > 0 && isGroupOfKubernetes(group)) return `${kind} is served in ${versionsOf(sameKind)}`;
  const near = nearest(kind, new Set(all.filter((each) => each.startsWith(`${apiVersion} `)).map(kindOf)));
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

/** Groups that no longer exist. */
const FORMER_GROUPS = ["extensions", "settings.k8s.io"];

function nameOf({ apiVersion, kind }: ServedVersion): string {
  return `${apiVersion} ${kind}`;
}

/** Whether kube-apiserver itself serves the group; CRDs cannot add kinds to it in practice. */
function isGroupOfKubernetes(group: string): boolean {
  return FORMER_GROUPS.includes(group) || resourceInfos().some((info) => info.group === group);
}

function groupOf(text: string): string {
  const [apiVersion = ""] = text.split(" ");
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

function kindOf(text: string): string {
  return text.slice(text.indexOf(" ") + 1);
}

function versionsOf(texts: readonly string[]): string {
  return texts.map((text) => `\`${text.split(" ")[0]}\``).join(", ");
}
