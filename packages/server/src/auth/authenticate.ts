/** Finding out who asks: a chain of ways, the first that knows the credentials decides. */

import { ANONYMOUS, AUTHENTICATED, type User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import type { ApiRequest } from "../http/exchange.ts";

/** What authentication reports beside the user. */
export interface AuthenticationNotes {
  /** For the `Warning` headers of the response. */
  readonly warn: (text: string) => void;
  readonly annotate: Annotate;
  /** Why credentials were refused. */
  readonly refuse?: (message: string) => void;
}

/** Undefined if there are no credentials of this kind; "invalid" where there are and they are wrong. */
export type Authenticator = (request: ApiRequest) => Promise<User | "invalid" | undefined>;

/** Who asks; undefined if the credentials are wrong. Without any it is the anonymous user. */
export async function authenticate(
  request: ApiRequest,
  authenticators: readonly Authenticator[],
): Promise<User | undefined> {
  let isRefused = false;
  for (const authenticator of authenticators) {
    const user = await authenticator(request);
    if (user === "invalid") isRefused = true;
    else if (user !== undefined) return withAuthenticated(user);
  }
  return isRefused ? undefined : ANONYMOUS;
}

/** The same user each time: what others have worked out about one they need not work out again. */
const authenticated = new WeakMap<User, User>();

function withAuthenticated(user: User): User {
  if (user.groups.includes(AUTHENTICATED)) return user;
  let known = authenticated.get(user);
  if (known === undefined) {
    known = { ...user, groups: [...user.groups, AUTHENTICATED] };
    authenticated.set(user, known);
  }
  return known;
}

/** Bearer tokens from a list. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, User>): Authenticator {
  return async (request) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : (tokens.get(token) ?? "invalid");
  };
}

export function bearerToken(request: ApiRequest): string | undefined {
  // Upstream takes what is between the first two blanks, and that must be something.
  const match = /^bearer ([^ ]+)/i.exec(request.header("authorization")?.trim() ?? "");
  return match?.[1];
}

/** A blank too many makes the token empty: the client should know. */
export function hasMisplacedToken(request: ApiRequest): boolean {
  return /^bearer {2}/i.test(request.header("authorization")?.trim() ?? "");
}

/** Lines of `token,user,uid,"group1,group2"`. */
export function parseTokenFile(text: string): Map<string, User> {
  const tokens = new Map<string, User>();
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [token = "", name = "", uid = "", groups = ""] = splitRecord(line);
    if (token === "" || name === "") continue;
    const names = groups.split(",").map((group) => group.trim());
    tokens.set(token, { name, uid, groups: names.filter((group) => group !== ""), extra: new Map() });
  }
  return tokens;
}

/** Fields of one line of CSV. */
function splitRecord(line: string): string[] {
  const fields = line.trim().matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map((match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
}

/** The subject of a client certificate: its common name is the user, its organizations are the groups. */
export const certificateAuthenticator: Authenticator = async ({ peer }) => {
  if (peer?.isClient === undefined) return undefined;
  if (!peer.isClient) return "invalid";
  // A certificate without a name says nothing.
  if (peer.commonName === "") return undefined;
  return { name: peer.commonName, uid: "", groups: peer.organizations, extra: new Map() };
};
