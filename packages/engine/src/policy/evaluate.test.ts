import { expect, test } from "vitest";
import { compilePolicy } from "./compile.ts";
import { type EvaluationInputs, evaluatePolicy } from "./evaluate.ts";
import { plainObject } from "./policy.testing.ts";
import { loadPolicy } from "./policy.ts";

const object = plainObject({ metadata: { name: "endpoints1" }, list: ["a", "b"] });
const inputs = {
  object,
  oldObject: undefined,
  params: undefined,
  request: () => object,
  namespaceObject: () => undefined,
  authorizer: undefined,
};
const all: EvaluationInputs = {
  matchConditions: inputs,
  validations: inputs,
  messageExpressions: inputs,
  auditAnnotations: inputs,
};

function evaluate(spec: object) {
  return evaluatePolicy(compilePolicy(loadPolicy(plainObject({ metadata: { name: "p" }, spec }))), all);
}

const name = { name: "name", expression: "object.metadata.name" };

test.each([
  { expression: "variables.name == 'endpoints1'", cost: 3, variablesCost: 3 },
  { expression: "variables.name == 'endpoints1' && variables.name == 'endpoints1'", cost: 6, variablesCost: 3 },
  { expression: "true || variables.name == ''", cost: 0, variablesCost: 0 },
])("$expression costs $cost and $variablesCost for the variable", ({ expression, cost, variablesCost }) => {
  const { steps } = evaluate({ variables: [name], validations: [{ expression }] });
  expect(steps.validations?.results).toMatchObject([{ cost, variablesCost }]);
});

test("a variable is charged to the first expression that reads it, and again to messages", () => {
  const validation = { expression: "variables.name != ''", messageExpression: "variables.name + ''" };
  const { steps } = evaluate({ variables: [name], validations: [validation, validation] });
  expect(steps.validations?.results.map(({ variablesCost }) => variablesCost)).toEqual([3, 0]);
  expect(steps.messageExpressions?.results.map(({ variablesCost }) => variablesCost)).toEqual([3, 0]);
});

test.each([
  {
    name: "a validation that does not compile",
    spec: { validations: [{ expression: "nope" }] },
    message: /^compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'/,
  },
  {
    name: "a variable that does not compile",
    spec: { variables: [{ name: "v", expression: "1 + 'a'" }], validations: [{ expression: "variables.v == 1" }] },
    message: /composited variable "v" fails to compile: compilation failed: ERROR/,
  },
])("$name is an error of the request", ({ spec, message }) => {
  expect(evaluate(spec).decisions).toMatchObject([{ action: "deny", evaluation: "error" }]);
  expect(evaluate(spec).decisions[0]?.message).toMatch(message);
  expect(evaluate({ ...spec, failurePolicy: "Ignore" }).decisions).toMatchObject([
    { action: "admit", evaluation: "error" },
  ]);
});

test("all validations are evaluated, and every message expression too", () => {
  const { decisions, steps } = evaluate({
    validations: [
      { expression: "true", messageExpression: "'one'" },
      { expression: "false" },
      { expression: "object.nope == 1" },
    ],
  });
  expect(decisions.map(({ evaluation }) => evaluation)).toEqual(["admit", "deny", "error"]);
  expect(steps.messageExpressions?.results.map(({ value }) => value)).toEqual(["one", undefined, undefined]);
});

test("a false condition is named and ends the evaluation", () => {
  const conditions = ["true", "object.nope == 1", "false"].map((expression, index) => ({
    name: `c${index}`,
    expression,
  }));
  const { decisions, steps } = evaluate({ matchConditions: conditions, validations: [{ expression: "false" }] });
  expect(decisions).toEqual([]);
  expect(steps.excludedBy).toBe(2);
  expect(steps.validations).toBeUndefined();
});
