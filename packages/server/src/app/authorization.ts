/** Follows the configuration file of authorization, if there is one. */
import type { AuthorizerChain } from "../access/chain.ts";
import { startAuthorizationReload } from "../access/reload.ts";
import type { ServerContext } from "../registry/context.ts";
import type { AppOptions } from "./options.ts";

export function followAuthorization(
  { authorizationFile: source, followers, now, system }: AppOptions,
  chain: AuthorizerChain,
  { metrics, leadership }: ServerContext,
): { close(): void } | undefined {
  return (
    source &&
    startAuthorizationReload(source, {
      chain,
      // Of several threads and processes only one shows the configuration.
      metrics: leadership.canLead ? metrics.authorization : undefined,
      server: `kube-apiserver-${system.uid()}`,
      now,
      log: (message) => followers?.log?.(message),
    })
  );
}
