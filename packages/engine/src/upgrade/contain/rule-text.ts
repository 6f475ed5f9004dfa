/**
 * What rules ask of texts, as automata: `matches`, `contains`, `startsWith`, `endsWith`, `==`, `in` and `size()` of one
 * text can be true and false together only if there is such a text among those that the old schema allows.
 */
import type { CallExpr, Constant, Expr } from "@portcullis/cel/internal";
import { type Automaton, compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import type { Structural } from "../../schema/structural.ts";
import { type Folding, isAlwaysThere, schemaOf } from "./rule-fold.ts";
import type { Scope } from "./rule-reads.ts";
import { escapePattern, type TextDomain, textDomain } from "./string.ts";

/** A question about a text. */
export interface TextAtom {
  /** Which text, as its path. */
  readonly subject: string;
  readonly schema: Structural;
  /** Whether every object has the text, so that asking is no error. */
  readonly isSteady: boolean;
  readonly asks: { readonly automaton: Automaton } | { readonly operator: string; readonly length: number };
}

export function textAtom(expr: Expr, folding: Folding, scope: Scope): TextAtom | undefined {
  const asked = expr.kind === "call" ? questionOf(expr) : undefined;
  if (asked === undefined) return undefined;
  const path = steady(asked.text, scope);
  const schema = path && schemaOf(path, folding);
  if (path === undefined || schema === undefined || schema.type !== "string" || schema.nullable) return undefined;
  const isSteady = asked.text.kind === "ident" || isAlwaysThere(path, folding);
  return { subject: path.join("."), schema, isSteady, asks: asked.asks };
}

function steady(expr: Expr, scope: Scope): readonly string[] | undefined {
  if (expr.kind === "ident") return scope.get(expr.name);
  const outer = expr.kind === "select" && !expr.testOnly ? steady(expr.operand, scope) : undefined;
  return outer && expr.kind === "select" ? [...outer, expr.field] : undefined;
}

interface Question {
  readonly text: Expr;
  readonly asks: TextAtom["asks"];
}

function questionOf({ function: name, target, args }: CallExpr): Question | undefined {
  const [first, second] = args;
  if (target !== undefined && first?.kind === "literal" && typeof first.value === "string")
    return asking(target, sourceOf(name, first.value));
  if (first === undefined || second === undefined) return undefined;
  if (name === "_==_" && second.kind === "literal" && typeof second.value === "string")
    return asking(first, `^${escapePattern(second.value)}$`);
  if (name === "@in" && second.kind === "list") {
    const texts = second.elements.map((each) => (each.kind === "literal" ? each.value : undefined));
    if (!texts.every((each): each is string => typeof each === "string")) return undefined;
    return asking(first, `^(?:${texts.map(escapePattern).join("|")})$`);
  }
  const length = second.kind === "literal" ? lengthOf(second.value) : undefined;
  const text = first.kind === "call" && first.function === "size" ? (first.target ?? first.args[0]) : undefined;
  return length === undefined || text === undefined || !LENGTHS.includes(name)
    ? undefined
    : { text, asks: { operator: name, length } };
}

const LENGTHS: readonly string[] = ["_<_", "_<=_", "_>_", "_>=_"];

function lengthOf(value: Constant): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

function sourceOf(name: string, text: string): string | undefined {
  switch (name) {
    case "matches":
      return text;
    case "contains":
      return escapePattern(text);
    case "startsWith":
      return `^${escapePattern(text)}`;
    case "endsWith":
      return `${escapePattern(text)}$`;
    default:
      return undefined;
  }
}

function asking(text: Expr, source: string | undefined): Question | undefined {
  const automaton = source === undefined ? undefined : compileAutomaton(source);
  return automaton && { text, asks: { automaton } };
}

/** Answers about texts, remembered; the texts found on the way may show what a rule refuses. */
export class TextTheory {
  readonly found: string[] = [];
  readonly #minor: number;
  readonly #known = new Map<string, boolean>();
  readonly #domains = new WeakMap<Structural, TextDomain>();

  constructor(minor: number) {
    this.#minor = minor;
  }

  /** Whether one text can answer all these questions so. */
  isPossible(answers: readonly { readonly atom: TextAtom; readonly isTrue: boolean }[]): boolean {
    const groups = new Map<string, typeof answers>();
    for (const each of answers) groups.set(each.atom.subject, [...(groups.get(each.atom.subject) ?? []), each]);
    return [...groups.values()].every((group) => this.#hasText(group));
  }

  #hasText(answers: readonly { readonly atom: TextAtom; readonly isTrue: boolean }[]): boolean {
    const key = JSON.stringify(answers.map(({ atom, isTrue }) => [atom.subject, keyOf(atom), isTrue]).sort());
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isPossible = this.#search(answers);
    this.#known.set(key, isPossible);
    return isPossible;
  }

  #search(answers: readonly { readonly atom: TextAtom; readonly isTrue: boolean }[]): boolean {
    const [first] = answers;
    if (first === undefined) return true;
    const domain = this.#domain(first.atom.schema);
    const accept = [...domain.accept];
    const reject: Automaton[] = [];
    let [min, max] = [domain.min, domain.max];
    for (const { atom, isTrue } of answers) {
      const { asks } = atom;
      if ("automaton" in asks) (isTrue ? accept : reject).push(asks.automaton);
      else {
        const [low, high] = range(asks.operator, asks.length, isTrue);
        [min, max] = [Math.max(min, low), Math.min(max, high)];
      }
    }
    if (min > max) return false;
    const answer = findText({ accept, reject, minLength: min, maxLength: max, maxSteps: 100_000 });
    if (answer.kind === "found") this.found.push(answer.text);
    return answer.kind !== "none";
  }

  #domain(schema: Structural): TextDomain {
    const known = this.#domains.get(schema);
    if (known !== undefined) return known;
    const domain = textDomain(schema, this.#minor);
    const listed = domain.listed && compileAutomaton(`^(?:${domain.listed.map(escapePattern).join("|")})$`);
    const made = listed === undefined ? domain : { ...domain, accept: [...domain.accept, listed] };
    this.#domains.set(schema, made);
    return made;
  }
}

function keyOf({ asks }: TextAtom): string {
  return "automaton" in asks ? asks.automaton.source : `${asks.operator}${asks.length}`;
}

/** The lengths for which the comparison has the answer. */
function range(operator: string, length: number, isTrue: boolean): readonly [number, number] {
  const below: readonly [number, number] = [0, operator === "_<_" || operator === "_>=_" ? length - 1 : length];
  const above: readonly [number, number] = [below[1] + 1, Number.POSITIVE_INFINITY];
  const isBelow = (operator === "_<_" || operator === "_<=_") === isTrue;
  return isBelow ? below : above;
}
