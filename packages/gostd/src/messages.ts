/** Go's error messages, one small function per message. */
import { quote, quoteBytes, quoteRune } from "./quote.ts";
import { byteLength, encodeUtf8 } from "./utf8.ts";

/** Package time's own quoting: it escapes every byte that is not printable ASCII, and has no `\n`. */
export function quoteSimply(text: string): string {
  let quoted = '"';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20 || code >= 0x80) quoted += hexBytes(char);
    else quoted += char === '"' || char === "\\" ? `\\${char}` : char;
  }
  return `${quoted}"`;
}

function hexBytes(char: string): string {
  return [...encodeUtf8(char)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

export function durationError(problem: string, text: string): string {
  return `time: ${problem} ${quoteSimply(text)}`;
}

export function numberError(func: string, text: string, problem: string): string {
  return `strconv.${func}: parsing ${quote(text)}: ${problem}`;
}

export function cannotParseTime(text: string, layout: string, found: string, wanted: string): string {
  const elements = `cannot parse ${quoteSimply(found)} as ${quoteSimply(wanted)}`;
  return `parsing time ${quoteSimply(text)} as ${quoteSimply(layout)}: ${elements}`;
}

export function timeOutOfRange(text: string, element: string): string {
  return `parsing time ${quoteSimply(text)}: ${element} out of range`;
}

export function extraTimeText(text: string, extra: string): string {
  return `parsing time ${quoteSimply(text)}: extra text: ${quoteSimply(extra)}`;
}

export function unknownZone(name: string): string {
  return `unknown time zone ${name}`;
}

export const invalidLocationName = "time: invalid location name";

export function illegalBase64(text: string, unit: number): string {
  return `illegal base64 data at input byte ${byteLength(text.slice(0, unit))}`;
}

export function urlError(text: string, problem: string): string {
  return `parse ${quote(text)}: ${problem}`;
}

/** Takes bytes because Go cuts the text after three of them, perhaps within a character. */
export function invalidEscape(bytes: Uint8Array): string {
  return `invalid URL escape ${quoteBytes(bytes)}`;
}

export function invalidHostCharacter(char: string): string {
  return `invalid character ${quote(char)} in host name`;
}

export function invalidPort(text: string): string {
  return `invalid port ${quote(text)} after host`;
}

export function addrError(text: string, problem: string, at: string): string {
  const place = at === "" ? "" : ` (at ${quote(at)})`;
  return `ParseAddr(${quote(text)}): ${problem}${place}`;
}

export function prefixError(text: string, problem: string): string {
  return `netip.ParsePrefix(${quote(text)}): ${problem}`;
}

export function badPrefixBits(bits: string): string {
  return `bad bits after slash: ${quote(bits)}`;
}

export function invalidCidr(text: string): string {
  return `invalid CIDR address: ${text}`;
}

export function invalidMac(text: string): string {
  return text === "" ? "invalid MAC address" : `address ${text}: invalid MAC address`;
}

export function unsupportedCharset(charset: string): string {
  return `charset not supported: ${quote(charset)}`;
}

export function moreThanOneAddress(rest: string): string {
  return `mail: expected single address, got ${quote(rest)}`;
}

export function missingWord(problem: string): string {
  return `mail: missing word in phrase: ${problem}`;
}

export function badQuotedCharacter(rune: number): string {
  return `mail: bad character in quoted-string: ${quoteRune(rune)}`;
}

export function badDomainCharacter(rune: number): string {
  return `mail: bad character in domain-literal: ${quoteRune(rune)}`;
}

export function badDomainAddress(text: string): string {
  return `mail: invalid IP address in domain-literal: ${quote(text)}`;
}

export function regexpError(problem: string, slice: string): string {
  return `error parsing regexp: ${problem}: \`${slice}\``;
}
