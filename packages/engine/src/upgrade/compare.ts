/**
 * Two versions of one schema: each keyword that changed, and each that sees changed data, with its verdict.
 *
 * The question throughout is whether what the old resource accepts is accepted by the new one. Asked the other way round
 * it tells what readers may newly meet.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { EMPTY_SCHEMA, type Structural } from "../schema/structural.ts";
import type { Change } from "./change.ts";
import { nodeObligations } from "./contain/node.ts";
import { conjuncts, type Obligation, type UnknownReason } from "./contain/proof.ts";
import { type RuleObligation, ruleNodeAt, ruleObligations } from "./contain/rule.ts";
import { dataChanges } from "./data-changes.ts";
import { LocalCheck } from "./local-check.ts";
import { changedPairs, type NodePair, pairNodes } from "./pairs.ts";
import { stepSchema } from "./place.ts";
import { Replay } from "./replay.ts";
import { Sampler } from "./sample.ts";
import { scaleChanges } from "./scale-changes.ts";
import { nodeKeywords, ruleText } from "./schema-text.ts";
import { type Witness, WitnessFinder } from "./witness.ts";

export interface CompareOptions {
  /** The minor number of the Kubernetes version. */
  readonly minor: number;
  /** How many objects may be tried for each open question. */
  readonly budget?: number;
  /** Look only at validity: for the questions asked the other way round. */
  readonly validityOnly?: boolean;
}

const DEFAULT_BUDGET = 6000;
const UNREACHABLE = "nothing can be there: what holds it had to be empty";

export function compareResources(old: CustomResource, next: CustomResource, options: CompareOptions): Change[] {
  return [...changesOf(old, next, options)];
}

/** One change after the other: for each there may be a search. */
export function changesOf(old: CustomResource, next: CustomResource, options: CompareOptions): Generator<Change> {
  return new Comparison(old, next, options).run();
}

class Comparison {
  readonly #old: CustomResource;
  readonly #new: CustomResource;
  readonly #options: CompareOptions;
  readonly #sampler: Sampler;

  constructor(old: CustomResource, next: CustomResource, options: CompareOptions) {
    this.#old = old;
    this.#new = next;
    this.#options = options;
    this.#sampler = new Sampler(new LocalCheck(options.minor));
  }

  *run(): Generator<Change> {
    const root = pairNodes(this.#old.schema ?? EMPTY_SCHEMA, this.#new.schema ?? EMPTY_SCHEMA, this.#options.minor);
    const scale = scaleChanges(this.#old, this.#new, () => this.#finder());
    for (const pair of changedPairs(root)) {
      yield* this.#validity(pair);
      if (this.#options.validityOnly !== true) yield* dataChanges(pair, this.#old, this.#new, this.#sampler);
    }
    yield* scale;
  }

  *#validity(pair: NodePair): Generator<Change> {
    const judged: Change[] = [];
    for (const change of this.#judged(pair)) {
      judged.push(change);
      yield change;
    }
    yield* this.#relaxed(pair, judged);
  }

  *#judged(pair: NodePair): Generator<Change> {
    for (const obligation of nodeObligations(pair, this.#sampler)) yield this.#judge(pair, obligation);
    const [before, after] = [ruleNodeAt(this.#old.rules, pair.path), ruleNodeAt(this.#new.rules, pair.path)];
    for (const obligation of ruleObligations(pair, before, after, this.#sampler.check)) {
      yield* this.#judgeRule(pair, obligation);
    }
  }

  /** Keywords that changed and demand nothing new. */
  #relaxed(pair: NodePair, judged: readonly Change[]): Change[] {
    const asked = new Set(judged.flatMap(({ keyword }) => [keyword, ...(SPOKEN_FOR[keyword] ?? [])]));
    return pair.changed
      .filter((keyword) => !asked.has(keyword) && !DATA_KEYWORDS.includes(keyword))
      .map((keyword) =>
        this.#change(pair, { keyword, detail: "", verdict: "safe", why: "it accepts all that was accepted" }),
      );
  }

  #judge(pair: NodePair, { keyword, detail, proof, candidates }: Obligation): Change {
    if (proof.verdict === "holds") return this.#change(pair, { keyword, detail, verdict: "safe", why: proof.why });
    if (this.#isUnreachable(pair)) return this.#change(pair, { keyword, detail, verdict: "safe", why: UNREACHABLE });
    const finder = this.#finder();
    const witness = finder.find(pair, { keyword, detail }, candidates());
    return this.#found(pair, keyword, detail, witness, finder.isSpent ? "budget" : proof.reason);
  }

  #judgeRule(pair: NodePair, { rule, proof, isOld, texts }: RuleObligation): Change[] {
    const keyword = "x-kubernetes-validations";
    const detail = ruleText(rule.rule);
    const unchanged = isOld && proof.verdict === "holds";
    if (unchanged) return [];
    if (proof.verdict === "holds") return [this.#change(pair, { keyword, detail, verdict: "safe", why: proof.why })];
    if (this.#isUnreachable(pair))
      return isOld ? [] : [this.#change(pair, { keyword, detail, verdict: "safe", why: UNREACHABLE })];
    const finder = this.#finder();
    const witness = finder.findRule(pair, { keyword, detail, rule, texts });
    return [this.#found(pair, keyword, detail, witness, finder.isSpent ? "budget" : proof.reason)];
  }

  /** Whether no old object has anything at the place: it lies below a list or map that has to be empty. */
  #isUnreachable({ path }: NodePair): boolean {
    let at: Structural | undefined = this.#old.schema;
    for (const step of path) {
      if (at === undefined) return false;
      const nodes = conjuncts(at);
      if (step.kind === "item" && nodes.some(({ maxItems }) => maxItems === 0)) return true;
      if (step.kind !== "item" && nodes.some(({ maxProperties }) => maxProperties === 0)) return true;
      at = stepSchema(at, step);
    }
    return false;
  }

  #finder(): WitnessFinder {
    return new WitnessFinder(new Replay(this.#old, this.#new), this.#sampler, this.#options.budget ?? DEFAULT_BUDGET);
  }

  #found(pair: NodePair, keyword: string, detail: string, witness: Witness | undefined, reason: UnknownReason): Change {
    if (witness !== undefined)
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

/** Keywords that another one's verdict covers. */
const SPOKEN_FOR: Readonly<Record<string, readonly string[]>> = {
  minimum: ["exclusiveMinimum"],
  exclusiveMinimum: ["minimum"],
  maximum: ["exclusiveMaximum"],
  exclusiveMaximum: ["maximum"],
  type: ["x-kubernetes-int-or-string", "nullable"],
  "x-kubernetes-list-type": ["x-kubernetes-list-map-keys"],
};

/** What changes data or ownership is told by `dataChanges`. */
const DATA_KEYWORDS: readonly string[] = [
  "default",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
];
