/** Follows the file of the authorization configuration: what is wrong in it leaves the authorizers as they are. */
import type { AuthorizationMetrics } from "../observe/authorization-metrics.ts";
import type { AuthorizerChain } from "./chain.ts";
import { type AuthorizationMode, typeOfMode } from "./modes.ts";
import { missingTypes } from "./read-configuration.ts";

/** A configuration file, and how its changes are found. */
export interface AuthorizationFile {
  readonly file: string;
  /** The file with the policies of the mode ABAC. */
  readonly policyFile: string | undefined;
  /** The hash of a text, as metrics show it. */
  hash(text: string): string;
  /** Throws an Error where the file cannot be read. */
  readText(): string;
  /** Throws an Error where the text is wrong. */
  parse(text: string): readonly AuthorizationMode[];
  /** Returns a function that ends it. */
  watch(changed: () => void): () => void;
}

export interface ReloadContext {
  readonly chain: AuthorizerChain;
  /** Undefined for one of several threads and processes of a server. */
  readonly metrics: AuthorizationMetrics | undefined;
  /** The identity of this server. */
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (message: string) => void;
}

/** Throws an Error where the file is wrong. */
export function startAuthorizationReload(source: AuthorizationFile, context: ReloadContext): { close(): void } {
  const { chain, metrics, now, log } = context;
  let text = source.readText();
  const first = source.parse(text);
  const types = first.map(typeOfMode);
  const server = source.hash(context.server);
  chain.replace(first);
  metrics?.configuration(server, source.hash(text));
  const apply = (changed: string): void => {
    const modes = source.parse(changed);
    const missing = missingTypes(types, modes.map(typeOfMode));
    if (missing !== undefined) throw new Error(missing);
    const added = modes.map(typeOfMode).find((type) => FOLLOWING.has(type) && !types.includes(type));
    if (added !== undefined) throw new Error(notAtStart(added));
    chain.replace(modes);
    metrics?.configuration(server, source.hash(changed));
  };
  const check = (): void => {
    try {
      const changed = source.readText();
      if (changed === text) return;
      text = changed;
      apply(changed);
      metrics?.reloaded(server, true, now() / 1000);
    } catch (error) {
      metrics?.reloaded(server, false, now() / 1000);
      log(`authorization configuration: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const end = source.watch(check);
  return { close: end };
}

/** Authorizers with a state of their own begin with the server. */
const FOLLOWING: ReadonlySet<string> = new Set(["Node", "RBAC", "ABAC"]);
const notAtStart = (type: string): string =>
  `authorizer type ${type} is not allowed if it was not enabled at initial server startup`;
