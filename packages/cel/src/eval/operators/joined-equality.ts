/**
 * `a + b + c == text` without building the string: each part is compared with its place in the text. Building it would
 * only pay off if something else read it, and comparing a string that was just concatenated is slow.
 */
import { joinedSize, runesIn, runesOf, textSize } from "../../values/text-size.ts";
import { charge, type Frame, type Run } from "../frame.ts";
import type { Plan, Planning } from "../plan.ts";
import { traversal } from "../price.ts";

/** `general` is the same comparison with the string built. */
export function planJoinedEquality(
  planning: Planning,
  negate: boolean,
  [left, right]: readonly [Plan, Plan],
  general: Run,
): Plan | undefined {
  const { parts } = left;
  if (planning.exact || parts === undefined) return undefined;
  const { run: runRight } = right;
  const run: Run = (frame) => {
    const { cost } = frame;
    const text = runRight(frame);
    const equal = typeof text === "string" ? equalsJoined(frame, parts, text) : undefined;
    if (equal !== undefined) return equal !== negate;
    // Nothing that ran so far has an effect besides its cost.
    frame.cost = cost;
    return general(frame);
  };
  return planning.node(run, 0, [left, right]);
}

/** Charges each `+` and the comparison. Undefined if a part is not a string. */
function equalsJoined(frame: Frame, parts: readonly Run[], text: string): boolean | undefined {
  let equal = true;
  let offset = 0;
  let size = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]?.(frame);
    if (typeof part !== "string") return undefined;
    equal &&= text.startsWith(part, offset);
    offset += part.length;
    size = index === 0 ? textSize(part) : joinedSize(size, textSize(part));
    if (index > 0) charge(frame, traversal(runesIn(size)));
  }
  equal &&= offset === text.length;
  const runes = runesIn(size);
  frame.cost += traversal(equal ? runes : Math.min(runes, runesOf(text)));
  return equal;
}
