/**
 * Combinators and `required` as propositions: each thing a branch asks of the data is an atom, and the new formula has to
 * follow from the old one whatever the atoms are.
 *
 * What holds for all truth values holds for all data, so an implication found here is a proof. Its failure is none: the
 * assignment that breaks it only says where to look. Atoms are shared between the schemas where the new one leaves the
 * data they look at alone.
 */
import { newSchema, type Structural } from "../../schema/structural.ts";
import { effectsBelow, isPresenceStable, touches } from "../effects.ts";
import type { NodePair } from "../pairs.ts";
import { nodeKeywords, schemaText } from "../schema-text.ts";
import { holds, open, type Proof } from "./proof.ts";

export type Formula =
  | { readonly op: "constant"; readonly value: boolean }
  | { readonly op: "atom"; readonly key: string }
  | { readonly op: "and" | "or" | "one"; readonly parts: readonly Formula[] }
  | { readonly op: "not"; readonly part: Formula };

const MAX_ATOMS = 14;

export class Propositions {
  readonly #pair: NodePair;
  readonly #minor: number;
  readonly #effects: readonly (readonly string[])[];

  constructor(pair: NodePair, minor: number) {
    this.#pair = pair;
    this.#minor = minor;
    this.#effects = effectsBelow(pair).paths;
  }

  /** Whether what the node demanded before implies the new demand. */
  prove(demand: Formula): Proof {
    const known = this.demandsOf(this.#pair.old, "old");
    const atoms = [...new Set([...atomsOf(known), ...atomsOf(demand)])];
    if (atoms.length > MAX_ATOMS) {
      const shown = keyOf(demand);
      return conjunctKeys(known).has(shown) ? holds("it was demanded before") : open("combinator-undecided");
    }
    const broken = firstAssignment(atoms, (values) => evaluate(known, values) && !evaluate(demand, values));
    return broken === undefined ? holds("it follows from what was demanded before") : open("combinator-undecided");
  }

  /** All that `required` and the combinators of a node ask. */
  demandsOf(schema: Structural, side: Side): Formula {
    return and([
      ...[...new Set(schema.required)].map((name) => this.required([], name, side)),
      ...COMBINATORS.map((keyword) => this.combinator(schema, keyword, [], side)),
    ]);
  }

  combinator(schema: Structural, keyword: Combinator, path: readonly string[], side: Side): Formula {
    if (keyword === "not") {
      if (schema.not === undefined) return TRUE;
      return path.length === 0
        ? { op: "not", part: this.#branch(schema.not, path, side) }
        : this.#opaque("not", schema.not, path, side);
    }
    const branches = schema[keyword];
    if (branches.length === 0) return TRUE;
    if (keyword === "oneOf" && path.length > 0)
      return this.#opaque("oneOf", newSchema({ oneOf: branches }), path, side);
    const op = keyword === "allOf" ? "and" : keyword === "anyOf" ? "or" : "one";
    return { op, parts: branches.map((branch) => this.#branch(branch, path, side)) };
  }

  required(path: readonly string[], name: string, side: Side): Formula {
    if (path.length > 0) return this.#atom(`required ${name}`, [...path, name], side);
    if (side === "new" && this.#pair.new.properties.get(name)?.default !== undefined) return TRUE;
    const isShared = isPresenceStable(this.#pair, name);
    return { op: "atom", key: `required ${name}${isShared ? "" : `@${side}`}` };
  }

  #branch(schema: Structural, path: readonly string[], side: Side): Formula {
    const parts: Formula[] = schema.required.map((name) => this.required(path, name, side));
    for (const keyword of COMBINATORS) parts.push(this.combinator(schema, keyword, path, side));
    for (const [keyword, text] of nodeKeywords(schema, this.#minor)) {
      if (!HANDLED.includes(keyword)) parts.push(this.#atom(`${keyword} ${text}`, path, side));
    }
    for (const [name, property] of schema.properties) parts.push(this.#branch(property, [...path, name], side));
    if (schema.items !== undefined) parts.push(this.#opaque("items", schema.items, [...path, "*"], side));
    const additional = schema.additionalProperties?.schema;
    if (additional !== undefined) parts.push(this.#opaque("values", additional, [...path, "*"], side));
    return and(parts);
  }

  #opaque(what: string, schema: Structural, path: readonly string[], side: Side): Formula {
    return this.#atom(`${what} ${schemaText(schema, this.#minor)}`, path, side);
  }

  #atom(text: string, path: readonly string[], side: Side): Formula {
    const isShared = !touches(this.#effects, path);
    return { op: "atom", key: `${path.join(".")} ${text}${isShared ? "" : `@${side}`}` };
  }
}

export type Side = "old" | "new";
export type Combinator = "allOf" | "anyOf" | "oneOf" | "not";
export const COMBINATORS: readonly Combinator[] = ["allOf", "anyOf", "oneOf", "not"];
const HANDLED: readonly string[] = [...COMBINATORS, "required"];
const TRUE: Formula = { op: "constant", value: true };

export function and(parts: readonly Formula[]): Formula {
  const kept = parts.filter((part) => part.op !== "constant" || !part.value);
  return kept.length === 1 && kept[0] !== undefined ? kept[0] : { op: "and", parts: kept };
}

function atomsOf(formula: Formula): string[] {
  if (formula.op === "atom") return [formula.key];
  if (formula.op === "constant") return [];
  return formula.op === "not" ? atomsOf(formula.part) : formula.parts.flatMap(atomsOf);
}

function evaluate(formula: Formula, values: ReadonlyMap<string, boolean>): boolean {
  switch (formula.op) {
    case "constant":
      return formula.value;
    case "atom":
      return values.get(formula.key) === true;
    case "not":
      return !evaluate(formula.part, values);
    case "and":
      return formula.parts.every((part) => evaluate(part, values));
    case "or":
      return formula.parts.some((part) => evaluate(part, values));
    case "one":
      return formula.parts.filter((part) => evaluate(part, values)).length === 1;
  }
}

function firstAssignment(
  atoms: readonly string[],
  test: (values: ReadonlyMap<string, boolean>) => boolean,
): ReadonlyMap<string, boolean> | undefined {
  for (let bits = 0; bits < 2 ** atoms.length; bits++) {
    const values = new Map(atoms.map((atom, index) => [atom, (bits & (1 << index)) !== 0]));
    if (test(values)) return values;
  }
  return undefined;
}

/** The text of a formula in one order; equal texts mean the same. */
function keyOf(formula: Formula): string {
  if (formula.op === "atom") return formula.key;
  if (formula.op === "constant") return String(formula.value);
  if (formula.op === "not") return `not(${keyOf(formula.part)})`;
  return `${formula.op}(${formula.parts.map(keyOf).sort().join(";")})`;
}

function conjunctKeys(formula: Formula): ReadonlySet<string> {
  const parts = formula.op === "and" ? formula.parts : [formula];
  return new Set([
    ...parts.flatMap((part) => [...(part.op === "and" ? conjunctKeys(part) : [])]),
    ...parts.map(keyOf),
    keyOf(formula),
  ]);
}
