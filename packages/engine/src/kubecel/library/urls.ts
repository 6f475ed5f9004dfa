/**
 * `url`, `isURL` and the parts of a URL.
 *
 * Text is checked as a request URI (absolute, or an absolute path) and then parsed leniently, which is what splits
 * off a fragment. Follows apiserver pkg/cel/library/urls.go.
 */
import {
  ArrayList,
  BOOL,
  type CelError,
  EntryMap,
  listOf,
  mapOf,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel/internal";
import { escapedPath, format, hostname, parse, parseRequestUri, port, query, type Url } from "@portcullis/gostd/url";
import { urlParseError } from "../messages.ts";
import { CONVERTS_ARGUMENT, estimatedTraversal, UNIT_COST } from "./cost.ts";
import { defineLibrary } from "./define.ts";
import { isParsed, onOne, onText } from "./operands.ts";

const URL_TYPE: Type = objectType("kubernetes.URL");

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
export const urlsLibrary = defineLibrary({
  name: "kubernetes.urls",
  // Upstream uses the size of the right side for both.
  equality: [{ type: URL_TYPE, estimate: (_left, right) => ({ cost: estimatedTraversal({ min: 1n, max: right.computedSize?.max ?? 1n }) }) }],
  functions: [
    {
      name: "url", id: "string_to_url", params: [STRING], result: URL_TYPE, cost: CONVERTS_ARGUMENT,
      call: onText(toUrl),
      doc: "parses an absolute URL or an absolute path",
      example: "url('https://example.com/a').getHost() == 'example.com'",
    },
    {
      name: "getScheme", id: "url_get_scheme", on: URL_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: part((url) => url.scheme),
      doc: "returns the scheme of the URL; empty for a path",
      example: "url('https://example.com').getScheme() == 'https'",
    },
    {
      name: "getHost", id: "url_get_host", on: URL_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: part((url) => url.host),
      doc: "returns the host of the URL with its port; IPv6 addresses have brackets",
      example: "url('https://[::1]:80/').getHost() == '[::1]:80'",
    },
    {
      name: "getHostname", id: "url_get_hostname", on: URL_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: part(hostname),
      doc: "returns the host of the URL without port and brackets",
      example: "url('https://[::1]:80/').getHostname() == '::1'",
    },
    {
      name: "getPort", id: "url_get_port", on: URL_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: part(port),
      doc: "returns the port of the URL as a string; empty if there is none",
      example: "url('https://example.com:80/').getPort() == '80'",
    },
    {
      name: "getEscapedPath", id: "url_get_escaped_path", on: URL_TYPE, params: [], result: STRING, cost: UNIT_COST,
      call: part(escapedPath),
      doc: "returns the path of the URL, escaped",
      example: "url('https://example.com/a b').getEscapedPath() == '/a%20b'",
    },
    {
      name: "getQuery", id: "url_get_query", on: URL_TYPE, params: [], result: mapOf(STRING, listOf(STRING)), cost: UNIT_COST,
      call: part(queryMap),
      doc: "returns the query parameters of the URL with their values, unescaped",
      example: "url('/a?k=1&k=2').getQuery() == {'k': ['1', '2']}",
    },
    {
      name: "isURL", id: "is_url_string", params: [STRING], result: BOOL, cost: UNIT_COST,
      call: isParsed(parseRequestUri),
      doc: "returns true if `url` would parse the string",
      example: "isURL('https://example.com') && !isURL('../a')",
    },
  ],
});

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
