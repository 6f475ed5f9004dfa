/** Evaluates expressions with the model of proofs on a known request: the outcome must be the engine's own. */
import type { Ast } from "@portcullis/cel/internal";
import { namespaceView, requestObject } from "../../policy/activation.ts";
import type { AdmissionAttributes } from "../../policy/attributes.ts";
import { type CompiledPolicy, compiledPolicy } from "../../policy/compile.ts";
import type { AdmissionPolicy } from "../../policy/policy.ts";
import type { JsonObject } from "../../value/json.ts";
import { allWays } from "../theory/path-search.ts";
import type { Scope } from "./context.ts";
import { evaluate } from "./evaluate.ts";
import { fromJson } from "./from-json.ts";
import { outcomeOf } from "./quantify.ts";
import { State } from "./state.ts";
import { ERROR, NULL_SYM, type Sym } from "./symbolic.ts";

/** All outcomes that a proof considers possible; `undefined` means that it is not modelled. */
export function modelOutcomes(
  policy: AdmissionPolicy,
  index: number,
  attributes: AdmissionAttributes,
  namespace: JsonObject | undefined,
): (string | undefined)[] {
  const compiled = compiledPolicy(policy);
  const ast = compiled.validations[index]?.ast;
  if (ast === undefined) return ["E"];
  const outcomes: (string | undefined)[] = [];
  const budget = { spend: () => undefined };
  for (const way of allWays(
    (choices) => run(ast, new State(choices, (id) => id), compiled, attributes, namespace),
    budget,
  )) {
    outcomes.push(way.kind === "done" ? way.value : undefined);
  }
  return outcomes;
}

function run(
  ast: Ast,
  state: State,
  compiled: CompiledPolicy,
  attributes: AdmissionAttributes,
  namespace: JsonObject | undefined,
): string {
  const variables = new Map<string, Sym>();
  const scope: Scope = (name) => {
    if (name === "object" || name === "oldObject") return known(attributes[name]);
    if (name === "request") return fromJson(requestObject(attributes, attributes));
    if (name === "namespaceObject") return known(namespace && namespaceView(namespace));
    if (!name.startsWith("variables.")) return undefined;
    const variable = compiled.variables.get(name.slice("variables.".length));
    if (variable === undefined) return undefined;
    const value = variables.get(name) ?? (variable.ast === undefined ? ERROR : at(variable.ast));
    variables.set(name, value);
    return value;
  };
  const at = ({ checked }: Ast): Sym =>
    evaluate(checked.expr, { state, ast: checked, scope, unit: () => "", view: "", bound: "" });
  return outcomeOf(state, at(ast));
}

function known(object: JsonObject | undefined): Sym {
  return object === undefined ? NULL_SYM : fromJson(object);
}
