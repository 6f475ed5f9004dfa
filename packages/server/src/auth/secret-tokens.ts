/**
 * Tokens in Secrets of type `kubernetes.io/service-account-token`. They name their Secret and do not expire: a token is
 * valid while the Secret contains it and the ServiceAccount exists with the same uid. Where several things are wrong, the
 * first is reported.
 *
 * Follows kubernetes pkg/serviceaccount/legacy.go and jwt.go.
 */

import {
  type ServiceAccountName,
  serviceAccountGroups,
  serviceAccountUser,
  splitServiceAccount,
} from "@portcullis/engine/internal/rbac/user";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import type { AuthenticationNotes } from "./authenticate.ts";
import * as messages from "./messages.ts";
import { base64Url, type TokenKey } from "./token-key.ts";
import { hasSignature, readToken, type TokenBearer, type TokenService } from "./tokens.ts";

const ISSUER = "kubernetes/serviceaccount";
const CLAIMS = "kubernetes.io/serviceaccount/";
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
const LAST_USED = "kubernetes.io/legacy-token-last-used";
const AUDIT = "authentication.k8s.io/legacy-token";
const DAY_MS = 86_400_000;

export interface SecretTokenClaims extends ServiceAccountName {
  readonly uid: string;
  readonly secret: string;
}

/** A token for a Secret: without audiences, and without an end. */
export async function issueSecretToken(key: TokenKey, claims: SecretTokenClaims): Promise<string> {
  const payload = {
    iss: ISSUER,
    [`${CLAIMS}namespace`]: claims.namespace,
    [`${CLAIMS}secret.name`]: claims.secret,
    [`${CLAIMS}service-account.name`]: claims.name,
    [`${CLAIMS}service-account.uid`]: claims.uid,
    sub: serviceAccountUser(claims),
  };
  const encode = (json: object): string => base64Url(encodeUtf8(JSON.stringify(json)));
  const text = `${encode({ alg: key.algorithm, kid: key.id })}.${encode(payload)}`;
  return `${text}.${base64Url(await key.sign(text))}`;
}

/** Who bears a token; undefined if it has another issuer or is refused, for a reason that is noted. */
export async function checkSecretToken(
  service: TokenService,
  token: string,
  audiences: readonly string[],
  notes: AuthenticationNotes,
): Promise<TokenBearer | undefined> {
  try {
    return await validate(service, token, audiences, notes);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    notes.refuse?.(error.message);
    return undefined;
  }
}

/** Why a token is refused. */
class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

async function validate(
  service: TokenService,
  token: string,
  audiences: readonly string[],
  notes: AuthenticationNotes,
): Promise<TokenBearer | undefined> {
  const parsed = readToken(token);
  if (parsed === undefined || parsed.payload["iss"] !== ISSUER) return undefined;
  const { kid } = parsed.header;
  const isKnown = typeof kid !== "string" || kid === "" || service.key.publicKeys.some((key) => key["kid"] === kid);
  if (!isKnown) throw new TokenRefused(messages.noTokenKeys());
  if (!(await hasSignature(service, parsed))) throw new TokenRefused(messages.wrongSignature());
  const { subject, audiences: named, ...claims } = readClaims(parsed.payload);
  if (named.length === 0) {
    notes.annotate(AUDIT, subject);
    service.metrics.presented();
  }
  const meant = (named.length === 0 ? service.audiences : named).filter((audience) => audiences.includes(audience));
  if (meant.length === 0) throw new TokenRefused(messages.otherAudiences(named, audiences));
  checkClaims(subject, claims);
  await checkObjects(service, token, claims, notes);
  const { namespace, uid } = claims;
  const user = { name: subject, uid, groups: serviceAccountGroups(namespace), extra: new Map() };
  return { user, audiences: meant };
}

interface Claims extends SecretTokenClaims {
  readonly subject: string;
  readonly audiences: readonly string[];
}

/** The claims with the types that they must have. */
function readClaims(payload: Readonly<Record<string, unknown>>): Claims {
  const textClaim = (name: string): string => {
    const value = payload[name] ?? "";
    if (typeof value !== "string") throw new TokenRefused(messages.claimNotText(value));
    return value;
  };
  for (const name of ["exp", "nbf", "iat"]) {
    if (typeof (payload[name] ?? 0) !== "number") throw new TokenRefused(messages.claimNotDate());
  }
  textClaim("jti");
  return {
    subject: textClaim("sub"),
    audiences: readAudiences(payload["aud"]),
    namespace: textClaim(`${CLAIMS}namespace`),
    secret: textClaim(`${CLAIMS}secret.name`),
    name: textClaim(`${CLAIMS}service-account.name`),
    uid: textClaim(`${CLAIMS}service-account.uid`),
  };
}

function readAudiences(value: unknown = []): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (typeof each !== "string") throw new TokenRefused(messages.claimNotAudience());
    return each;
  });
}

function checkClaims(subject: string, { namespace, secret, name, uid }: SecretTokenClaims): void {
  const claims = { sub: subject, namespace, secretName: secret, serviceAccountName: name, serviceAccountUID: uid };
  for (const [claim, value] of Object.entries(claims)) {
    if (value === "") throw new TokenRefused(messages.missingClaim(claim));
  }
  const account = splitServiceAccount(subject);
  if (account?.namespace !== namespace || account.name !== name) throw new TokenRefused(messages.wrongSubject());
}

async function checkObjects(
  service: TokenService,
  token: string,
  claims: SecretTokenClaims,
  notes: AuthenticationNotes,
): Promise<void> {
  const { namespace, name, uid } = claims;
  const secret = await find(service, "secrets", namespace, claims.secret);
  if (secret === undefined || isInDeletion(secret)) throw new TokenRefused(messages.tokenInvalidated());
  if (storedToken(secret) !== token) throw new TokenRefused(messages.otherToken());
  const account = await find(service, "serviceaccounts", namespace, name);
  if (account === undefined) throw new TokenRefused(messages.noAccount(name));
  if (isInDeletion(account)) throw new TokenRefused(messages.accountDeleted(namespace, name));
  const found = metaText(account, "uid");
  if (found !== uid) throw new TokenRefused(messages.accountUidMismatch(found, uid));
  const isInvalidated = noteUse(service, { secret, account, claims }, notes);
  await markUsed(service, secret);
  if (isInvalidated) throw new TokenRefused(messages.markedInvalid(claims, INVALID_SINCE));
}

interface Use {
  readonly secret: JsonObject;
  readonly account: JsonObject;
  readonly claims: SecretTokenClaims;
}

/** Returns whether the token was marked as invalid because nobody used it for a long time. */
function noteUse({ metrics }: TokenService, { secret, account, claims }: Use, notes: AuthenticationNotes): boolean {
  const name = claims.secret;
  if (labelOf(secret, INVALID_SINCE) !== "") {
    notes.annotate(`${AUDIT}-invalidated`, `${name}/${claims.namespace}`);
    metrics.used("invalidated");
    return true;
  }
  const references = isArray(account["secrets"]) ? account["secrets"] : [];
  const isAutomatic = references.some((each) => isObject(each) && each["name"] === name);
  if (isAutomatic) notes.warn(messages.automaticToken());
  notes.annotate(isAutomatic ? `${AUDIT}-autogenerated-secret` : `${AUDIT}-manual-secret`, name);
  metrics.used(isAutomatic ? "automatic" : "manual");
  return false;
}

/** Upstream's servers may be on different days, so the label may be that of tomorrow. */
async function markUsed({ now, labelSecret }: TokenService, secret: JsonObject): Promise<void> {
  const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const today = dayOf(now());
  const last = labelOf(secret, LAST_USED);
  if (last === today || last === dayOf(now() + DAY_MS)) return;
  await labelSecret(secret, objectOf({ [LAST_USED]: today }));
}

async function find({ registry, store }: TokenService, plural: string, namespace: string, name: string) {
  const type = registry.find("", "v1", plural);
  const entry = type && (await store.get(keyOf(type, namespace, name)));
  return type && entry && decodeEntry(entry, type);
}

function isInDeletion(object: JsonObject): boolean {
  return metaText(object, "deletionTimestamp") !== "";
}

function storedToken(secret: JsonObject): string | undefined {
  const data = isObject(secret["data"]) ? textOf(secret["data"]["token"]) : "";
  return data === "" ? undefined : atob(data);
}

function labelOf(object: JsonObject, name: string): string {
  const { labels } = metaOf(object);
  return isObject(labels) ? textOf(labels[name]) : "";
}
