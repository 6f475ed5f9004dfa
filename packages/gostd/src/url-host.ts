/** The host part of a URL: names, addresses in brackets, ports. */
import { invalidPort } from "./messages.ts";
import { is4, parseAddr } from "./netip.ts";
import type { Result } from "./result.ts";
import { unescapePart } from "./url-escape.ts";

export function parseHost(scheme: string, text: string): Result<string> {
  const bracket = text.lastIndexOf("[");
  if (bracket > 0) return { error: "invalid IP-literal" };
  if (bracket === 0) return parseBracketed(text);
  const colon = portColon(scheme, text);
  if (colon >= 0 && !validPort(text.slice(colon))) return { error: invalidPort(text.slice(colon)) };
  return unescapePart(text, "host");
}

/** A colon and digits, or nothing. */
export function validPort(text: string): boolean {
  return text === "" || /^:[0-9]*$/.test(text);
}

/** HTTP URLs may have one colon in the host; for other schemes the last one counts. */
function portColon(scheme: string, text: string): number {
  return scheme === "http" || scheme === "https" ? text.indexOf(":") : text.lastIndexOf(":");
}

function parseBracketed(text: string): Result<string> {
  const close = text.lastIndexOf("]");
  if (close < 0) return { error: "missing ']' in host" };
  const colonPort = text.slice(close + 1);
  if (!validPort(colonPort)) return { error: invalidPort(colonPort) };
  const literal = unescapeLiteral(text.slice(1, close));
  if (literal.error !== undefined) return literal;
  const addr = parseAddr(literal.value);
  if (addr.error !== undefined) return { error: `invalid host: ${addr.error}` };
  return is4(addr.value) ? { error: "invalid IP-literal" } : { value: `[${literal.value}]${colonPort}` };
}

/** After `%25`, the escaped `%` that introduces a zone, more may be escaped than before it. */
function unescapeLiteral(text: string): Result<string> {
  const zoneAt = text.indexOf("%25");
  if (zoneAt < 0) return unescapePart(text, "host");
  const host = unescapePart(text.slice(0, zoneAt), "host");
  if (host.error !== undefined) return host;
  const zone = unescapePart(text.slice(zoneAt), "zone");
  return zone.error !== undefined ? zone : { value: host.value + zone.value };
}
