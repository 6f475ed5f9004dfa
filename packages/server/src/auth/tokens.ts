/**
 * Tokens of service accounts: signed claims that name the account, its uid, and the object the token is bound to.
 *
 * A token is good while its time has not run out and everything it names is still there with the same uid. Follows
 * kubernetes pkg/serviceaccount.
 */

import { serviceAccountGroups, serviceAccountUser, type User } from "@portcullis/engine/internal/rbac/user";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";
import type { TokenMetrics } from "../observe/access-metrics.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Store } from "../storage/store.ts";
import { base64Url, fromBase64Url, type TokenKey } from "./token-key.ts";

export const DEFAULT_ISSUER = "https://kubernetes.default.svc";

export interface TokenService {
  readonly key: TokenKey;
  /** Whose tokens are believed; the first issues them. */
  readonly issuers: readonly string[];
  /** What tokens for this server are meant for. */
  readonly audiences: readonly string[];
  readonly store: Store;
  readonly registry: Registry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uid: () => string;
  readonly metrics: TokenMetrics;
  /** Adds labels to a Secret. A refusal has no effect. */
  readonly labelSecret: LabelSecret;
}

export type LabelSecret = (secret: JsonObject, labels: JsonObject) => Promise<void>;

export interface ObjectIdentity {
  readonly name: string;
  readonly uid: string;
}

export type BoundKind = "pod" | "secret" | "node";

export interface TokenClaims {
  readonly namespace: string;
  readonly account: ObjectIdentity;
  readonly bound?: { readonly kind: BoundKind } & ObjectIdentity;
  readonly audiences: readonly string[];
  readonly seconds: number;
}

export interface IssuedToken {
  readonly token: string;
  /** As audit events name it. */
  readonly credentialId: string;
}

export async function issueToken(service: TokenService, claims: TokenClaims): Promise<IssuedToken> {
  const { key, issuers, now, uid } = service;
  const { namespace, account, bound, audiences, seconds } = claims;
  const issued = Math.floor(now() / 1000);
  const jti = uid();
  const header = { alg: key.algorithm, kid: key.id };
  const payload = {
    aud: audiences,
    exp: issued + seconds,
    iat: issued,
    iss: issuers[0] ?? DEFAULT_ISSUER,
    jti,
    "kubernetes.io": {
      namespace,
      ...(bound && { [bound.kind]: { name: bound.name, uid: bound.uid } }),
      serviceaccount: { name: account.name, uid: account.uid },
    },
    nbf: issued,
    sub: serviceAccountUser({ namespace, name: account.name }),
  };
  const text = `${encode(header)}.${encode(payload)}`;
  return { token: `${text}.${base64Url(await key.sign(text))}`, credentialId: `JTI=${jti}` };
}

function encode(json: object): string {
  return base64Url(encodeUtf8(JSON.stringify(json)));
}

export interface TokenBearer {
  readonly user: User;
  /** Of those asked for, the ones that the token is meant for. */
  readonly audiences: readonly string[];
}

/** Undefined if it is none of our tokens, or is good no more, or is meant for others. */
export async function checkToken(
  service: TokenService,
  token: string,
  audiences: readonly string[],
): Promise<TokenBearer | undefined> {
  const payload = await readTimely(service, token);
  if (payload === undefined) return undefined;
  const meant = texts(payload["aud"]).filter((audience) => audiences.includes(audience));
  const claims = record(payload["kubernetes.io"]);
  const namespace = text(claims["namespace"]);
  const account = record(claims["serviceaccount"]);
  if (meant.length === 0 || !(await isThere(service, "serviceaccounts", namespace, account))) return undefined;
  for (const [kind, plural] of BOUND_KINDS) {
    const home = kind === "node" ? "" : namespace;
    if (kind in claims && !(await isThere(service, plural, home, record(claims[kind])))) return undefined;
  }
  return { user: userOf(payload, namespace, account, claims), audiences: meant };
}

const BOUND_KINDS: readonly (readonly [BoundKind, string])[] = [
  ["pod", "pods"],
  ["secret", "secrets"],
  ["node", "nodes"],
];

/** The claims of a token that we signed and whose time has come and not gone. */
async function readTimely(service: TokenService, token: string): Promise<UnverifiedToken["payload"] | undefined> {
  const parsed = readToken(token);
  if (parsed === undefined || !(await hasSignature(service, parsed))) return undefined;
  const { payload } = parsed;
  const now = service.now() / 1000;
  const isTimely = Number(payload["nbf"]) <= now + LEEWAY && now - LEEWAY < Number(payload["exp"]);
  return service.issuers.includes(text(payload["iss"])) && isTimely ? payload : undefined;
}

/** A JSON Web Token. Nobody has verified it yet. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** Undefined if it is not one. */
export function readToken(token: string): UnverifiedToken | undefined {
  const [header = "", body = "", encoded = "", ...rest] = token.split(".");
  const signature = fromBase64Url(encoded);
  if (rest.length > 0 || signature === undefined) return undefined;
  return { header: record(parse(header)), payload: record(parse(body)), signed: `${header}.${body}`, signature };
}

/** Whether one of our keys signed it. */
export function hasSignature({ key }: TokenService, { header, signed, signature }: UnverifiedToken): Promise<boolean> {
  return key.verify(signed, signature, text(header["alg"]));
}

/** Clocks of several servers differ by a little. */
const LEEWAY = 10;

async function isThere(
  { store, registry }: TokenService,
  plural: string,
  namespace: string,
  identity: Record<string, unknown>,
): Promise<boolean> {
  const type = registry.find("", "v1", plural);
  const entry = type && (await store.get(keyOf(type, namespace, text(identity["name"]))));
  return type !== undefined && entry !== undefined && metaText(decodeEntry(entry, type), "uid") === identity["uid"];
}

function userOf(
  payload: UnverifiedToken["payload"],
  namespace: string,
  account: Record<string, unknown>,
  claims: Record<string, unknown>,
): User {
  const extra = new Map([["authentication.kubernetes.io/credential-id", [`JTI=${text(payload["jti"])}`]]]);
  for (const kind of ["pod", "node"]) {
    if (!(kind in claims)) continue;
    extra.set(`authentication.kubernetes.io/${kind}-name`, [text(record(claims[kind])["name"])]);
    extra.set(`authentication.kubernetes.io/${kind}-uid`, [text(record(claims[kind])["uid"])]);
  }
  const name = text(account["name"]);
  return {
    name: serviceAccountUser({ namespace, name }),
    uid: text(account["uid"]),
    groups: serviceAccountGroups(namespace),
    extra,
  };
}

function parse(part: string): unknown {
  const bytes = fromBase64Url(part);
  try {
    return bytes === undefined ? undefined : JSON.parse(decodeUtf8(bytes));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}
