/**
 * Keys of tokens from files, as `--service-account-signing-key-file` and `--service-account-key-file` name them: one that
 * signs, and any number that are believed beside it.
 *
 * Keys are named as upstream names them: by the hash of their public part. Follows kubernetes pkg/serviceaccount/jwt.go.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
  X509Certificate,
} from "node:crypto";
import type { TokenAlgorithm, TokenKey } from "../auth/token-key.ts";

/** Each text is PEM and may hold several public keys, private keys or certificates. Throws an Error where it has none. */
export function readTokenKey(signing: string, believed: readonly string[] = []): TokenKey {
  const secret = createPrivateKey(signing);
  const own = createPublicKey(secret);
  const known = [own, ...believed.flatMap(readPublicKeys).filter((key) => !key.equals(own))];
  const algorithm = algorithmOf(secret);
  return {
    id: keyId(own),
    algorithm,
    publicKeys: known.map(publicJwk),
    sign: async (text) => sign(hashOf(algorithm), Buffer.from(text), { key: secret, dsaEncoding: "ieee-p1363" }),
    verify: async (text, signature, named) => known.some((key) => isSignedBy(key, text, signature, named)),
  };
}

function readPublicKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g) ?? [];
  if (blocks.length === 0) throw new Error("there is no key in the file");
  return blocks.map((block) =>
    block.startsWith("-----BEGIN CERTIFICATE-----") ? new X509Certificate(block).publicKey : createPublicKey(block),
  );
}

function isSignedBy(key: KeyObject, text: string, signature: Uint8Array, named: string): boolean {
  const algorithm = algorithmOf(key);
  return (
    algorithm === named && verify(hashOf(algorithm), Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, signature)
  );
}

const CURVES: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): TokenAlgorithm {
  if (asymmetricKeyType === "rsa") return "RS256";
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? ""];
  if (algorithm === undefined) throw new Error(`keys of kind \`${asymmetricKeyType}\` cannot sign tokens`);
  return algorithm;
}

function hashOf(algorithm: TokenAlgorithm): string {
  return `sha${algorithm.slice(2)}`;
}

function keyId(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}

function publicJwk(key: KeyObject): Readonly<Record<string, string>> {
  const jwk = Object.entries(key.export({ format: "jwk" })).filter(([, value]) => typeof value === "string");
  return { use: "sig", ...Object.fromEntries(jwk), kid: keyId(key), alg: algorithmOf(key) };
}
