/**
 * Fills Secrets of type `kubernetes.io/service-account-token` with a token, the certificate of the server and the
 * namespace, and deletes them when their ServiceAccount is deleted. Follows kubernetes
 * pkg/controller/serviceaccount/tokens_controller.go.
 */

import { AUTHENTICATED, type User } from "@portcullis/engine/internal/rbac/user";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { encodeBase64 } from "@portcullis/gostd/base64";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { issueSecretToken } from "../auth/secret-tokens.ts";
import type { TokenKey } from "../auth/token-key.ts";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { type ControllerWrite, deleteAs, patchAs } from "../registry/server-writes.ts";
import { NotYet, WorkQueue } from "../registry/work-queue.ts";

/** This controller needs rights that service accounts do not have. */
const USER: User = { name: "system:kube-controller-manager", uid: "", groups: [AUTHENTICATED], extra: new Map() };
const TYPE = "kubernetes.io/service-account-token";
const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const ACCOUNT_UID = "kubernetes.io/service-account.uid";
const MAX_RETRIES = 10;

export interface TokenControllerOptions {
  readonly key: TokenKey;
  /** The certificate that clients in the cluster trust; tokens get none if undefined. */
  readonly rootCertificate: string | undefined;
}

/** What a Secret says of its ServiceAccount. The uid may be empty. */
interface Reference {
  readonly namespace: string;
  readonly secret: string;
  readonly name: string;
  readonly uid: string;
}

export class TokenController {
  readonly #server: ServerContext;
  readonly #options: TokenControllerOptions;
  readonly #queue: WorkQueue;
  /** By the keys of the Secrets, with those that were deleted until their references are removed. */
  readonly #references = new Map<string, Reference>();
  /** The keys of the Secrets of each ServiceAccount, by its key. */
  readonly #secrets = new Map<string, Set<string>>();
  readonly #failures = new Map<string, number>();

  constructor(server: ServerContext, options: TokenControllerOptions) {
    this.#server = server;
    this.#options = options;
    this.#queue = new WorkQueue("serviceaccount_tokens_service", (key) => this.#attempt(key), server);
  }

  async start(): Promise<void> {
    const { registry, followers } = this.#server;
    const [secrets, accounts] = [registry.find("", "v1", "secrets"), registry.find("", "v1", "serviceaccounts")];
    if (secrets === undefined || accounts === undefined) return;
    await followers.follow({
      name: "service account tokens",
      prefix: secrets.storagePrefix,
      see: (key, entry) => this.#seeSecret(key, entry?.value.includes(TYPE) ? decodeEntry(entry, secrets) : undefined),
      isBackground: true,
    });
    await followers.follow({
      name: "serviceaccounts of tokens",
      prefix: accounts.storagePrefix,
      see: (key) => this.#seeAccount(key),
      isBackground: true,
    });
  }

  close(): void {
    this.#queue.close();
  }

  settled(): Promise<void> {
    return this.#queue.idle();
  }

  #seeSecret(key: string, secret: JsonObject | undefined): void {
    const reference = secret && referenceOf(secret);
    if (reference === undefined) {
      if (this.#references.has(key)) this.#queue.add(key);
      return;
    }
    this.#forget(key);
    this.#references.set(key, reference);
    const account = this.#keyOf("serviceaccounts", reference.namespace, reference.name);
    this.#secrets.set(account, (this.#secrets.get(account) ?? new Set()).add(key));
    this.#queue.add(key);
  }

  #seeAccount(key: string): void {
    for (const secret of this.#secrets.get(key) ?? []) this.#queue.add(secret);
  }

  #forget(key: string): void {
    const reference = this.#references.get(key);
    if (reference === undefined) return;
    this.#references.delete(key);
    const account = this.#keyOf("serviceaccounts", reference.namespace, reference.name);
    const keys = this.#secrets.get(account);
    if (keys?.delete(key) && keys.size === 0) this.#secrets.delete(account);
  }

  /** Conflicts are followed by an event; other refusals are tried again some times. */
  async #attempt(key: string): Promise<void> {
    try {
      await this.#sync(key);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const failures = this.#failures.get(key) ?? 0;
      const isFinal = error.reason === "Conflict" || error.reason === "NotFound" || failures === MAX_RETRIES;
      if (!isFinal) {
        this.#failures.set(key, failures + 1);
        throw new NotYet();
      }
    }
    this.#failures.delete(key);
  }

  async #sync(key: string): Promise<void> {
    const known = this.#references.get(key);
    if (known === undefined) return;
    const secret = await this.#find("secrets", known.namespace, known.secret);
    const reference = secret && referenceOf(secret);
    const account = await this.#accountOf(reference ?? known);
    if (secret === undefined || reference === undefined) {
      if (account !== undefined) await this.#removeReference(account, known.secret);
      this.#forget(key);
    } else if (account === undefined) {
      await deleteAs(this.#write("secrets", secret), { uid: metaText(secret, "uid") });
    } else await this.#fill(secret, account);
  }

  async #accountOf({ namespace, name, uid }: Reference): Promise<JsonObject | undefined> {
    const account = await this.#find("serviceaccounts", namespace, name);
    return account !== undefined && (uid === "" || uid === metaText(account, "uid")) ? account : undefined;
  }

  async #fill(secret: JsonObject, account: JsonObject): Promise<void> {
    const { key, rootCertificate = "" } = this.#options;
    const data = isObject(secret["data"]) ? secret["data"] : objectOf({});
    const [namespace, name, uid] = [metaText(secret, "namespace"), metaText(account, "name"), metaText(account, "uid")];
    const certificate = encode(rootCertificate);
    const missing: Record<string, string> = {};
    if (certificate !== "" && data["ca.crt"] !== certificate) missing["ca.crt"] = certificate;
    if (textOf(data["namespace"]) === "") missing["namespace"] = encode(namespace);
    if (textOf(data["token"]) === "") {
      missing["token"] = encode(
        await issueSecretToken(key, { namespace, name, uid, secret: metaText(secret, "name") }),
      );
    }
    if (Object.keys(missing).length === 0) return;
    const annotations = objectOf({ [ACCOUNT_NAME]: name, [ACCOUNT_UID]: uid });
    const metadata = objectOf({ resourceVersion: metaText(secret, "resourceVersion"), annotations });
    await patchAs(this.#write("secrets", secret), objectOf({ metadata, data: objectOf(missing) }));
  }

  /** Tried again where another write was faster; other refusals are final. */
  async #removeReference(account: JsonObject, secret: string): Promise<void> {
    const references = isArray(account["secrets"]) ? account["secrets"] : [];
    const others = references.filter((each) => !isObject(each) || each["name"] !== secret);
    if (others.length === references.length) return;
    const metadata = objectOf({ resourceVersion: metaText(account, "resourceVersion") });
    try {
      await patchAs(this.#write("serviceaccounts", account), objectOf({ metadata, secrets: others }));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.reason === "Conflict") throw new NotYet();
    }
  }

  #write(plural: string, object: JsonObject): ControllerWrite {
    return { server: this.#server, user: USER, type: this.#kind(plural), object };
  }

  async #find(plural: string, namespace: string, name: string): Promise<JsonObject | undefined> {
    const type = this.#kind(plural);
    const entry = await this.#server.store.get(keyOf(type, namespace, name));
    return entry && decodeEntry(entry, type);
  }

  #keyOf(plural: string, namespace: string, name: string): string {
    return keyOf(this.#kind(plural), namespace, name);
  }

  #kind(plural: string): ResourceKind {
    const type = this.#server.registry.find("", "v1", plural);
    if (type === undefined) throw new Error(`${plural} are not served`);
    return type;
  }
}

/** Undefined if it is a Secret of another type, or names no ServiceAccount. */
function referenceOf(secret: JsonObject): Reference | undefined {
  const { annotations } = metaOf(secret);
  const annotation = (name: string): string => (isObject(annotations) ? textOf(annotations[name]) : "");
  const name = annotation(ACCOUNT_NAME);
  if (secret["type"] !== TYPE || name === "") return undefined;
  const [namespace, own] = [metaText(secret, "namespace"), metaText(secret, "name")];
  return { namespace, secret: own, name, uid: annotation(ACCOUNT_UID) };
}

function encode(text: string): string {
  return encodeBase64(encodeUtf8(text));
}
