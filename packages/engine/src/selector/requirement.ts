/** One requirement of a label selector. Follows apimachinery pkg/labels. */
import * as strconv from "@portcullis/gostd/strconv";

export type Operator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** All requirements must hold; none match everything. */
export type LabelSelector = readonly Requirement[];

export type Labels = Readonly<Record<string, string>>;

export function matchesRequirement({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    default:
      return value !== undefined && comparesTo(operator, value, values[0] ?? "");
  }
}

function comparesTo(operator: "gt" | "lt", value: string, limit: string): boolean {
  const [left, right] = [strconv.parseInt(value, 10, 64), strconv.parseInt(limit, 10, 64)];
  if (left.error !== undefined || right.error !== undefined) return false;
  return operator === "gt" ? left.value > right.value : left.value < right.value;
}
