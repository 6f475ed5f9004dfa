/**
 * Replaces the built-in kinds until they have been loaded: there are none. A verdict that found a kind unknown
 * meanwhile is not given; the worker tries again when they have come.
 */
import type * as Kinds from "./builtin-kinds.ts";

let real: typeof Kinds | undefined;

export function setBuiltinKinds(kinds: typeof Kinds): void {
  real = kinds;
}

export function hasBuiltinKinds(): boolean {
  return real !== undefined;
}

export const builtinResources: typeof Kinds.builtinResources = () => real?.builtinResources() ?? [];
export const resourceInfos: typeof Kinds.resourceInfos = () => real?.resourceInfos() ?? [];
