/** RFC 2047 encoded words (`=?utf-8?q?caf=C3=A9?=`) in the names of mail addresses. */
import { decodeBase64 } from "./base64.ts";
import { unsupportedCharset } from "./messages.ts";
import { decodeUtf8, fromRunes, runeError } from "./utf8.ts";

/** The decoded text; `undefined` for text that is not an encoded word; an error for a charset that Go does not support. */
export type DecodedWord = { readonly text: string } | { readonly error: string } | undefined;

const WORD = /^=\?([^?]+)\?([^?])\?([^?]*)\?=$/;

export function decodeWord(word: string): DecodedWord {
  const [, charset, encoding, content] = WORD.exec(word) ?? [];
  if (charset === undefined || encoding === undefined || content === undefined) return undefined;
  const bytes = decodeContent(encoding.toLowerCase(), content);
  return bytes === undefined ? undefined : convert(charset.toLowerCase(), bytes);
}

function decodeContent(encoding: string, content: string): Uint8Array | undefined {
  if (encoding === "b") return decodeBase64(content).value;
  return encoding === "q" ? decodeQ(content) : undefined;
}

function decodeQ(content: string): Uint8Array | undefined {
  if (!/^(?:=[0-9A-Fa-f]{2}|[ -<>-~\n\r\t])*$/.test(content)) return undefined;
  const units = content
    .replaceAll("_", " ")
    .replace(/=(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Uint8Array.from(units, (unit) => unit.charCodeAt(0));
}

function convert(charset: string, bytes: Uint8Array): DecodedWord {
  if (charset === "utf-8") return { text: decodeUtf8(bytes) };
  if (charset === "iso-8859-1") return { text: fromRunes([...bytes]) };
  if (charset === "us-ascii") return { text: fromRunes([...bytes].map((byte) => (byte < 0x80 ? byte : runeError))) };
  return { error: unsupportedCharset(charset) };
}
