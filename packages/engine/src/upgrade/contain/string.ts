/**
 * Strings: patterns, regular formats and lengths together, as automata over code points. The values of an `enum` are
 * tried one by one.
 */
import { type Automaton, compileAutomaton, findText, type TextAnswer } from "@portcullis/gostd/regexp/automaton";
import type { Structural } from "../../schema/structural.ts";
import type { JsonValue } from "../../value/json.ts";
import { enforcedFormat } from "../schema-text.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { sampleTexts } from "../witness/sample-scalars.ts";
import { assortedTexts, formatAutomaton, regularFormat } from "./formats.ts";
import type { Kind } from "./kinds.ts";
import { conjuncts, holds, largest, type Obligation, open, type Proof, smallest, triedAll } from "./proof.ts";

export interface TextDomain {
  readonly accept: readonly Automaton[];
  readonly min: number;
  readonly max: number;
  readonly formats: readonly string[];
  /** All possible strings, if known. */
  readonly listed: readonly string[] | undefined;
}

export function textObligations(
  old: Structural,
  next: Structural,
  kinds: ReadonlySet<Kind>,
  check: LocalCheck,
): Obligation[] {
  if (!kinds.has("string")) return [];
  const domain = textDomain(old, check.minor);
  const found: Obligation[] = [];
  const add = (keyword: string, ask: () => Asked): void => {
    const { proof, text } = listedProof(old, next, domain, check) ?? ask();
    found.push({ keyword, detail: "", proof, candidates: () => textCandidates(text, domain, old, check) });
  };
  const { minLength = 0, maxLength } = next;
  if (minLength > 0) add("minLength", () => ask(domain, [], 0, minLength - 1));
  if (maxLength !== undefined) add("maxLength", () => askLonger(domain, maxLength, old, check));
  if (next.pattern !== "") add("pattern", () => askPattern(domain, next.pattern));
  const format = enforcedFormat(next, check.minor);
  if (format !== "" && next.type !== "integer" && next.type !== "number")
    add("format", () => askFormat(domain, format));
  return found;
}

interface Asked {
  readonly proof: Proof;
  readonly text?: string | undefined;
}

function textDomain(old: Structural, minor: number): TextDomain {
  const nodes = conjuncts(old);
  const formats = nodes.map((node) => enforcedFormat(node, minor)).filter((format) => format !== "");
  const regular = formats.flatMap((format) => regularFormat(format) ?? []);
  const lists = nodes.flatMap((node) => (node.enum === undefined || node.enum.length === 0 ? [] : [node.enum]));
  return {
    accept: [
      ...nodes.flatMap(({ pattern }) => (pattern === "" ? [] : (compileAutomaton(pattern) ?? []))),
      ...formats.flatMap((format) => formatAutomaton(format) ?? []),
    ],
    min: largest(
      nodes.map(({ minLength }) => minLength),
      0,
    ),
    max: smallest(
      [...nodes.map(({ maxLength }) => maxLength), ...regular.map(({ maxLength }) => maxLength)],
      Number.POSITIVE_INFINITY,
    ),
    formats,
    listed: lists[0]?.filter((each) => typeof each === "string"),
  };
}

function listedProof(old: Structural, next: Structural, domain: TextDomain, check: LocalCheck): Asked | undefined {
  if (domain.listed === undefined) return undefined;
  const refused = domain.listed.find((text) => check.accepts(old, text) && !check.accepts(next, text));
  return refused === undefined
    ? { proof: triedAll(`each of the ${domain.listed.length} allowed texts was tried`) }
    : { proof: open(), text: refused };
}

/** Whether an old string of this length exists that none of `reject` matches. */
function ask({ accept, min, max }: TextDomain, reject: readonly Automaton[], from: number, to: number): Asked {
  const [minLength, maxLength] = [Math.max(min, from), Math.min(max, to)];
  if (minLength > maxLength) return { proof: holds("lengths before were within the new bounds") };
  return toAsked(findText({ accept, reject, minLength, maxLength, maxSteps: 100_000 }));
}

const LONG = 1500;

/** Long strings are mostly repetition: try those before walking an automaton that far. */
function askLonger(domain: TextDomain, maxLength: number, old: Structural, check: LocalCheck): Asked {
  if (maxLength < LONG || domain.accept.length === 0) return ask(domain, [], maxLength + 1, Number.POSITIVE_INFINITY);
  for (const part of ["a", "A", "0", "a.", "a-"]) {
    for (let more = 1; more <= 5; more++) {
      const text = part.repeat(Math.ceil((maxLength + more) / part.length)).slice(0, maxLength + more);
      if (check.accepts(old, text)) return { proof: open(), text };
    }
  }
  return ask(domain, [], maxLength + 1, Number.POSITIVE_INFINITY);
}

function toAsked(answer: TextAnswer): Asked {
  if (answer.kind === "found") return { proof: open(), text: answer.text };
  if (answer.kind === "unknown") return { proof: open("budget") };
  return { proof: holds(`no such text in ${answer.states} states`) };
}

function askPattern(domain: TextDomain, pattern: string): Asked {
  const automaton = compileAutomaton(pattern);
  return automaton === undefined ? { proof: open("budget") } : ask(domain, [automaton], 0, Number.POSITIVE_INFINITY);
}

function askFormat(domain: TextDomain, format: string): Asked {
  if (domain.formats.includes(format)) return { proof: holds("the format is the same") };
  const automaton = formatAutomaton(format);
  if (automaton === undefined) return { proof: open("opaque-format") };
  const inside = ask(domain, [automaton], 0, Number.POSITIVE_INFINITY);
  const longest = regularFormat(format)?.maxLength;
  if (inside.proof.verdict === "open" || longest === undefined) return inside;
  return ask(domain, [], longest + 1, Number.POSITIVE_INFINITY);
}

function* textCandidates(
  text: string | undefined,
  domain: TextDomain,
  old: Structural,
  check: LocalCheck,
): Generator<JsonValue> {
  if (text !== undefined) yield text;
  if (domain.listed !== undefined) yield* domain.listed;
  yield* sampleTexts(conjuncts(old), check.minor);
  yield* assortedTexts();
}

/** Whether all old strings are in the given list. */
export function proveListed(old: Structural, texts: readonly string[], check: LocalCheck): Asked {
  const domain = textDomain(old, check.minor);
  if (domain.listed !== undefined) {
    const other = domain.listed.find((text) => !texts.includes(text) && check.accepts(old, text));
    return other === undefined
      ? { proof: holds("every value allowed before is listed") }
      : { proof: open(), text: other };
  }
  const source = `^(?:${texts.map(escapePattern).join("|")})$`;
  return askPattern(domain, source);
}

function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&");
}
