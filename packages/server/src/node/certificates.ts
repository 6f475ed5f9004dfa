/**
 * The certificates of a server, made when it first starts and kept in a folder, so that clients that trusted it once trust
 * it after a restart.
 */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { makePrivateFolder, writePrivate } from "./private-files.ts";
import { createAuthority } from "./tls.ts";

/** What a listener shows to its clients, and whom it trusts. */
export interface ServerCertificates {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** The authority that clients should trust; undefined if it is not known. */
  readonly ca: string | undefined;
  /** The authorities whose client certificates are believed; where absent, the one that clients trust. */
  readonly clientCa?: string | undefined;
}

const FILES = { ca: "ca.crt", cert: "apiserver.crt", key: "apiserver.key" };
const AUTHORITY_KEY = "ca.key";

/** Without a folder they live as long as the process. */
export async function openCertificates(host: string, folder: string | undefined): Promise<ServerCertificates> {
  const kept = folder === undefined ? undefined : await readKept(folder);
  if (kept !== undefined && (kept.ca === undefined || isUsable(kept.cert, host))) return kept;
  const authority = await createAuthority(Date.now());
  const hosts = [...new Set(["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default.svc", host])];
  const { cert, key } = await authority.issue({ commonName: "kube-apiserver", hosts });
  const made = { cert, key, ca: authority.cert };
  if (folder !== undefined) await keep(folder, made, authority.key);
  return made;
}

/** A certificate from another source comes without its CA and is used as it is. */
async function readKept(folder: string): Promise<ServerCertificates | undefined> {
  const [ca, cert, key] = await Promise.all([FILES.ca, FILES.cert, FILES.key].map((name) => readText(folder, name)));
  return cert === undefined || key === undefined ? undefined : { ca, cert, key };
}

async function readText(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(folder, name), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of this host, and not about to end. */
function isUsable(cert: string, host: string): boolean {
  const certificate = new X509Certificate(cert);
  const names = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return names !== undefined && Date.parse(certificate.validTo) > Date.now() + 24 * 3600 * 1000;
}

interface Made {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

async function keep(folder: string, { ca, cert, key }: Made, authorityKey: string): Promise<void> {
  await makePrivateFolder(folder);
  const write = (name: string, text: string): Promise<void> => writePrivate(path.join(folder, name), text);
  await write(AUTHORITY_KEY, authorityKey);
  await write(FILES.ca, ca);
  await write(FILES.cert, cert);
  await write(FILES.key, key);
}
