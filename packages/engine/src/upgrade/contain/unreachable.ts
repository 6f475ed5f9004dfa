/** Places of a schema that no value can have. */
import type { SchemaStep } from "../pairs.ts";
import { stepSchema } from "../place.ts";
import type { SchemaSides } from "../witness/quirk.ts";
import { conjuncts, largest, smallest } from "./proof.ts";

/** Whether no old object has a value at the place, because it is below a list or map that must be empty. */
export function isUnreachable({ old, new: changed }: SchemaSides, path: readonly SchemaStep[]): boolean {
  let [at, next] = [old, changed];
  for (const step of path) {
    if (at === undefined || next === undefined) return false;
    const nodes = conjuncts(at);
    [at, next] = [stepSchema(at, step), stepSchema(next, step)];
    const most = smallest(
      nodes.map(({ maxItems }) => maxItems),
      Number.POSITIVE_INFINITY,
    );
    const least = largest(
      nodes.map(({ minItems }) => minItems),
      0,
    );
    if (step.kind === "item" && (most <= 0 || most < least)) return true;
    // A null that was dropped does not count as a member.
    const keepsNull = next?.nullable === true && at?.nullable !== true;
    if (step.kind !== "item" && !keepsNull && nodes.some(({ maxProperties }) => maxProperties === 0)) return true;
  }
  return false;
}
