/** The overloads of `<`, `<=`, `>`, `>=` between different numeric types, hidden unless the environment enables them. */
const TYPES = ["double", "int64", "uint64"];
const COMPARISONS = ["less", "less_equals", "greater", "greater_equals"];

export const CROSS_TYPE_COMPARISONS: ReadonlySet<string> = new Set(
  COMPARISONS.flatMap((comparison) =>
    TYPES.flatMap((left) => TYPES.filter((right) => right !== left).map((right) => `${comparison}_${left}_${right}`)),
  ),
);
