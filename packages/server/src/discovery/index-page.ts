/** `/` and `/index.html`: where everything is. */

import { checkNames } from "../endpoints/health.ts";
import { COMMON_HEADERS } from "../endpoints/respond.ts";
import type { ApiResponse } from "../http/exchange.ts";
import type { Registry } from "../registry/registry.ts";
import { componentPaths } from "./component-pages.ts";
import type { ExtensionGroups } from "./extension-groups.ts";

const FIXED = [
  "/api",
  "/apis",
  "/apis/",
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/version",
];
const TOKENS = ["/.well-known/openid-configuration", "/openid/v1/jwks"];

export interface IndexParts {
  readonly registry: Registry;
  readonly extensions: ExtensionGroups;
  /** Whether there are tokens of service accounts. */
  readonly hasTokens: boolean;
}

/** Undefined if the path is another. */
export function respondIndex(path: string, parts: IndexParts): ApiResponse | undefined {
  if (path !== "/" && path !== "/index.html") return undefined;
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ["Content-Type", "application/json"]],
    body: JSON.stringify({ paths: allPaths(parts) }, undefined, 2),
  };
}

/** All paths of the server, sorted. */
export function allPaths({ registry, extensions, hasTokens }: IndexParts): string[] {
  const groups = [...registry.all(), ...extensions.versions()].flatMap(({ group, version }) =>
    group === "" ? [`/api/${version}`] : [`/apis/${group}`, `/apis/${group}/${version}`],
  );
  const health = ["healthz", "livez", "readyz"].flatMap((endpoint) => [
    `/${endpoint}`,
    ...checkNames(endpoint).map((name) => `/${endpoint}/${name}`),
  ]);
  const tokens = hasTokens ? TOKENS : [];
  return [...new Set([...FIXED, ...tokens, ...componentPaths(), ...groups, ...health])].sort();
}
