import { namespaceView, requestObject } from "../policy/activation.js";
import { compiledPolicy } from "../policy/compile.js";
import { evaluate } from "./evaluate.js";
import { fromJson } from "./from-json.js";
import { allWays } from "./path-search.js";
import { outcomeOf } from "./quantify.js";
import { State } from "./state.js";
import { ERROR, NULL_SYM } from "./symbolic.js";
/** All outcomes that a proof would think possible; `undefined` stands for what it does not model. */
export function modelOutcomes(policy, index, attributes, namespace) {
  const compiled = compiledPolicy(policy);
  const ast = compiled.validations[index]?.ast;
  if (ast === undefined) return ["E"];
  const outcomes = [];
  const budget = { spend: () => undefined };
  for (const way of allWays(
    (choices) => run(ast, new State(choices, (id) => id), compiled, attributes, namespace),
    budget,
  )) {
    outcomes.push(way.kind === "done" ? way.value : undefined);
  }
  return outcomes;
}
function run(ast, state, compiled, attributes, namespace) {
  const variables = new Map();
  const scope = (name) => {
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
  const at = ({ checked }) => evaluate(checked.expr, { state, ast: checked, scope, unit: "", loops: "" });
  return outcomeOf(state, at(ast));
}
function known(object) {
  return object === undefined ? NULL_SYM : fromJson(object);
}
