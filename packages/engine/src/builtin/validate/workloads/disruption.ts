/** Budgets for disruptions. Follows pkg/apis/policy/validation. */
import { type FieldError, invalid, notSupported } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, objectOf, textOf } from "../../object.ts";
import { atMost100Percent, intOrPercent, notNegative } from "../checks.ts";
import { validateConditions } from "../conditions.ts";
import { validateSelector } from "../selector.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const STATUS = newPath("status");
const EVICTION_POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

export function validateBudget(budget: JsonObject): FieldError[] {
  const spec = objectOf(budget, "spec") ?? {};
  const isBoth = has(spec, "minAvailable") && has(spec, "maxUnavailable");
  const policy = textOf(spec, "unhealthyPodEvictionPolicy");
  const isPolicy = !has(spec, "unhealthyPodEvictionPolicy") || EVICTION_POLICIES.includes(policy);
  return [
    ...(isBoth ? [invalid(SPEC, internalJson("policy.PodDisruptionBudgetSpec", spec), messages.oneBudget())] : []),
    ...["minAvailable", "maxUnavailable"].flatMap((key) => [
      ...intOrPercent(spec[key], SPEC.child(key)),
      ...atMost100Percent(spec[key], SPEC.child(key)),
    ]),
    ...validateSelector(objectOf(spec, "selector"), SPEC.child("selector")),
    ...(isPolicy ? [] : [notSupported(SPEC.child("unhealthyPodEvictionPolicy"), policy, EVICTION_POLICIES)]),
  ];
}

const COUNTERS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

export function validateBudgetStatus(budget: JsonObject): FieldError[] {
  const status = objectOf(budget, "status") ?? {};
  return [...validateConditions(status, STATUS), ...COUNTERS.flatMap((key) => notNegative(status, key, STATUS))];
}
