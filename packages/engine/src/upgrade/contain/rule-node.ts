/** Finds rules by the place of their schema. */
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleNode } from "../../rules/tree.ts";
import type { SchemaStep } from "../pairs.ts";

/** The compiled rules of the node a schema path leads to. */
/** All transition rules at and below a node, with the schema path from the root. */
export function* transitionRules(
  node: RuleNode | undefined,
  path: readonly SchemaStep[],
): Generator<{ readonly path: readonly SchemaStep[]; readonly rule: CompiledRule }> {
  if (node === undefined) return;
  for (const rule of node.rules) if (rule.usesOldSelf) yield { path, rule };
  for (const [name, inner] of node.properties) yield* transitionRules(inner, [...path, { kind: "property", name }]);
  yield* transitionRules(node.items, [...path, { kind: "item" }]);
  yield* transitionRules(node.additional, [...path, { kind: "key" }]);
}

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
