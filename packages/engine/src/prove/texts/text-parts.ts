/** Functions that take something out of a string: parts, pieces, positions, and the number that it stands for. */
import { ListValue } from "@portcullis/cel/internal";
import { type Call, type Known, termOf } from "../evaluate/call.ts";
import { callFunction } from "../evaluate/concrete.ts";
import { intScalar } from "../evaluate/scalars.ts";
import type { State } from "../evaluate/state.ts";
import { ERROR, type ListSource, type Scalar, type Sym, type Term } from "../evaluate/symbolic.ts";
import { intDomain } from "../theory/int-theory.ts";
import { matchesPattern, quotePattern, type TextTest } from "../theory/text-theory.ts";
import {
  charImage,
  MAX_REPEATED,
  pieceImage,
  piecesPattern,
  replaceImage,
  sliceImage,
  suffixImage,
  type TextImage,
  trimImage,
} from "./text-images.ts";

/** The place that holds the string itself; undefined if the string is made of another one. */
function placeOf(sym: Sym | undefined): string | undefined {
  if (sym?.k !== "scalar" || sym.kind !== "string" || sym.form !== undefined || sym.image !== undefined)
    return undefined;
  return sym.part === undefined ? sym.term.key : undefined;
}

/** A place for the result too: tests that no pattern expresses are about it. */
function imageScalar(state: State, term: Term, image: TextImage): Scalar {
  state.derived.set(term.key, term);
  return { k: "scalar", kind: "string", term, image };
}

const patternTest = (key: string, pattern: string): TextTest => ({
  key,
  pattern,
  holds: (text) => matchesPattern(pattern, text),
});

function hasLength(state: State, variable: string, minLength: number): boolean {
  if (minLength <= 0) return true;
  const holds = (text: string): boolean => [...text].length >= minLength;
  return state.decideText(variable, { key: `size>=${minLength}`, holds, minLength });
}

export const substring: Known = (state, call) => {
  const [whole, from, to] = call.args;
  const [variable, start] = [placeOf(whole), indexOf(from)];
  if (variable === undefined || start === undefined) return undefined;
  if (to === undefined) {
    return hasLength(state, variable, start) ? imageScalar(state, termOf(call), suffixImage(variable, start)) : ERROR;
  }
  const end = indexOf(to);
  if (end === undefined) return undefined;
  if (start > end || !hasLength(state, variable, end)) return ERROR;
  return imageScalar(state, termOf(call), sliceImage(variable, start, end));
};

export const charAt: Known = (state, call) => {
  const [whole, index] = call.args;
  const [variable, at] = [placeOf(whole), indexOf(index)];
  if (variable === undefined || at === undefined) return undefined;
  return hasLength(state, variable, at) ? imageScalar(state, termOf(call), charImage(variable, at)) : ERROR;
};

function indexOf(sym: Sym | undefined): number | undefined {
  const value = sym?.k === "const" ? sym.value : undefined;
  return typeof value === "number" && value >= 0 && value <= MAX_REPEATED ? value : undefined;
}

export const trimmed: Known = (state, call) => {
  const variable = placeOf(call.args[0]);
  if (variable === undefined) return undefined;
  const apply = (whole: string): string | undefined => textOf(callFunction("trim", true, [whole]));
  return imageScalar(state, termOf(call), trimImage(variable, apply));
};

export const replaced: Known = (state, call) => {
  const [whole, from, to, ...rest] = call.args;
  const [variable, old, next] = [placeOf(whole), constantText(from), constantText(to)];
  if (variable === undefined || old === undefined || next === undefined || rest.length > 0) return undefined;
  if ([...old].length !== 1 || [...next].length > 1) return undefined;
  return imageScalar(state, termOf(call), replaceImage(variable, old, next));
};

function constantText(sym: Sym | undefined): string | undefined {
  return sym?.k === "const" ? textOf(sym.value) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Remembers what a list was split from. */
export function noteSplit(state: State, { args: [whole, by, ...rest] }: Call, list: Sym): Sym {
  const [variable, separator] = [placeOf(whole), constantText(by)];
  const isPlain = rest.length === 0 && separator !== undefined && [...separator].length === 1;
  if (variable !== undefined && isPlain && list.k === "node") state.splits.set(list.node.id, { variable, separator });
  return list;
}

/** Whether a list that was split has at least so many pieces; undefined for other lists. */
export function hasPieces(state: State, source: ListSource, least: number): boolean | undefined {
  const split = source.k === "listnode" ? state.splits.get(source.node.id) : undefined;
  if (split === undefined || least > MAX_REPEATED) return undefined;
  if (least <= 1) return true;
  const pattern = piecesPattern(split.separator, least);
  return state.decideText(split.variable, patternTest(`pieces ${pattern}`, pattern));
}

/** A piece of a string that was split; "none" if there are not so many. */
export function pieceAt(state: State, source: ListSource, at: number): Sym | "none" | undefined {
  const isThere = hasPieces(state, source, at + 1);
  if (source.k !== "listnode" || isThere === undefined) return undefined;
  if (!isThere) return "none";
  const split = state.splits.get(source.node.id);
  const list = state.derivedLists.get(source.node.id);
  if (split === undefined || list === undefined) return undefined;
  const term: Term = {
    key: `${list.key}[${at}]`,
    variables: list.variables,
    evaluate: (values) => {
      const pieces = list.evaluate(values);
      return pieces instanceof ListValue && at < pieces.size ? pieces.at(at) : undefined;
    },
  };
  return imageScalar(state, term, pieceImage(split.variable, split.separator, at));
}

/** The first or the last position of a constant text, or -1. */
export function position(which: "first" | "last"): Known {
  return (state, call) => {
    const [whole, part, ...rest] = call.args;
    const [variable, text] = [placeOf(whole), constantText(part)];
    if (variable === undefined || text === undefined || text === "" || rest.length > 0) return undefined;
    const quoted = quotePattern(text);
    const matches = (pattern: string): boolean => state.decideText(variable, patternTest(`has ${pattern}`, pattern));
    const isAtMost = (limit: bigint): boolean | undefined => {
      if (limit < -1n) return false;
      if (limit > BigInt(MAX_REPEATED)) return undefined;
      if (which === "last") return !matches(`\\A(?s:.{${limit + 1n},})${quoted}`);
      return !matches(quoted) || (limit >= 0n && matches(`\\A(?s:.{0,${limit}})${quoted}`));
    };
    return boundedInt(state, termOf(call), isAtMost, -1n);
  };
}

const DIGITS = "\\A[-+]?[0-9]+\\z";
/** So few that the number is in range. */
const FEW_DIGITS = "\\A[-+]?0*[0-9]{1,18}\\z";

/** The number that a string stands for; an error for any other string. Undefined if the number may be out of range. */
export const numberOf: Known = (state, call) => {
  const [text] = call.args;
  const variable = placeOf(text);
  if (variable === undefined) return undefined;
  const matches = (pattern: string): boolean => state.decideText(variable, patternTest(`int ${pattern}`, pattern));
  const isWithin = (limit: bigint): boolean => matches(numbersUpTo(limit));
  if (!matches(DIGITS)) return ERROR;
  if (!matches(FEW_DIGITS)) return undefined;
  return boundedInt(state, termOf(call), isWithin);
};

/** Comparisons are tests of the string; anything else is about a number of its own. */
function boundedInt(state: State, term: Term, isAtMost: Scalar["isAtMost"], min?: bigint): Scalar {
  state.derived.set(term.key, term);
  if (!state.ints.has(term.key)) state.ints.set(term.key, intDomain({ min }));
  return { ...intScalar(term.key, "int", term), isAtMost };
}

/** A pattern for strings of digits and a sign that stand for at most this number. */
function numbersUpTo(limit: bigint): string {
  if (limit < 0n) return `\\A-0*(?:${digitsFrom(String(-limit))})\\z`;
  return `\\A(?:-[0-9]+|\\+?0*(?:${digitsUpTo(String(limit))}))\\z`;
}

function digitsUpTo(limit: string): string {
  const shorter = `[0-9]{0,${limit.length - 1}}`;
  const smaller = [...limit].flatMap((digit, at) =>
    digit === "0" ? [] : [`${limit.slice(0, at)}[0-${Number(digit) - 1}][0-9]{${limit.length - at - 1}}`],
  );
  return [shorter, ...smaller, limit].join("|");
}

function digitsFrom(limit: string): string {
  const longer = `[1-9][0-9]{${limit.length},}`;
  const larger = [...limit].flatMap((digit, at) =>
    digit === "9" ? [] : [`${limit.slice(0, at)}[${Number(digit) + 1}-9][0-9]{${limit.length - at - 1}}`],
  );
  return [longer, ...larger, limit].join("|");
}
