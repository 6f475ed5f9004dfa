/** How many different values there can be. */
import type { Structural } from "../../schema/structural.ts";

/** How many different items a set, or a list map by its keys, can have at most. */
export function distinctCount({ listType, listMapKeys, items }: Structural): number | undefined {
  if (items === undefined || items.nullable) return undefined;
  if (listType === "set") return valueCount(items);
  if (listType !== "map" || listMapKeys.length === 0) return undefined;
  let count = 1;
  for (const key of listMapKeys) {
    const own = items.properties.get(key);
    const values = own && valueCount(own);
    if (values === undefined) return undefined;
    count *= values;
  }
  return count;
}

/** A default is one of the values that the schema accepts. */
function valueCount({ type, nullable, enum: values, maxLength, format }: Structural): number | undefined {
  if (nullable) return undefined;
  if (type === "boolean") return 2;
  if (type !== "string") return undefined;
  if (values !== undefined && values.length > 0) return values.length;
  return maxLength === 0 && format === "" ? 1 : undefined;
}
