/**
 * Edited policies, compared with the originals and with one another. Every proof is put to requests that were made for
 * the source, and every witness is replayed.
 *
 * The kinds, the requests and the decisions of the original are computed once for each source.
 */
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import { refusedPolicies } from "@portcullis/checker/internal/policy/policy-objects";
import { proofCluster } from "@portcullis/checker/internal/prove/proof-cluster";
import { proofInputs } from "@portcullis/checker/internal/prove/proof-inputs";
import { MUTATION_OPERATORS, mutate, PROOF_ENGINE } from "@portcullis/checker/internal/prove/proof-mutants.testing";
import { Random, randomWitnesses } from "@portcullis/engine/internal/prove/attack";
import {
  type ComparedSide,
  type CompareOptions,
  type Comparison,
  comparePolicies,
} from "@portcullis/engine/internal/prove/compare-policies";
import { matchedScenarios, type Verdict } from "@portcullis/engine/internal/prove/difference";
import { type Scenario, scenarioName } from "@portcullis/engine/internal/prove/sorts/kinds";
import { verdictOf, type Witness } from "@portcullis/engine/internal/prove/witness";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { processorMillis } from "../../runners/policy/processor-time.ts";
import type { PolicySource } from "./sources.ts";

export interface RefuterOptions {
  /** Seconds for each direction of a comparison. */
  readonly seconds: number;
  /** Requests for each form of request. */
  readonly tries: number;
}

export interface Trial {
  readonly name: string;
  readonly comparison: Comparison;
  readonly complaints: readonly string[];
}

interface Edited {
  readonly side: ComparedSide;
  readonly edits: string;
}

/** One source, with everything that its mutants share. */
export class RefutedSource {
  readonly #source: PolicySource;
  readonly #options: CompareOptions;
  readonly #original: ComparedSide;
  readonly #tries: number;
  readonly #samples = new Map<string, readonly Witness[]>();
  readonly #denied = new WeakMap<ComparedSide, Map<string, readonly boolean[]>>();
  #sampled = 0;

  private constructor(source: PolicySource, original: ComparedSide, options: CompareOptions, tries: number) {
    this.#source = source;
    this.#original = original;
    this.#options = options;
    this.#tries = tries;
  }

  static async open(source: PolicySource, { seconds, tries }: RefuterOptions): Promise<RefutedSource> {
    const { sides, options } = await proofInputs([source.objects], [], {
      engine: PROOF_ENGINE,
      seconds,
      bindsAll: false,
      now: processorMillis,
    });
    const [original] = sides;
    if (original === undefined) throw new Error("a source is a side");
    return new RefutedSource(source, original, options, tries);
  }

  /** Compares two mutants, or the original and a mutant. Undefined if the edits do not apply or are refused. */
  async trial(seed: number): Promise<Trial | undefined> {
    const random = new Random(seed);
    const next = await this.#edited(random, 1 + random.below(2), "1");
    const old = random.below(4) === 0 ? await this.#edited(random, 1, "2") : this.#plain();
    if (next === undefined || old === undefined) return undefined;
    return this.#compare(old, next, `seed ${seed}`);
  }

  /** Compares the original with one mutant of this operator. Undefined if the edit does not apply or is refused. */
  async mutant(operator: string, seed: number): Promise<Trial | undefined> {
    const made = mutate(this.#source.objects, operator, new Random(seed));
    const side = made && (await this.#accepted(made.objects, "1"));
    return side && this.#compare(this.#plain(), { side, edits: operator }, `seed ${seed}`);
  }

  /** The number of decisions about requests that proofs were compared with. */
  get sampled(): number {
    return this.#sampled;
  }

  #compare(old: Edited, next: Edited, title: string): Trial {
    const comparison = comparePolicies(old.side, next.side, this.#options);
    const name = `${this.#source.name}, ${title}: ${old.edits} -> ${next.edits}`;
    const complaints = [
      ...this.#complaints(comparison.newlyDenied, next.side, old.side, "newly denied"),
      ...this.#complaints(comparison.newlyAllowed, old.side, next.side, "newly allowed"),
    ];
    return { name, comparison, complaints };
  }

  #plain(): Edited {
    return { side: this.#original, edits: "original" };
  }

  async #edited(random: Random, count: number, unit: string): Promise<Edited | undefined> {
    let objects: readonly JsonObject[] = this.#source.objects;
    const edits: string[] = [];
    for (let made = 0; made < count; made++) {
      const mutant = mutate(objects, random.pick(MUTATION_OPERATORS) ?? "", random);
      if (mutant === undefined) return undefined;
      objects = mutant.objects;
      edits.push(mutant.operator);
    }
    const side = await this.#accepted(objects, unit);
    return side && { side, edits: edits.join(", ") };
  }

  /** Undefined if the API server refuses one of the policies. */
  async #accepted(objects: readonly JsonObject[], unit: string): Promise<ComparedSide | undefined> {
    const { cluster } = policyCluster(objects, PROOF_ENGINE);
    if ((await refusedPolicies(objects, cluster)).length > 0) return undefined;
    const isOpen = this.#original.unknownParams !== undefined;
    return proofCluster(objects, { engine: PROOF_ENGINE, unit, isOpen }).side;
  }

  #complaints(verdict: Verdict<Witness>, denying: ComparedSide, other: ComparedSide, direction: string): string[] {
    if (verdict.verdict === "unknown") return [];
    if (verdict.verdict === "some") {
      const isShown = isDenied(denying, verdict.witness) && !isDenied(other, verdict.witness);
      return isShown ? [] : [`${direction}: the witness does not show it`];
    }
    for (const scenario of scenariosFor(denying, this.#options)) {
      const [own, others] = [this.#decisions(denying, scenario), this.#decisions(other, scenario)];
      this.#sampled += own.length;
      const at = own.findIndex((each, index) => each && others[index] === false);
      const found = this.#witnesses(scenario)[at];
      if (found !== undefined) return [`${direction}: proved, and refuted by ${JSON.stringify(found.attributes)}`];
    }
    return [];
  }

  #decisions(side: ComparedSide, scenario: Scenario): readonly boolean[] {
    const known = this.#denied.get(side) ?? new Map<string, readonly boolean[]>();
    this.#denied.set(side, known);
    const name = scenarioName(scenario);
    const made = known.get(name) ?? this.#witnesses(scenario).map((each) => isDenied(side, each));
    known.set(name, made);
    return made;
  }

  #witnesses(scenario: Scenario): readonly Witness[] {
    const name = scenarioName(scenario);
    const seed = 7 + name.length;
    const made = this.#samples.get(name) ?? [
      ...randomWitnesses(scenario, this.#options.replay, { tries: this.#tries, seed }),
    ];
    this.#samples.set(name, made);
    return made;
  }
}

function isDenied(side: ComparedSide, witness: Witness): boolean {
  return !verdictOf(side.policies, side.context, witness).allowed;
}

const MAX_SCENARIOS = 12;

function scenariosFor(side: ComparedSide, { kinds }: CompareOptions): Scenario[] {
  const all = side.policies.hooks.flatMap((hook) =>
    hook.bindings.flatMap((bound) => matchedScenarios({ hook, bound }, side, kinds)),
  );
  return [...new Map(all.map((each) => [scenarioName(each), each])).values()].slice(0, MAX_SCENARIOS);
}
