/** Strings that are another one between constants or in another case: tests of them are tests of that one. */

import type { Call } from "../evaluate/call.ts";
import { termOf } from "../evaluate/call.ts";
import { equalsTest } from "../evaluate/places.ts";
import type { State } from "../evaluate/state.ts";
import { constant, type Scalar, type Sym } from "../evaluate/symbolic.ts";
import { inCase, type TextTest, textWithin, type Within } from "../theory/text-theory.ts";
import { digitsTest } from "./digits.ts";
import { testOfWhole } from "./text-images.ts";

/** Whether a string passes; a choice if both are possible. */
export function decideText(state: State, scalar: Scalar, test: TextTest): boolean {
  const { term, part, image, form } = scalar;
  const digits = form && digitsTest(state, scalar, test);
  if (form !== undefined && digits !== undefined) return state.decideInt(form.variable, digits);
  const whole = image && testOfWhole(image, test);
  if (image !== undefined && whole !== undefined) return whole !== false && state.decideText(image.variable, whole);
  if (part === undefined) return state.decideText(term.key, test);
  const { variable, within } = part;
  if (test.equals !== undefined && within.letters === undefined) {
    const middle = between(test.equals, within);
    return middle !== undefined && state.decideText(variable, equalsTest(middle));
  }
  const { prefix = "", suffix = "" } = within;
  const more = [...prefix, ...suffix].length;
  if (test.minLength !== undefined) {
    const minLength = test.minLength - more;
    if (minLength <= 0) return true;
    return state.decideText(variable, {
      key: `size>=${minLength}`,
      holds: (text) => [...text].length >= minLength,
      minLength,
    });
  }
  return state.decideText(variable, {
    key: `${JSON.stringify([prefix, suffix, within.letters ?? ""])} ${test.key}`,
    holds: (text) => test.holds(textWithin(within, text)),
    pattern: test.pattern,
    within,
  });
}

/** Whether a string equals itself in another case; undefined if it is not about one place. */
export function equalsItsCase(state: State, left: Scalar, right: Scalar): boolean | undefined {
  const [one, other] = [partOf(left), partOf(right)];
  if (one === undefined || other === undefined || one.variable !== other.variable) return undefined;
  const [first, second] = [one.within, other.within];
  const areWhole = [first, second].every(({ prefix = "", suffix = "" }) => prefix === "" && suffix === "");
  const letters = first.letters ?? second.letters;
  if (!areWhole || letters === undefined || (first.letters !== undefined && second.letters !== undefined))
    return undefined;
  const changed = letters === "lower" ? "[A-Z]" : "[a-z]";
  const test = { key: `has ${changed}`, pattern: changed, holds: (text: string) => new RegExp(changed).test(text) };
  return !state.decideText(one.variable, test);
}

/** The text between prefix and suffix. */
function between(whole: string, { prefix = "", suffix = "" }: Within): string | undefined {
  const isPossible =
    whole.length >= prefix.length + suffix.length && whole.startsWith(prefix) && whole.endsWith(suffix);
  return isPossible ? whole.slice(prefix.length, whole.length - suffix.length) : undefined;
}

/** The place that a string is made of; undefined if no theory covers it. */
function partOf({ kind, part, term, form, image }: Scalar): NonNullable<Scalar["part"]> | undefined {
  if (kind !== "string" || form !== undefined || image !== undefined) return undefined;
  return part ?? { variable: term.key, within: {} };
}

/** A string that depends on the request, and a constant. */
export function concatenated(call: Call): Sym | undefined {
  const [left, right] = call.args;
  if (left?.k === "scalar" && right?.k === "const" && typeof right.value === "string") {
    return right.value === "" ? left : around(call, left, "", right.value);
  }
  if (right?.k === "scalar" && left?.k === "const" && typeof left.value === "string") {
    return left.value === "" ? right : around(call, right, left.value, "");
  }
  return undefined;
}

/** A text with a single `%s`, for a string. */
export function formatted(call: Call): Sym | undefined {
  const [text, values] = call.args;
  const [only, ...rest] = values?.k === "items" ? values.items : [];
  if (text?.k !== "const" || typeof text.value !== "string" || only?.k !== "scalar" || rest.length > 0)
    return undefined;
  const [before, after, ...more] = text.value.split("%s");
  const isPlain =
    before !== undefined && after !== undefined && more.length === 0 && !`${before}${after}`.includes("%");
  return isPlain && only.kind === "string" ? around(call, only, before, after) : undefined;
}

function around(call: Call, scalar: Scalar, before: string, after: string): Sym | undefined {
  const part = partOf(scalar);
  if (part === undefined) return undefined;
  const { prefix = "", suffix = "", letters } = part.within;
  const within = { prefix: before + prefix, suffix: suffix + after, letters };
  return { k: "scalar", kind: "string", term: termOf(call), part: { variable: part.variable, within } };
}

export function inOtherCase(letters: "lower" | "upper") {
  return (_: State, call: Call): Sym | undefined => {
    const [only] = call.args;
    if (only?.k === "const" && typeof only.value === "string") return constant(inCase(only.value, letters));
    const part = only?.k === "scalar" ? partOf(only) : undefined;
    if (part === undefined) return undefined;
    const { prefix = "", suffix = "" } = part.within;
    const within = { prefix: inCase(prefix, letters), suffix: inCase(suffix, letters), letters };
    return { k: "scalar", kind: "string", term: termOf(call), part: { variable: part.variable, within } };
  };
}
