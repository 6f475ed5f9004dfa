/**
 * What policies read of the cluster while they are evaluated: namespaces, params and permissions.
 *
 * Evaluation is a pure function without waiting, so it runs on what is known; what it still lacks is fetched, and it
 * runs again. INVARIANT: each round answers at least one question, and answers never change within a request.
 */
import type { AuthorizationAttributes, AuthorizationDecision } from "../kubecel/library/authz.ts";
import { questionKey } from "../policy/authorizer.ts";
import type { PolicyContext } from "../policy/dispatch.ts";
import type { ParamResource } from "../policy/params.ts";
import type { Authorizer } from "../review/authorizer.ts";
import type { AdmissionRequest, ClusterView } from "../review/cluster-view.ts";
import { apiVersionOf, type Converting } from "../review/kind.ts";
import { namespaceKind } from "../review/kinds/namespace.ts";
import { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { type WatchedWork, watchWork } from "../value/watch-work.ts";

export class Lookups {
  readonly #cluster: ClusterView;
  readonly #request: WatchedWork;
  readonly #known = new Map<string, unknown>();
  readonly #open = new Map<string, () => Promise<unknown>>();

  constructor(request: Pick<AdmissionRequest, "cluster" | "overrun">) {
    this.#cluster = request.cluster;
    this.#request = request;
  }

  /** The object itself is used until its conversion is known. */
  readonly convert: ConvertLater = (object, kind, converting) => {
    const apiVersion = apiVersionOf(kind);
    return this.#ask<JsonObject | string>(`conversion ${apiVersion} ${canonicalJson(object)}`, object, () =>
      orReason(converting.convert(object, apiVersion)),
    );
  };

  /** Runs until no question is left open. */
  async run<T>(evaluate: (context: PolicyContext) => T): Promise<T> {
    for (;;) {
      const result = watchWork(this.#request, () => evaluate(this.#context));
      if (this.#open.size === 0) return result;
      const open = [...this.#open];
      this.#open.clear();
      await Promise.all(open.map(async ([key, fetch]) => this.#known.set(key, await fetch())));
    }
  }

  readonly #context: PolicyContext = {
    namespace: (name) => this.#ask(`namespace ${name}`, undefined, () => this.#cluster.get(namespaceKind, "", name)),
    params: { find: (kind) => this.#params(kind) },
    authorizer: {
      authorize: (question) =>
        this.#ask(`permission ${questionKey(question)}`, NO_OPINION, () => permit(this.#cluster.authorizer, question)),
    },
  };

  #params(kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }): ParamResource | undefined {
    const type = this.#cluster.kinds
      .all()
      .find((each) => each.group === kind.group && each.version === kind.version && each.kind === kind.kind);
    if (type === undefined) return undefined;
    const at = `${type.group}/${type.version}/${type.plural}`;
    return {
      namespaced: type.namespaced,
      get: (namespace, name) =>
        this.#ask(`param ${at} ${namespace}/${name}`, undefined, () => this.#cluster.get(type, namespace, name)),
      list: (namespace) => this.#ask(`params ${at} ${namespace}`, [], () => this.#cluster.list(type, namespace)),
    };
  }

  /** The answer where it is known; until then `meanwhile`. */
  #ask<T>(key: string, meanwhile: T, fetch: () => Promise<T>): T {
    if (this.#known.has(key)) return this.#known.get(key) as T;
    this.#open.set(key, fetch);
    return meanwhile;
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

/** A question of an expression, answered by the cluster's authorizer. */
async function permit(authorizer: Authorizer, question: AuthorizationAttributes): Promise<AuthorizationDecision> {
  const { user, verb, resourceRequest, path, apiGroup, apiVersion, resource, subresource, namespace, name } = question;
  const { verdict, reason, error } = await authorizer({
    user,
    verb,
    path,
    resource,
    subresource,
    namespace,
    name,
    isResource: resourceRequest,
    group: apiGroup,
    version: apiVersion,
    fieldSelector: question.fieldSelector,
    labelSelector: question.labelSelector,
  });
  return { decision: DECISIONS[verdict], reason, error };
}
