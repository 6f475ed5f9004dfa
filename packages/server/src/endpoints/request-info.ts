/**
 * What a URL asks for: verb, group, version, namespace, resource, name, subresource.
 *
 * Follows apiserver pkg/endpoints/request/requestinfo.go. The path is split after it has been unescaped, so `a%2Fb` is
 * two segments. A list or watch of one name by field selector counts as a request for that name.
 */

import { checkPathSegment } from "@portcullis/engine/field/names";
import { parseFieldSelector, requiredValue } from "@portcullis/engine/selector/fields";
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
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The segments from the resource on. */
  readonly parts: readonly string[];
  /** Whether the URL has the deprecated `/watch/` prefix. */
  readonly isWatchPath: boolean;
}

/** Undefined where the path cannot be unescaped. */
export function readRequestInfo(method: string, target: string): RequestInfo | undefined {
  const mark = target.indexOf("?");
  const path = pathUnescape(mark === -1 ? target : target.slice(0, mark));
  if (path.error !== undefined) return undefined;
  const query = parseQuery(mark === -1 ? "" : target.slice(mark + 1)).values;
  const parts = path.value.replace(/^\/+|\/+$/g, "").split("/");
  const plain = { ...NOTHING, path: path.value, query, verb: method.toLowerCase() };
  if (parts.length < 3 || (parts[0] !== "api" && parts[0] !== "apis")) return plain;
  const isCore = parts[0] === "api";
  if (!isCore && parts.length < 4) return plain;
  const group = isCore ? "" : (parts[1] ?? "");
  const [version = "", ...rest] = parts.slice(isCore ? 1 : 2);
  return readResource(method, rest, { ...plain, isResource: true, group, version });
}

const NOTHING = {
  isResource: false,
  group: "",
  version: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
  parts: [],
  isWatchPath: false,
};

const VERBS: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

function readResource(method: string, segments: readonly string[], base: RequestInfo): RequestInfo {
  const isWatchPath = segments[0] === "watch" && segments.length > 1;
  let parts = isWatchPath ? segments.slice(1) : segments;
  let verb = isWatchPath ? "watch" : (VERBS.get(method) ?? "");
  let namespace = "";
  if (parts[0] === "namespaces" && parts.length > 1) {
    namespace = parts[1] ?? "";
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? "")) parts = parts.slice(2);
  }
  let name = parts[1] ?? "";
  const subresource = isWatchPath ? "" : (parts[2] ?? "");
  if (name === "" && verb === "get") {
    verb = isWatch(base.query) ? "watch" : "list";
    name = selectedName(base.query);
  }
  if (name === "" && verb === "delete") verb = "deletecollection";
  return { ...base, verb, namespace, resource: parts[0] ?? "", name, subresource, parts, isWatchPath };
}

/** Anything but "false" and "0" is true, as Go's query decoding of booleans has it. */
export function isWatch(query: QueryValues): boolean {
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
