/** How objects of one kind are measured for quotas. */
import type { Amounts } from "../builtin/limits/pod-resources.ts";
import type { JsonObject } from "../value/json.ts";
import type { ScopeRequirement } from "./scopes.ts";

/** A write, as far as quotas are concerned. */
export interface QuotaRequest {
  readonly group: string;
  readonly plural: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly operation: string;
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  /** RFC 3339. */
  readonly now: string;
}

export interface Evaluator {
  /** Whether a write can change what is used. */
  handles(request: QuotaRequest): boolean;
  /** Those of the names that objects of the kind count for. */
  matchingResources(names: readonly string[]): string[];
  /** Undefined if objects of the kind match no scope. */
  readonly matchesScope?: (scope: ScopeRequirement, object: JsonObject) => boolean;
  /** What an object lacks that a quota of these resources needs. */
  readonly constraint?: (resources: readonly string[], object: JsonObject) => string | undefined;
  usage(object: JsonObject, now: string): Amounts;
}
