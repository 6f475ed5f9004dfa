/**
 * How a webhook is reached, by URL or through a service, as it is checked wherever one is written down.
 *
 * Upstream passes name and namespace of the service in the wrong order: an empty name is reported at `namespace` and an
 * empty namespace at `name`. Follows apiserver pkg/util/webhook/validation.go.
 */

import { escapePart } from "@portcullis/gostd/internal/url-escape";
import { parse as parseUrl, type Userinfo } from "@portcullis/gostd/url";
import type { JsonObject, JsonValue } from "../value/json.ts";
import { reworded } from "../value/server-version.ts";
import { type FieldError, invalid, required } from "./error.ts";
import { checkDnsSubdomain } from "./names.ts";
import type { FieldPath } from "./path.ts";

/** The bad value is the part of the URL that is wrong. */
export function checkWebhookUrl(text: string, path: FieldPath): FieldError[] {
  const parsed = parseUrl(text);
  if (parsed.error !== undefined) return [required(path, badUrl(parsed.error), "url")];
  const { url } = parsed;
  const errors: FieldError[] = [];
  if (url.scheme !== "https") errors.push(invalid(path, url.scheme, onlyHttps(), "url"));
  if (url.host === "") errors.push(invalid(path, "", hostRequired(), "url"));
  if (url.user !== undefined) errors.push(invalid(path, formatUser(url.user), noUserInfo(), "url"));
  if (url.fragment !== "") errors.push(invalid(path, url.fragment, noFragment(), "url"));
  if (url.rawQuery !== "") errors.push(invalid(path, url.rawQuery, noQuery(), "url"));
  return errors;
}

function formatUser({ username, password }: Userinfo): string {
  const name = escapePart(username, "userPassword");
  return password === undefined ? name : `${name}:${escapePart(password, "userPassword")}`;
}

export function checkWebhookService(service: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (text(service["namespace"]) === "") errors.push(required(path.child("name"), serviceNeeds("name"), "service"));
  if (text(service["name"]) === "")
    errors.push(required(path.child("namespace"), serviceNeeds("namespace"), "service"));
  const port = service["port"] ?? 0;
  if (typeof port !== "number" || port < 1 || port > 65535) {
    errors.push(invalid(path.child("port"), port, badPort(), "port"));
  }
  const urlPath = service["path"];
  return typeof urlPath === "string" ? [...errors, ...checkPath(urlPath, path.child("path"))] : errors;
}

function checkPath(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === "/" || urlPath === "") return [];
  if (urlPath === "//") return [invalid(path, urlPath, emptySegment(0), "path")];
  const errors = urlPath.startsWith("/") ? [] : [invalid(path, urlPath, mustStartWithSlash(), "path")];
  // The first character is left out whatever it is.
  const segments = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [index, segment] of segments.entries()) {
    const problems =
      segment === "" ? [emptySegment(index)] : checkDnsSubdomain(segment).map((problem) => badSegment(index, problem));
    errors.push(...problems.map((problem) => invalid(path, urlPath, problem, "path")));
  }
  return errors;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

const URL_FORM = "; desired format: https://host[/path]";
const badUrl = (error: string): string => `url must be a valid URL: ${error}${URL_FORM}`;
const onlyHttps = (): string => `'https' is the only allowed URL scheme${URL_FORM}`;
const hostRequired = (): string => `host must be specified${URL_FORM}`;
const noUserInfo = (): string => "user information is not permitted in the URL";
const noFragment = (): string => "fragments are not permitted in the URL";
const noQuery = (): string => "query parameters are not permitted in the URL";
const badPort = (): string => "port is not valid: must be between 1 and 65535, inclusive";
const serviceNeeds = (field: string): string => reworded("1.34", "", `service ${field} is required`);
const emptySegment = (index: number): string => `segment[${index}] may not be empty`;
const badSegment = (index: number, problem: string): string => `segment[${index}]: ${problem}`;
const mustStartWithSlash = (): string => "must start with a '/'";
