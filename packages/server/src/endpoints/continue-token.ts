/**
 * Where a paged list continues: a revision and the next key, relative to the list's prefix.
 *
 * The token is base64url of `{"v":"meta.k8s.io/v1","rv":5,"start":"name\u0000"}`. A revision of -1 means "now": what is
 * offered when the first page's revision has been compacted away.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { encodeUtf8 } from "@portcullis/gostd/utf8";

export interface ContinueToken {
  readonly revision: number;
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";

export function encodeContinue({ revision, start }: ContinueToken): string {
  const json = canonicalJson(objectOf({ v: VERSION, rv: revision, start }));
  return btoa(binary(encodeUtf8(json)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export function decodeContinue(token: string): ContinueToken | { readonly error: string } {
  const bytes = fromBase64Url(token);
  if (bytes === undefined) return { error: notValid(illegalData(token)) };
  const decoded = decodeJson(bytes);
  if (decoded.error !== undefined) return { error: notValid(decoded.error) };
  const json = isObject(decoded.value) ? decoded.value : objectOf({});
  if (json["v"] !== VERSION)
    return {
      error: `continue key is not valid: server does not recognize this encoded version ${textOf(json["v"])}`,
    };
  const [revision, start] = [json["rv"], textOf(json["start"])];
  if (typeof revision !== "number" || revision === 0)
    return { error: notValid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)") };
  if (start === "") return { error: notValid("encoded start key empty (version meta.k8s.io/v1)") };
  if (start.split("/").some((part) => part === "." || part === "..")) return { error: notValid(start) };
  return { revision, start };
}

function notValid(problem: string): string {
  return `continue key is not valid: ${problem}`;
}

function fromBase64Url(token: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(token) || token.length % 4 === 1) return undefined;
  const text = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** As Go names the first byte that is not base64. */
function illegalData(token: string): string {
  const at = token.search(/[^A-Za-z0-9_-]/);
  return `illegal base64 data at input byte ${at === -1 ? token.length - 1 : at}`;
}

function binary(bytes: Uint8Array): string {
  return [...bytes].map((byte) => String.fromCharCode(byte)).join("");
}
