/** How messages show that a value of an internal type changed. */
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { goDiff } from "../go-diff/go-diff.ts";
import { internalText } from "./internal.ts";
import { reflected } from "./reflected.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** `type` is that of the struct, such as `core.PodSpec`. Up to 1.33 the difference is that of Go values. */
export function internalDifference(type: string, before: JsonObject, after: JsonObject): string {
  return since("1.34")
    ? unifiedDiff(internalText(type, before), internalText(type, after))
    : goDiff(reflected(type, before), reflected(type, after));
}
