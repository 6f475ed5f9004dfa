/** What an admission request is about, in the terms policies are written in. */
import type { UserInfo } from "../kubecel/library/authz.ts";
import type { JsonObject } from "../value/json.ts";
import type { GroupVersionKind, GroupVersionResource } from "../value/kind.ts";

export type { GroupVersionKind, GroupVersionResource } from "../value/kind.ts";

/** The operations that policies and webhooks match. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One request as it reaches validating admission: defaulted, mutated and validated. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  /** "" for the main resource. */
  readonly subresource: string;
  readonly kind: GroupVersionKind;
  /** "" for each object of a collection that is deleted. */
  readonly name: string;
  /** "" for cluster-scoped objects; a Namespace has its own name here. */
  readonly namespace: string;
  /** Undefined on DELETE. */
  readonly object: JsonObject | undefined;
  /** Undefined on CREATE and CONNECT. */
  readonly oldObject: JsonObject | undefined;
  /** CreateOptions and the like, with kind and apiVersion; undefined on CONNECT. */
  readonly options: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
}

/** Where the same objects are served under several groups or versions. */
export interface EquivalentResources {
  /** All resources, the given one included, that serve the same objects with the same subresource. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly GroupVersionResource[];
  kindFor(resource: GroupVersionResource, subresource: string): GroupVersionKind | undefined;
  /** The object as the given kind; a text says why not. */
  convert(object: JsonObject, kind: GroupVersionKind): JsonObject | string;
}

/** For callers that serve one version of everything. */
export const NO_EQUIVALENTS: EquivalentResources = {
  equivalents: (resource) => [resource],
  kindFor: () => undefined,
  convert: (object) => object,
};

/** As Go prints it: `apps/v1, Resource=deployments`. */
export function formatResource({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** As Go prints it: `apps/v1, Kind=Deployment`. */
export function formatKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

export function sameResource(left: GroupVersionResource, right: GroupVersionResource): boolean {
  return left.group === right.group && left.version === right.version && left.resource === right.resource;
}

export function sameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.group === right.group && left.version === right.version && left.kind === right.kind;
}

/** The group and version of an apiVersion; undefined if it has more than one slash. */
export function parseGroupVersion(apiVersion: string): { group: string; version: string } | undefined {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const [first = "", second, ...rest] = apiVersion.split("/");
  if (rest.length > 0) return undefined;
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}
