/** One endpoint as field management sees it, and what every kind of write does there. */
import { difference } from "../fieldset/algebra.ts";
import { makePath } from "../fieldset/path.ts";
import { isEmptySet, setOf } from "../fieldset/set.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import type { KubernetesVersion } from "../value/server-version.ts";
import type { Managed, ManagedEntry, ManagerIdentity, Operation } from "./managers/managed.ts";
import type { OwnedSet, UpdaterScope } from "./managers/owners.ts";
import { formatKind, kindOf } from "./types/kind.ts";

/** One endpoint of one version of a resource. */
export interface FieldManagerScope extends UpdaterScope {
  readonly kind: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** A new object before anybody set anything: for built-in kinds what their zero value is written as. */
  readonly emptyObject: JsonObject;
  /** An object as JSON shows it, if that may differ from how it is in memory. */
  readonly written?: (object: JsonObject) => JsonObject;
  /** A merged object as one of its kind, defaulted; why it cannot be one where a Go type says so. */
  readonly complete: (object: JsonObject) => Completed;
  /** Reads JSON text as the API server does; undefined if it is no object. */
  readonly parseJson: (text: string) => JsonObject | undefined;
  /**
   * Why objects made by merging cannot be converted here. Upstream's scale endpoint of custom resources knows only the
   * typed Scale, so that every apply to it that would change something fails.
   */
  readonly cannotConvert?: string;
  /** The version of the server; the newest if absent. */
  readonly serverVersion?: KubernetesVersion;
}

export type Completed =
  | { readonly object: JsonObject; readonly error?: undefined }
  | { readonly object?: undefined; readonly error: string };

export function identityFor(scope: FieldManagerScope, manager: string, operation: Operation): ManagerIdentity {
  const name = manager === "" ? "unknown" : manager;
  const apiVersion = operation === "Apply" ? "" : scope.apiVersion;
  return { manager: name, operation, apiVersion, subresource: scope.subresource };
}

export function ownersOf(managed: Managed): Map<string, OwnedSet> {
  return new Map([...managed].map(([identifier, entry]) => [identifier, entry.owned]));
}

export function entriesFor(owners: ReadonlyMap<string, OwnedSet>, managed: Managed): Map<string, ManagedEntry> {
  const entries = new Map<string, ManagedEntry>();
  for (const [identifier, owned] of owners) {
    const known = managed.get(identifier);
    if (known !== undefined) entries.set(identifier, { ...known, owned });
  }
  return entries;
}

export const NEVER_OWNED_METADATA: ReadonlySet<string> = new Set([
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
]);

const NEVER_OWNED = setOf(
  ...["apiVersion", "kind", "metadata"].map((name) => makePath(name)),
  ...[...NEVER_OWNED_METADATA].map((name) => makePath("metadata", name)),
);

/** Without fields that have no owner; undefined if nothing is left. */
export function stripMetadata(owned: OwnedSet | undefined): OwnedSet | undefined {
  if (owned === undefined) return undefined;
  const set = difference(owned.set, NEVER_OWNED);
  return isEmptySet(set) ? undefined : { ...owned, set };
}

/** `namespace/name; group/version, Kind=kind`. */
export function describe(object: JsonObject): string {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  const text = (name: string): string => (typeof metadata[name] === "string" ? metadata[name] : "");
  return `${text("namespace")}/${text("name")}; ${formatKind(kindOf(object))}`;
}
