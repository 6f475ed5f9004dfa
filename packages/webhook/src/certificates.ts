/**
 * The webhook's certificate and the CAs that callers trust. They are replaced in steps that never leave a caller
 * without trust: a new CA is announced first, then its certificate is used, then the old CA is removed.
 *
 * Each certificate has its own CA, whose key is discarded. The steps are recorded in a Secret, so that replicas share
 * them and a restart continues where it was.
 */

import { fromPlain } from "@portcullis/engine/internal/value/copy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";

/** PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate with the authority that callers must trust. */
export interface IssuedCertificate extends KeyPair {
  /** The authority that has signed it. */
  readonly ca: string;
}

export interface CertificateState {
  readonly serving: KeyPair;
  /** Oldest first; two while one is replaced. */
  readonly authorities: readonly string[];
  /** Announced, not yet in use. */
  readonly next: KeyPair | undefined;
  readonly issuedAt: number;
  /** When the last step was taken. */
  readonly changedAt: number;
}

/** When certificates are replaced. */
export interface RotationTiming {
  readonly rotateAfterMs: number;
  /** How long API servers may take to act on a changed configuration. */
  readonly propagationMs: number;
}

export interface Moment {
  readonly now: number;
  /** The authorities that the webhook configuration names. */
  readonly published: string | undefined;
  readonly issue: () => Promise<IssuedCertificate>;
}

export async function firstState({ now, issue }: Pick<Moment, "now" | "issue">): Promise<CertificateState> {
  const { cert, key, ca } = await issue();
  return { serving: { cert, key }, authorities: [ca], next: undefined, issuedAt: now, changedAt: now };
}

/** The state after the next step; undefined if none is due. */
export async function nextState(
  state: CertificateState,
  timing: RotationTiming,
  { now, published, issue }: Moment,
): Promise<CertificateState | undefined> {
  const { next, authorities } = state;
  const hasSpread = published === caBundle(state) && now - state.changedAt >= timing.propagationMs;
  if (next !== undefined) return hasSpread ? { ...state, serving: next, next: undefined, changedAt: now } : undefined;
  if (authorities.length > 1)
    return hasSpread ? { ...state, authorities: authorities.slice(-1), changedAt: now } : undefined;
  if (now - state.issuedAt < timing.rotateAfterMs) return undefined;
  const { cert, key, ca } = await issue();
  return { ...state, authorities: [...authorities, ca], next: { cert, key }, issuedAt: now, changedAt: now };
}

export function caBundle({ authorities }: CertificateState): string {
  return authorities.map((each) => `${each.trim()}\n`).join("");
}

export type Stage = "settled" | "announced" | "replaced";

export function stageOf({ next, authorities }: CertificateState): Stage {
  if (next !== undefined) return "announced";
  return authorities.length > 1 ? "replaced" : "settled";
}

// biome-ignore format: a table
const KEYS = { ca: "ca.crt", cert: "tls.crt", key: "tls.key", nextCert: "next.crt", nextKey: "next.key", issued: "issued-at", changed: "changed-at" };

export function toSecret(state: CertificateState, namespace: string, name: string): JsonObject {
  const made = fromPlain({ apiVersion: "v1", kind: "Secret", metadata: { namespace, name }, type: "Opaque" });
  return withState(objectOf(made), state);
}

export function withState(secret: JsonObject, state: CertificateState): JsonObject {
  const texts = {
    [KEYS.ca]: caBundle(state),
    [KEYS.cert]: state.serving.cert,
    [KEYS.key]: state.serving.key,
    [KEYS.nextCert]: state.next?.cert,
    [KEYS.nextKey]: state.next?.key,
    [KEYS.issued]: new Date(state.issuedAt).toISOString(),
    [KEYS.changed]: new Date(state.changedAt).toISOString(),
  };
  const data = Object.entries(texts).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, Buffer.from(text).toString("base64")]],
  );
  return withMember(secret, "data", fromPlain(Object.fromEntries(data)));
}

/** Undefined if the Secret does not hold a state. */
export function fromSecret(secret: JsonObject): CertificateState | undefined {
  const data = objectOf(secret["data"]);
  const text = (key: string): string => Buffer.from(textOf(data[key]), "base64").toString("utf8");
  const authorities = text(KEYS.ca).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const serving = { cert: text(KEYS.cert), key: text(KEYS.key) };
  const next = { cert: text(KEYS.nextCert), key: text(KEYS.nextKey) };
  const issuedAt = Date.parse(text(KEYS.issued));
  const changedAt = Date.parse(text(KEYS.changed));
  const isComplete = authorities.length > 0 && serving.cert !== "" && serving.key !== "";
  if (!isComplete || Number.isNaN(issuedAt) || Number.isNaN(changedAt)) return undefined;
  return { serving, authorities, next: next.cert === "" || next.key === "" ? undefined : next, issuedAt, changedAt };
}
