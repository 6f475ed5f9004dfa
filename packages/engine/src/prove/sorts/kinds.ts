/** The kinds of objects in requests, as far as proofs need them. */
import type { GoStruct } from "../../field/go-shape.ts";
import type { GroupVersionKind, GroupVersionResource, Operation } from "../../policy/attributes.ts";
import type { Structural } from "../../schema/structural.ts";

export interface ProofKind extends GroupVersionKind, GroupVersionResource {
  readonly namespaced: boolean;
  /** Equal for the versions of one kind. */
  readonly family: string;
  /** The verbs of discovery; empty if all are served. */
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, ProofSubresource>;
  /** For built-in kinds. */
  readonly shape?: (() => GoStruct) | undefined;
  /** For custom resources; undefined if there is no schema. */
  readonly schema?: (() => Structural | undefined) | undefined;
  /** The schemas of all versions of a custom resource, if they differ: objects may be stored under any of them. */
  readonly schemas?: (() => readonly (Structural | undefined)[]) | undefined;
  /** Whether a webhook converts between the versions of a custom resource: it may change everything but metadata. */
  readonly isConvertedByWebhook?: boolean | undefined;
  readonly hasStatus: boolean;
  /** Whether names are DNS subdomains, as those of most kinds are. */
  readonly hasPlainNames: boolean;
}

export interface ProofSubresource extends GroupVersionKind {
  readonly verbs: readonly string[];
  readonly shape?: (() => GoStruct | undefined) | undefined;
}

export interface KindSource {
  readonly all: readonly ProofKind[];
}

/** One form of request: everything that matching reads except names and labels. */
export interface Scenario {
  readonly operation: Operation;
  readonly kind: ProofKind;
  readonly subresource: string;
  /** The kind of the objects in the request. */
  readonly objectKind: GroupVersionKind;
  /** Whether it is an item of a deleted collection: the request has no name. */
  readonly isCollection: boolean;
  /** Whether it creates a namespace with a generated name: the request has no namespace. */
  readonly isGenerated: boolean;
}

export function scenariosOf(kind: ProofKind): Scenario[] {
  const serves = (...verbs: string[]): boolean =>
    kind.verbs.length === 0 || verbs.some((verb) => kind.verbs.includes(verb));
  const own = { kind, subresource: "", objectKind: gvkOf(kind), isCollection: false, isGenerated: false } as const;
  const main: Scenario[] = [];
  if (serves("create")) main.push({ ...own, operation: "CREATE" });
  if (isNamespaceKind(kind)) main.push({ ...own, operation: "CREATE", isGenerated: true });
  if (serves("update", "patch")) main.push({ ...own, operation: "UPDATE" });
  if (serves("delete")) main.push({ ...own, operation: "DELETE" });
  if (serves("deletecollection")) main.push({ ...own, operation: "DELETE", isCollection: true });
  return [
    ...main,
    ...[...kind.subresources].flatMap(([name, subresource]) => subresourceScenarios(kind, name, subresource)),
  ];
}

function gvkOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

function subresourceScenarios(kind: ProofKind, name: string, subresource: ProofSubresource): Scenario[] {
  const base = {
    kind,
    subresource: name,
    objectKind: gvkOf(subresource),
    isCollection: false,
    isGenerated: false,
  };
  if (subresource.kind.endsWith("Options")) return [{ ...base, operation: "CONNECT" }];
  const { verbs } = subresource;
  const found: Scenario[] = [];
  if (verbs.includes("create")) found.push({ ...base, operation: "CREATE" });
  if (verbs.includes("update") || verbs.includes("patch")) found.push({ ...base, operation: "UPDATE" });
  return found;
}

export function isNamespaceKind({ group, kind }: GroupVersionKind): boolean {
  return group === "" && kind === "Namespace";
}

/** Objects that are only created and never stored, such as bindings: the server does not complete their metadata. */
export function isNeverStored({ verbs }: Pick<ProofKind, "verbs">): boolean {
  return verbs.length > 0 && !verbs.includes("get");
}

export function apiVersionOf({ group, version }: Pick<GroupVersionKind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

export function scenarioName({ operation, kind, subresource, isCollection, isGenerated }: Scenario): string {
  const resource = kind.group === "" ? kind.resource : `${kind.resource}.${kind.group}`;
  const form = isCollection ? " of a collection" : isGenerated ? " with a generated name" : "";
  return `${operation}${form} ${resource}${subresource === "" ? "" : `/${subresource}`} ${kind.version}`;
}
