/**
 * PKCS#10 requests for certificates, as far as an API server looks into them. Follows ParseCSR of kubernetes
 * pkg/apis/certificates; of what is malformed deep inside less is said than by Go.
 */
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { BIT_STRING, childrenOf, type DerElement, OBJECT_ID, readElement, SEQUENCE } from "./der.ts";
import { readPem } from "./pem.ts";

export interface CertificateRequest {
  /** What is signed, and the signature without its count of unused bits. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  /** The object identifier of the algorithm, in hexadecimal. */
  readonly algorithm: string;
  /** The public key with its algorithm, as it stands there. */
  readonly publicKey: Uint8Array;
  readonly organizations: readonly string[];
  /** "" if there is none. */
  readonly commonName: string;
}

export type ParsedRequest = CertificateRequest | { readonly error: string };

const TYPE = "CERTIFICATE REQUEST";

export function parseCertificateRequest(pem: Uint8Array): ParsedRequest {
  const [block] = readPem(decodeUtf8(pem)).blocks;
  return block?.type === TYPE ? parseDer(block.bytes) : { error: `PEM block type must be ${TYPE}` };
}

function parseDer(bytes: Uint8Array): ParsedRequest {
  const outer = readElement(bytes, 0);
  if (outer === undefined) return { error: "asn1: syntax error: data truncated" };
  if (outer.tag !== SEQUENCE) return { error: wrongTag(outer) };
  const [signed, algorithm, signature] = childrenOf(bytes, outer);
  if (signed === undefined || algorithm === undefined || signature === undefined) {
    return { error: "asn1: syntax error: sequence truncated" };
  }
  if (outer.end !== bytes.length) return { error: "asn1: syntax error: trailing data" };
  const [, subject, publicKey] = childrenOf(bytes, signed);
  const [id] = childrenOf(bytes, algorithm);
  const isWhole = [subject, publicKey].every((each) => each?.tag === SEQUENCE) && signature.tag === BIT_STRING;
  if (!isWhole || subject === undefined || publicKey === undefined || id?.tag !== OBJECT_ID) {
    return { error: "asn1: structure error: tags don't match" };
  }
  return {
    signed: bytes.subarray(signed.at, signed.end),
    signature: bytes.subarray(signature.start + 1, signature.end),
    algorithm: hex(bytes.subarray(id.start, id.end)),
    publicKey: bytes.subarray(publicKey.at, publicKey.end),
    organizations: valuesOf(bytes, subject, ORGANIZATION),
    commonName: valuesOf(bytes, subject, COMMON_NAME).at(-1) ?? "",
  };
}

const ORGANIZATION = "55040a";
const COMMON_NAME = "550403";

/** A name is a list of sets of pairs. */
function valuesOf(bytes: Uint8Array, subject: DerElement, type: string): string[] {
  const pairs = childrenOf(bytes, subject).flatMap((set) => childrenOf(bytes, set));
  return pairs.flatMap((pair) => {
    const [id, value] = childrenOf(bytes, pair);
    if (id === undefined || value === undefined || hex(bytes.subarray(id.start, id.end)) !== type) return [];
    return [decodeUtf8(bytes.subarray(value.start, value.end))];
  });
}

/** As Go shows the header that it found and the options of the field it wanted to fill. */
function wrongTag({ tag, start, end }: DerElement): string {
  const isCompound = (tag & 0x20) !== 0;
  const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${end - start} isCompound:${isCompound}}`;
  const options =
    "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
  return `asn1: structure error: tags don't match (16 vs ${found}) ${options} certificateRequest @${start}`;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
