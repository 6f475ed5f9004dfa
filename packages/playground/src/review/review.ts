/** One review from start to end: selects the mode and caches previous results. */
import type { State } from "../state.ts";
import { costPanel } from "./cost.ts";
import { type Definitions, definitionKey, engineFor, Memory, readDefinitions, remember } from "./definitions.ts";
import { reviewExpression } from "./expressions.ts";
import { reviewObjects } from "./objects.ts";
import type { CostPanel, Details, Outcome, SchemaPlaces } from "./outcome.ts";
import { diagnosticsOf } from "./places.ts";
import type * as Policies from "./policies.ts";
import type * as Proofs from "./proofs.ts";
import type { Report } from "./report.ts";
import type * as Upgrades from "./upgrades.ts";

/** Large code that only some modes need, loaded lazily. */
export interface LazyParts {
  policies(): Promise<typeof Policies>;
  proofs(): Promise<typeof Proofs>;
  upgrades(): Promise<typeof Upgrades>;
}

/** Called between two steps: yields if it is time to, and returns whether to continue. */
export type Pause = () => Promise<boolean> | boolean;

/** The same for the verdict, which may get a partial result. */
export type Meanwhile = (soFar: () => Outcome) => Promise<boolean> | boolean;

/** How many texts of each sort are cached: the current one, and the one that undo restores. */
const REMEMBERED = 3;

export interface Reviewed {
  readonly outcome: Outcome;
  readonly schemaPlaces: () => SchemaPlaces;
}

export class Reviewer {
  readonly #definitions: Memory<Promise<Definitions>>;
  readonly #costs = new Memory<{ readonly panel: CostPanel | undefined }>(REMEMBERED);
  readonly #sides = new Memory<Promise<Upgrades.UpgradeSide>>(2 * REMEMBERED);
  readonly #clusters = new Memory<Promise<Policies.PolicyInputs>>(REMEMBERED);
  readonly #today: () => string;
  readonly #parts: LazyParts;

  /** `today` as `2026-12-31`. */
  constructor(today: () => string, parts: LazyParts, remembered: number = REMEMBERED) {
    this.#definitions = new Memory<Promise<Definitions>>(remembered);
    this.#today = today;
    this.#parts = parts;
  }

  async review(state: State): Promise<Reviewed>;
  /** Long computations run in steps; undefined if cancelled. */
  async review(state: State, meanwhile: Meanwhile): Promise<Reviewed | undefined>;
  async review(state: State, meanwhile: Meanwhile = () => true): Promise<Reviewed | undefined> {
    const report = await this.#report(state, meanwhile);
    return report && { outcome: outcomeOf(report), schemaPlaces: report.schemaPlaces ?? (() => []) };
  }

  /** Details that take longer than the verdict may, in steps; undefined if cancelled. */
  async details(state: State, pause: Pause): Promise<Details | undefined> {
    if (state.mode === "policy" || state.mode === "proof" || state.mode === "cel") return { cost: undefined };
    const key = definitionKey(state);
    const known = this.#costs.find(key);
    if (known !== undefined) return { cost: known.panel };
    const steps = costPanel(await this.#readDefinitions(state), engineFor(state));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return { cost: this.#costs.keep(key, { panel: step.value }).panel };
      if (!(await pause())) return undefined;
    }
  }

  async #report(state: State, meanwhile: Meanwhile): Promise<Report | undefined> {
    switch (state.mode) {
      case "create":
      case "update":
        return reviewObjects(state, await this.#readDefinitions(state));
      case "upgrade": {
        const { reviewUpgrade, readSide, sideKey } = await this.#parts.upgrades();
        const read = (field: Upgrades.UpgradeField): Promise<Upgrades.UpgradeSide> =>
          remember(this.#sides, sideKey(field, state), () => readSide(field, state));
        return finish(
          reviewUpgrade(state, await read("oldDefinition"), await read("definition"), this.#today()),
          meanwhile,
        );
      }
      case "policy": {
        const { reviewPolicies, readPolicyInputs, policyKey } = await this.#parts.policies();
        const inputs = await remember(this.#clusters, policyKey(state), () => readPolicyInputs(state));
        return reviewPolicies(state, inputs);
      }
      case "proof": {
        const { readProof, reviewProof } = await this.#parts.proofs();
        const read = await readProof(state);
        return "verdict" in read ? read : finish(reviewProof(state, read), meanwhile);
      }
      case "cel":
        return reviewExpression(state);
    }
  }

  #readDefinitions(state: State): Promise<Definitions> {
    return remember(this.#definitions, definitionKey(state), () => readDefinitions(state));
  }
}

async function finish(steps: Generator<() => Report, Report>, meanwhile: Meanwhile): Promise<Report | undefined> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const soFar = step.value;
    const goesOn = meanwhile(() => outcomeOf(soFar()));
    // Even a short wait after each of a thousand steps would be noticeable.
    if (goesOn !== true && !(await goesOn)) return undefined;
  }
}

function outcomeOf(report: Report): Outcome {
  const sources = new Map(report.sources.map((source) => [source.field, source]));
  const diagnostics = report.problems.flatMap((problem) => {
    const source = sources.get(problem.field);
    return source === undefined ? [] : diagnosticsOf(problem, source);
  });
  const { verdict, problems, pipeline, ratcheting, upgrade, policy, proof, cel } = report;
  return { verdict, problems, diagnostics, pipeline, ratcheting, upgrade, policy, proof, cel };
}
