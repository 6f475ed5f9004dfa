/** The start of a body, as refusals quote it. */
import { decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";

const MAX_BYTES = 30;
const OPENING_BRACE = 0x7b;

export function summarize(body: string): string {
  return summarizeBytes(encodeUtf8(body));
}

/** As it is where it looks like JSON, else in hexadecimal. */
export function summarizeBytes(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const start = bytes.subarray(0, MAX_BYTES);
  const more = bytes.length > MAX_BYTES ? " ..." : "";
  if (bytes[0] === OPENING_BRACE) return `${decodeUtf8(start)}${more}`;
  return `${[...start].map((byte) => byte.toString(16).padStart(2, "0")).join("")}${more}`;
}
