/** The rules of kinds that are judged beyond their metadata. */
import type { FieldError } from "../../field/error.ts";
import type { JsonObject } from "../../value/json.ts";

export interface KindRules {
  readonly create: (object: JsonObject) => FieldError[];
  readonly update: (object: JsonObject, old: JsonObject) => FieldError[];
}

const RULES: Readonly<Record<string, KindRules>> = {};

export function rulesOf(group: string, kind: string): KindRules | undefined {
  return RULES[`${group}/${kind}`];
}
