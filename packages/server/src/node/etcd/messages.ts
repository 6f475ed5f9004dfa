/** What the etcd store says about its connection. */

export const storeClosed = (): string => "the store is closed";

export const unreachable = (endpoints: readonly string[], reason: string): string =>
  `etcd at ${endpoints.join(", ")} does not answer: ${reason}`;

export const outcomeUnknown = (reason: string): string => `etcd did not say whether the write was stored: ${reason}`;

export const refusedByEtcd = (reason: string): string => `etcd refused the request: ${reason}`;

export const watchBehind = (): string => "etcd's watch does not keep up with its writes";

export const watchLost = (endpoint: string, reason: string): string =>
  `the watch on etcd at ${endpoint} ended, resuming: ${reason}`;

export const clusterSetBack = (): string => "the cluster was set back to an earlier state";

export const historyLost = (revision: number): string =>
  `etcd has compacted what happened while it was out of reach, starting over at revision ${revision}`;

export const badEndpoint = (endpoint: string): string =>
  `\`${endpoint}\` is not an etcd endpoint such as \`https://10.0.0.1:2379\``;

export const mixedEndpoints = (): string => "endpoints must be all http or all https";

export const badKey = (key: string): string => `key \`${key}\` does not start with a slash`;
