/**
 * The int-or-string of Kubernetes: an int32 or a string, of which percentages are the common case.
 *
 * Follows apimachinery util/intstr.
 */
import type { JsonValue } from "./json.ts";

export type IntOrString = number | string;

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;

/** Whether a value may stand in an `x-kubernetes-int-or-string` field: any integer or string. */
export function isIntOrString(value: JsonValue | undefined): value is number | bigint | string {
  if (typeof value === "string" || typeof value === "bigint") return true;
  return typeof value === "number" && Number.isInteger(value);
}

/** What the typed field holds, or undefined where Go's decoder would refuse the value. */
export function asIntOrString(value: JsonValue): IntOrString | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
  return value >= INT32_MIN && value <= INT32_MAX ? value : undefined;
}

/** The number before the percent sign, or undefined when the text is not a percentage. */
export function percentOf(text: string): number | undefined {
  const match = /^([+-]?[0-9]+)%$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
