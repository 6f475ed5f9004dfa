/** From a resource request to the function that answers it. */

import { type Endpoint, groupResourceOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { methodNotSupported, notFound, StatusError } from "@portcullis/engine/internal/status/error";
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import type { Call } from "./call.ts";
import { handleCreate } from "./create.ts";
import { handleDelete, handleDeleteCollection } from "./delete.ts";
import { handleGet } from "./get.ts";
import { handleList, transformFields } from "./list.ts";
import * as messages from "./messages.ts";
import { negotiate } from "./negotiate.ts";
import { readListRequest } from "./options.ts";
import { handlePatch } from "./patch.ts";
import { respondNoPage } from "./respond.ts";
import { handleUpdate } from "./update.ts";
import { handleWatch } from "./watch.ts";

/** What a URL addresses, or the answer where it addresses nothing. */
export type Route = { readonly endpoint: Endpoint } | { readonly response: ApiResponse };

export function findRoute(registry: Registry, info: RequestInfo, warn: (text: string) => void): Route {
  const type = registry.find(info.group, info.version, info.resource);
  // Upstream's router sends the requests of a built-in group to its own kinds, and never to those of CRDs.
  const isHidden = type?.isCustom === true && registry.isBuiltIn(info.group);
  if (type === undefined || isHidden) return nothingHere(registry, info);
  return type.isCustom ? customRoute(type, info, warn) : { endpoint: builtInRoute(type, info) };
}

/** Groups of built-in kinds answer with a Status, all others with the page of Go's mux. */
function nothingHere(registry: Registry, { group, path }: RequestInfo): Route {
  const isCore = path.startsWith("/api/");
  const isBuiltIn = isCore || (group !== "" && registry.isBuiltIn(group));
  if (isBuiltIn) throw generic(404, "NotFound", messages.resourceNotFound());
  return { response: respondNoPage() };
}

const ACROSS_NAMESPACES: ReadonlySet<string> = new Set(["list", "watch"]);

function customRoute(type: ResourceKind, info: RequestInfo, warn: (text: string) => void): Route {
  const isAcross = type.namespaced && info.namespace === "";
  if (isAcross && !ACROSS_NAMESPACES.has(info.verb)) return { response: respondNoPage() };
  if (!type.namespaced && info.namespace !== "") return { response: respondNoPage() };
  if (type.warning !== undefined) warn(type.warning);
  if (info.subresource === "") return { endpoint: { type, subresource: undefined } };
  const subresource = type.subresources.get(info.subresource);
  if (subresource === undefined) throw notFound(groupResourceOf(type), info.name);
  return { endpoint: { type, subresource } };
}

/** Upstream's router has a path for each of these; whether it has the method too is asked later. */
function builtInRoute(type: ResourceKind, info: RequestInfo): Endpoint {
  const subresource = type.subresources.get(info.subresource);
  const isThere =
    isPlaced(type, info) &&
    info.parts.length <= (info.isWatchPath ? 2 : 3) &&
    (info.subresource === "" || subresource !== undefined);
  if (!isThere) throw generic(404, "NotFound", messages.resourceNotFound());
  return { type, subresource };
}

/** Objects of kinds with namespaces have no path but in one; all of them together have. */
function isPlaced(type: ResourceKind, { isInNamespace, parts }: RequestInfo): boolean {
  return type.namespaced ? isInNamespace || parts.length < 2 || parts[1] === "" : !isInNamespace;
}

export async function handleResource(call: Call): Promise<ApiResponse> {
  const { endpoint, info } = call;
  const { type, subresource } = endpoint;
  if (type.warning !== undefined) call.warnings.add(type.warning);
  if (!isOffered(call)) throw notOffered(call);
  switch (info.verb) {
    case "create":
      return handleCreate(call);
    case "update":
      return handleUpdate(call);
    case "patch":
      return handlePatch(call);
    case "delete":
      return handleDelete(call);
    case "deletecollection":
      return handleDeleteCollection(call);
    case "list":
    case "watch":
      return handleCollection(call);
    default:
      return subresource === undefined || info.verb === "get" ? handleGet(call) : Promise.reject(notOffered(call));
  }
}

function isOffered({ endpoint: { type, subresource }, info, request }: Call): boolean {
  const verbs = subresource?.verbs ?? type.verbs;
  return verbs.includes(info.verb) && (type.isCustom || isRouted(type, info, request.method));
}

const OF_ONE_OBJECT: ReadonlySet<string> = new Set(["get", "update", "patch", "delete"]);

/** Whether upstream's router has the method at this path: custom resources are not routed by it. */
function isRouted(type: ResourceKind, info: RequestInfo, method: string): boolean {
  const { verb, name, isInNamespace, subresource, isWatchPath } = info;
  if (method === "HEAD" || (isWatchPath && method !== "GET")) return false;
  if (type.namespaced && !isInNamespace && !ACROSS_NAMESPACES.has(verb)) return false;
  if (verb === "create" && name !== "" && subresource === "") return false;
  return !OF_ONE_OBJECT.has(verb) || name !== "";
}

function handleCollection(call: Call): Promise<ApiResponse> {
  const { info, endpoint } = call;
  negotiate(call);
  const selection = transformFields(readListRequest(info.query), endpoint.type);
  const isWatch = selection.isWatch || info.isWatchPath;
  return isWatch ? handleWatch(call, named(call, selection)) : handleList(call, selection);
}

/** A watch of one object by its path sees that object only. */
function named({ info }: Call, selection: ReturnType<typeof readListRequest>): ReturnType<typeof readListRequest> {
  if (!info.isWatchPath || info.name === "") return selection;
  const byName = { field: "metadata.name", negated: false, value: info.name };
  return { ...selection, fields: [...selection.fields, byName], hasSelector: true };
}

function notOffered({ endpoint, info }: Call): StatusError {
  const { type } = endpoint;
  const isUnwatchable = info.verb === "watch" && type.verbs.includes("list") && !type.verbs.includes("watch");
  if (type.isCustom || isUnwatchable) return methodNotSupported(groupResourceOf(type), info.verb);
  // What is only asked has no objects, and so no paths for them.
  if (type.answerCreate !== undefined && info.name !== "") return generic(404, "NotFound", messages.resourceNotFound());
  return generic(405, "MethodNotAllowed", messages.methodNotAllowed());
}

/** What upstream's router says by itself: a Status with empty details. */
export function generic(code: number, reason: "NotFound" | "MethodNotAllowed", message: string): StatusError {
  return new StatusError({ code, reason, message, details: {} });
}
