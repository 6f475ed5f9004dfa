/** Who asks: all ways of finding out together, with the tokens of service accounts among them. */

import { ANONYMOUS, type User } from "@portcullis/engine/internal/rbac/user";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ApiRequest } from "../http/exchange.ts";
import { type AuthenticationNotes, type Authenticator, authenticate, bearerToken } from "./authenticate.ts";
import { checkSecretToken } from "./secret-tokens.ts";
import { checkToken, DEFAULT_ISSUER, type TokenBearer, type TokenService } from "./tokens.ts";

/** A document about tokens, and its media type. */
export interface TokenDocument {
  readonly type: string;
  readonly value: JsonObject;
}

export interface TokenAuthorityOptions {
  readonly allowsAnonymous?: boolean;
  /** Asked about tokens that are not of a service account. */
  readonly last?: readonly Authenticator[];
}

/** Who bears a token; `refuse` is called with the reason where none is found. */
export type CheckToken = (
  token: string,
  audiences: readonly string[],
  refuse: (message: string) => void,
) => Promise<TokenBearer | undefined>;

export class TokenAuthority {
  readonly #first: readonly Authenticator[];
  readonly #last: readonly Authenticator[];
  readonly #allowsAnonymous: boolean;
  readonly #service: TokenService | undefined;

  /** Without a service there are no tokens of service accounts. */
  constructor(
    authenticators: readonly Authenticator[],
    service: TokenService | undefined,
    { allowsAnonymous = true, last = [] }: TokenAuthorityOptions = {},
  ) {
    this.#service = service;
    this.#allowsAnonymous = allowsAnonymous;
    this.#first = authenticators;
    this.#last = last;
  }

  /** What tokens for this server are meant for. */
  get audiences(): readonly string[] {
    return this.#service?.audiences ?? [DEFAULT_ISSUER];
  }

  /** Undefined if the credentials are wrong. */
  async authenticate(request: ApiRequest, notes: AuthenticationNotes): Promise<User | undefined> {
    const ofAccounts: Authenticator = () => this.#accountOf(request, notes);
    const user = await authenticate(request, [...this.#first, ofAccounts, ...this.#last]);
    return user === ANONYMOUS && !this.#allowsAnonymous ? undefined : user;
  }

  /** Who bears a token; tokens that name no audience are meant for this server. */
  readonly check: CheckToken = async (token, asked, refuse) => {
    const audiences = asked.length === 0 ? this.audiences : asked;
    const account = await this.#bearerOf(token, audiences, { warn: () => {}, annotate: () => {}, refuse });
    if (account !== undefined) return { ...account, user: withAuthenticated(account.user) };
    const meant = this.audiences.filter((audience) => audiences.includes(audience));
    const user = meant.length === 0 ? undefined : await authenticate(bearing(token), [...this.#first, ...this.#last]);
    return user === undefined || user === ANONYMOUS ? undefined : { user, audiences: meant };
  };

  /** What clients need to check tokens themselves; undefined if the path is another. */
  document(path: string): TokenDocument | undefined {
    if (this.#service === undefined) return undefined;
    const { key, issuers } = this.#service;
    const issuer = issuers[0] ?? DEFAULT_ISSUER;
    if (path === "/openid/v1/jwks") {
      const keys = key.publicKeys.map((each) => objectOf({ ...each }));
      return { type: "application/jwk-set+json", value: objectOf({ keys }) };
    }
    if (path !== "/.well-known/openid-configuration") return undefined;
    const value = objectOf({
      issuer,
      jwks_uri: `${issuer.replace(/\/$/, "")}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [...new Set(key.publicKeys.map(({ alg = "" }) => alg))],
    });
    return { type: "application/json", value };
  }

  async #accountOf(request: ApiRequest, notes: AuthenticationNotes): Promise<User | "invalid" | undefined> {
    const token = bearerToken(request);
    if (token === undefined || this.#service === undefined) return undefined;
    return (await this.#bearerOf(token, this.#service.audiences, notes))?.user ?? "invalid";
  }

  async #bearerOf(
    token: string,
    audiences: readonly string[],
    notes: AuthenticationNotes,
  ): Promise<TokenBearer | undefined> {
    const service = this.#service;
    if (service === undefined) return undefined;
    return (await checkSecretToken(service, token, audiences, notes)) ?? checkToken(service, token, audiences);
  }
}

function withAuthenticated(user: User): User {
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}

/** A request with nothing but the token. */
function bearing(token: string): ApiRequest {
  const header = (name: string): string | undefined => (name === "authorization" ? `Bearer ${token}` : undefined);
  return {
    method: "GET",
    target: "/",
    header,
    headerValues: (name) => [header(name) ?? []].flat(),
    headerNames: () => ["authorization"],
    readBody: async () => new Uint8Array(),
  };
}
