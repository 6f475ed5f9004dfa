/**
 * `/statusz` and `/flagz`: what the server is, and the flags that it was started with. As text, or as objects of the group
 * `config.k8s.io`.
 *
 * Follows apiserver pkg/server/statusz and pkg/server/flagz. Upstream picks the delimiter of the text at random.
 */

import { notAcceptable } from "@portcullis/engine/internal/status/error";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { since } from "@portcullis/engine/internal/value/server-version";
import { type Accepted, acceptedClauses, wantsPretty } from "../endpoints/negotiate.ts";
import { COMMON_HEADERS, encode } from "../endpoints/respond.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";

export interface ComponentPageParts {
  readonly version: string;
  /** When the process started, in seconds since 1970. */
  readonly start: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** All paths of the server. */
  readonly paths: () => readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

/** The paths of the pages that this version has. */
export function componentPaths(): string[] {
  if (!since("1.36")) return [];
  const pages = [
    ["ComponentFlagz", "/flagz"],
    ["ComponentStatusz", "/statusz"],
  ] as const;
  return pages.filter(([gate]) => isEnabled(gate)).map(([, path]) => path);
}

/** Undefined if the path is another. */
export function respondComponentPage(
  request: ApiRequest,
  info: RequestInfo,
  parts: () => ComponentPageParts,
): ApiResponse | undefined {
  if (!componentPaths().includes(info.path)) return undefined;
  const page = info.path === "/statusz" ? statusz(parts()) : flagz(parts());
  const form = negotiatePage(request, page.kind);
  if (form.format === "text") {
    const body = `\napiserver ${page.name}\n${WARNING}\n${page.text}`;
    return { status: 200, headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]], body };
  }
  const { format, version } = form;
  const object = objectOf({
    kind: page.kind,
    apiVersion: `${GROUP}/${version}`,
    metadata: objectOf({ name: "apiserver" }),
    ...page.members,
  });
  const type = `application/${format};g=${GROUP};v=${version};as=${page.kind}`;
  const isPretty = wantsPretty(request, info);
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ["Content-Type", type], ...(version === "v1alpha1" ? deprecated(page.name) : [])],
    body: encode(object, { format, isPretty, convert: undefined }),
  };
}

const GROUP = "config.k8s.io";
const WARNING =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";

function deprecated(name: string): (readonly [string, string])[] {
  return [["Warning", `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`]];
}

interface Page {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly members: JsonObject;
}

function statusz({ version, start, now, paths }: ComponentPageParts): Page {
  const uptime = Math.max(0, Math.floor(now - start));
  const shown = topLevel(paths());
  const known = { goVersion: "none", binaryVersion: `${version}.0`, emulationVersion: version };
  const lines = [
    ["Started", unixDate(start)],
    ["Up", `${Math.floor(uptime / 3600)} hr ${twoDigits(uptime / 60)} min ${twoDigits(uptime)} sec`],
    ["Go version", known.goVersion],
    ["Binary version", known.binaryVersion],
    ["Emulation version", known.emulationVersion],
    ["Paths", shown.join(" ")],
  ];
  return {
    name: "statusz",
    kind: "Statusz",
    text: `\n${lines.map(([name, value]) => `${name}: ${value}\n`).join("")}`,
    members: objectOf({
      startTime: `${new Date(start * 1000).toISOString().slice(0, 19)}Z`,
      uptimeSeconds: uptime,
      ...known,
      paths: shown,
    }),
  };
}

function flagz({ flags }: ComponentPageParts): Page {
  const sorted = [...flags].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name: "flagz",
    kind: "Flagz",
    text: sorted.map(([name, value]) => `${name}: ${escapeHtml(value)}\n`).join(""),
    members: objectOf({ flags: objectOf(Object.fromEntries(sorted)) }),
  };
}

/** Paths of resources are not for debugging. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["", "apis", "api", "openid", "openapi", ".well-known"]);

function topLevel(paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => path.split("/")[1] ?? ""));
  return [...folders]
    .filter((folder) => !NOT_SHOWN.has(folder))
    .map((folder) => `/${folder}`)
    .sort();
}

function twoDigits(seconds: number): string {
  return String(Math.floor(seconds) % 60).padStart(2, "0");
}

/** As Go's time.UnixDate, in UTC. */
function unixDate(seconds: number): string {
  const [day = "", date = "", month = "", year = "", time = ""] = new Date(seconds * 1000).toUTCString().split(" ");
  return `${day.slice(0, -1)} ${month} ${String(Number(date)).padStart(2, " ")} ${time} UTC ${year}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char);
}

type Form = { readonly format: "text" } | { readonly format: "json" | "yaml"; readonly version: string };

/** Text unless an object is asked for by its kind. */
function negotiatePage(request: ApiRequest, kind: string): Form {
  const header = request.header("accept") ?? "";
  if (header.trim() === "") return { format: "text" };
  for (const clause of acceptedClauses(header)) {
    const form = formOf(clause, kind);
    if (form !== undefined) return form;
  }
  throw notAcceptable(["application/json", "application/yaml", "text/plain"]);
}

const VERSIONS: ReadonlySet<string> = new Set(["v1alpha1", "v1beta1"]);

function formOf({ type, convert, stream }: Accepted, kind: string): Form | undefined {
  if (stream !== undefined && stream !== "") return undefined;
  const isText = type === "text/plain" || type === "text/*" || type === "*/*";
  if (convert === undefined) return isText ? { format: "text" } : undefined;
  if (convert.group !== GROUP || convert.kind !== kind || !VERSIONS.has(convert.version)) return undefined;
  if (type === "application/yaml") return { format: "yaml", version: convert.version };
  const isJson = type === "application/json" || type === "application/*" || type === "*/*";
  return isJson ? { format: "json", version: convert.version } : undefined;
}
