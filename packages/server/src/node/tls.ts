/**
 * Certificates for a server that was given none: an authority of its own, and what it signs.
 *
 * Keys are ECDSA P-256: made in a millisecond, where RSA would take most of the time that a server may need to start.
 */
// The certificate library keeps its metadata through this polyfill, which has to be there first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

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

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 3600 * 1000;
const YEARS_10 = 3650 * DAY_MS;
/** Clocks differ. */
const SKEW_MS = 3600 * 1000;

x509.cryptoProvider.set(webcrypto);

export async function createAuthority(now: number): Promise<Authority> {
  const keys = await newKeys();
  const name = subjectOf("portcullis-ca", []);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name,
    ...validity(now),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    cert: certificate.toString("pem"),
    key: await pemOf(keys.privateKey),
    issue: (request) => issue(request, certificate, keys.privateKey, now),
  };
}

async function issue(
  { commonName, organizations = [], hosts }: CertificateRequest,
  authority: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  now: number,
): Promise<Certificate> {
  const keys = await newKeys();
  const usage = hosts === undefined ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: subjectOf(commonName, organizations),
    issuer: authority.subject,
    ...validity(now),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
      ...(hosts === undefined ? [] : [new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName))]),
    ],
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>;
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

function subjectOf(commonName: string, organizations: readonly string[]): string {
  return [...organizations.map((name) => `O=${escapeName(name)}`), `CN=${escapeName(commonName)}`].join(", ");
}

/** Names such as `system:masters` need no escaping; what has a meaning in a subject does. */
function escapeName(text: string): string {
  return text.replace(/[,+"\\<>;=]/g, "\\$&");
}

function alternativeName(host: string): x509.JsonGeneralName {
  return isIP(host) === 0 ? { type: "dns", value: host } : { type: "ip", value: host };
}

function validity(now: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - SKEW_MS), notAfter: new Date(now + YEARS_10) };
}

/** Positive, as the standard wants it. */
function serial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return Buffer.from(bytes).toString("hex");
}
