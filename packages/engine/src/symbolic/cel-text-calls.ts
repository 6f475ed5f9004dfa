/**
 * Functions that make a string of another string. The result has a name; facts relate it to what it was made from, and
 * comparisons with constants are conditions on that.
 */

import { isFirstFact } from "./data-terms.ts";
import { and, FALSE, type Formula, flag, type Linear, matches, not, or, same, sizeName, TRUE } from "./formula.ts";
import { atMost, constantLinear, equalTo, lessThan, linearText, variable } from "./linear.ts";
import { always, NONE, type Term, type Terms } from "./term.ts";
import { escapePattern } from "./texts.ts";

type Text = Extract<Term, { sort: "text" }> & { readonly name: string };

export function isTextCall(call: string): boolean {
  return Object.hasOwn(CALLS, call);
}

/** Undefined if the function is not modelled. */
export function textCall(call: string, [text, ...args]: readonly Term[], facts: Formula[]): Terms | undefined {
  if (text?.sort !== "text" || text.constant !== undefined || text.equals !== undefined) return undefined;
  const constants = args.map(constantText);
  // Not the name of the expression, which may choose between strings.
  const name = `${call}(${[text.name, ...constants].join(", ")})`;
  if (constants.includes(undefined)) return undefined;
  const made = Object.hasOwn(CALLS, call) ? CALLS[call] : undefined;
  const found: Formula[] = [];
  const terms = made?.(text, name, args, found);
  if (terms !== undefined && found.length > 0 && isFirstFact(facts, name)) facts.push(...found);
  return terms;
}

function constantText(term: Term): string | undefined {
  if (term.sort === "text" && term.constant !== undefined) return JSON.stringify(term.constant);
  return term.sort === "int" && term.linear.terms.size === 0 ? String(term.linear.constant) : undefined;
}

type TextCall = (text: Text, name: string, args: readonly Term[], facts: Formula[]) => Terms | undefined;

const CALLS: Readonly<Record<string, TextCall>> = {
  lowerAscii: (text, name, args, facts) => (args.length > 0 ? undefined : recased(text, name, "A-Z", facts)),
  upperAscii: (text, name, args, facts) => (args.length > 0 ? undefined : recased(text, name, "a-z", facts)),
  trim: (text, name, args, facts) => (args.length > 0 ? undefined : trimmed(text, name, facts)),
  replace: replaced,
  substring: (text, name, args) => {
    const [from, to] = args.map(numberOf);
    if (from === undefined || args.length > 2 || (args.length === 2 && to === undefined)) return undefined;
    return part(text, name, from, to);
  },
  charAt: (text, name, args) => {
    const [at] = args.map(numberOf);
    return at === undefined || args.length !== 1 ? undefined : charAt(text, name, at);
  },
  indexOf: (text, name, args, facts) => position(text, name, args, facts, true),
  lastIndexOf: (text, name, args, facts) => position(text, name, args, facts, false),
  int: (text, name, args, facts) => (args.length > 0 ? undefined : parsedInt(text, name, facts)),
};

/** Letters of the class become those of the other case. */
function recased({ name: from }: Text, name: string, letters: string, facts: Formula[]): Terms {
  const isKept = `^[^${letters}]*$`;
  facts.push(
    iff(same(name, from), matches(from, isKept)),
    matches(name, isKept),
    equalTo(variable(sizeName(name)), variable(sizeName(from))),
  );
  const isChanged = new RegExp(`[${letters}]`);
  const equals = (wanted: string): Formula =>
    isChanged.test(wanted) ? FALSE : matches(from, `^(?:${[...wanted].map(eitherCase).join("")})$`);
  return always({ sort: "text", name, equals });
}

function eitherCase(char: string): string {
  return /^[a-zA-Z]$/.test(char) ? `[${char.toLowerCase()}${char.toUpperCase()}]` : escapePattern(char);
}

/** Unicode's white space, as Go's `strings.TrimSpace` removes it. */
const SPACE = "[\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]";
const IS_SPACED = `^${SPACE}|${SPACE}$`;
const SPACED = new RegExp(IS_SPACED.replaceAll("\\x", "\\u"), "u");

function trimmed({ name: from }: Text, name: string, facts: Formula[]): Terms {
  facts.push(
    iff(same(name, from), not(matches(from, IS_SPACED))),
    not(matches(name, IS_SPACED)),
    atMost(variable(sizeName(name)), variable(sizeName(from))),
  );
  const equals = (wanted: string): Formula =>
    SPACED.test(wanted) ? FALSE : matches(from, `^${SPACE}*(?:${escapePattern(wanted)})${SPACE}*$`);
  return always({ sort: "text", name, equals });
}

/** A replaced part changes the string, unless it is replaced by itself. */
function replaced({ name: from }: Text, name: string, args: readonly Term[], facts: Formula[]): Terms | undefined {
  const [part, by, third] = args;
  if (part?.sort !== "text" || by?.sort !== "text" || third !== undefined) return undefined;
  if (part.constant === undefined || by.constant === undefined || part.constant === "") return undefined;
  const isKept = part.constant === by.constant ? TRUE : not(matches(from, escapePattern(part.constant)));
  facts.push(iff(same(name, from), isKept));
  return always({ sort: "text", name });
}

/** `substring`: an error if the string is too short. */
function part({ name: from }: Text, name: string, start: number, end: number | undefined): Terms | undefined {
  if (start < 0 || start > MAX_OFFSET || (end !== undefined && (end < start || end > MAX_OFFSET))) return undefined;
  const before = `^(?s:.{${start}})`;
  const equals = (wanted: string): Formula => {
    if (end === undefined) return matches(from, `${before}(?:${escapePattern(wanted)})$`);
    return [...wanted].length === end - start ? matches(from, `${before}(?:${escapePattern(wanted)})`) : FALSE;
  };
  return ifLong(from, end ?? start, { sort: "text", name, equals });
}

const MAX_OFFSET = 200;

/** The character at an index; nothing at the end, an error beyond it. */
function charAt({ name: from }: Text, name: string, at: number): Terms | undefined {
  if (at < 0 || at > MAX_OFFSET) return undefined;
  const equals = (wanted: string): Formula => {
    if (wanted === "") return equalTo(variable(sizeName(from)), constantLinear(BigInt(at)));
    return [...wanted].length === 1 ? matches(from, `^(?s:.{${at}})(?:${escapePattern(wanted)})`) : FALSE;
  };
  return ifLong(from, at, { sort: "text", name, equals });
}

function ifLong(from: string, least: number, term: Term): Terms {
  const isLong = atMost(constantLinear(BigInt(least)), variable(sizeName(from)));
  return [
    { when: isLong, is: term },
    { when: not(isLong), is: NONE },
  ];
}

/** -1 if the part does not occur. */
function position(
  { name: from }: Text,
  name: string,
  args: readonly Term[],
  facts: Formula[],
  isFirst: boolean,
): Terms | undefined {
  const [wanted, second] = args;
  if (wanted?.sort !== "text" || wanted.constant === undefined || wanted.constant === "" || second !== undefined)
    return undefined;
  const found = escapePattern(wanted.constant);
  const [index, zero] = [variable(name), constantLinear(0n)];
  facts.push(
    iff(matches(from, found), atMost(zero, index)),
    atMost(constantLinear(-1n), index),
    atMost(index, variable(sizeName(from))),
    ...(isFirst ? [iff(matches(from, `^(?:${found})`), equalTo(index, zero))] : []),
  );
  return always({ sort: "int", linear: index });
}

/** Up to 18 digits are an int64; its sign is that of the text. */
function parsedInt({ name: from }: Text, name: string, facts: Formula[]): Terms {
  const isThere = matches(from, "^[+-]?[0-9]{1,18}$");
  const isLarge = and(matches(from, "^[+-]?[0-9]{19,}$"), flag(`there ${name}`));
  const isValue = or(isThere, isLarge);
  const [value, zero] = [variable(name), constantLinear(0n)];
  facts.push(
    or(not(isValue), iff(matches(from, "^-0*[1-9]"), lessThan(value, zero))),
    or(not(isValue), iff(matches(from, "^[+]?0*[1-9]"), lessThan(zero, value))),
    atMost(constantLinear(-(2n ** 63n)), value),
    atMost(value, constantLinear(2n ** 63n - 1n)),
  );
  return [
    { when: isValue, is: { sort: "int", linear: value } },
    { when: not(isValue), is: NONE },
  ];
}

/** The decimal text of an integer. */
export function textOfInt(linear: Linear): Term {
  const equals = (wanted: string): Formula =>
    /^(?:0|-?[1-9][0-9]{0,18})$/.test(wanted) ? equalTo(linear, constantLinear(BigInt(wanted))) : FALSE;
  return { sort: "text", name: `string(${linearText(linear)})`, equals };
}

function numberOf(term: Term): number | undefined {
  if (term.sort !== "int" || term.linear.terms.size > 0) return undefined;
  return Number(term.linear.constant);
}

function iff(left: Formula, right: Formula): Formula {
  return or(and(left, right), and(not(left), not(right)));
}
