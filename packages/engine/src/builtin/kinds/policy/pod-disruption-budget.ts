/** PodDisruptionBudget. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, count, NAME, spec, statusCount, text } from "../../columns/column.ts";
import { validateBudget, validateBudgetStatus } from "../../validate/workloads/disruption.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";
import { segmentName } from "../names.ts";

export const podDisruptionBudget = defineKind("policy/v1", "PodDisruptionBudget", {
  checkName: segmentName,
  metadata: { create: "last", update: "none", statusUpdate: "none" },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  validate: validateBudget,
  validateStatusUpdate: validateBudgetStatus,
  columns: [
    NAME,
    text("Min Available", (budget) => numberOrPercentage(budget, "minAvailable")),
    text("Max Unavailable", (budget) => numberOrPercentage(budget, "maxUnavailable")),
    count("Allowed Disruptions", statusCount("disruptionsAllowed")),
    AGE,
  ],
  unconditionalUpdate: false,
});

function numberOrPercentage(budget: JsonObject, key: string): string {
  const value = spec(budget)[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "N/A";
}
