/** The scopes of a quota: which objects count. */
import { objectOf, objectsOf, textOf, textsOf } from "../builtin/object.ts";
import type { JsonObject } from "../value/json.ts";

export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Of a quota: `scopes` and `scopeSelector` together. */
export function scopesOf(quota: JsonObject): ScopeRequirement[] {
  const spec = objectOf(quota, "spec");
  return [
    ...textsOf(spec, "scopes").map((scopeName) => ({ scopeName, operator: "Exists", values: [] })),
    ...objectsOf(objectOf(spec, "scopeSelector"), "matchExpressions").map(readScope),
  ];
}

export function readScope(requirement: JsonObject): ScopeRequirement {
  return {
    scopeName: textOf(requirement, "scopeName"),
    operator: textOf(requirement, "operator"),
    values: textsOf(requirement, "values"),
  };
}

/** Whether a name matches, as a label would; undefined if there is none. */
export function matchesName({ operator, values }: ScopeRequirement, name: string | undefined): boolean {
  switch (operator) {
    case "In":
      return name !== undefined && values.includes(name);
    case "NotIn":
      return name === undefined || !values.includes(name);
    case "Exists":
      return name !== undefined;
    default:
      return name === undefined;
  }
}

/** As Go prints it. */
export function formatScope({ scopeName, operator, values }: ScopeRequirement): string {
  return `{${scopeName} ${operator} [${values.join(" ")}]}`;
}
