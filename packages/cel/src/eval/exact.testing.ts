/** The plain path: an expression planned with every node charged in upstream's order, without any shortcut. */
import type { Ast, Environment } from "../env.ts";
import { Panic } from "../values/panic.ts";
import { displayText } from "../values/text.ts";
import { typeNameOf } from "../values/type-of.ts";
import type { Value } from "../values/value.ts";
import { Frame, type Variables } from "./frame.ts";
import { internalError } from "./messages.ts";
import { PlanFailure } from "./plan.ts";
import { planProgram } from "./planner.ts";

export interface Outcome {
  readonly text: string;
  readonly cost: number;
}

export function describe(value: Value): string {
  return `${typeNameOf(value)} ${displayText(value)}`;
}

/** For environments with the newest cel-go and without costs for presence tests. */
export function exactEvaluator(environment: Environment): (ast: Ast, variables: Variables) => Outcome {
  const functions = new Map(environment.functions().map((declared) => [declared.name, declared]));
  const planEnvironment = {
    findFunction: (name: string) => functions.get(name),
    costModel: undefined,
    presenceTestHasCost: false,
    celGo: "0.29",
    patternFunctions: new Set(["matches"]),
    construct: undefined,
  } as const;
  return (ast, variables) => {
    const planned = planProgram(ast.checked, planEnvironment, { exact: true });
    if (planned instanceof PlanFailure) throw new Error(planned.error.message);
    const frame = new Frame(planned.slotCount, 0, Number.POSITIVE_INFINITY, variables, undefined);
    try {
      return { text: describe(planned.plan.run(frame)), cost: frame.cost };
    } catch (thrown) {
      if (thrown instanceof Panic) return { text: describe(internalError(thrown.message)), cost: frame.cost };
      throw thrown;
    }
  };
}
