/**
 * Which nodes need which objects: a pod on a node needs its secrets, config maps, claims and service account, and a
 * claim needs its volume with the secrets of that. Follows graph.go of kubernetes plugin/pkg/auth/authorizer/node.
 */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText } from "@portcullis/engine/internal/value/metadata";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { claimsOfPod, configMapsOfPod, resourceClaimsOfPod, secretsOfPod, secretsOfVolume } from "./references.ts";

/** The kinds of objects that relations lead to, by the names of their resources. */
export type RelatedResource =
  | "configmaps"
  | "persistentvolumeclaims"
  | "persistentvolumes"
  | "podcertificaterequests"
  | "pods"
  | "resourceclaims"
  | "resourceslices"
  | "secrets"
  | "serviceaccounts"
  | "volumeattachments";

interface Volume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

const MIRROR_POD = "kubernetes.io/config.mirror";

export class NodeRelations {
  /** By the key of what is needed: the objects that need it, and their nodes. */
  readonly #needs = new Map<string, Map<string, string>>();
  /** What each object needs. */
  readonly #needed = new Map<string, readonly string[]>();
  readonly #volumes = new Map<string, Volume>();
  /** The names of volumes by secret. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();

  /** An object of one of the resources that relations come from; undefined if it is gone. */
  see(resource: string, source: string, object: JsonObject | undefined): void {
    if (resource === "persistentvolumes") this.#seeVolume(source, object);
    else this.#link(source, object === undefined ? "" : nodeOf(object), object ? targetsOf(resource, object) : []);
  }

  has(node: string, resource: RelatedResource, namespace: string, name: string): boolean {
    const key = keyOf(resource, namespace, name);
    if (resource === "persistentvolumes") return this.#hasVolume(node, name);
    if (this.#hasLink(node, key)) return true;
    if (resource !== "secrets") return false;
    return [...(this.#volumesOfSecret.get(key) ?? [])].some((volume) => this.#hasVolume(node, volume));
  }

  #hasVolume(node: string, name: string): boolean {
    const volume = this.#volumes.get(name);
    return volume !== undefined && this.#hasLink(node, volume.claim);
  }

  #hasLink(node: string, key: string): boolean {
    return [...(this.#needs.get(key)?.values() ?? [])].includes(node);
  }

  #link(source: string, node: string, targets: readonly string[]): void {
    for (const target of this.#needed.get(source) ?? []) {
      const sources = this.#needs.get(target);
      if (sources?.delete(source) && sources.size === 0) this.#needs.delete(target);
    }
    this.#needed.delete(source);
    if (node === "") return;
    this.#needed.set(source, targets);
    for (const target of targets) {
      const sources = this.#needs.get(target) ?? new Map();
      this.#needs.set(target, sources.set(source, node));
    }
  }

  #seeVolume(source: string, object: JsonObject | undefined): void {
    const name = source.slice(source.lastIndexOf("/") + 1);
    for (const secret of this.#volumes.get(name)?.secrets ?? []) this.#volumesOfSecret.get(secret)?.delete(name);
    this.#volumes.delete(name);
    const claim = objectOf(objectOf(object?.["spec"])["claimRef"]);
    if (object === undefined || textOf(claim["name"]) === "") return;
    const secrets = secretsOfVolume(object).map(([namespace, secret]) => keyOf("secrets", namespace, secret));
    const claimKey = keyOf("persistentvolumeclaims", textOf(claim["namespace"]), textOf(claim["name"]));
    this.#volumes.set(name, { claim: claimKey, secrets });
    for (const secret of secrets) {
      this.#volumesOfSecret.set(secret, (this.#volumesOfSecret.get(secret) ?? new Set()).add(name));
    }
  }
}

function keyOf(resource: RelatedResource, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

function nodeOf(object: JsonObject): string {
  return textOf(objectOf(object["spec"])["nodeName"]);
}

function targetsOf(resource: string, object: JsonObject): readonly string[] {
  const [namespace, name] = [metaText(object, "namespace"), metaText(object, "name")];
  if (resource !== "pods") return [keyOf(resource as RelatedResource, namespace, name)];
  const own = keyOf("pods", namespace, name);
  // A node may create mirror pods, which must not give it rights.
  if (objectOf(metaOf(object)["annotations"])[MIRROR_POD] !== undefined) return [own];
  const within = (kind: RelatedResource, names: readonly string[]): string[] =>
    names.filter((each) => each !== "").map((each) => keyOf(kind, namespace, each));
  const account = textOf(objectOf(object["spec"])["serviceAccountName"]);
  return [
    own,
    ...within("serviceaccounts", [account]),
    ...within("secrets", secretsOfPod(object)),
    ...within("configmaps", configMapsOfPod(object)),
    ...within("persistentvolumeclaims", claimsOfPod(object)),
    ...within("resourceclaims", resourceClaimsOfPod(object)),
  ];
}
