/** Whether a request for a certificate is signed by the key that it is about. */
import type { CertificateRequest } from "@portcullis/engine/internal/field/certificate-request";
import { childrenOf, readElement } from "@portcullis/engine/internal/field/der";
import * as messages from "./messages.ts";

interface Algorithm {
  readonly name: "RSASSA-PKCS1-v1_5" | "ECDSA" | "Ed25519";
  readonly hash: string;
}

/** By object identifier. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  "2a864886f70d010105": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" },
  "2a864886f70d01010b": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  "2a864886f70d01010c": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
  "2a864886f70d01010d": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  "2a8648ce3d0401": { name: "ECDSA", hash: "SHA-1" },
  "2a8648ce3d040302": { name: "ECDSA", hash: "SHA-256" },
  "2a8648ce3d040303": { name: "ECDSA", hash: "SHA-384" },
  "2a8648ce3d040304": { name: "ECDSA", hash: "SHA-512" },
  "2b6570": { name: "Ed25519", hash: "" },
};

const PROBLEMS = {
  "RSASSA-PKCS1-v1_5": messages.badRsa,
  ECDSA: messages.badEcdsa,
  Ed25519: messages.badEd25519,
};

/** What is wrong with the signature; undefined if nothing is. */
export async function signatureProblem(request: CertificateRequest): Promise<string | undefined> {
  const algorithm = ALGORITHMS[request.algorithm];
  if (algorithm === undefined) return messages.unknownAlgorithm();
  return (await isGenuine(request, algorithm)) ? undefined : PROBLEMS[algorithm.name]();
}

async function isGenuine(request: CertificateRequest, { name, hash }: Algorithm): Promise<boolean> {
  const curve = name === "ECDSA" ? CURVES.find(({ id }) => contains(request.publicKey, id)) : undefined;
  if (name === "ECDSA" && curve === undefined) return false;
  const parameters = { name, hash, ...(curve && { namedCurve: curve.name }) };
  const signature = curve === undefined ? request.signature : plainSignature(request.signature, curve.size);
  try {
    const key = await crypto.subtle.importKey("spki", own(request.publicKey), parameters, false, ["verify"]);
    return await crypto.subtle.verify({ name, hash }, key, own(signature), own(request.signed));
  } catch {
    // A key that cannot be read has signed nothing.
    return false;
  }
}

const CURVES = [
  { name: "P-256", id: "2a8648ce3d030107", size: 32 },
  { name: "P-384", id: "2b81040022", size: 48 },
  { name: "P-521", id: "2b81040023", size: 66 },
];

function contains(bytes: Uint8Array, id: string): boolean {
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .includes(id);
}

/** Two numbers in DER, as two numbers of fixed length. */
function plainSignature(der: Uint8Array, size: number): Uint8Array {
  const outer = readElement(der, 0);
  const numbers = outer === undefined ? [] : childrenOf(der, outer);
  const plain = new Uint8Array(2 * size);
  numbers.slice(0, 2).forEach(({ start, end }, index) => {
    const digits = der.subarray(Math.max(start, end - size), end);
    plain.set(digits, (index + 1) * size - digits.length);
  });
  return plain;
}

/** A private copy, as the interface requires. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
