/**
 * Go's net/url: parsing and formatting of URLs, with its error messages.
 *
 * Escaped bytes that are not UTF-8, which a Go string can hold, become U+FFFD in the unescaped parts. The raw forms
 * keep what was written, and formatting prefers those.
 */
import { urlError } from "./messages.ts";
import type { Result } from "./result.ts";
import { type EscapeMode, escapePart, unescapePart, validEncoded } from "./url-escape.ts";
import { parseHost, validPort } from "./url-host.ts";
import { cut, parseQuery, type QueryValues } from "./url-query.ts";

export {
  encodeQuery,
  parseQuery,
  pathEscape,
  pathUnescape,
  type QueryValues,
  queryEscape,
  queryUnescape,
} from "./url-query.ts";

/** User name and password of a URL. Example: `url.user?.username`. */
export interface Userinfo {
  readonly username: string;
  readonly password: string | undefined;
}

/** A parsed URL. Example: `parse("https://example.com").url?.host`. */
export interface Url {
  readonly scheme: string;
  /** What follows the scheme of a URL without a leading slash, such as `mailto:a@b`. */
  readonly opaque: string;
  readonly user: Userinfo | undefined;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  /** As written; empty if that is how `path` would be escaped. */
  readonly rawPath: string;
  /** A scheme followed by a path only, as in `file:/a`. */
  readonly omitHost: boolean;
  /** A `?` with nothing after it. */
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

/** A URL or Go's message. Example: `parse("%").error`. */
export type UrlResult =
  | { readonly url: Url; readonly error?: undefined }
  | { readonly url?: undefined; readonly error: string };

const EMPTY: Url = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  rawPath: "",
  omitHost: false,
  forceQuery: false,
  rawQuery: "",
  fragment: "",
  rawFragment: "",
};

/**
 * `url.Parse`.
 * @example parse("%").error // "parse \"%\": invalid URL escape \"%\""
 */
export function parse(text: string): UrlResult {
  const [body, rawFragment] = cut(text, "#");
  const parsed = parseBody(body, { viaRequest: false });
  if (parsed.error !== undefined) return { error: urlError(body, parsed.error) };
  if (rawFragment === "") return { url: parsed.value };
  const fragment = unescapeKeepingRaw(rawFragment, "fragment");
  if (fragment.error !== undefined) return { error: urlError(text, fragment.error) };
  return { url: { ...parsed.value, fragment: fragment.value.plain, rawFragment: fragment.value.raw } };
}

/**
 * `url.ParseRequestURI`: absolute URL or absolute path, and `#` has no meaning.
 * @example parseRequestUri("/a?b").url?.rawQuery // "b"
 */
export function parseRequestUri(text: string): UrlResult {
  const parsed = parseBody(text, { viaRequest: true });
  return parsed.error === undefined ? { url: parsed.value } : { error: urlError(text, parsed.error) };
}

interface ParseOptions {
  readonly viaRequest: boolean;
}

const SCHEME = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?/;

function parseBody(text: string, options: ParseOptions): Result<Url> {
  if (/[\0-\x1f\x7f]/.test(text)) return { error: "net/url: invalid control character in URL" };
  if (text === "" && options.viaRequest) return { error: "empty url" };
  if (text === "*") return { value: { ...EMPTY, path: "*" } };
  if (text.startsWith(":")) return { error: "missing protocol scheme" };
  const [prefix = "", scheme = ""] = SCHEME.exec(text) ?? [];
  const rest = text.slice(prefix.length);
  const forceQuery = rest.indexOf("?") === rest.length - 1 && rest !== "";
  const [hierarchy, rawQuery] = cut(rest, "?");
  return parseHierarchy(hierarchy, { ...EMPTY, scheme: scheme.toLowerCase(), forceQuery, rawQuery }, options);
}

function parseHierarchy(text: string, url: Url, { viaRequest }: ParseOptions): Result<Url> {
  if (!text.startsWith("/")) {
    if (url.scheme !== "") return { value: { ...url, opaque: text } };
    if (viaRequest) return { error: "invalid URI for request" };
    if (cut(text, "/")[0].includes(":")) return { error: "first path segment in URL cannot contain colon" };
  }
  const hasAuthority = text.startsWith("//") && (url.scheme !== "" || (!viaRequest && !text.startsWith("///")));
  if (!hasAuthority) return withPath(text, { ...url, omitHost: url.scheme !== "" && text.startsWith("/") });
  const slash = text.indexOf("/", 2);
  const authority = parseAuthority(url.scheme, slash < 0 ? text.slice(2) : text.slice(2, slash));
  if (authority.error !== undefined) return authority;
  return withPath(slash < 0 ? "" : text.slice(slash), { ...url, ...authority.value });
}

function withPath(text: string, url: Url): Result<Url> {
  const path = unescapeKeepingRaw(text, "path");
  if (path.error !== undefined) return path;
  return { value: { ...url, path: path.value.plain, rawPath: path.value.raw } };
}

function unescapeKeepingRaw(text: string, mode: EscapeMode): Result<{ readonly plain: string; readonly raw: string }> {
  const plain = unescapePart(text, mode);
  if (plain.error !== undefined) return plain;
  return { value: { plain: plain.value, raw: escapePart(plain.value, mode) === text ? "" : text } };
}

function parseAuthority(scheme: string, text: string): Result<Pick<Url, "user" | "host">> {
  const at = text.lastIndexOf("@");
  const host = parseHost(scheme, text.slice(at + 1));
  if (host.error !== undefined) return host;
  if (at < 0) return { value: { user: undefined, host: host.value } };
  const user = parseUserinfo(text.slice(0, at));
  return user.error === undefined ? { value: { user: user.value, host: host.value } } : user;
}

function parseUserinfo(text: string): Result<Userinfo> {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) return { error: "net/url: invalid userinfo" };
  const colon = text.indexOf(":");
  const username = unescapePart(colon < 0 ? text : text.slice(0, colon), "userPassword");
  if (username.error !== undefined) return username;
  if (colon < 0) return { value: { username: username.value, password: undefined } };
  const password = unescapePart(text.slice(colon + 1), "userPassword");
  if (password.error !== undefined) return password;
  return { value: { username: username.value, password: password.value } };
}

/**
 * `URL.String()`.
 * @example format(url) // "https://example.com:8443/a%20b?page=2#top"
 */
export function format(url: Url): string {
  const scheme = url.scheme === "" ? "" : `${url.scheme}:`;
  const query = url.forceQuery || url.rawQuery !== "" ? `?${url.rawQuery}` : "";
  const fragment = url.fragment === "" ? "" : `#${escapedFragment(url)}`;
  const body = url.opaque !== "" ? scheme + url.opaque : formatHierarchy(url, scheme + formatAuthority(url));
  return body + query + fragment;
}

function formatAuthority(url: Url): string {
  const { scheme, host, user, omitHost, path } = url;
  if (scheme === "" && host === "" && user === undefined) return "";
  if (omitHost && host === "" && user === undefined) return "";
  const slashes = host !== "" || path !== "" || user !== undefined ? "//" : "";
  return `${slashes}${user === undefined ? "" : `${formatUserinfo(user)}@`}${escapePart(host, "host")}`;
}

function formatUserinfo({ username, password }: Userinfo): string {
  const name = escapePart(username, "userPassword");
  return password === undefined ? name : `${name}:${escapePart(password, "userPassword")}`;
}

function formatHierarchy(url: Url, before: string): string {
  const path = escapedPath(url);
  if (path !== "" && !path.startsWith("/") && url.host !== "") return `${before}/${path}`;
  // Without the dot, a colon in the first segment would be read as a scheme.
  const dot = before === "" && cut(path, "/")[0].includes(":") ? "./" : "";
  return before + dot + path;
}

/**
 * `URL.EscapedPath`.
 * @example escapedPath(url) // "/a%20b"
 */
export function escapedPath(url: Url): string {
  if (isRawFormOf(url.rawPath, url.path, "path")) return url.rawPath;
  return url.path === "*" ? "*" : escapePart(url.path, "path");
}

/**
 * `URL.EscapedFragment`.
 * @example escapedFragment(url) // "top"
 */
export function escapedFragment(url: Url): string {
  return isRawFormOf(url.rawFragment, url.fragment, "fragment")
    ? url.rawFragment
    : escapePart(url.fragment, "fragment");
}

function isRawFormOf(raw: string, plain: string, mode: EscapeMode): boolean {
  return raw !== "" && validEncoded(raw, mode) && unescapePart(raw, mode).value === plain;
}

/**
 * `URL.Hostname`: without port and brackets.
 * @example hostname(url) // "example.com"
 */
export function hostname(url: Url): string {
  return splitHost(url.host)[0];
}

/**
 * Without the colon; empty when there is none.
 * @example port(url) // "8443"
 */
export function port(url: Url): string {
  return splitHost(url.host)[1];
}

function splitHost(text: string): readonly [host: string, port: string] {
  const colon = text.lastIndexOf(":");
  const hasPort = colon >= 0 && validPort(text.slice(colon));
  const host = hasPort ? text.slice(0, colon) : text;
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return [bare, hasPort ? text.slice(colon + 1) : ""];
}

/**
 * `URL.IsAbs`: whether it has a scheme.
 * @example isAbs(url) // true
 */
export function isAbs(url: Url): boolean {
  return url.scheme !== "";
}

/**
 * `URL.Query()`: malformed parameters are omitted.
 * @example query(url).get("page") // ["2"]
 */
export function query(url: Url): QueryValues {
  return parseQuery(url.rawQuery).values;
}
