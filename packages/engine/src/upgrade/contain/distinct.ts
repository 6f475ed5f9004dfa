/** How many different values there can be. */
import type { Structural } from "../../schema/structural.ts";

/** How many different items a set can have at most. */
export function distinctCount({ listType, items }: Structural): number | undefined {
  if (listType !== "set" || items === undefined || items.nullable) return undefined;
  if (items.type === "boolean") return 2;
  return items.type === "string" && items.enum !== undefined && items.enum.length > 0 ? items.enum.length : undefined;
}
