/**
 * The authorizers of a server, in their order. The first with an opinion decides; the others' reasons and errors are
 * collected. Follows kubernetes pkg/kubeapiserver/authorizer and apiserver pkg/authorization/union.
 */
import type { PolicyRule } from "@portcullis/engine/internal/rbac/objects";
import type { User } from "@portcullis/engine/internal/rbac/user";
import { ALLOWED, type Authorizer } from "@portcullis/engine/internal/review/authorizer";
import { type AuthorizerPart, type ListedRules, unionAuthorizer } from "../auth/authorize.ts";
import type { OwnAuthorizers, StartedPart } from "../auth/security.ts";
import type { AuthorizationMetrics } from "../observe/authorization-metrics.ts";
import { abacAuthorizer } from "./abac.ts";
import * as messages from "./messages.ts";
import { type AuthorizationMode, nameOfMode, typeOfMode, type WebhookMode } from "./modes.ts";
import { type WebhookContext, webhookAuthorizer } from "./webhook-authorizer.ts";

/** A chain that can be replaced while the server runs. */
export class AuthorizerChain implements StartedPart {
  readonly #context: WebhookContext;
  #modes: readonly AuthorizationMode[];
  #own: OwnAuthorizers | undefined;
  #current: AuthorizerPart | undefined;

  constructor(modes: readonly AuthorizationMode[], context: WebhookContext) {
    this.#modes = modes;
    this.#context = context;
  }

  begin(own: OwnAuthorizers): void {
    this.#own = own;
    this.replace(this.#modes);
  }

  /** Throws an Error where modes cannot be used, and keeps those before. */
  replace(modes: readonly AuthorizationMode[]): void {
    if (this.#own === undefined) throw new Error("the authorizers have not begun");
    this.#current = authorizerChain(modes, this.#own, this.#context);
    this.#modes = modes;
  }

  readonly authorize: Authorizer = (attributes) => this.#started().authorize(attributes);

  rulesFor(user: User, namespace: string): ListedRules {
    return this.#started().rulesFor(user, namespace);
  }

  #started(): AuthorizerPart {
    if (this.#current === undefined) throw new Error("the authorizers have not begun");
    return this.#current;
  }
}

function authorizerChain(
  modes: readonly AuthorizationMode[],
  own: OwnAuthorizers,
  context: WebhookContext,
): AuthorizerPart {
  const parts = modes.map((mode) => observed(partOf(mode, own, context), mode, context.metrics));
  return {
    authorize: unionAuthorizer(parts.map(({ authorize }) => authorize)),
    rulesFor: (user, namespace) => {
      const found = parts.map((part) => part.rulesFor(user, namespace));
      return { rules: found.flatMap(({ rules }) => rules), errors: found.flatMap(({ errors }) => errors) };
    },
  };
}

function partOf(mode: AuthorizationMode, own: OwnAuthorizers, context: WebhookContext): AuthorizerPart {
  switch (mode) {
    case "Node":
      return own.nodes;
    case "RBAC":
      return own.rbac;
    case "AlwaysAllow":
      return { authorize: async () => ALLOWED, rulesFor: () => ({ rules: ALL, errors: [] }) };
    case "AlwaysDeny":
      return {
        authorize: async () => ({ verdict: "no-opinion", reason: messages.everythingForbidden() }),
        rulesFor: () => ({ rules: [], errors: [] }),
      };
    default:
      return mode.type === "ABAC" ? abacAuthorizer(mode.policies) : webhookPart(mode, context);
  }
}

const NONE = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const ALL: readonly PolicyRule[] = [
  { ...NONE, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { ...NONE, verbs: ["*"], nonResourceURLs: ["*"] },
];

function webhookPart(mode: WebhookMode, context: WebhookContext): AuthorizerPart {
  return {
    authorize: webhookAuthorizer(mode, context),
    rulesFor: () => ({ rules: [], errors: [messages.noRulesOfWebhooks()] }),
  };
}

/** Only decisions are counted, by upstream's names. */
function observed(part: AuthorizerPart, mode: AuthorizationMode, metrics: AuthorizationMetrics): AuthorizerPart {
  const [type, name] = [typeOfMode(mode), nameOfMode(mode)];
  const authorize: Authorizer = async (attributes) => {
    const decision = await part.authorize(attributes);
    if (decision.verdict !== "no-opinion") metrics.decided(type, name, decision.verdict);
    return decision;
  };
  return { authorize, rulesFor: (user, namespace) => part.rulesFor(user, namespace) };
}
