/**
 * `a + b + c == text` without building the string: each part is compared with its place in the text. Building it would
 * only pay off if something else read it, and comparing a string that was just concatenated is slow.
 */
import { joinedSize, runesIn, textSize } from "../../values/text-size.ts";
import type { Value } from "../../values/value.ts";
import { charge, type Frame, type Run } from "../frame.ts";
import { type FieldRead, type Plan, type Planning, readOf } from "../plan.ts";
import { traversal } from "../price.ts";

/** `general` is the same comparison with the string built. */
export function planJoinedEquality(
  planning: Planning,
  negate: boolean,
  [left, right]: readonly [Plan, Plan],
  general: Run,
): Plan | undefined {
  if (planning.exact || left.parts === undefined) return undefined;
  const parts = left.parts.map(partOf);
  const { slot, name, otherwise } = readOf(right);
  const run: Run = (frame) => {
    const { cost } = frame;
    const found = slot < 0 ? undefined : frame.field(slot, name);
    const text = found === undefined ? otherwise(frame) : found;
    const equal = typeof text === "string" ? equalsJoined(frame, parts, text) : undefined;
    if (equal !== undefined) return equal !== negate;
    // Nothing that ran so far has an effect besides its cost.
    frame.cost = cost;
    return general(frame);
  };
  return planning.node(run, 0, [left, right]);
}

interface Part extends FieldRead {
  /** A constant part. */
  readonly text: string | undefined;
}

function partOf(plan: Plan): Part {
  const text = typeof plan.constant === "string" ? plan.constant : undefined;
  return { ...readOf(plan), text };
}

/** Charges each `+` and the comparison. Undefined if a part is not a string. */
function equalsJoined(frame: Frame, parts: readonly Part[], text: string): boolean | undefined {
  const textRunes = textSize(text);
  let equal = true;
  let offset = 0;
  let size = 0;
  let cost = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) break;
    const value = part.text === undefined ? readPart(frame, part) : part.text;
    if (typeof value !== "string") return undefined;
    const { length } = value;
    offset += length;
    // Not `startsWith`, which V8 makes slow. A part beyond the end of the text makes the lengths differ.
    equal &&= length === 1 ? text.charCodeAt(offset - 1) === value.charCodeAt(0) : text.endsWith(value, offset);
    // A part that was found in an ASCII text need not be counted.
    size = joinedSize(size, equal && textRunes >= 0 ? length : textSize(value));
    if (index > 0) cost += traversal(runesIn(size));
  }
  equal &&= offset === text.length;
  const runes = runesIn(size);
  charge(frame, cost + traversal(equal ? runes : Math.min(runes, runesIn(textRunes))));
  return equal;
}

function readPart(frame: Frame, { slot, name, otherwise }: Part): Value {
  const found = slot < 0 ? undefined : frame.field(slot, name);
  return found === undefined ? otherwise(frame) : found;
}
