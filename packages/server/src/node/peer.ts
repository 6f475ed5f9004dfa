/** Client certificates, and which authorities have signed them. */
import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { type DetailedPeerCertificate, TLSSocket } from "node:tls";
import type { PeerCertificate } from "../http/exchange.ts";

/** The authorities that a listener trusts, in PEM. */
export interface PeerAuthorities {
  readonly clientCa?: string | undefined;
  /** Those of proxies that authenticate users. */
  readonly proxyCa?: string | undefined;
}

export type ReadPeer = (socket: Socket) => PeerCertificate | undefined;

/** The certificate of a connection is read once: taking it apart is not cheap. */
export function peerReader({ clientCa, proxyCa }: PeerAuthorities): ReadPeer {
  const peers = new WeakMap<Socket, PeerCertificate | undefined>();
  const [clients, proxies] = [fingerprintsOf(clientCa), fingerprintsOf(proxyCa)];
  return (socket) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    if (!peers.has(socket)) peers.set(socket, readPeer(socket, clients, proxies));
    return peers.get(socket);
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Undefined if there are no authorities. */
function fingerprintsOf(bundle: string | undefined): ReadonlySet<string> | undefined {
  if (bundle === undefined) return undefined;
  return new Set((bundle.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text).fingerprint256));
}

function readPeer(
  socket: TLSSocket,
  clients: ReadonlySet<string> | undefined,
  proxies: ReadonlySet<string> | undefined,
): PeerCertificate | undefined {
  const certificate = socket.getPeerCertificate(true);
  // Without a certificate, the object is empty.
  if (certificate.subject === undefined) return undefined;
  const { CN, O } = certificate.subject;
  const chain = socket.authorized ? chainOf(certificate) : [];
  const isOf = (authorities: ReadonlySet<string> | undefined): boolean =>
    chain.some((fingerprint) => authorities?.has(fingerprint) === true);
  return {
    commonName: [CN ?? ""].flat()[0] ?? "",
    organizations: O === undefined ? [] : [O].flat(),
    isClient: clients === undefined ? undefined : isOf(clients),
    isProxy: isOf(proxies),
    expires: Date.parse(certificate.valid_to),
  };
}

/** The fingerprints of a certificate and of those that vouch for it; a root vouches for itself. */
function chainOf(certificate: DetailedPeerCertificate): string[] {
  const seen = new Set<string>();
  let each: DetailedPeerCertificate | undefined = certificate;
  while (each?.fingerprint256 !== undefined && !seen.has(each.fingerprint256)) {
    seen.add(each.fingerprint256);
    each = each.issuerCertificate;
  }
  return [...seen];
}
