/** The assumptions of one branch of a search, and whether they are consistent. */
import { type DoubleFact, findDouble } from "./doubles.ts";
import { type Linear, type Literal, sizeName } from "./formula.ts";
import { type Bounds, solveIntegers } from "./integers.ts";
import { linearText } from "./linear.ts";
import { equalsPattern, findFittingText } from "./texts.ts";

/** Values that satisfy the facts, as far as they were computed: hints for a search, not a proof. */
export interface Model {
  readonly flags: ReadonlyMap<string, boolean>;
  readonly texts: ReadonlyMap<string, string>;
  readonly integers: ReadonlyMap<string, bigint>;
  readonly doubles: ReadonlyMap<string, number>;
}

export class Facts {
  readonly #flags: Map<string, boolean>;
  /** By the text of the literal: whether it is true. */
  readonly #literals: Map<string, { readonly literal: Literal; readonly isTrue: boolean }>;

  /** The names and literals that were assumed since `takeChanged` was called. */
  #changed: string[] = [];

  /** Whether no fact about integers was added since they were last found possible. */
  #isChecked: boolean;

  constructor(from?: Facts) {
    this.#isChecked = from === undefined ? false : from.#isChecked;
    this.#flags = from === undefined ? new Map() : new Map(from.#flags);
    this.#literals = from === undefined ? new Map() : new Map(from.#literals);
  }

  /** Undefined if nothing was assumed about the literal itself. */
  truthOf(literal: Literal): boolean | undefined {
    return literal.kind === "flag" ? this.#flags.get(literal.name) : this.#literals.get(literalText(literal))?.isTrue;
  }

  /** False if the opposite was assumed before. */
  assume(literal: Literal, isTrue: boolean): boolean {
    const known = this.truthOf(literal);
    if (known !== undefined) return known === isTrue;
    const text = literalText(literal);
    this.#changed.push(text);
    if (literal.kind === "flag") this.#flags.set(text, isTrue);
    else this.#literals.set(text, { literal, isTrue });
    if (literal.kind === "int" || literal.kind === "multiple") this.#isChecked = false;
    return true;
  }

  takeChanged(): readonly string[] {
    return this.#changed.splice(0);
  }

  /** A quick check, by integers only. */
  arePossible(): boolean {
    this.#isChecked ||= this.#integers() !== undefined;
    return this.#isChecked;
  }

  /** Undefined is a proof that the facts contradict each other. */
  solve(): Model | undefined {
    const bounds = this.#integers();
    if (bounds === undefined || !this.#areOrdered()) return undefined;
    const texts = this.#texts(bounds);
    const doubles = texts && this.#doubles();
    if (texts === undefined || doubles === undefined) return undefined;
    const integers = new Map([...bounds].flatMap(([name, own]) => chosen(name, own)));
    return { flags: this.#flags, texts, integers, doubles };
  }

  #of<K extends Literal["kind"]>(kind: K): { literal: Extract<Literal, { kind: K }>; isTrue: boolean }[] {
    const found: { literal: Extract<Literal, { kind: K }>; isTrue: boolean }[] = [];
    for (const { literal, isTrue } of this.#literals.values()) {
      if (isKind(literal, kind)) found.push({ literal, isTrue });
    }
    return found;
  }

  #integers(): ReadonlyMap<string, Bounds> | undefined {
    const atMostZero: Linear[] = [];
    const zero: Linear[] = [];
    const nonZero: Linear[] = [];
    for (const { literal, isTrue } of this.#of("int")) {
      const { linear, relation } = literal;
      if (relation === "==") (isTrue ? zero : nonZero).push(linear);
      else atMostZero.push(isTrue ? linear : atLeastOne(linear));
    }
    for (const name of sizesOf([...atMostZero, ...zero, ...nonZero])) {
      atMostZero.push({ terms: new Map([[name, -1n]]), constant: 0n });
    }
    const multiples = this.#of("multiple").map(({ literal, isTrue }) => ({ ...literal, isOne: isTrue }));
    return solveIntegers({ atMostZero, zero, nonZero, multiples });
  }

  /** Names that are assumed to be equal have one representative. */
  #representatives(): (name: string) => string {
    const parents = new Map<string, string>();
    const find = (name: string): string => {
      const parent = parents.get(name);
      return parent === undefined ? name : find(parent);
    };
    for (const { literal, isTrue } of this.#of("same")) {
      const [left, right] = [find(literal.left), find(literal.right)];
      if (isTrue && left !== right) parents.set(left, right);
    }
    return find;
  }

  /** Whether equal, different and ordered names are consistent. */
  #areOrdered(): boolean {
    const find = this.#representatives();
    const orders = this.#of("before");
    if (this.#of("same").some(({ literal, isTrue }) => !isTrue && find(literal.left) === find(literal.right)))
      return false;
    // Not before means equal or after: such edges must not form a cycle with a strict one.
    const edges = orders.map(({ literal, isTrue }) => {
      const [left, right] = [find(literal.left), find(literal.right)];
      return isTrue ? { from: left, to: right, isStrict: true } : { from: right, to: left, isStrict: false };
    });
    return edges.every(({ from, to, isStrict }) => !isStrict || !reaches(edges, to, from));
  }

  #texts(bounds: ReadonlyMap<string, Bounds>): ReadonlyMap<string, string> | undefined {
    const find = this.#representatives();
    const groups = new Map<string, { accept: string[]; reject: string[]; names: Set<string> }>();
    // Names of different strings, which cannot both be the only string that fits.
    const unequal = this.#of("same").flatMap(({ literal, isTrue }) =>
      isTrue ? [] : [[find(literal.left), find(literal.right)] as const],
    );
    const isCompared = new Set(unequal.flat());
    for (const { literal, isTrue } of this.#of("text")) {
      const key = find(literal.name);
      const group = groups.get(key) ?? { accept: [], reject: [], names: new Set([key]) };
      (isTrue ? group.accept : group.reject).push(literal.pattern);
      group.names.add(literal.name);
      groups.set(key, group);
    }
    const found = new Map<string, string>();
    const only = new Map<string, string>();
    for (const [key, { accept, reject, names }] of groups) {
      const sizes = [...names].flatMap((name) => bounds.get(sizeName(name)) ?? []);
      const minLength = Math.max(0, ...sizes.map(({ low }) => Number(low ?? 0n)));
      const maxLength = Math.min(...sizes.map(({ high }) => (high === undefined ? Infinity : Number(high))));
      const answer = findFittingText({ accept, reject, minLength, maxLength });
      if (answer.kind === "none") return undefined;
      if (answer.kind !== "found") continue;
      for (const name of names) found.set(name, answer.text);
      const others = { accept, reject: [...reject, equalsPattern(answer.text)], minLength, maxLength };
      if (isCompared.has(key) && findFittingText(others).kind === "none") only.set(key, answer.text);
    }
    const isEqual = ([left, right]: readonly [string, string]): boolean =>
      only.has(left) && only.get(left) === only.get(right);
    return unequal.some(isEqual) ? undefined : found;
  }

  #doubles(): ReadonlyMap<string, number> | undefined {
    const find = this.#representatives();
    const groups = new Map<string, DoubleFact[]>();
    for (const { literal, isTrue } of this.#of("double")) {
      const key = find(literal.name);
      const group = groups.get(key) ?? [];
      group.push({ relation: literal.relation, value: literal.value, isTrue });
      groups.set(key, group);
    }
    const found = new Map<string, number>();
    for (const [name, facts] of groups) {
      const value = findDouble(facts);
      if (value === undefined) return undefined;
      found.set(name, value);
    }
    return found;
  }
}

function isKind<K extends Literal["kind"]>(literal: Literal, kind: K): literal is Extract<Literal, { kind: K }> {
  return literal.kind === kind;
}

/** The negation of "at most 0", for integers. */
function atLeastOne({ terms, constant }: Linear): Linear {
  return { terms: new Map([...terms].map(([name, factor]) => [name, -factor])), constant: 1n - constant };
}

function sizesOf(sums: readonly Linear[]): ReadonlySet<string> {
  return new Set(sums.flatMap(({ terms }) => [...terms.keys()]).filter((name) => name.startsWith("size(")));
}

function chosen(name: string, { low, high }: Bounds): [string, bigint][] {
  const value = low ?? high;
  return value === undefined ? [] : [[name, value]];
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

function reaches(edges: readonly Edge[], from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const edge of edges) {
      if (edge.from !== at || seen.has(edge.to)) continue;
      seen.add(edge.to);
      open.push(edge.to);
    }
  }
  return false;
}

const texts = new WeakMap<Literal, string>();

/** Literals are shared between branches, so each is formatted once. */
export function literalText(each: Literal): string {
  let text = texts.get(each);
  if (text === undefined) {
    text = writeLiteral(each);
    texts.set(each, text);
  }
  return text;
}

function writeLiteral(each: Literal): string {
  switch (each.kind) {
    case "flag":
      return each.name;
    case "int":
      return `int ${linearText(each.linear)} ${each.relation}`;
    case "multiple":
      return `multiple ${each.name} ${each.factor}`;
    case "double":
      return `double ${each.name} ${each.relation} ${each.value}`;
    case "text":
      return `text ${each.name} ${each.pattern}`;
    case "same":
      return `same ${each.left} ${each.right}`;
    case "before":
      return `before ${each.left} ${each.right}`;
  }
}
