/** Hashes of documents and kinds, by the platform's own cryptography. */

import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { encodeUtf8 } from "@portcullis/gostd/utf8";

/** For ETags. */
export async function sha512(content: string | Uint8Array): Promise<string> {
  const bytes = await digest("SHA-512", typeof content === "string" ? encodeUtf8(content) : content);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
}

/** The first eight bytes of a hash of the kind that objects are stored as, in base64. */
export async function storageVersionHash(type: ResourceKind): Promise<string> {
  if (type.storedAs === null) return "";
  const { group, version, kind } = type.storedAs ?? type;
  const bytes = await digest("SHA-256", encodeUtf8(`${group}/${version}/${kind}`));
  return btoa(String.fromCharCode(...bytes.subarray(0, 8)));
}

async function digest(algorithm: string, bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, bytes as Uint8Array<ArrayBuffer>));
}
