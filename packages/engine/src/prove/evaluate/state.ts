/**
 * The assumptions about a request on one execution path: which places are present, their kinds, and the requirements
 * for their values. Every question is answered from the assumptions, or else becomes a choice.
 */
import type { Value } from "@portcullis/cel/internal";
import type { Linear } from "../../symbolic/formula.ts";
import type { Alternative, ListAlternative, MapAlternative, OpenKeys, Premise } from "../sorts/sort.ts";
import { type IntDomain, type IntTest, intDomain, isIntPossible, negated, withTest } from "../theory/int-theory.ts";
import { type Choices, INFEASIBLE } from "../theory/path-search.ts";
import { isRealPossible, type RealDomain, type RealTest } from "../theory/real-theory.ts";
import { solveText, type TextDomain, type TextTest, textDomain, withTextTest } from "../theory/text-theory.ts";
import { scalarAt } from "./scalars.ts";
import { type Node, NULL_SYM, type Scalar, type Sym, type Term, variableTerm } from "./symbolic.ts";

/** A requirement for every element of a list, or entry of a map, that is not excepted. */
export interface Universal {
  readonly check: (element: readonly Sym[]) => boolean;
  readonly except: ReadonlySet<string>;
}

export interface Element {
  readonly id: string;
  /** What comprehensions see: an element; or a key and its value. */
  readonly syms: readonly Sym[];
  readonly node: Node;
  index: number | undefined;
}

export interface ListState {
  readonly node: Node;
  readonly alternative: ListAlternative;
  readonly elements: Element[];
  readonly universals: Universal[];
}

export interface MapState {
  readonly node: Node;
  readonly alternative: MapAlternative;
  /** Entries that are present; those with an unknown key have a term for it. */
  readonly entries: MapEntry[];
  readonly absent: Set<string>;
  readonly universals: Universal[];
}

export interface MapEntry extends Element {
  readonly key: string | Scalar;
}

/** A choice that no theory covers; an example must agree with it. */
export interface OpaqueFact {
  readonly key: string;
  readonly variables: readonly string[];
  readonly agrees: (values: ReadonlyMap<string, Value>) => boolean | undefined;
  /** Values for one of the variables that may make it agree, given the others. */
  readonly suggest?: (variable: string, values: ReadonlyMap<string, Value>) => readonly Value[];
}

export interface ParamIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** "" if it is that of the request. */
  readonly namespace: string;
  readonly name: string;
}

/** Places that always hold one value, by the id of one of them. */
export type Aliases = (id: string) => string;

export class State {
  readonly choices: Choices;
  readonly relies = new Set<Premise>();
  readonly nodes = new Map<string, Node>();
  readonly presence = new Map<string, boolean>();
  readonly kinds = new Map<string, Alternative>();
  readonly ints = new Map<string, IntDomain>();
  readonly texts = new Map<string, TextDomain>();
  readonly reals = new Map<string, RealDomain>();
  readonly bools = new Map<string, boolean>();
  readonly lists = new Map<string, ListState>();
  readonly maps = new Map<string, MapState>();
  readonly facts = new Map<string, number>();
  /** How terms compare with constants. */
  readonly orders = new Map<string, { readonly value: Value; readonly sign: number }[]>();
  /** Results of loops, by their range and body. */
  readonly loops = new Map<string, Sym>();
  readonly opaque: OpaqueFact[] = [];
  /** Sums of places that are at most 0. */
  readonly sums: Linear[] = [];
  /** Terms that the theories treat like places. */
  readonly derived = new Map<string, Term>();
  /** Lists that functions return, by the id of their place. */
  readonly derivedLists = new Map<string, Term>();
  /** Lists that a string was split into, by the id of their place. */
  readonly splits = new Map<string, { readonly variable: string; readonly separator: string }>();
  /** Params that are not given and are assumed to exist. */
  readonly params = new Map<string, ParamIdentity>();
  readonly #aliases: Aliases;

  /** Parts of expressions that are not evaluated, by their text. */
  readonly shared: ReadonlySet<string> | undefined;

  constructor(choices: Choices, aliases: Aliases, shared?: ReadonlySet<string>) {
    this.choices = choices;
    this.#aliases = aliases;
    this.shared = shared;
  }

  /** The place below another; places that hold the same value share one id. */
  nodeAt(parent: Node | undefined, name: string, sort: Node["sort"], key: string | undefined): Node {
    const id = this.#aliases(parent === undefined ? name : `${parent.id}.${pathStep(name)}`);
    const known = this.nodes.get(id);
    if (known !== undefined) return known;
    const node = { id, sort, parent, key };
    this.nodes.set(id, node);
    return node;
  }

  /** A choice that is made once for each key. */
  fact(key: string, options: number): number {
    const known = this.facts.get(key);
    if (known !== undefined) return known;
    const taken = this.choices.choose(options);
    this.facts.set(key, taken);
    return taken;
  }

  /** The value at a place, once its kind is chosen. */
  resolve(sym: Sym): Sym {
    if (sym.k !== "node") return sym;
    const { node } = sym;
    const alternative = this.kindOf(node);
    switch (alternative.kind) {
      case "null":
        return NULL_SYM;
      case "list":
        return { k: "view", parts: [{ source: { k: "listnode", node, alternative }, steps: [] }] };
      case "map":
        return { k: "mapnode", node, alternative };
      default:
        return scalarAt(node, alternative);
    }
  }

  kindOf(node: Node): Alternative {
    const known = this.kinds.get(node.id);
    if (known !== undefined) return known;
    for (const premise of node.sort.relies) this.relies.add(premise);
    const alternatives = node.sort.alternatives();
    const chosen = alternatives[this.choices.choose(alternatives.length)];
    if (chosen === undefined) throw INFEASIBLE;
    this.kinds.set(node.id, chosen);
    this.#admitKind(node.id, chosen);
    return chosen;
  }

  #admitKind(id: string, chosen: Alternative): void {
    if (chosen.kind === "int") this.setInt(id, intDomain(chosen));
    if (chosen.kind === "string") this.setText(id, textDomain(chosen));
    if (chosen.kind === "bool" && chosen.only !== undefined) this.bools.set(id, chosen.only);
    if (chosen.kind !== "double") return;
    const { integral, min, max, multipleOf, listed } = chosen;
    if (integral)
      this.setInt(
        id,
        intDomain({ ...integralBounds(min, max), multipleOf, listed: listed?.filter(Number.isInteger).map(BigInt) }),
      );
    else this.reals.set(id, { min, max, tests: [] });
  }

  setInt(id: string, domain: IntDomain): void {
    if (!isIntPossible(domain)) throw INFEASIBLE;
    this.ints.set(id, domain);
  }

  setText(id: string, domain: TextDomain): void {
    if (solveText(domain).kind === "none") throw INFEASIBLE;
    this.texts.set(id, domain);
  }

  /** Whether a whole number passes; a choice if both are possible. */
  decideInt(variable: string, test: IntTest): boolean {
    const domain = this.ints.get(variable) ?? intDomain({});
    const [yes, no] = [withTest(domain, test), withTest(domain, negated(test))];
    const isTrue = this.#choose(isIntPossible(yes), isIntPossible(no));
    this.ints.set(variable, isTrue ? yes : no);
    return isTrue;
  }

  requireInt(variable: string, test: IntTest): void {
    this.setInt(variable, withTest(this.ints.get(variable) ?? intDomain({}), test));
  }

  decideText(variable: string, test: TextTest): boolean {
    const domain = this.texts.get(variable) ?? textDomain(FREE_TEXT);
    const [yes, no] = [withTextTest(domain, test, true), withTextTest(domain, test, false)];
    const isTrue = this.#choose(solveText(yes).kind !== "none", solveText(no).kind !== "none");
    this.texts.set(variable, isTrue ? yes : no);
    return isTrue;
  }

  decideReal(variable: string, test: RealTest): boolean {
    const domain = this.reals.get(variable) ?? { min: undefined, max: undefined, tests: [] };
    const add = (wanted: boolean): RealDomain => ({ ...domain, tests: [...domain.tests, { test, wanted }] });
    const isTrue = this.#choose(isRealPossible(add(true)), isRealPossible(add(false)));
    this.reals.set(variable, add(isTrue));
    return isTrue;
  }

  decideBool(term: Term): boolean {
    const known = this.bools.get(term.key);
    if (known !== undefined) return known;
    const isTrue = this.choices.choose(2) === 0;
    this.bools.set(term.key, isTrue);
    if (term.variables[0] !== term.key) {
      this.note(term, (value) => value === isTrue);
    }
    return isTrue;
  }

  /** Records an assumption about a term, for the search for an example. */
  note({ key, variables, evaluate }: Term, isRight: (value: Value) => boolean): void {
    this.opaque.push({
      key,
      variables,
      agrees: (values) => {
        const value = evaluate(values);
        return value === undefined ? undefined : isRight(value);
      },
    });
  }

  #choose(canBeTrue: boolean, canBeFalse: boolean): boolean {
    if (canBeTrue && canBeFalse) return this.choices.choose(2) === 0;
    if (!canBeTrue && !canBeFalse) throw INFEASIBLE;
    return canBeTrue;
  }

  listState(node: Node, alternative: ListAlternative): ListState {
    const known = this.lists.get(node.id);
    if (known !== undefined) return known;
    const made = { node, alternative, elements: [], universals: [] };
    this.lists.set(node.id, made);
    this.setInt(sizeKey(node), intDomain(bounds(alternative)));
    return made;
  }

  mapState(node: Node, alternative: MapAlternative): MapState {
    const known = this.maps.get(node.id);
    if (known !== undefined) return known;
    const made: MapState = { node, alternative, entries: [], absent: new Set(), universals: [] };
    this.maps.set(node.id, made);
    this.setInt(sizeKey(node), intDomain(bounds(alternative)));
    return made;
  }

  /** A fresh string for an unknown key. */
  freshKey(id: string, { key }: OpenKeys): Scalar {
    this.setText(id, textDomain(key));
    return { k: "scalar", kind: "string", term: variableTerm(id) };
  }
}

/** A key as a part of an id: quoted unless it is plain, so that different places have different ids. */
export function pathStep(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

const FREE_TEXT = { kind: "string" } as const;

function bounds({ min, max }: { readonly min: number; readonly max?: number | undefined }) {
  return { min: BigInt(min), max: max === undefined ? undefined : BigInt(max) };
}

function integralBounds(min: number | undefined, max: number | undefined) {
  return {
    min: min === undefined ? undefined : BigInt(Math.ceil(min)),
    max: max === undefined ? undefined : BigInt(Math.floor(max)),
  };
}

export function sizeKey(node: Node): string {
  return `size(${node.id})`;
}
