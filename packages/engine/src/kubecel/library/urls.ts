/**
 * `url`, `isURL` and what a URL is made of.
 *
 * Text is checked as a request URI (absolute, or an absolute path) and then parsed leniently, which is what splits
 * off a fragment. Follows apiserver pkg/cel/library/urls.go.
 */
import {
  ArrayList,
  BOOL,
  type CelError,
  EntryMap,
  fn,
  global,
  type Library,
  listOf,
  mapOf,
  method,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
import { escapedPath, format, hostname, parse, parseRequestUri, port, query, type Url } from "@portcullis/gostd/url";
import { urlParseError } from "../messages.ts";
import { isParsed, onOne, onText } from "./operands.ts";

export const URL_TYPE: Type = objectType("kubernetes.URL");

export class UrlValue extends OpaqueValue {
  readonly type = URL_TYPE;
  readonly url: Url;
  constructor(url: Url) {
    super();
    this.url = url;
  }
  override get goTypeName(): string {
    return "cel.URL";
  }
  equalTo(other: Value): boolean | CelError {
    return other instanceof UrlValue ? format(this.url) === format(other.url) : noSuchOverload();
  }
}

// biome-ignore format: a table
export const urlsLibrary: Library = {
  name: "kubernetes.urls",
  functions: [
    fn("url",            [global("string_to_url", [STRING], URL_TYPE, onText(toUrl))]),
    fn("getScheme",      [method("url_get_scheme", URL_TYPE, [], STRING, part((url) => url.scheme))]),
    fn("getHost",        [method("url_get_host", URL_TYPE, [], STRING, part((url) => url.host))]),
    fn("getHostname",    [method("url_get_hostname", URL_TYPE, [], STRING, part(hostname))]),
    fn("getPort",        [method("url_get_port", URL_TYPE, [], STRING, part(port))]),
    fn("getEscapedPath", [method("url_get_escaped_path", URL_TYPE, [], STRING, part(escapedPath))]),
    fn("getQuery",       [method("url_get_query", URL_TYPE, [], mapOf(STRING, listOf(STRING)), part(queryMap))]),
    fn("isURL",          [global("is_url_string", [STRING], BOOL, isParsed(parseRequestUri))]),
  ],
};

function toUrl(text: string): Value {
  const request = parseRequestUri(text);
  if (request.error !== undefined) return urlParseError(request.error);
  const parsed = parse(text);
  return parsed.error === undefined ? new UrlValue(parsed.url) : urlParseError(parsed.error);
}

function part(read: (url: Url) => Value): (value?: Value) => Value {
  return onOne(UrlValue, ({ url }) => read(url));
}

function queryMap(url: Url): Value {
  return EntryMap.of([...query(url)].map(([key, values]) => [key, new ArrayList(values)]));
}
