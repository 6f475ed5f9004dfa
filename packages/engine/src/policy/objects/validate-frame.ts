/**
 * The checks for both kinds of policies: metadata, params, constraints, conditions, variables.
 *
 * When neither the match conditions nor the paramKind change, the conditions are not looked at again. Follows kubernetes
 * pkg/apis/admissionregistration/validation.
 */
import { type FieldError, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { validateMeta } from "../../schema/object-meta.ts";
import { semanticEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { objectOf } from "../../value/read.ts";
import type { AdmissionPolicy } from "../policy.ts";
import { type ExpressionContext, validateConditions, validateVariable } from "./validate-expressions.ts";
import { validateChoice, validateMatchResources } from "./validate-match.ts";
import { META_RULES } from "./validate-names.ts";
import { validateParamKind } from "./validate-param-kind.ts";

const FAILURE_POLICIES = ["Fail", "Ignore"];

export interface PolicyFrame {
  readonly json: JsonObject;
  /** On update, what is stored. */
  readonly old: JsonObject | undefined;
  /** `json`, read. */
  readonly policy: Pick<AdmissionPolicy, "paramKind" | "matchConditions" | "variables">;
  readonly context: ExpressionContext;
  /** Additional checks of the kind for the constraints. */
  readonly checkMatch?: (match: JsonValue | undefined, path: FieldPath) => FieldError[];
}

export function validateFrame({ json, old, policy, context, checkMatch }: PolicyFrame): FieldError[] {
  const spec = objectOf(json["spec"]);
  const path = newPath("spec");
  const match = spec["matchConstraints"];
  const keepsConditions = old !== undefined && hasSameConditions(spec, objectOf(old["spec"]));
  return [
    ...validateMeta(objectOf(json["metadata"]), META_RULES, newPath("metadata")),
    ...validateChoice(spec["failurePolicy"], FAILURE_POLICIES, path.child("failurePolicy")),
    ...validateParamKind(policy.paramKind, path.child("paramKind")),
    ...validateConstraints(match, path.child("matchConstraints")),
    ...(checkMatch?.(match, path.child("matchConstraints")) ?? []),
    ...(keepsConditions ? [] : validateConditions(policy.matchConditions, context, path.child("matchConditions"))),
    ...policy.variables.flatMap((variable, index) =>
      validateVariable(variable, context, path.child("variables").index(index)),
    ),
  ];
}

function validateConstraints(constraints: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (!isObject(constraints)) return [required(path)];
  const rules = constraints["resourceRules"];
  const isEmpty = !Array.isArray(rules) || rules.length === 0;
  return [...validateMatchResources(constraints, path), ...(isEmpty ? [required(path.child("resourceRules"))] : [])];
}

/** Neither they nor what they may read changed. */
function hasSameConditions(spec: JsonObject, old: JsonObject): boolean {
  const same = (key: string): boolean => semanticEqual(spec[key], old[key]);
  return same("paramKind") && same("matchConditions");
}
