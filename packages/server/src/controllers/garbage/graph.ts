/**
 * Which objects own which. Only dependents and objects in deletion that wait for their dependents are kept; whether an
 * owner is there is looked up in the store when it matters.
 *
 * Follows the graph builder of kubernetes pkg/controller/garbagecollector, which keeps every object.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaOf, metaText, textOf } from "@portcullis/engine/internal/value/metadata";

export const ORPHAN = "orphan";
export const FOREGROUND = "foregroundDeletion";

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly isBlocking: boolean;
}

export interface Node {
  readonly key: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  /** Whether it is in deletion and waits for its dependents to be deleted, or to be left alone. */
  readonly waitsFor: "deletion" | "orphaning" | undefined;
}

export class OwnerGraph {
  readonly #nodes = new Map<string, Node>();
  /** Keys of dependents: by the uid of the owner, and by its kind and name. */
  readonly #byUid = new Map<string, Set<string>>();
  readonly #byName = new Map<string, Set<string>>();
  /** Keys of objects that wait for the deletion of their dependents, by uid. */
  readonly #waiting = new Map<string, string>();

  get(key: string): Node | undefined {
    return this.#nodes.get(key);
  }

  /** Replaces what is known of a key. Undefined forgets it. */
  set(key: string, node: Node | undefined): void {
    const before = this.#nodes.get(key);
    if (before !== undefined) this.#forget(before);
    if (node !== undefined) this.#remember(node);
  }

  dependentsOf(uid: string): Node[] {
    return [...(this.#byUid.get(uid) ?? [])].flatMap((key) => this.#nodes.get(key) ?? []);
  }

  /** Keys of the objects that name such an owner, whatever its uid and namespace. */
  dependentsOn(group: string, kind: string, name: string): readonly string[] {
    return [...(this.#byName.get(nameKey(group, kind, name)) ?? [])];
  }

  /** The keys of those owners that wait for the deletion of their dependents. */
  waitingAmong(owners: readonly OwnerReference[]): string[] {
    return owners.flatMap(({ uid }) => this.#waiting.get(uid) ?? []);
  }

  #remember(node: Node): void {
    this.#nodes.set(node.key, node);
    if (node.waitsFor === "deletion") this.#waiting.set(node.uid, node.key);
    for (const { uid, apiVersion, kind, name } of node.owners) {
      addTo(this.#byUid, uid, node.key);
      addTo(this.#byName, nameKey(groupOf(apiVersion), kind, name), node.key);
    }
  }

  #forget(node: Node): void {
    this.#nodes.delete(node.key);
    if (this.#waiting.get(node.uid) === node.key) this.#waiting.delete(node.uid);
    for (const { uid, apiVersion, kind, name } of node.owners) {
      removeFrom(this.#byUid, uid, node.key);
      removeFrom(this.#byName, nameKey(groupOf(apiVersion), kind, name), node.key);
    }
  }
}

/** Undefined if the object neither has owners nor waits for dependents. */
export function nodeOf(key: string, object: JsonObject): Node | undefined {
  const owners = ownersOf(object);
  const waitsFor = waitingFor(object);
  if (owners.length === 0 && waitsFor === undefined) return undefined;
  return { key, uid: metaText(object, "uid"), owners, waitsFor };
}

export function ownersOf(object: JsonObject): OwnerReference[] {
  const references = metaOf(object)["ownerReferences"];
  return isArray(references) ? references.filter(isObject).map(readReference) : [];
}

function readReference(reference: { readonly [key: string]: JsonValue }): OwnerReference {
  return {
    apiVersion: textOf(reference["apiVersion"]),
    kind: textOf(reference["kind"]),
    name: textOf(reference["name"]),
    uid: textOf(reference["uid"]),
    isBlocking: reference["blockOwnerDeletion"] === true,
  };
}

function waitingFor(object: JsonObject): Node["waitsFor"] {
  if (metaText(object, "deletionTimestamp") === "") return undefined;
  const finalizers = finalizersOf(object);
  if (finalizers.includes(ORPHAN)) return "orphaning";
  return finalizers.includes(FOREGROUND) ? "deletion" : undefined;
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

function nameKey(group: string, kind: string, name: string): string {
  return `${group}/${kind}/${name}`;
}

function addTo(index: Map<string, Set<string>>, at: string, key: string): void {
  const keys = index.get(at);
  if (keys === undefined) index.set(at, new Set([key]));
  else keys.add(key);
}

function removeFrom(index: Map<string, Set<string>>, at: string, key: string): void {
  const keys = index.get(at);
  if (keys?.delete(key) === true && keys.size === 0) index.delete(at);
}
