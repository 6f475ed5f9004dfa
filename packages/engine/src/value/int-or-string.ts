/**
 * The int-or-string of Kubernetes: an int32 or a string, of which percentages are the common case.
 *
 * Follows apimachinery util/intstr.
 */
import type { JsonValue } from "./json.ts";

/** Whether a value may stand in an `x-kubernetes-int-or-string` field: any integer or string. */
export function isIntOrString(value: JsonValue | undefined): value is number | bigint | string {
  if (typeof value === "string" || typeof value === "bigint") return true;
  return typeof value === "number" && Number.isInteger(value);
}

/** The number before the percent sign, or undefined when the text is not a percentage. */
export function percentOf(text: string): number | undefined {
  const match = /^([+-]?[0-9]+)%$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
