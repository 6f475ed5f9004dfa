/** The number of elements, entries or characters. */

import { digitCount } from "../texts/digits.ts";
import { hasPieces } from "../texts/text-parts.ts";
import { decideText } from "../texts/texts.ts";
import { intDomain } from "../theory/int-theory.ts";
import { Unmodeled } from "../theory/path-search.ts";
import { callFunction } from "./concrete.ts";
import { openMapState } from "./places.ts";
import { splitParts } from "./quantify.ts";
import { intScalar } from "./scalars.ts";
import type { State } from "./state.ts";
import { sizeKey } from "./state.ts";
import { constant, ERROR, type ListSource, type Scalar, type Sym, type Term, type ViewPart } from "./symbolic.ts";

/** `size(x)`; an error for values without a size. */
export function sizeOf(state: State, sym: Sym): Sym {
  const value = state.resolve(sym);
  switch (value.k) {
    case "const":
      return constantSize(value);
    case "items":
      return constant(value.items.length);
    case "entries":
      return constant(value.entries.size);
    case "view":
      return viewSize(state, value.parts);
    case "mapnode":
      if (value.alternative.open === undefined) throw new Unmodeled("the number of fields of an object");
      openMapState(state, value.node, value.alternative);
      return intScalar(sizeKey(value.node), "int");
    case "scalar":
      return scalarSize(state, value);
    default:
      return ERROR;
  }
}

function constantSize({ value }: Sym & { k: "const" }): Sym {
  const size = callFunction("size", false, [value]);
  return size === undefined || (typeof size !== "number" && typeof size !== "bigint") ? ERROR : constant(size);
}

function scalarSize(state: State, value: Scalar): Sym {
  if (value.kind !== "string" && value.type !== "bytes") return ERROR;
  const key = `size(${value.term.key})`;
  const digits = value.kind === "string" ? digitCount(state, value) : undefined;
  if (digits !== undefined) return { ...intScalar(key, "int", sizeTerm(key, value)), form: digits };
  if (!state.ints.has(key)) state.ints.set(key, intDomain({ min: 0n, max: MAX_SIZE }));
  const term = sizeTerm(key, value);
  state.derived.set(key, term);
  const size = intScalar(key, "int", term);
  if (value.kind !== "string") return size;
  const { image } = value;
  if (image !== undefined) return { ...size, isAtMost: lengthAtMost(state, value) };
  const { prefix = "", suffix = "" } = value.part?.within ?? {};
  const more = [...prefix, ...suffix].length;
  return { ...size, lengthOf: { variable: value.part?.variable ?? value.term.key, more } };
}

function sizeTerm(key: string, { term }: Scalar): Term {
  const evaluate: Term["evaluate"] = (values) => {
    const text = term.evaluate(values);
    return text === undefined ? undefined : callFunction("size", false, [text]);
  };
  return { key, variables: term.variables, evaluate };
}

function lengthAtMost(state: State, value: Scalar): Scalar["isAtMost"] {
  return (limit) => {
    const minLength = Number(limit) + 1;
    if (minLength <= 0) return false;
    const holds = (text: string): boolean => [...text].length >= minLength;
    return !decideText(state, value, { key: `size>=${minLength}`, holds, minLength });
  };
}

const MAX_SIZE = 2n ** 32n;

/** The number of pieces of a string that was split. */
function piecesAtMost(state: State, source: ListSource, more: number): Scalar["isAtMost"] {
  if (source.k !== "listnode" || !state.splits.has(source.node.id)) return undefined;
  return (limit) => {
    const has = hasPieces(state, source, Number(limit) - more + 1);
    return has === undefined ? undefined : !has;
  };
}

/** With filters, the size is a count. */
function viewSize(state: State, parts: readonly ViewPart[]): Sym {
  const { items, symbolic } = splitParts(parts);
  if (symbolic.length === 0) return constant(items.length);
  const [only, ...rest] = symbolic;
  const isFiltered = symbolic.some(({ steps }) => steps.some(({ kind }) => kind === "filter"));
  if (isFiltered || only === undefined || rest.length > 0) return { k: "count", view: { parts } };
  const { source } = only;
  if (source.k === "listnode") state.listState(source.node, source.alternative);
  else openMapState(state, source.node, source.alternative);
  const size = { ...intScalar(sizeKey(source.node), "int"), isAtMost: piecesAtMost(state, source, items.length) };
  if (items.length === 0 || size.form === undefined) return size;
  const more = BigInt(items.length);
  return {
    ...size,
    term: { ...size.term, key: `${size.term.key}+${more}` },
    form: { ...size.form, apply: (value) => value + more },
    sum: { terms: new Map([[sizeKey(source.node), 1n]]), constant: more },
  };
}
