/** `serviceaccounts/token`: a token for a service account. Follows kubernetes pkg/registry/core/serviceaccount/storage. */

import { TOKEN_REQUEST, withExpiration } from "@portcullis/engine/internal/builtin/defaults/token-request";
import { type FieldError, invalid as invalidField } from "@portcullis/engine/internal/field/error";
import { newPath } from "@portcullis/engine/internal/field/path";
import {
  type AnswerContext,
  type DecodeTyped,
  groupResourceOf,
  type ResourceKind,
  type Subresource,
  typedDecoder,
} from "@portcullis/engine/internal/review/kind";
import { builtinFieldScope } from "@portcullis/engine/internal/review/kinds/built-in-owners";
import { namespaceMismatch } from "@portcullis/engine/internal/review/messages";
import { badRequest, conflict, invalid, notFound } from "@portcullis/engine/internal/status/error";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { asServer, SERVER_VERSION, since } from "@portcullis/engine/internal/value/server-version";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import * as messages from "./messages.ts";
import { type BoundKind, issueToken, type TokenClaims, type TokenService } from "./tokens.ts";

const KIND = TOKEN_REQUEST;
const CREDENTIAL_ID = "authentication.kubernetes.io/issued-credential-id";
const HOUR = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/** Service accounts with their tokens. */
export function withTokens(accounts: ResourceKind, service: TokenService): ResourceKind {
  const subresources = new Map(accounts.subresources);
  const rules = accounts.rules ?? { version: SERVER_VERSION };
  subresources.set("token", tokenSubresource(service, asServer(rules, uidRules)));
  const { fieldScope } = accounts;
  return { ...accounts, subresources, fieldScope: (name) => (name === "token" ? tokenScope : fieldScope?.(name)) };
}

const tokenScope = builtinFieldScope({ ...KIND, resetFields: () => [], decodeFields: (value) => ({ value }) }, "token");

interface UidRules {
  /** Whether a request with another uid than that of the account is refused. */
  readonly isChecked: boolean;
  /** Whether the uid of the account is part of the answer. */
  readonly isFilled: boolean;
}

function uidRules(): UidRules {
  return { isChecked: isEnabled("TokenRequestServiceAccountUIDValidation"), isFilled: since("1.34") };
}

function tokenSubresource(service: TokenService, uids: UidRules): Subresource {
  const refuse = (): never => {
    throw new Error("a token is neither read nor changed");
  };
  return {
    name: "token",
    kind: KIND,
    verbs: ["create"],
    view: refuse,
    decode: refuse,
    decodeTyped: decodeRequest,
    toParent: refuse,
    update: refuse,
    connect: (account, draft, context) => createToken(account, draft, context, { service, uids }),
  };
}

const decodeBody = typedDecoder(TOKEN_REQUEST);

function decodeRequest(...body: Parameters<DecodeTyped>): ReturnType<DecodeTyped> {
  const decoded = decodeBody(...body);
  return { ...decoded, object: withExpiration(decoded.object) };
}

async function createToken(
  account: JsonObject,
  draft: JsonObject,
  context: AnswerContext,
  { service, uids }: { readonly service: TokenService; readonly uids: UidRules },
): Promise<JsonObject> {
  const [name, uid] = [metaText(account, "name"), metaText(account, "uid")];
  checkIdentity(draft, name, context.namespace, uids.isChecked ? uid : undefined);
  const spec = isObject(draft["spec"]) ? draft["spec"] : objectOf({});
  const seconds = isInteger(spec["expirationSeconds"]) ? Number(spec["expirationSeconds"]) : HOUR;
  const errors = checkSeconds(seconds);
  if (errors.length > 0) throw invalid(KIND, "", errors);
  const asked = isArray(spec["audiences"]) ? spec["audiences"].map(textOf) : [];
  const audiences = asked.length > 0 ? asked : [...service.audiences];
  const reference = isObject(spec["boundObjectRef"]) ? spec["boundObjectRef"] : undefined;
  const asRequested = {
    ...draft,
    spec: objectOf({ audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null }),
  };
  const filled = uids.isFilled && metaText(draft, "uid") === "" ? { uid } : {};
  const meta = { name, namespace: context.namespace, ...filled, creationTimestamp: context.system.now() };
  const unanswered = objectOf({ token: "", expirationTimestamp: null });
  await context.admit(withMeta(objectOf({ ...asRequested, status: unanswered }), meta));
  const bound = reference && (await findBound(reference, name, context.namespace, service));
  const { namespace } = context;
  const claims = { namespace, account: { name, uid }, audiences, seconds, ...(bound && { bound }) };
  const now = service.now();
  const { token, credentialId } = await issueToken(service, claims);
  context.annotate(CREDENTIAL_ID, credentialId);
  const expirationTimestamp = `${new Date(now + seconds * 1000).toISOString().slice(0, 19)}Z`;
  return withMeta(objectOf({ ...asRequested, status: objectOf({ token, expirationTimestamp }) }), meta);
}

function checkIdentity(draft: JsonObject, name: string, namespace: string, uid: string | undefined): void {
  const own = { name: metaText(draft, "name"), namespace: metaText(draft, "namespace"), uid: metaText(draft, "uid") };
  const meta = newPath("metadata");
  if (own.name !== "" && own.name !== name) {
    throw invalid(KIND, name, [invalidField(meta.child("name"), own.name, messages.nameMustMatch())]);
  }
  if (own.namespace !== "" && own.namespace !== namespace) throw badRequest(namespaceMismatch());
  if (uid !== undefined && own.uid !== "" && own.uid !== uid) {
    const resource = { group: KIND.group, resource: KIND.kind };
    throw conflict(resource, name, messages.requestUidMismatch(own.uid, uid));
  }
}

function checkSeconds(seconds: number): FieldError[] {
  const path = newPath("spec").child("expirationSeconds");
  if (seconds < MIN_SECONDS) return [invalidField(path, seconds, messages.tokenTooShort())];
  return seconds > MAX_SECONDS ? [invalidField(path, seconds, messages.tokenTooLong())] : [];
}

const BINDABLE: Readonly<Record<string, readonly [BoundKind, string]>> = {
  "v1/Pod": ["pod", "pods"],
  "v1/Secret": ["secret", "secrets"],
  "v1/Node": ["node", "nodes"],
};

async function findBound(
  reference: JsonObject,
  account: string,
  namespace: string,
  { registry, store }: TokenService,
): Promise<TokenClaims["bound"]> {
  const [apiVersion, wanted] = [textOf(reference["apiVersion"]), textOf(reference["kind"])];
  const [name, uid] = [textOf(reference["name"]), textOf(reference["uid"])];
  const bindable = BINDABLE[`${apiVersion}/${wanted}`];
  const type = bindable && registry.find("", "v1", bindable[1]);
  if (bindable === undefined || type === undefined) {
    const place = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
    throw badRequest(messages.notBindable(`${place}, Kind=${wanted}`));
  }
  const entry = await store.get(keyOf(type, namespace, name));
  if (entry === undefined) throw notFound(groupResourceOf(type), name);
  const object = decodeEntry(entry, type);
  const spec = isObject(object["spec"]) ? object["spec"] : objectOf({});
  if (bindable[0] === "pod" && spec["serviceAccountName"] !== account) throw badRequest(messages.otherAccount(account));
  const found = metaText(object, "uid");
  if (uid !== "" && uid !== found) {
    throw conflict({ group: "", resource: wanted }, name, messages.boundUidMismatch(uid));
  }
  return { kind: bindable[0], name, uid: found };
}
