/** Transition rules that compare other items than before, because the keys of a list map changed. */
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleNode } from "../../rules/tree.ts";
import type { Structural } from "../../schema/structural.ts";
import type { NodePair, SchemaStep } from "../pairs.ts";
import { schemaAt } from "../place.ts";
import { isSameListMap } from "../prove/reading.ts";
import { schemaText } from "../schema-text.ts";
import type { SchemaSides } from "../witness/quirk.ts";
import { transitionRules } from "./rule-node.ts";

export interface RecorrelatedRule {
  readonly pair: NodePair;
  readonly rule: CompiledRule;
}

/** The rules at unchanged nodes below the list; nodes that differ are compared on their own. */
export function* recorrelatedRules(
  { old, new: next, path }: NodePair,
  rules: RuleNode | undefined,
  sides: SchemaSides,
  minor: number,
): Generator<RecorrelatedRule> {
  if (old.items === undefined || next.items === undefined || isSameListMap(old, next)) return;
  for (const { path: place, rule } of transitionRules(rules?.items, [...path, { kind: "item" }])) {
    const [before, after] = [schemaAt(sides.old, place), schemaAt(sides.new, place)];
    if (before === undefined || after === undefined) continue;
    if (schemaText(before, minor) === schemaText(after, minor)) yield { pair: samePair(before, after, place), rule };
  }
}

function samePair(old: Structural, next: Structural, path: readonly SchemaStep[]): NodePair {
  return { path, old, new: next, isSame: true, changed: [], children: [], removed: [], added: [], dropsKeys: false };
}
