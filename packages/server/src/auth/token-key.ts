/**
 * The key that signs tokens of service accounts.
 *
 * It lives in the store beside the objects: tokens outlive a restart, and several servers on one store believe one
 * another's. ECDSA P-256 is made in a millisecond.
 */
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { KeyExists, type Store } from "../storage/store.ts";

export type TokenAlgorithm = "ES256" | "ES384" | "ES512" | "RS256";

/** Signs and verifies the tokens of service accounts. */
export interface TokenKey {
  readonly id: string;
  /** As JSON Web Tokens name it. */
  readonly algorithm: TokenAlgorithm;
  /** For clients that check tokens themselves; the first is the one that signs. */
  readonly publicKeys: readonly Readonly<Record<string, string>>[];
  sign(text: string): Promise<Uint8Array>;
  /** `algorithm` is the one that the token names. */
  verify(text: string, signature: Uint8Array, algorithm: string): Promise<boolean>;
}

const PLACE = "/portcullis/keys/service-account";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

/** The key of this store; the first to ask makes it. */
export async function openTokenKey(store: Store): Promise<TokenKey> {
  const entry = (await store.get(PLACE)) ?? (await createKey(store));
  const jwk: StoredKey = JSON.parse(entry.value);
  return readKey(jwk);
}

/** A private key as JSON Web Keys are written. */
type StoredKey = Readonly<Partial<Record<"kty" | "crv" | "x" | "y" | "d", string>>>;

async function createKey(store: Store): Promise<{ readonly value: string }> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const jwk = await crypto.subtle.exportKey("jwk", pair.privateKey);
  try {
    return await store.create(PLACE, JSON.stringify(jwk));
  } catch (error) {
    const entry = error instanceof KeyExists ? await store.get(PLACE) : undefined;
    if (entry === undefined) throw error;
    return entry;
  }
}

async function readKey({ kty = "", crv = "", x = "", y = "", d = "" }: StoredKey): Promise<TokenKey> {
  const open = { kty, crv, x, y };
  const secret = await crypto.subtle.importKey("jwk", { ...open, d }, ALGORITHM, false, ["sign"]);
  const known = await crypto.subtle.importKey("jwk", open, ALGORITHM, false, ["verify"]);
  const thumbprint = await crypto.subtle.digest("SHA-256", bytesOf(JSON.stringify({ crv, kty, x, y })));
  const id = base64Url(new Uint8Array(thumbprint));
  return {
    id,
    algorithm: "ES256",
    publicKeys: [{ use: "sig", kid: id, alg: "ES256", ...open }],
    sign: async (text) => new Uint8Array(await crypto.subtle.sign(SIGNATURE, secret, bytesOf(text))),
    verify: async (text, signature, algorithm) =>
      algorithm === "ES256" && crypto.subtle.verify(SIGNATURE, known, new Uint8Array(signature), bytesOf(text)),
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodeUtf8(text));
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Undefined if it is not base64. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
