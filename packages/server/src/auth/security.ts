/** Access control put together: who asks, what they may do, and the kinds by which it is asked about and changed. */

import type { Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { AdmissionPlugin } from "@portcullis/engine/internal/review/cluster-view";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { kindOfServer } from "@portcullis/engine/internal/review/kinds/server-kind";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { asServer, type ServerRules } from "@portcullis/engine/internal/value/server-version";
import type { TokenMetrics } from "../observe/access-metrics.ts";
import type { Registry } from "../registry/registry.ts";
import type { Followers } from "../storage/followers.ts";
import type { Store } from "../storage/store.ts";
import type { Authenticator } from "./authenticate.ts";
import { type AuthorizerPart, mastersAuthorizer, unionAuthorizer } from "./authorize.ts";
import { claimRights } from "./claim-rights.ts";
import { escalationCheck } from "./escalation.ts";
import { NodeAuthorizer } from "./node/node-authorizer.ts";
import { Rbac } from "./rbac.ts";
import { reviewTypes } from "./reviews.ts";
import { TokenAuthority } from "./token-authority.ts";
import type { TokenKey } from "./token-key.ts";
import { withTokens } from "./token-request.ts";
import { DEFAULT_ISSUER, type LabelSecret, type TokenService } from "./tokens.ts";

export interface SecurityOptions {
  readonly store: Store;
  readonly followers: Followers;
  readonly registry: Registry;
  readonly authenticators: readonly Authenticator[];
  readonly lastAuthenticators: readonly Authenticator[];
  readonly authorizers: readonly Authorizer[];
  /** Asked after the authorizers. */
  readonly chain: StartedPart;
  readonly hasNodes: boolean;
  readonly tokenKey: TokenKey | undefined;
  readonly tokenIssuers: readonly string[] | undefined;
  readonly apiAudiences: readonly string[] | undefined;
  readonly allowsAnonymous: boolean;
  readonly now: () => number;
  readonly uid: () => string;
  readonly rules: ServerRules;
  readonly metrics: TokenMetrics;
  readonly labelSecret: LabelSecret;
}

/** The authorizers that follow what is stored. */
export interface OwnAuthorizers {
  readonly nodes: AuthorizerPart;
  readonly rbac: AuthorizerPart;
}

/** An authorizer that uses them. */
export interface StartedPart extends AuthorizerPart {
  begin(own: OwnAuthorizers): void;
}

export class Security {
  readonly authorizer: Authorizer;
  readonly authority: TokenAuthority;
  readonly admission: AdmissionPlugin;
  /** Undefined without a key that signs tokens. */
  readonly tokens: TokenService | undefined;
  /** Whether impersonation knows more than the verb `impersonate`. */
  readonly isImpersonationConstrained: boolean;
  readonly #rbac: Rbac;
  readonly #nodes: NodeAuthorizer | undefined;

  /** Adds its kinds to the registry, which has the stored ones already. */
  constructor(options: SecurityOptions) {
    const { followers, registry, authenticators, authorizers, allowsAnonymous } = options;
    this.isImpersonationConstrained = asServer(options.rules, () => isEnabled("ConstrainedImpersonation"));
    this.#rbac = new Rbac(followers, registry);
    const nodes = new NodeAuthorizer(followers, registry, options.rules);
    this.#nodes = options.hasNodes ? nodes : undefined;
    const { chain } = options;
    chain.begin({ nodes, rbac: this.#rbac });
    this.authorizer = unionAuthorizer([mastersAuthorizer, ...authorizers, chain.authorize]);
    this.admission = escalationCheck(this.#rbac);
    const service = tokenService(options);
    this.tokens = service;
    this.authority = new TokenAuthority(authenticators, service, { allowsAnonymous, last: options.lastAuthenticators });
    const { authorizer } = this;
    const rulesFor: AuthorizerPart["rulesFor"] = (user, namespace) => chain.rulesFor(user, namespace);
    for (const type of reviewTypes({ authorizer, rulesFor, checkToken: this.authority.check })) {
      registry.add(kindOfServer(type, options.rules));
    }
    for (const kind of registry.ofGroup("resource.k8s.io")) addClaimRights(registry, kind);
    const accounts = registry.find("", "v1", "serviceaccounts");
    if (service !== undefined && accounts !== undefined) registry.add(withTokens(accounts, service));
  }

  async start(): Promise<void> {
    await this.#rbac.start();
    await this.#nodes?.start();
  }
}

/** In a template the spec of the claim is one level down. */
function addClaimRights(registry: Registry, kind: ResourceKind): void {
  const { plural } = kind;
  if (plural !== "resourceclaims" && plural !== "resourceclaimtemplates") return;
  const place = plural === "resourceclaims" ? ["spec"] : ["spec", "spec"];
  registry.add({ ...kind, checkRights: claimRights(place) });
}

function tokenService(options: SecurityOptions): TokenService | undefined {
  const { tokenKey: key, tokenIssuers: issuers = [DEFAULT_ISSUER], apiAudiences: audiences = issuers } = options;
  const { store, registry, now, uid, metrics, labelSecret } = options;
  return key && { key, issuers, audiences, store, registry, now, uid, metrics, labelSecret };
}
