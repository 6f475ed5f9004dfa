/** Rules: the ones that say what an old one said, or less, are shown to hold; the others are searched for a witness. */
import type { Expr } from "@portcullis/cel/internal";
import { escapeName } from "../../kubecel/escaping.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleNode } from "../../rules/tree.ts";
import { effectsBelow, touches, touchesShallow } from "../effects.ts";
import type { LocalCheck } from "../local-check.ts";
import type { NodePair, SchemaStep } from "../pairs.ts";
import { ruleText } from "../schema-text.ts";
import { holds, open, type Proof } from "./proof.ts";
import { type Folding, fold, foldingOf, isNeverThere, isThere } from "./rule-fold.ts";
import type { RuleFormula } from "./rule-formula.ts";
import { entails } from "./rule-logic.ts";
import { canonicalText } from "./rule-name.ts";
import { readsOf, type Scope } from "./rule-reads.ts";
import { TextTheory, textAtom } from "./rule-text.ts";

export interface RuleObligation {
  readonly rule: CompiledRule;
  readonly proof: Proof;
  /** The same text stood there before; what it reads has changed. */
  readonly isOld: boolean;
  /** Texts that the rule may refuse. */
  readonly texts: readonly string[];
}

export function ruleObligations(
  pair: NodePair,
  old: RuleNode | undefined,
  next: RuleNode | undefined,
  check: LocalCheck,
): RuleObligation[] {
  if (next === undefined || next.rules.length === 0) return [];
  const effects = effectsBelow(pair).paths.map((path) => path.map((name) => escapeName(name) ?? name));
  const before = old?.rules ?? [];
  const folding = foldingOf(pair, check);
  return next.rules.map((rule) => {
    const isOld = before.some((each) => ruleText(each.rule) === ruleText(rule.rule));
    const texts = new TextTheory(check.minor);
    return { rule, isOld, proof: proveRule(rule, before, effects, folding, texts), texts: texts.found };
  });
}

function proveRule(
  rule: CompiledRule,
  before: readonly CompiledRule[],
  effects: readonly (readonly string[])[],
  folding: Folding,
  texts: TextTheory,
): Proof {
  const formula = formulaOf(rule, effects, folding, "new");
  if (formula === undefined) return open("cel-undecided");
  // What old objects never have holds for the new rule only: an old rule could not speak of it.
  const goal: RuleFormula = {
    ...formula,
    known: (expr, scope) => fold(expr, folding, scope),
    isNeverTrue: (expr, scope) => isNeverThere(expr, folding, scope),
    textOf: (expr, scope) => textAtom(expr, folding, scope),
    texts,
    isThere: (expr, scope) => isThere(expr, folding, scope),
  };
  const premises = before
    .filter((each) => each.usesOldSelf === rule.usesOldSelf || !each.usesOldSelf)
    .flatMap((each) => formulaOf(each, effects, folding, "old") ?? [])
    .map((each): RuleFormula => ({ ...each, textOf: (expr, scope) => textAtom(expr, folding, scope) }));
  return entails(premises, goal) === true ? holds("it follows from the old rules") : open("cel-undecided");
}

function formulaOf(
  { ast, rule }: CompiledRule,
  effects: readonly (readonly string[])[],
  folding: Folding,
  side: "old" | "new",
): RuleFormula | undefined {
  if (ast === undefined) return undefined;
  const { expr, info } = ast.checked;
  const mode = rule.optionalOldSelf === true ? " (optional)" : "";
  return {
    expr,
    info,
    nameOf: (part: Expr, scope: Scope) => {
      const { paths, shallow, usesOldSelf } = readsOf(part, scope);
      const isTouched =
        paths.some((path) => touches(effects, path)) || shallow.some((path) => touchesShallow(effects, path));
      const text = canonicalText(part, { info, known: (each, inner) => fold(each, folding, inner) }, scope);
      return `${text}${usesOldSelf ? mode : ""}${isTouched ? `@${side}` : ""}`;
    },
  };
}

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
