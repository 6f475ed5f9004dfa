/** A policy says once for all its validations what becomes of failures; here they are sorted by that. */
import type { Action } from "./severity.ts";
import type { ConvertedValidation } from "./validations.ts";

/** What a policy says once for all its validations. */
export interface Handling {
  readonly failurePolicy: string;
  readonly action: Action;
}

/** Validations that are handled alike, each with its place in the original. */
export interface Part extends Handling {
  /** What distinguishes the name of the policy from the original. */
  readonly suffix: string;
  /** The same in words. */
  readonly what: string;
  readonly isFirst: boolean;
  readonly validations: readonly { readonly index: number; readonly converted: ConvertedValidation }[];
}

export function splitValidations(validations: readonly (ConvertedValidation | undefined)[], usual: Handling): Part[] {
  const kept = validations.flatMap((converted, index) => (converted === undefined ? [] : [{ index, converted }]));
  const handlings = new Map<string, Handling>();
  const handlingOf = ({ converted }: (typeof kept)[number]): Handling => ({
    failurePolicy: converted.failurePolicy ?? usual.failurePolicy,
    action: converted.action,
  });
  const keyOf = ({ failurePolicy, action }: Handling): string => `${failurePolicy} ${action}`;
  if (kept.length === 0 || kept.some((each) => keyOf(handlingOf(each)) === keyOf(usual)))
    handlings.set(keyOf(usual), usual);
  for (const each of kept) handlings.set(keyOf(handlingOf(each)), handlingOf(each));
  return [...handlings].map(([key, handling], index) => {
    const marks = handlings.size === 1 ? [] : differences(handling, usual);
    return {
      ...handling,
      suffix: marks.map(([, value]) => `.${value.toLowerCase()}`).join(""),
      what: marks.map(([what, value]) => `${what} ${value}`).join(" and "),
      isFirst: index === 0,
      validations: kept.filter((each) => keyOf(handlingOf(each)) === key),
    };
  });
}

function differences(handling: Handling, usual: Handling): [what: string, value: string][] {
  const { failurePolicy, action } = handling;
  return [
    ...(failurePolicy === usual.failurePolicy ? [] : [["failure policy", failurePolicy] as [string, string]]),
    ...(action === usual.action ? [] : [["action", action] as [string, string]]),
  ];
}
