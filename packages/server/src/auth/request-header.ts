/**
 * Users named in headers by a proxy that has authenticated them. Follows apiserver
 * pkg/authentication/request/headerrequest.
 */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { pathUnescape } from "@portcullis/gostd/url";
import type { ApiRequest } from "../http/exchange.ts";
import { type Authenticator, certificateAuthenticator, tokenAuthenticator } from "./authenticate.ts";

/** Which proxies are trusted, and the headers in which they name the user. */
export interface RequestHeaders {
  /** The CAs of the proxies' client certificates, in PEM. */
  readonly ca: string;
  /** The accepted common names of these certificates; any if empty. */
  readonly allowedNames: readonly string[];
  readonly usernames: readonly string[];
  readonly uids: readonly string[];
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** In upstream's order. */
export function standardAuthenticators(
  tokens: ReadonlyMap<string, User>,
  requestHeaders: RequestHeaders | undefined,
): readonly Authenticator[] {
  const others = [certificateAuthenticator, tokenAuthenticator(tokens)];
  return requestHeaders === undefined ? others : [requestHeaderAuthenticator(requestHeaders), ...others];
}

function requestHeaderAuthenticator(options: RequestHeaders): Authenticator {
  const { allowedNames } = options;
  return async (request) => {
    const { peer } = request;
    if (peer === undefined) return undefined;
    const isAllowed = allowedNames.length === 0 || allowedNames.includes(peer.commonName);
    return peer.isProxy && isAllowed ? readUser(request, options) : "invalid";
  };
}

function readUser(request: ApiRequest, { usernames, uids, groups, extraPrefixes }: RequestHeaders): User | undefined {
  const first = (names: readonly string[]): string =>
    names.map((name) => request.headerValues(name.toLowerCase())[0] ?? "").find((value) => value !== "") ?? "";
  const name = first(usernames);
  if (name === "") return undefined;
  const values = groups.flatMap((header) => request.headerValues(header.toLowerCase()));
  return {
    name,
    uid: first(uids),
    groups: values.filter((value) => value !== ""),
    extra: readExtra(request, extraPrefixes),
  };
}

function readExtra(request: ApiRequest, prefixes: readonly string[]): Map<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes.map((each) => each.toLowerCase())) {
    for (const header of request.headerNames().filter((each) => each.startsWith(prefix))) {
      const encoded = header.slice(prefix.length);
      // A key that is not escaped properly is taken as it is.
      const key = pathUnescape(encoded).value ?? encoded;
      extra.set(key, [...(extra.get(key) ?? []), ...request.headerValues(header)]);
    }
  }
  return extra;
}
