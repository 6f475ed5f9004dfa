/** What the thread for heavy requests has to know of the server: data, and functions that it calls on the main thread. */

import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { prereleaseKinds, standardKinds } from "@portcullis/engine/internal/review/kinds/standard";
import type { AuthorizationFile } from "../../access/reload.ts";
import type { AppOptions } from "../../app/options.ts";
import type { Authenticator } from "../../auth/authenticate.ts";
import type { TokenKey } from "../../auth/token-key.ts";
import type { ApiRequest } from "../../http/exchange.ts";
import type { StaticManifests } from "../../policy/static-manifests.ts";
import type { RemoteFunctions } from "../../storage/link/functions.ts";
import { openAuthorizationFile } from "../authorization-file.ts";
import { openManifests } from "../manifest-directory.ts";

/** Options that are data: the thread's app has them too. */
const DATA = [
  "version",
  "gates",
  "featureGates",
  "definitionUpgrades",
  "podSecurity",
  "admissionPlugins",
  "limitedResources",
  "eventLimits",
  "nodeSelectors",
  "podTolerations",
  "tolerationSeconds",
  "allowsPrivileged",
  "webhookCredentials",
  "services",
  "tokenIssuers",
  "apiAudiences",
  "allowsAnonymous",
  "authorizationModes",
  "serviceRange",
  "nodePortRange",
  "requestTimeout",
  "maxRequestsInflight",
  "inflightLimits",
  "transportSecurity",
] as const;

/** Options with code that only the main thread has. With one of these, no other thread can perform requests. */
const CODE = ["admission", "fieldManager", "observePolicies", "publisher"] as const;

type Data = Pick<AppOptions, (typeof DATA)[number]>;

export interface HeavySettings {
  readonly data: Data;
  /** Built-in resources that are not served. */
  readonly unserved: ReadonlySet<string>;
  /** Folders with manifests of policies and webhooks: each thread reads them itself. */
  readonly manifests: readonly Pick<StaticManifests, "plugin" | "directory">[];
  /** The configuration of authorization, if it is a file: each thread reads it itself. */
  readonly authorization: Pick<AuthorizationFile, "file" | "policyFile"> | undefined;
  readonly tokenKey: Pick<TokenKey, "id" | "algorithm" | "publicKeys"> | undefined;
  readonly hasAuthorizers: boolean;
  /** The size of values that the store refuses. */
  readonly maxValue: number | undefined;
}

/** Whether another thread would decide the same. */
export function isPortable(options: AppOptions): boolean {
  return CODE.every((name) => options[name] === undefined);
}

export function settingsOf(options: AppOptions): HeavySettings {
  const { tokenKey, authorizers = [], staticManifests = [], authorizationFile: file } = options;
  return {
    authorization: file && { file: file.file, policyFile: file.policyFile },
    unserved: unservedBy(options),
    manifests: staticManifests.map(({ plugin, directory }) => ({ plugin, directory })),
    data: Object.fromEntries(DATA.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))),
    tokenKey: tokenKey && { id: tokenKey.id, algorithm: tokenKey.algorithm, publicKeys: tokenKey.publicKeys },
    hasAuthorizers: authorizers.length > 0,
    maxValue: options.store.maxValue,
  };
}

function unservedBy({ servesResource, version = SERVER_VERSION, gates = {} }: AppOptions): ReadonlySet<string> {
  const engine = { version, gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true, ...gates } };
  const isRefused = ({ group, version: served, plural }: ResourceKind): boolean =>
    servesResource?.(group, served, plural) === false;
  const prerelease = prereleaseKinds({ engine });
  const refused = [
    ...standardKinds({ engine }).filter(isRefused),
    ...(servesResource === undefined ? prerelease : prerelease.filter(isRefused)),
  ];
  return new Set(refused.map((kind) => `${kind.group}/${kind.version}/${kind.plural}`));
}

/** The main thread's part of the functions below. */
export function mainFunctions(options: AppOptions) {
  const { tokenKey, authorizers = [], authenticators, lastAuthenticators = [] } = options;
  return {
    sign: async (text: string) => tokenKey?.sign(text),
    verify: async (...args: Parameters<TokenKey["verify"]>) => tokenKey?.verify(...args),
    authorize: async (attributes: Parameters<Authorizer>[0]) => {
      for (const authorizer of authorizers) {
        const decision = await authorizer(attributes);
        if (decision.verdict !== "no-opinion") return decision;
      }
      return { verdict: "no-opinion", reason: "" };
    },
    authenticate: async (authorization: string | undefined) => {
      let isRefused = false;
      for (const authenticator of [...authenticators, ...lastAuthenticators]) {
        const user = await authenticator(withHeader("authorization", authorization));
        if (user === "invalid") isRefused = true;
        else if (user !== undefined) return user;
      }
      return isRefused ? "invalid" : undefined;
    },
  };
}

/** The functions as options of the thread's app. */
export function remoteOptions(settings: HeavySettings, main: RemoteFunctions) {
  const { tokenKey, hasAuthorizers, unserved, manifests, authorization, data } = settings;
  const { version = SERVER_VERSION } = data;
  const authenticator: Authenticator = (request) => main.call("authenticate", request.header("authorization"));
  const authorizer: Authorizer = (attributes) => main.call("authorize", attributes);
  return {
    authenticators: [authenticator],
    servesResource: (...place: readonly string[]) => !unserved.has(place.join("/")),
    staticManifests: manifests.map(({ plugin, directory }) => openManifests(plugin, directory)),
    ...(authorization && { authorizationFile: openAuthorizationFile({ ...authorization, version }) }),
    ...(hasAuthorizers ? { authorizers: [authorizer] } : {}),
    ...(tokenKey === undefined ? {} : { tokenKey: remoteKey(tokenKey, main) }),
  };
}

function remoteKey(known: NonNullable<HeavySettings["tokenKey"]>, main: RemoteFunctions): TokenKey {
  return {
    ...known,
    sign: (text) => main.call("sign", text),
    verify: (text, signature, algorithm) => main.call("verify", text, signature, algorithm),
  };
}

function withHeader(name: string, value: string | undefined): ApiRequest {
  const values = value === undefined ? [] : [value];
  return {
    method: "POST",
    target: "/",
    header: (asked) => (asked === name ? value : undefined),
    headerValues: (asked) => (asked === name ? values : []),
    headerNames: () => (value === undefined ? [] : [name]),
    readBody: async () => new Uint8Array(),
  };
}
