/** Finds rules by the place of their schema. */
import type { RuleNode } from "../../rules/tree.ts";
import type { SchemaStep } from "../pairs.ts";

/** The compiled rules of the node a schema path leads to. */
export function ruleNodeAt(root: RuleNode | undefined, path: readonly SchemaStep[]): RuleNode | undefined {
  let at = root;
  for (const step of path) {
    if (at === undefined) return undefined;
    if (step.kind === "item") at = at.items;
    else if (step.kind === "key") at = at.additional;
    else at = at.properties.get(step.name) ?? at.additional;
  }
  return at;
}
