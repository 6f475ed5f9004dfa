/**
 * Compares two versions of one schema: each keyword that changed, and each that sees changed data, with its verdict.
 *
 * The question is always whether the new resource accepts what the old one accepts. With the sides swapped, the answer
 * shows which new values readers may see.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../rules/compile.ts";
import type { RuleNode } from "../rules/tree.ts";
import { EMPTY_SCHEMA } from "../schema/structural.ts";
import { Attack, type Counterexample } from "./attack/attack.ts";
import { blamedKeyword, isExplainedBy, placeOfChange, refutedBy, strayWitness } from "./attack/refute.ts";
import type { Change, CompareOptions } from "./change.ts";
import { COVERED_BY, DATA_KEYWORDS, KEYS, REMOVABLE, RULES } from "./contain/keyword-groups.ts";
import { nodeObligations } from "./contain/node.ts";
import { holds, type Obligation, open, type Proof, type UnknownReason } from "./contain/proof.ts";
import { recorrelatedRules } from "./contain/recorrelated.ts";
import { ruleNodeAt } from "./contain/rule-node.ts";
import { isUnreachable } from "./contain/unreachable.ts";
import { type DataOptions, dataChanges } from "./data-changes.ts";
import { STRAY } from "./messages.ts";
import { changedPairs, type NodePair, pairNodes } from "./pairs.ts";
import { schemaAt } from "./place.ts";
import { VALUE_KEYWORDS } from "./prove/keyword-formula.ts";
import { Prover } from "./prove/prove.ts";
import { isSeenAlike } from "./prove/reading.ts";
import { costChanges } from "./rule-cost.ts";
import { scaleChanges } from "./scale-changes.ts";
import { nodeKeywords, ruleText } from "./schema-text.ts";
import { LocalCheck } from "./witness/local-check.ts";
import { droppedFields, isQuirk, type SchemaSides } from "./witness/quirk.ts";
import { Replay } from "./witness/replay.ts";
import { Sampler } from "./witness/sample.ts";
import { keywordOfError } from "./witness/target.ts";
import { WitnessFinder } from "./witness/witness.ts";
import type { Witness } from "./witness/witness-check.ts";

const DEFAULT_BUDGET = 6000;
const FOLLOWS = "it follows from what the old schema and its rules require";
const UNREACHABLE = "nothing can be there: what holds it had to be empty";

export function compareResources(old: CustomResource, next: CustomResource, options: CompareOptions): Change[] {
  return [...changesOf(old, next, options)];
}

/** Yields one change at a time, because each may need a search. */
export function changesOf(old: CustomResource, next: CustomResource, options: CompareOptions): Generator<Change> {
  return new Comparison(old, next, options).run();
}

class Comparison {
  readonly #old: CustomResource;
  readonly #new: CustomResource;
  readonly #options: CompareOptions;
  readonly #sampler: Sampler;
  readonly #prover: Prover;
  /** Whether some change was shown to be unsafe. */
  #isShown = false;
  /** A refused object that no change at its place explains. */
  #stray: Counterexample | undefined;
  /** Changes that are neither proved nor demonstrated so far. */
  #open: Change[] = [];

  constructor(old: CustomResource, next: CustomResource, options: CompareOptions) {
    this.#old = old;
    this.#new = next;
    this.#options = options;
    this.#sampler = new Sampler(new LocalCheck(options.minor));
    this.#prover = new Prover(old, next, { check: this.#sampler.check, isStored: options.storedOnly });
  }

  get #schemas(): SchemaSides {
    return { old: this.#old.schema, new: this.#new.schema };
  }

  get #dataOptions(): DataOptions {
    return { sampler: this.#sampler, prover: this.#prover };
  }

  *run(): Generator<Change> {
    const schemas = [this.#old.schema ?? EMPTY_SCHEMA, this.#new.schema ?? EMPTY_SCHEMA] as const;
    const root = pairNodes(...schemas, this.#options.minor, [], this.#prover.changedType);
    for (const pair of this.#changedPairs(root)) {
      if (this.#options.dataOnly !== true) yield* this.#validity(pair);
      if (this.#options.validityOnly !== true) yield* dataChanges(pair, this.#old, this.#new, this.#dataOptions);
    }
    if (this.#options.dataOnly === true) return;
    const scale = scaleChanges(this.#old, this.#new, { sampler: this.#sampler, newFinder: () => this.#finder() });
    if (scale.some(({ verdict }) => verdict === "unsafe")) this.#isShown = true;
    this.#open.push(...scale.filter(({ verdict }) => verdict === "unknown"));
    yield* scale.filter(({ verdict }) => verdict !== "unknown");
    if (!this.#isUnchanged(root) && this.#options.isOver?.() !== true)
      yield* costChanges(this.#old, this.#new, this.#dataOptions);
    if (scale.length > 0 || !this.#isUnchanged(root)) yield* this.#remaining(root);
  }

  #changedPairs(root: NodePair): Iterable<NodePair> {
    return root.isSame && !this.#isUnchanged(root) ? [root] : changedPairs(root);
  }

  /** A status that is dropped from created objects changes the data of an equal schema. */
  #isUnchanged(root: NodePair): boolean {
    return root.isSame && !this.#prover.losesStatus;
  }

  *#validity(pair: NodePair): Generator<Change> {
    if (this.#options.isOver?.() === true) {
      yield* this.#unasked(pair);
      return;
    }
    const decided = [...this.#decideAll(pair)];
    const all = [...decided, ...this.#relaxed(pair, decided)];
    const attacked = all.every(({ verdict }) => verdict === "unsafe") ? all : this.#attacked(pair, all);
    if (attacked.some(({ verdict }) => verdict === "unsafe")) this.#isShown = true;
    this.#open.push(...attacked.filter(({ verdict }) => verdict === "unknown"));
    yield* attacked.filter(({ verdict }) => verdict !== "unknown");
  }

  /** All changed keywords of the node, unknown because the time is over. */
  #unasked(pair: NodePair): Change[] {
    this.#isShown = true;
    return pair.changed
      .filter((keyword) => !DATA_KEYWORDS.includes(keyword))
      .map((keyword) => this.#found(pair, keyword, "", undefined, "time"));
  }

  /** Every proof is attacked before it is reported; a counterexample overrides it. */
  #attacked(pair: NodePair, changes: readonly Change[]): readonly Change[] {
    const attack = new Attack(new Replay(this.#old, this.#new), this.#sampler);
    const rules = ruleNodeAt(this.#new.rules, pair.path)?.rules ?? [];
    const hasTransitions = rules.some(({ usesOldSelf }) => usesOldSelf);
    const isOpen = changes.some(({ verdict }) => verdict === "unknown");
    let current = changes;
    for (const found of attack.run(pair, { tries: isOpen ? OPEN_TRIES : PROVED_TRIES, hasTransitions })) {
      const isExplained = current.some((change) => isExplainedBy(change, found, rules));
      const next = current.map((change) =>
        isExplained && change.verdict === "safe" ? change : this.#refuted(change, found),
      );
      if (next.every((change, index) => change === current[index])) this.#stray ??= found;
      current = next;
      if (current.every(({ verdict }) => verdict === "unsafe")) break;
    }
    return current;
  }

  #refuted(change: Change, found: Counterexample): Change {
    const rules = ruleNodeAt(this.#new.rules, change.path)?.rules ?? [];
    const schema = schemaAt(this.#new.schema, change.path);
    return refutedBy(change, found, { rules, schema, check: this.#sampler.check, newFinder: () => this.#finder() });
  }

  /** Attacks the whole object once more, for open changes and for refusals that no change explains. */
  *#remaining(root: NodePair): Generator<Change> {
    if (this.#isShown && this.#open.length === 0) return;
    if (this.#options.isOver?.() === true) {
      yield* this.#open;
      return;
    }
    const attack = new Attack(new Replay(this.#old, this.#new), this.#sampler);
    const hasOpen = this.#open.length > 0;
    const hasTransitions = this.#open.some(({ detail }) => detail.includes("oldSelf"));
    let stray = this.#stray;
    for (const found of attack.run(root, { tries: hasOpen ? OPEN_TRIES : PROVED_TRIES, hasTransitions })) {
      const left = this.#open.map((change) => this.#decidedBy(change, found));
      if (left.every((change, index) => change === this.#open[index])) stray ??= found;
      this.#open = left;
      if (left.every(({ verdict }) => verdict === "unsafe") && hasOpen) break;
    }
    yield* this.#open;
    const isShown = this.#isShown || this.#open.some(({ verdict }) => verdict === "unsafe");
    if (stray !== undefined && !isShown) yield* this.#unexplained(root, stray);
  }

  /** The open change, unsafe if the object shows it. */
  #decidedBy(change: Change, found: Counterexample): Change {
    const places = found.errors.map((error) => placeOfChange(error, found.object, change));
    const path = places.find((place) => place !== undefined);
    return path === undefined ? change : this.#refuted(change, { ...found, path });
  }

  /** An object is refused although every change was proved safe. */
  *#unexplained(root: NodePair, found: Counterexample): Generator<Change> {
    const [error] = found.errors;
    const objects = [found.object, ...(found.before === undefined ? [] : [found.before])];
    const isAccident = objects.some((each) => isQuirk(each, this.#schemas, found.errors, this.#sampler.check));
    if (error === undefined || isAccident) return;
    if (this.#options.storedOnly === true && droppedFields(found.object, this.#schemas).length > 0) return;
    const witness = strayWitness(found, this.#old);
    const keyword = keywordOfError(error);
    const isContradicted = this.#open.length === 0;
    yield { ...this.#change(root, { keyword, detail: STRAY, verdict: "unsafe", why: "" }), witness, isContradicted };
  }

  *#decideAll(pair: NodePair): Generator<Change> {
    for (const obligation of nodeObligations(pair, this.#sampler, this.#prover)) yield this.#decide(pair, obligation);
    const [before, after] = [ruleNodeAt(this.#old.rules, pair.path), ruleNodeAt(this.#new.rules, pair.path)];
    for (const rule of after?.rules ?? []) yield* this.#decideRule(pair, rule, before?.rules ?? []);
    yield* this.#recorrelated(pair, after);
  }

  /** Transition rules in a list whose keys changed: even unchanged ones compare other items than before. */
  *#recorrelated(pair: NodePair, rules: RuleNode | undefined): Generator<Change> {
    for (const { pair: place, rule } of recorrelatedRules(pair, rules, this.#schemas, this.#options.minor))
      yield* this.#decideRule(place, rule, ruleNodeAt(this.#old.rules, place.path)?.rules ?? []);
  }

  /** Changed keywords without an obligation: removed ones no longer refuse anything. */
  #relaxed(pair: NodePair, decided: readonly Change[]): Change[] {
    const asked = new Set(decided.flatMap(({ keyword }) => [keyword, ...(COVERED_BY[keyword] ?? [])]));
    const keywords = nodeKeywords(pair.new, this.#options.minor);
    return pair.changed
      .filter((keyword) => !asked.has(keyword) && !DATA_KEYWORDS.includes(keyword))
      .map((keyword) => {
        // Each remaining rule was checked separately.
        if (keyword === KEYS) return this.#safe(pair, keyword, "", "values that were allowed are compared key by key");
        const isGone = keyword === RULES || (!keywords.has(keyword) && REMOVABLE.includes(keyword));
        if (isGone) return this.#safe(pair, keyword, "", "it accepts all that was accepted");
        const proof = VALUE_KEYWORDS.includes(keyword) ? this.#proved(pair, keyword, "") : open("not-modelled");
        return this.#decide(pair, {
          keyword,
          detail: "",
          proof,
          candidates: () => this.#sampler.samples(pair.old, 12),
        });
      });
  }

  #proved(pair: NodePair, keyword: string, detail: string): Proof {
    const { isProved, isSpent } = this.#prover.keyword(pair.path, keyword, detail);
    return isProved ? holds(FOLLOWS) : open(isSpent ? "budget" : "no-witness");
  }

  #safe(pair: NodePair, keyword: string, detail: string, why: string): Change {
    return this.#change(pair, { keyword, detail, verdict: "safe", why });
  }

  #decide(pair: NodePair, obligation: Obligation): Change {
    const { keyword, detail, proof, model, candidates } = obligation;
    if (proof.verdict === "holds") return this.#safe(pair, keyword, detail, proof.why);
    if (isUnreachable(this.#schemas, pair.path)) return this.#safe(pair, keyword, detail, UNREACHABLE);
    const finder = this.#finder();
    const target = { keyword: blamedKeyword(keyword, pair.new), detail };
    const tried =
      obligation.isInPlace === true
        ? finder.findAt(pair.path, target, candidates())
        : finder.find(pair, target, candidates());
    const witness = tried?.isQuirk === false ? tried : ((model && finder.findModel(pair, target, model)) ?? tried);
    return this.#found(pair, keyword, detail, witness, finder.isSpent ? "budget" : proof.reason);
  }

  #decideRule(pair: NodePair, rule: CompiledRule, before: readonly CompiledRule[]): Change[] {
    const keyword = RULES;
    const detail = ruleText(rule.rule);
    const isOld = before.some((each) => ruleText(each.rule) === detail);
    const isComparedAlike = !rule.usesOldSelf || this.#prover.isCorrelatedAlike(pair.path);
    if (isOld && isComparedAlike && this.#isSeenAlike(pair)) return [];
    const { isProved, isSpent, model } = this.#prover.rule(pair.path, rule, before);
    const isSafe = isProved || isUnreachable(this.#schemas, pair.path);
    if (isSafe && isOld) return [];
    if (isSafe) return [this.#safe(pair, keyword, detail, isProved ? FOLLOWS : UNREACHABLE)];
    const finder = this.#finder();
    const target = { keyword, detail, rule, texts: [...(model?.texts.values() ?? [])] };
    const modelled = model && !rule.usesOldSelf ? finder.findModel(pair, target, model) : undefined;
    const witness = modelled ?? finder.findDropped(pair, target) ?? finder.findRule(pair, target);
    return [this.#found(pair, keyword, detail, witness, finder.isSpent || isSpent ? "budget" : "cel-undecided")];
  }

  /** Whether unchanged rules see the same data as before. */
  #isSeenAlike({ old, new: next, path }: NodePair): boolean {
    const isRoot = path.length === 0;
    if (isRoot && (this.#prover.losesStatus || this.#prover.changedType.size > 0)) return false;
    return isSeenAlike(old, next);
  }

  #finder(): WitnessFinder {
    const { budget = DEFAULT_BUDGET, storedOnly } = this.#options;
    return new WitnessFinder(new Replay(this.#old, this.#new), this.#sampler, { budget, storedOnly });
  }

  #found(pair: NodePair, keyword: string, detail: string, witness: Witness | undefined, reason: UnknownReason): Change {
    // A witness that is only accepted by accident leaves the question open: the attack may find a better one.
    if (witness !== undefined && !witness.isQuirk)
      return { ...this.#change(pair, { keyword, detail, verdict: "unsafe", why: "" }), witness };
    return { ...this.#change(pair, { keyword, detail, verdict: "unknown", why: "" }), reason };
  }

  #change(pair: NodePair, parts: Pick<Change, "keyword" | "detail" | "verdict" | "why">): Change {
    const [before, after] = [nodeKeywords(pair.old, this.#options.minor), nodeKeywords(pair.new, this.#options.minor)];
    return {
      axis: "validity",
      path: pair.path,
      reason: undefined,
      before: before.get(parts.keyword),
      after: after.get(parts.keyword),
      witness: undefined,
      effect: undefined,
      ...parts,
    };
  }
}

/** The number of objects for an attack on a place: if everything is proved, and if something is open. */
const PROVED_TRIES = 120;
const OPEN_TRIES = 400;
