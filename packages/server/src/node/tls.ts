/**
 * Certificates for a server that was given none: an authority of its own, and what it signs.
 *
 * Keys are ECDSA P-256: made in a millisecond, where RSA would take most of the time that a server may need to start. For
 * the same reason certificates are put together here: loading a library that knows all kinds takes longer than starting
 * everything else. Follows RFC 5280.
 */
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, SocketAddress } from "node:net";
import { promisify } from "node:util";
import { bits, integer, objectId, octets, pem, sequence, set, tagged, time, utf8, yes } from "./der.ts";

/** A certificate with its private key. */
export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority. */
export interface Authority extends Certificate {
  issue(request: CertificateRequest): Promise<Certificate>;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** Groups, in a client's certificate. */
  readonly organizations?: readonly string[];
  /** Host names and addresses; with them it is a server's certificate, without a client's. */
  readonly hosts?: readonly string[];
}

const DAY_MS = 24 * 3600 * 1000;
const YEARS_10 = 3650 * DAY_MS;
/** Clocks differ. */
const SKEW_MS = 3600 * 1000;

const AUTHORITY = "portcullis-ca";

/**
 * Makes a new certificate authority, valid from the given time.
 * @example
 * const authority = await createAuthority(Date.now());
 * const { cert, key } = await authority.issue({ commonName: "webhook", hosts: ["127.0.0.1"] });
 */
export async function createAuthority(now: number): Promise<Authority> {
  const keys = await newKeys();
  const signer = { key: keys.privateKey, id: keyId(keys.publicKey) };
  const cert = certificate({
    subject: subjectOf(AUTHORITY, []),
    publicKey: keys.publicKey,
    now,
    signer,
    extensions: [
      extension(BASIC_CONSTRAINTS, sequence(yes()), { isCritical: true }),
      // Signing certificates, and signing at all.
      extension(KEY_USAGE, bits(Buffer.from([0b1000_0100]), 2), { isCritical: true }),
      extension(SUBJECT_KEY_ID, octets(signer.id)),
    ],
  });
  return { cert, key: pemOf(keys.privateKey), issue: (request) => issue(request, signer, now) };
}

interface Signer {
  readonly key: KeyObject;
  /** Of its public key. */
  readonly id: Uint8Array;
}

async function issue(request: CertificateRequest, signer: Signer, now: number): Promise<Certificate> {
  const { commonName, organizations = [], hosts } = request;
  const keys = await newKeys();
  const usage = hosts === undefined ? CLIENT_AUTH : SERVER_AUTH;
  const cert = certificate({
    subject: subjectOf(commonName, organizations),
    publicKey: keys.publicKey,
    now,
    signer,
    extensions: [
      extension(BASIC_CONSTRAINTS, sequence(), { isCritical: true }),
      // Signing, and the agreement on a key.
      extension(KEY_USAGE, bits(Buffer.from([0b1010_0000]), 5), { isCritical: true }),
      extension(EXTENDED_KEY_USAGE, sequence(objectId(usage))),
      extension(AUTHORITY_KEY_ID, sequence(tagged(0, signer.id, { isPlain: true }))),
      ...(hosts === undefined ? [] : [extension(ALTERNATIVE_NAMES, sequence(...hosts.map(alternativeName)))]),
    ],
  });
  return { cert, key: pemOf(keys.privateKey) };
}

const generateKeys = promisify(generateKeyPair);

function newKeys(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return generateKeys("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return pem("PRIVATE KEY", key.export({ type: "pkcs8", format: "der" }));
}

const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));
const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const SUBJECT_KEY_ID = "2.5.29.14";
const AUTHORITY_KEY_ID = "2.5.29.35";
const ALTERNATIVE_NAMES = "2.5.29.17";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
const ORGANIZATION = "2.5.4.10";
const COMMON_NAME = "2.5.4.3";

interface Content {
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
  readonly signer: Signer;
  readonly now: number;
}

function certificate({ subject, publicKey, extensions, signer, now }: Content): string {
  const signed = sequence(
    tagged(0, integer(Buffer.from([VERSION_3]))),
    integer(serial()),
    ECDSA_WITH_SHA256,
    subjectOf(AUTHORITY, []),
    sequence(time(now - SKEW_MS), time(now + YEARS_10)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(...extensions)),
  );
  const signature = sign("sha256", signed, signer.key);
  return pem("CERTIFICATE", sequence(signed, ECDSA_WITH_SHA256, bits(signature)));
}

/** Versions are counted from 0. */
const VERSION_3 = 2;

function extension(id: string, value: Uint8Array, { isCritical = false } = {}): Buffer {
  return sequence(objectId(id), ...(isCritical ? [yes()] : []), octets(value));
}

/** The hash of the point on the curve, which ends the key. */
function keyId(key: KeyObject): Uint8Array {
  const point = key.export({ type: "spki", format: "der" }).subarray(-65);
  return createHash("sha1").update(point).digest();
}

function subjectOf(commonName: string, organizations: readonly string[]): Buffer {
  const part = (id: string, text: string): Buffer => set(sequence(objectId(id), utf8(text)));
  return sequence(...organizations.map((name) => part(ORGANIZATION, name)), part(COMMON_NAME, commonName));
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return tagged(DNS_NAME, Buffer.from(host, "latin1"), { isPlain: true });
  return tagged(IP_ADDRESS, addressBytes(host), { isPlain: true });
}

function addressBytes(host: string): Uint8Array {
  if (isIP(host) === 4) return Uint8Array.from(host.split(".").map(Number));
  const [head = "", tail] = new SocketAddress({ address: host, family: "ipv6" }).address.split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Uint8Array.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

/** An address of version 4 may stand for the last two. */
function groupsOf(text: string): number[] {
  return text
    .split(":")
    .filter((group) => group !== "")
    .flatMap((group) => {
      if (!group.includes(".")) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
      return [a * 256 + b, c * 256 + d];
    });
}

/** Positive, as the standard wants it. */
function serial(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes;
}
