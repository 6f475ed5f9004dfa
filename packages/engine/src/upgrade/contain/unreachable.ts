/** Places of a schema that no value can have. */
import type { Structural } from "../../schema/structural.ts";
import type { SchemaStep } from "../pairs.ts";
import { stepSchema } from "../place.ts";
import { conjuncts } from "./proof.ts";

/** Whether no old object has a value at the place, because it is below a list or map that must be empty. */
export function isUnreachable(schema: Structural | undefined, path: readonly SchemaStep[]): boolean {
  let at = schema;
  for (const step of path) {
    if (at === undefined) return false;
    const nodes = conjuncts(at);
    if (step.kind === "item" && nodes.some(({ maxItems }) => maxItems === 0)) return true;
    if (step.kind !== "item" && nodes.some(({ maxProperties }) => maxProperties === 0)) return true;
    at = stepSchema(at, step);
  }
  return false;
}
