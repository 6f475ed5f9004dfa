/**
 * What policies ask of the server while they are evaluated: namespaces, params and permissions.
 *
 * Evaluation is a pure function without waiting, so it runs on what is known; what it asked for in vain is fetched, and it
 * runs again. INVARIANT: each round answers at least one question, and answers never change within a request.
 */
import type { AuthorizationAttributes, AuthorizationDecision } from "@portcullis/engine/kubecel/library/authz";
import { questionKey } from "@portcullis/engine/policy/authorizer";
import type { PolicyContext } from "@portcullis/engine/policy/dispatch";
import type { ParamResource } from "@portcullis/engine/policy/params";
import { StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import type { Authorizer } from "../auth/authorize.ts";
import type { ServerContext } from "../registry/context.ts";
import { namespaceType } from "../registry/namespace.ts";
import { decodeEntry, keyOf, prefixOf, prepareEntries, readEntry } from "../registry/object-codec.ts";
import { apiVersionOf, type Converting, type ResourceType } from "../registry/resource-type.ts";

export class Lookups {
  readonly #server: ServerContext;
  readonly #known = new Map<string, unknown>();
  readonly #open = new Map<string, () => Promise<unknown>>();

  constructor(server: ServerContext) {
    this.#server = server;
  }

  /** Until the conversion is known the object stands in for it. */
  readonly convert: ConvertLater = (object, kind, converting) => {
    const apiVersion = apiVersionOf(kind);
    return this.#ask<JsonObject | string>(`conversion ${apiVersion} ${canonicalJson(object)}`, object, () =>
      orReason(converting.convert(object, apiVersion)),
    );
  };

  /** Runs until no question is left open. */
  async run<T>(evaluate: (context: PolicyContext) => T): Promise<T> {
    for (;;) {
      const result = evaluate(this.#context);
      if (this.#open.size === 0) return result;
      const open = [...this.#open];
      this.#open.clear();
      await Promise.all(open.map(async ([key, fetch]) => this.#known.set(key, await fetch())));
    }
  }

  readonly #context: PolicyContext = {
    namespace: (name) => this.#ask(`namespace ${name}`, undefined, () => this.#get(namespaceType, "", name)),
    params: { find: (kind) => this.#params(kind) },
    authorizer: {
      authorize: (question) =>
        this.#ask(`permission ${questionKey(question)}`, NO_OPINION, () => permit(this.#server.authorizer, question)),
    },
  };

  #params(kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }): ParamResource | undefined {
    const type = this.#server.registry
      .all()
      .find((each) => each.group === kind.group && each.version === kind.version && each.kind === kind.kind);
    if (type === undefined) return undefined;
    const at = `${type.group}/${type.version}/${type.plural}`;
    return {
      namespaced: type.namespaced,
      get: (namespace, name) =>
        this.#ask(`param ${at} ${namespace}/${name}`, undefined, () => this.#get(type, namespace, name)),
      list: (namespace) => this.#ask(`params ${at} ${namespace}`, [], () => this.#list(type, namespace)),
    };
  }

  /** The answer where it is known; until then `meanwhile`. */
  #ask<T>(key: string, meanwhile: T, fetch: () => Promise<T>): T {
    if (this.#known.has(key)) return this.#known.get(key) as T;
    this.#open.set(key, fetch);
    return meanwhile;
  }

  async #get(type: ResourceType, namespace: string, name: string): Promise<JsonObject | undefined> {
    const entry = await this.#server.store.get(keyOf(type, namespace, name));
    return entry && readEntry(entry, type);
  }

  async #list(type: ResourceType, namespace: string): Promise<readonly JsonObject[]> {
    const { entries } = await this.#server.store.list(prefixOf(type, namespace));
    await prepareEntries(entries, type);
    return entries.map((entry) => decodeEntry(entry, type));
  }
}

/** An object in another version, converted outside. A text says why not. */
export type ConvertLater = (
  object: JsonObject,
  kind: { readonly group: string; readonly version: string },
  converting: Converting,
) => JsonObject | string;

async function orReason(conversion: Promise<JsonObject>): Promise<JsonObject | string> {
  try {
    return await conversion;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

const NO_OPINION: AuthorizationDecision = { decision: "noOpinion", reason: "", error: undefined };

const DECISIONS = { allow: "allow", deny: "deny", "no-opinion": "noOpinion" } as const;

/** A question of an expression, put to the server's own authorizer. */
export async function permit(
  authorizer: Authorizer,
  question: AuthorizationAttributes,
): Promise<AuthorizationDecision> {
  const { user, verb, resourceRequest, path, apiGroup, apiVersion, resource, subresource, namespace, name } = question;
  const { verdict, reason } = await authorizer({
    ...{ user, verb, path, resource, subresource, namespace, name },
    isResource: resourceRequest,
    group: apiGroup,
    version: apiVersion,
    fieldSelector: question.fieldSelector,
    labelSelector: question.labelSelector,
  });
  return { decision: DECISIONS[verdict], reason, error: undefined };
}
