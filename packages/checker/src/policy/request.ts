/**
 * Builds a request from the given fields; the rest is derived from the objects.
 *
 * Users belong to `system:authenticated`, and service accounts to their groups, as in the API server.
 */
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import type {
  AdmissionAttributes,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "@portcullis/engine/internal/policy/attributes";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../input/usage-error.ts";
import { findResource, gvkOf, type KindCatalog, kindByConvention, type ServedKind } from "./kinds.ts";
import * as messages from "./messages.ts";
import { makeUser } from "./user.ts";

export interface RequestParts {
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
  readonly operation?: string | undefined;
  /** As people write it, or as an AdmissionReview has it. */
  readonly resource?: string | GroupVersionResource | undefined;
  readonly kind?: GroupVersionKind | undefined;
  readonly subresource?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly user?: UserInfo | undefined;
  readonly options?: JsonObject | undefined;
  readonly dryRun?: boolean | undefined;
  /** The objects come from the API server and are not defaulted. */
  readonly isRaw?: boolean | undefined;
}

export interface Request {
  readonly attributes: AdmissionAttributes;
  readonly kind: ServedKind;
  /** Notes for the reader of the result. */
  readonly notes: readonly string[];
}

/** The objects of a request. */
interface Subjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The objects are used as given: nothing is decoded or defaulted. */
export function makeRequest(parts: RequestParts, kinds: KindCatalog): Request {
  const operation = readOperation(parts);
  const given = placeObjects(parts, operation);
  const subresource = parts.subresource ?? "";
  const subject = given.object ?? given.oldObject;
  const served = findKind(parts, subject, kinds);
  const namespace = namespaceFor(parts, subject, served);
  const meta = metaOf(subject ?? {});
  const name = parts.name ?? textOf(meta["name"]);
  return {
    kind: served,
    notes: isKnown(served, kinds) ? [] : [messages.unknownKind(apiVersion(served), served.kind)],
    attributes: {
      operation,
      resource: { group: served.group, version: served.version, resource: served.resource },
      subresource,
      kind: parts.kind ?? kindFor(subject, served, subresource),
      name,
      namespace: served.group === "" && served.resource === "namespaces" ? name : namespace,
      ...given,
      options: parts.options ?? optionsFor(operation, parts.dryRun === true),
      dryRun: parts.dryRun ?? false,
      userInfo: parts.user ?? makeUser("user", []),
    },
  };
}

function readOperation({ operation, object, oldObject }: RequestParts): Operation {
  if (operation === undefined) {
    if (object === undefined) return "DELETE";
    return oldObject === undefined ? "CREATE" : "UPDATE";
  }
  const known = (["CREATE", "UPDATE", "DELETE", "CONNECT"] as const).find((each) => each === operation.toUpperCase());
  if (known === undefined) throw new UsageError(messages.unknownOperation(operation));
  return known;
}

/** The object of a DELETE is the existing one; a CREATE has no old object. */
function placeObjects({ object, oldObject }: RequestParts, operation: Operation): Subjects {
  if (operation === "DELETE") return { object: undefined, oldObject: oldObject ?? object };
  return { object, oldObject: operation === "UPDATE" ? (oldObject ?? object) : undefined };
}

function findKind({ resource, kind }: RequestParts, subject: JsonObject | undefined, kinds: KindCatalog): ServedKind {
  if (resource === undefined) {
    if (subject === undefined) throw new UsageError(messages.requestWithoutObject());
    const gvk = kind ?? gvkOf(subject);
    return kinds.ofKind(gvk) ?? kindByConvention(gvk, metaOf(subject)["namespace"] !== undefined);
  }
  const found = typeof resource === "string" ? findResource(resource, kinds) : resource;
  if (typeof found === "string") throw new UsageError(found);
  const known = kinds.ofResource(found);
  if (known !== undefined) return known;
  const gvk = kind ?? (subject === undefined ? { ...found, kind: "" } : gvkOf(subject));
  return { ...kindByConvention(gvk, subject === undefined || metaOf(subject)["namespace"] !== undefined), ...found };
}

function isKnown(served: ServedKind, kinds: KindCatalog): boolean {
  return kinds.ofResource(served) !== undefined;
}

function namespaceFor({ namespace }: RequestParts, subject: JsonObject | undefined, served: ServedKind): string {
  if (!served.namespaced) return "";
  const own = textOf(metaOf(subject ?? {})["namespace"]);
  if (namespace !== undefined && own !== "" && own !== namespace) {
    throw new UsageError(messages.otherNamespace(own, namespace));
  }
  return namespace ?? (own || "default");
}

function kindFor(subject: JsonObject | undefined, served: ServedKind, subresource: string): GroupVersionKind {
  if (subresource !== "" && subject !== undefined) return gvkOf(subject);
  const { group, version, kind } = served.subresources.get(subresource) ?? served;
  return { group, version, kind };
}

function optionsFor(operation: Operation, isDryRun: boolean): JsonObject | undefined {
  const kinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions", CONNECT: undefined };
  const kind = kinds[operation];
  if (kind === undefined) return undefined;
  const options = fromPlain({ apiVersion: "meta.k8s.io/v1", kind, ...(isDryRun ? { dryRun: ["All"] } : {}) });
  return isObject(options) ? options : undefined;
}

function apiVersion({ group, version }: ServedKind): string {
  return group === "" ? version : `${group}/${version}`;
}
