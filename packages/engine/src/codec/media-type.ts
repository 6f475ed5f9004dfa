/**
 * Content types of request bodies.
 *
 * Follows Go's mime.ParseMediaType as far as it matters for choosing a decoder: the type is compared without case,
 * parameters are cut off, and a malformed type matches nothing.
 */

export type BodyFormat = "json" | "yaml" | "protobuf" | "cbor";

export const JSON_MEDIA_TYPE = "application/json";
export const YAML_MEDIA_TYPE = "application/yaml";
export const PROTOBUF_MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
const CBOR_MEDIA_TYPE = "application/cbor";

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  [JSON_MEDIA_TYPE, "json"],
  [YAML_MEDIA_TYPE, "yaml"],
  [PROTOBUF_MEDIA_TYPE, "protobuf"],
  [CBOR_MEDIA_TYPE, "cbor"],
]);

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`);
const PARAMETER = new RegExp(`^\\s*;\\s*(${TOKEN})\\s*=\\s*(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`);

/** The type without parameters, in lower case; undefined when it or a parameter is malformed. */
export function parseMediaType(header: string): string | undefined {
  const type = MEDIA_TYPE.exec(header)?.[1];
  return type === undefined || !hasValidParameters(header) ? undefined : type.toLowerCase();
}

function hasValidParameters(header: string): boolean {
  const names = new Set<string>();
  let rest = header.slice(header.split(";", 1)[0]?.length ?? 0);
  for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
    const name = (match[1] ?? "").toLowerCase();
    if (names.has(name)) return false;
    names.add(name);
    rest = rest.slice(match[0].length);
  }
  return /^\s*(?:;\s*)?$/.test(rest);
}

/** How a body is to be read; an absent header means JSON. */
export function bodyFormat(header: string | undefined): BodyFormat | undefined {
  if (header === undefined || header === "") return "json";
  const type = parseMediaType(header);
  return type === undefined ? undefined : FORMATS.get(type);
}
