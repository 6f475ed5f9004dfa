/**
 * What a URL asks for: verb, group, version, namespace, resource, name, subresource.
 *
 * Follows apiserver pkg/endpoints/request/requestinfo.go. The path is split after it has been unescaped, so `a%2Fb` is
 * two segments. A list or watch of one name by field selector counts as a request for that name.
 */

import { checkPathSegment } from "@portcullis/engine/internal/field/names";
import { parseFieldSelector, requiredValue } from "@portcullis/engine/internal/selector/fields";
import { parseQuery, pathUnescape, type QueryValues } from "@portcullis/gostd/url";

export interface RequestInfo {
  readonly isResource: boolean;
  /** Unescaped. */
  readonly path: string;
  readonly query: QueryValues;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Whether the path names a namespace, be it an empty one. */
  readonly isInNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The segments from the resource on. */
  readonly parts: readonly string[];
  /** Whether the URL has the deprecated `/watch/` prefix. */
  readonly isWatchPath: boolean;
}

/** Undefined if the path cannot be unescaped. */
export function readRequestInfo(method: string, target: string): RequestInfo | undefined {
  const mark = target.indexOf("?");
  const path = pathUnescape(mark === -1 ? target : target.slice(0, mark));
  if (path.error !== undefined) return undefined;
  const query = mark === -1 ? NO_QUERY : parseQuery(target.slice(mark + 1)).values;
  const parts = segmentsOf(path.value);
  const isCore = parts[0] === "api";
  const least = isCore ? 3 : 4;
  if (parts.length < least || !(isCore || parts[0] === "apis")) return otherPath(method, path.value, query);
  return readResource(method, { path: path.value, query, parts, isCore });
}

function otherPath(method: string, path: string, query: QueryValues): RequestInfo {
  return {
    isResource: false,
    path,
    query,
    verb: method.toLowerCase(),
    group: "",
    version: "",
    namespace: "",
    isInNamespace: false,
    resource: "",
    subresource: "",
    name: "",
    parts: [],
    isWatchPath: false,
  };
}

const NO_QUERY: QueryValues = new Map();

/** Without the slashes at both ends. */
function segmentsOf(path: string): string[] {
  let [start, end] = [0, path.length];
  while (start < end && path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end).split("/");
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

interface ResourcePath {
  readonly path: string;
  readonly query: QueryValues;
  /** All of them, from `api` or `apis` on. */
  readonly parts: readonly string[];
  readonly isCore: boolean;
}

function readResource(method: string, { path, query, parts: all, isCore }: ResourcePath): RequestInfo {
  const at = isCore ? 2 : 3;
  const isWatchPath = all[at] === "watch" && all.length > at + 1;
  let parts = all.slice(isWatchPath ? at + 1 : at);
  let verb = isWatchPath ? "watch" : (VERBS.get(method) ?? "");
  let namespace = "";
  let isInNamespace = false;
  if (parts[0] === "namespaces" && parts.length > 1) {
    namespace = parts[1] ?? "";
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? "")) {
      parts = parts.slice(2);
      isInNamespace = true;
    }
  }
  let name = parts[1] ?? "";
  if (name === "" && verb === "get") {
    verb = isWatch(query) ? "watch" : "list";
    name = selectedName(query);
  }
  if (name === "" && verb === "delete") verb = "deletecollection";
  return {
    isResource: true,
    path,
    query,
    verb,
    group: isCore ? "" : (all[1] ?? ""),
    version: all[at - 1] ?? "",
    namespace,
    isInNamespace,
    resource: parts[0] ?? "",
    subresource: parts[2] ?? "",
    name,
    parts,
    isWatchPath,
  };
}

/** Anything but "false" and "0" is true, as Go's query decoding of booleans has it. */
function isWatch(query: QueryValues): boolean {
  const value = query.get("watch")?.[0];
  return value !== undefined && value !== "" && value.toLowerCase() !== "false" && value !== "0";
}

function selectedName(query: QueryValues): string {
  const text = query.get("fieldSelector")?.[0];
  if (text === undefined) return "";
  const parsed = parseFieldSelector(text);
  const name = parsed.error === undefined ? requiredValue(parsed.value, "metadata.name") : undefined;
  return name !== undefined && checkPathSegment(name, false).length === 0 ? name : "";
}
