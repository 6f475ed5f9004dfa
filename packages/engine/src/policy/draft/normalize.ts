/**
 * The last step: what was made must be acceptable to the API server, or be named.
 *
 * The early shape checks expressions against schemas, so `object.spec.paused` is a boolean there. In v1 it is dynamic and
 * refused as such; comparing it with true says the same.
 */
import { formatFieldError } from "../../field/format.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import { ExpressionCompiler } from "../compile.ts";
import { decodeBinding, decodePolicy } from "../objects/decode.ts";
import { validatePolicy } from "../objects/validate.ts";
import { validateBinding } from "../objects/validate-binding.ts";
import { readPolicy } from "../policy.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";

export function normalizePolicy(json: JsonObject, report: Report): JsonObject {
  const normalized = withExactTypes(json);
  const { value, error } = decodePolicy(normalized);
  const problems = error === undefined ? validatePolicy(value).map(formatFieldError) : [error];
  for (const problem of problems) report("error", "spec", findings.notAccepted(problem));
  return normalized;
}

export function normalizeBinding(json: JsonObject, report: Report): JsonObject {
  const { value, error } = decodeBinding(json);
  const problems = error === undefined ? validateBinding(value).map(formatFieldError) : [error];
  for (const problem of problems) report("error", "spec.match", findings.badMatch(problem));
  return json;
}

function withExactTypes(json: JsonObject): JsonObject {
  const spec = objectOf(json["spec"]);
  const validations = objectsOf(spec["validations"]);
  if (validations.length === 0) return json;
  const isDynamic = dynamicExpressions(json);
  const exact = validations.map((validation) => {
    const [expression, message] = [textOf(validation["expression"]), textOf(validation["messageExpression"])];
    return {
      ...validation,
      ...(isDynamic(expression, true) && { expression: `(${expression}) == true` }),
      ...(message !== "" && isDynamic(message, false) && { messageExpression: `string(${message})` }),
    };
  });
  return { ...json, spec: { ...spec, validations: exact } };
}

/** Whether an expression compiles to a value of unknown type. */
function dynamicExpressions(json: JsonObject): (expression: string, hasAuthorizer: boolean) => boolean {
  const { variables, paramKind } = readPolicy(json);
  const hasParams = paramKind !== undefined;
  const compiler = new ExpressionCompiler({ composes: true });
  for (const { name, expression } of variables) {
    compiler.compileVariable(name, expression, { hasParams, hasAuthorizer: true }, "new");
  }
  return (expression, hasAuthorizer) =>
    compiler.compile(expression, [], { hasParams, hasAuthorizer }, "new").type?.kind === "dyn";
}
