/** Who asks: all ways of finding out together, with the tokens of service accounts among them. */
import type { JsonObject } from "@portcullis/engine/value/json";
import type { ApiRequest } from "../endpoints/exchange.ts";
import { objectOf } from "../registry/meta.ts";
import { type Authenticator, authenticate, bearerToken } from "./authenticate.ts";
import { API_AUDIENCES, checkToken, ISSUER, type TokenBearer, type TokenService } from "./tokens.ts";
import { ANONYMOUS, type User } from "./user.ts";

export class TokenAuthority {
  readonly #authenticators: readonly Authenticator[];
  readonly #service: TokenService | undefined;

  /** Without a service there are no tokens of service accounts. */
  constructor(authenticators: readonly Authenticator[], service: TokenService | undefined) {
    this.#service = service;
    this.#authenticators = [...authenticators, (request) => this.#accountOf(request)];
  }

  /** Undefined where the credentials are wrong. */
  authenticate(request: ApiRequest): Promise<User | undefined> {
    return authenticate(request, this.#authenticators);
  }

  /** Who bears a token; tokens that name no audience are meant for this server. */
  readonly check = async (token: string, audiences: readonly string[]): Promise<TokenBearer | undefined> => {
    const account = this.#service && (await checkToken(this.#service, token, audiences));
    if (account !== undefined) return { ...account, user: withAuthenticated(account.user) };
    const meant = API_AUDIENCES.filter((audience) => audiences.includes(audience));
    const user = meant.length === 0 ? undefined : await this.authenticate(bearing(token));
    return user === undefined || user === ANONYMOUS ? undefined : { user, audiences: meant };
  };

  /** What clients need to check tokens themselves; undefined where the path is another. */
  document(path: string): JsonObject | undefined {
    if (this.#service === undefined) return undefined;
    const { key } = this.#service;
    if (path === "/openid/v1/jwks") return objectOf({ keys: [objectOf({ ...key.publicKey })] });
    if (path !== "/.well-known/openid-configuration") return undefined;
    return objectOf({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [key.algorithm],
    });
  }

  async #accountOf(request: ApiRequest): Promise<User | "invalid" | undefined> {
    const token = bearerToken(request);
    if (token === undefined || this.#service === undefined) return undefined;
    return (await checkToken(this.#service, token, API_AUDIENCES))?.user ?? "invalid";
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
