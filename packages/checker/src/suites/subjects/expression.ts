/** An expression with variables of any type, in the environment of rules and policies. */
import { fromJson, isError } from "@portcullis/cel";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import type { JsonValue } from "@portcullis/engine/internal/value/json";
import { PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import { celEnvironment } from "../../cel/evaluate.ts";
import type { Observation } from "../expectation.ts";
import type { ExpressionSubject } from "../suite.ts";
import type { SuiteContext } from "./context.ts";
import { celToJson } from "./values.ts";

export function observeExpression({ expression, variables }: ExpressionSubject, { engine }: SuiteContext): Observation {
  const values = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fromJson(toPlain(value))]));
  const environment = celEnvironment(values, engine.version);
  const compiled = environment.compile(expression);
  if (!compiled.ok) return failed(compiled.text);
  const planned = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
  if (!planned.ok) return failed(planned.error.message);
  const { value, cost } = planned.program.evaluate(values);
  if (isError(value)) return { ...failed(value.message), cost };
  const json = celToJson(value);
  return {
    outcomes: [json === true ? "allow" : json === false ? "deny" : "match"],
    why: "", texts: [], warnings: [], cost, value: json,
  };
}

function failed(message: string): Observation & { readonly value: JsonValue | undefined } {
  return { outcomes: ["error"], why: message, texts: [message], warnings: [], value: undefined };
}
