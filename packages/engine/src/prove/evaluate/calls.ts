/**
 * Functions of the language on values that depend on the request. A function that is not modelled is uninterpreted: it
 * has the same result for the same arguments, and may fail.
 */
import {
  isError as isCelError,
  ListValue,
  MapValue,
  OptionalValue,
  STRING,
  type Value,
} from "@portcullis/cel/internal";
import { asInteger, isInteger, quantitySign, quantitySum } from "../relations/quantity-calls.ts";
import { ANY, sortOf, TEXT } from "../sorts/sort.ts";
import { isCanonicalQuantity } from "../sorts/sort-go.ts";
import { charAt, noteSplit, numberOf, position, replaced, substring, trimmed } from "../texts/text-parts.ts";
import { concatenated, decideText, formatted, inOtherCase } from "../texts/texts.ts";
import { intDomain } from "../theory/int-theory.ts";
import { INFEASIBLE, Unmodeled } from "../theory/path-search.ts";
import { isPattern, matchesPattern, quotePattern, type TextTest } from "../theory/text-theory.ts";
import { arithmetic, negation, nonZero, toDouble, toInt, toText } from "./arithmetic.ts";
import { authorizerStep, isAllowed, isAuthorizerStep, withoutAuthorizerError } from "./authorizer-calls.ts";
import { type Call, type Known, TOTAL, termOf } from "./call.ts";
import { callFunction } from "./concrete.ts";
import { threeWay } from "./order.ts";
import { outcomeOf, quantify } from "./quantify.ts";
import { kindName } from "./relate.ts";
import { intScalar } from "./scalars.ts";
import { partsOf, SETS } from "./sets.ts";
import { sizeOf } from "./sizes.ts";
import type { State } from "./state.ts";
import { constant, ERROR, FALSE, type Scalar, type Sym, type Term, TRUE, truth } from "./symbolic.ts";

/** Arguments are resolved, and none is an error. */
export function applyCall(state: State, call: Call): Sym {
  const args = call.args.map((arg) => state.resolve(arg));
  if (args.some(({ k }) => k === "error")) return ERROR;
  const resolved = { ...call, args };
  const known = KNOWN[call.name]?.(state, resolved);
  if (known !== undefined) return known;
  return callConstants(resolved) ?? applyOpaque(state, resolved);
}

function callConstants(call: Call): Sym | undefined {
  const { name, isMember: isMethod, args } = call;
  const values = args.flatMap((arg) => (arg.k === "const" ? [arg.value] : []));
  if (values.length < args.length) return undefined;
  const value = callFunction(name, isMethod, values);
  if (value === undefined) return undefined;
  if (isCelError(value)) return ERROR;
  const made = fromValue(value);
  return made.k === "const" && typeof value === "object" ? { ...made, key: termOf(call).key } : made;
}

/** Lists and maps that functions return are split into their elements. */
function fromValue(value: Value): Sym {
  if (value instanceof ListValue) {
    return { k: "items", items: Array.from({ length: value.size }, (_, at) => fromValue(value.at(at))) };
  }
  if (value instanceof MapValue) throw new Unmodeled("a function that makes a map");
  if (value instanceof OptionalValue)
    return { k: "optional", value: value.value === undefined ? undefined : fromValue(value.value) };
  return constant(value);
}

const KNOWN: Readonly<Record<string, Known>> = {
  size: (state, { args }) => sizeOf(state, args[0] ?? ERROR),
  dyn: (_, { args }) => args[0],
  startsWith: textTest((text) => ({ ...literal("starts", text), holds: (whole) => whole.startsWith(text) })),
  endsWith: textTest((text) => ({ ...literal("ends", text), holds: (whole) => whole.endsWith(text) })),
  contains: textTest((text) => ({ ...literal("contains", text), holds: (whole) => whole.includes(text) })),
  matches: (state, call) => (hasInvalidPattern(call) ? ERROR : matchesTest(state, call)),
  "_+_": (state, call) => addition(state, call) ?? arithmetic("+")(state, call),
  "_-_": arithmetic("-"),
  "_*_": arithmetic("*"),
  "_/_": arithmetic("/"),
  "_%_": arithmetic("%"),
  "-_": negation,
  string: (state, call) => toText(state, call),
  quantity: (state, call) => (isQuantityText(state, call) ? resultOf(state, call, termOf(call)) : undefined),
  isQuantity: (state, call) => (isQuantityText(state, call) ? TRUE : isParsedBy("quantity")(state, call)),
  isURL: isParsedBy("url"),
  isIP: isParsedBy("ip"),
  isCIDR: isParsedBy("cidr"),
  isSemver: isParsedBy("semver"),
  int: (state, call) => toInt(call) ?? numberOf(state, call),
  indexOf: position("first"),
  lastIndexOf: position("last"),
  substring,
  charAt,
  trim: trimmed,
  replace: replaced,
  format: (_, call) => formatted(call),
  double: (_, call) => toDouble(call),
  isLessThan: ordered((sign) => truth(sign < 0)),
  isGreaterThan: ordered((sign) => truth(sign > 0)),
  compareTo: ordered((sign) => constant(sign)),
  add: quantitySum(1n),
  sub: quantitySum(-1n),
  sign: quantitySign,
  isInteger: isInteger(fails),
  asInteger: asInteger(fails),
  join: (state, call) => (isTextList(state, call) ? resultOf(state, call, termOf(call)) : undefined),
  lowerAscii: inOtherCase("lower"),
  upperAscii: inOtherCase("upper"),
  path: (_, call) => authorizerStep(call),
  group: (_, call) => authorizerStep(call),
  resource: (_, call) => authorizerStep(call),
  subresource: (_, call) => authorizerStep(call),
  namespace: (_, call) => authorizerStep(call),
  name: (_, call) => authorizerStep(call),
  check: (_, call) => authorizerStep(call),
  allowed: isAllowed,
  errored: (state, call) => withoutAuthorizerError(state, call, FALSE),
  error: (state, call) => withoutAuthorizerError(state, call, constant("")),
  split: (state, call) =>
    isPlainSplit(call) ? noteSplit(state, call, resultOf(state, call, termOf(call))) : undefined,
  ...SETS,
  "optional.of": (_, { args: [first = ERROR] }) => ({ k: "optional", value: first }),
  "optional.ofNonZeroValue": (state, { args: [first = ERROR] }) => nonZero(state, first),
  "optional.none": () => ({ k: "optional", value: undefined }),
  hasValue: (_, { args: [first] }) => (first?.k === "optional" ? truth(first.value !== undefined) : ERROR),
  value: (_, { args: [first] }) => (first?.k === "optional" ? (first.value ?? ERROR) : ERROR),
  orValue: (_, { args: [first, second = ERROR] }) => (first?.k === "optional" ? (first.value ?? second) : ERROR),
  or: (_, { args: [first, second = ERROR] }) =>
    first?.k === "optional" ? (first.value === undefined ? second : first) : ERROR,
};

function literal(kind: "contains" | "ends" | "starts", text: string): Pick<TextTest, "literal" | "pattern"> {
  const [start, end] = [kind === "starts" ? "\\A" : "", kind === "ends" ? "\\z" : ""];
  return { literal: { kind, text }, pattern: `${start}${quotePattern(text)}${end}` };
}

/** A test of a string, as a pattern built from a constant. */
function textTest(make: (part: string) => Omit<TextTest, "key">): Known {
  return (state, { name, args }) => {
    const [text, part] = args;
    if (text?.k !== "scalar" || part?.k !== "const") return undefined;
    if (text.kind !== "string" || typeof part.value !== "string") return ERROR;
    return truth(decideText(state, text, { key: `${name}(${JSON.stringify(part.value)})`, ...make(part.value) }));
  };
}

const matchesTest = textTest((pattern) => ({ pattern, holds: (text) => matchesPattern(pattern, text) }));

/** The API server refuses an invalid literal; a pattern that is put together fails when it is used. */
function hasInvalidPattern({ args: [, pattern] }: Call): boolean {
  return pattern?.k === "const" && typeof pattern.value === "string" && !isPattern(pattern.value);
}

/** Kinds with a total order. */
const ORDERED: readonly string[] = ["kubernetes.Quantity", "kubernetes.Semver"];

function ordered(make: (sign: number) => Sym): Known {
  return (state, { args: [left, right] }) => {
    if (left === undefined || right === undefined || (left.k === "const" && right.k === "const")) return undefined;
    const [kind, other] = [kindName(left), kindName(right)];
    return kind === other && ORDERED.includes(kind) ? make(threeWay(state, left, right)) : undefined;
  };
}

/** Concatenates lists and strings, which never fails; numbers are handled by arithmetic. */
function addition(state: State, call: Call): Sym | undefined {
  const [left, right] = call.args;
  const areTexts = left !== undefined && right !== undefined && [left, right].every(isText);
  if (areTexts && (left.k === "scalar" || right.k === "scalar"))
    return concatenated(call) ?? resultOf(state, { ...call, type: STRING }, termOf(call));
  const [first, second] = [left && partsOf(left), right && partsOf(right)];
  if (first === undefined && second === undefined) return undefined;
  if (first === undefined || second === undefined) return ERROR;
  return { k: "view", parts: [...first, ...second] };
}

function isText(sym: Sym): boolean {
  return kindName(sym) === "string";
}

/** Quantities of built-in kinds are always well formed. */
function isQuantityText(state: State, { args: [first] }: Call): boolean {
  if (first?.k !== "scalar" || first.kind !== "string") return false;
  return state.texts.get(first.term.key)?.base.isPossible === isCanonicalQuantity;
}

/** Whether the function that reads a string succeeds. */
function isParsedBy(name: string): Known {
  return (state, call) => {
    const [first, ...rest] = call.args;
    if (rest.length > 0 || first?.k !== "scalar" || first.kind !== "string") return undefined;
    return truth(!fails(state, termOf({ ...call, name, isMember: false })));
  };
}

/** Joining a list of strings never fails. */
function isTextList(state: State, { args: [list = ERROR, separator] }: Call): boolean {
  const parts = partsOf(list);
  if (parts === undefined || (separator !== undefined && kindName(separator) !== "string")) return false;
  const isText = quantify(state, parts, ([item = ERROR]) => truth(kindName(state.resolve(item)) === "string"), "F");
  return outcomeOf(state, isText) === "T";
}

/** Splitting a string at a separator never fails, and gives at least one string. */
function isPlainSplit({ args: [text, separator, ...rest] }: Call): boolean {
  return (
    rest.length === 0 &&
    text !== undefined &&
    isText(text) &&
    separator?.k === "const" &&
    typeof separator.value === "string" &&
    separator.value !== "" &&
    text.k === "scalar"
  );
}

/** An uninterpreted function of its arguments. */
function applyOpaque(state: State, call: Call): Sym {
  const term = termOf(call);
  const total = TOTAL[call.name];
  const [first] = call.args;
  const kind = first && kindName(first);
  if (total !== undefined && kind !== undefined && kind !== total.of && kind !== total.also) return ERROR;
  const isTotal = isAuthorizerStep(call) || (total !== undefined && call.args.every((arg) => kindName(arg) === kind));
  if (!isTotal && fails(state, term)) return ERROR;
  if (call.name === "int" && first?.k === "scalar" && first.kind === "string") requireDigits(state, first);
  return resultOf(state, call, term);
}

const DIGITS = "\\A[-+]?[0-9]+\\z";

/** A string that converts to an int has only digits and a sign. */
function requireDigits(state: State, { term }: Scalar): void {
  const test = { key: "digits", pattern: DIGITS, holds: (text: string) => matchesPattern(DIGITS, text) };
  if (!state.decideText(term.key, test)) throw INFEASIBLE;
}

/** Whether a call fails; the same for the same arguments. */
function fails(state: State, term: Term): boolean {
  const key = `fails ${term.key}`;
  const isNew = !state.facts.has(key);
  const isFailed = state.fact(key, 2) === 1;
  if (isNew) state.note(term, (value) => isCelError(value) === isFailed);
  return isFailed;
}

function resultOf(state: State, call: Call, term: Term): Sym {
  const { type, args } = call;
  const operand = args.find((arg): arg is Scalar => arg.k === "scalar");
  const isArithmetic = /^_[-+*/%]_$/.test(call.name) || call.name === "-_";
  const kind = isArithmetic && type?.kind === "dyn" ? operand?.kind : type?.kind;
  switch (kind) {
    case "bool":
      return { k: "scalar", kind: "bool", term };
    case "string":
      state.derived.set(term.key, term);
      return { k: "scalar", kind: "string", term };
    case "int":
      state.derived.set(term.key, term);
      if (!state.ints.has(term.key)) state.ints.set(term.key, intDomain({}));
      return intScalar(term.key, "int", term);
    case "double":
      state.derived.set(term.key, term);
      if (!state.reals.has(term.key))
        state.reals.set(term.key, { min: undefined, max: undefined, tests: [], isComputed: true });
      return { k: "scalar", kind: "double", term, real: { variable: term.key, apply: (value) => value, direction: 1 } };
    case "list":
      state.derivedLists.set(term.key, term);
      return { k: "node", node: state.nodeAt(undefined, term.key, listSort(call), undefined) };
    case "opaque":
      if (type?.kind === "opaque" && type.name === "optional_type") throw new Unmodeled(`the function ${call.name}`);
      return { k: "scalar", kind: "other", term, type: type?.kind === "opaque" ? type.name : undefined };
    case "timestamp":
      return { k: "scalar", kind: "other", term, type: "google.protobuf.Timestamp" };
    case "duration":
      return { k: "scalar", kind: "other", term, type: "google.protobuf.Duration" };
    case "bytes":
      return { k: "scalar", kind: "other", term, type: "bytes" };
    case "object":
      return { k: "scalar", kind: "other", term, type: type?.kind === "object" ? type.name : undefined };
    default:
      throw new Unmodeled(`the function ${call.name}`);
  }
}

function listSort(call: Call) {
  const { type } = call;
  const item = type?.kind === "list" && type.element.kind === "string" ? TEXT : ANY;
  const min = call.name === "split" && isPlainSplit(call) ? 1 : 0;
  return sortOf([{ kind: "list", item: () => item, min }]);
}
