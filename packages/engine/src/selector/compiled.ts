/**
 * Long selectors, as a watch may have: what they need is looked up by the labels of an object, not the other way round.
 * The time depends on the labels then, and not on the selector.
 */
import { type LabelSelector, type Labels, matchesRequirement, type Requirement } from "./requirement.ts";

export interface CompiledSelector {
  matches(labels: Labels): boolean;
}

/** What must not be: any value, or one of these. */
interface Unwanted {
  isAny: boolean;
  readonly values: Set<string>;
}

interface Needed {
  /** One of these; undefined if any will do. */
  values: Set<string> | undefined;
  readonly comparisons: Map<string, Requirement>;
}

export function compileSelector(selector: LabelSelector): CompiledSelector {
  const unwanted = new Map<string, Unwanted>();
  const needed = new Map<string, Needed>();
  for (const requirement of selector) {
    const { key, operator, values } = requirement;
    if (operator === "!=" || operator === "notin" || operator === "!") {
      const found = unwanted.get(key) ?? { isAny: false, values: new Set<string>() };
      unwanted.set(key, found);
      if (operator === "!") found.isAny = true;
      else for (const value of values) found.values.add(value);
    } else {
      const found: Needed = needed.get(key) ?? { values: undefined, comparisons: new Map() };
      needed.set(key, found);
      if (operator === "gt" || operator === "lt") found.comparisons.set(`${operator}${values[0]}`, requirement);
      else if (operator !== "exists") found.values = common(found.values, values);
    }
  }
  return { matches: (labels) => hasNeeded(labels, needed) && !hasUnwanted(labels, unwanted) };
}

function common(known: Set<string> | undefined, values: readonly string[]): Set<string> {
  return new Set(known === undefined ? values : values.filter((value) => known.has(value)));
}

function hasNeeded(labels: Labels, needed: ReadonlyMap<string, Needed>): boolean {
  for (const [key, { values, comparisons }] of needed) {
    if (!Object.hasOwn(labels, key)) return false;
    if (values?.has(labels[key] ?? "") === false) return false;
    for (const comparison of comparisons.values()) if (!matchesRequirement(comparison, labels)) return false;
  }
  return true;
}

function hasUnwanted(labels: Labels, unwanted: ReadonlyMap<string, Unwanted>): boolean {
  if (unwanted.size === 0) return false;
  return Object.entries(labels).some(([key, value]) => {
    const found = unwanted.get(key);
    return found !== undefined && (found.isAny || found.values.has(value));
  });
}
