/** `allOf`, `anyOf`, `oneOf` and `not`: values at the edges of the branches, tried if there is no proof. */
import { compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import type { Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import type { NodePair } from "../pairs.ts";
import type { Sampler } from "../witness/sample.ts";
import { sampleNumbers, sampleTexts } from "../witness/sample-scalars.ts";
import { assortedTexts } from "./formats.ts";
import { conjuncts, type Obligation, open } from "./proof.ts";

export function combinatorObligations(pair: NodePair, sampler: Sampler): Obligation[] {
  const { new: next } = pair;
  return COMBINATORS.flatMap((keyword) => {
    const isThere = keyword === "not" ? next.not !== undefined : next[keyword].length > 0;
    if (!isThere) return [];
    const proof = open("combinator-undecided");
    return [{ keyword, detail: "", proof, candidates: () => edgeValues(pair, keyword, sampler) }];
  });
}

type Combinator = "allOf" | "anyOf" | "oneOf" | "not";
const COMBINATORS: readonly Combinator[] = ["allOf", "anyOf", "oneOf", "not"];

const MAX_SUBSETS = 64;

function* edgeValues(pair: NodePair, keyword: Combinator, sampler: Sampler): Generator<JsonValue> {
  const { old, new: next } = pair;
  const branches = keyword === "not" ? [next.not, old.not] : [...next[keyword], ...old[keyword]];
  const all = branches.flatMap((branch) => (branch === undefined ? [] : conjuncts(branch)));
  yield* outsideAll(old, all);
  yield* sampler.samples(old, 10);
  if (old.type === "object" || old.type === "") yield* presenceSubsets(old, all, sampler);
  yield* sampleTexts([old], sampler.check.minor);
  for (const branch of all) {
    yield* sampleTexts([branch], sampler.check.minor);
    yield* sampleNumbers([branch]);
    if (branch.enum !== undefined) yield* branch.enum;
  }
  yield* assortedTexts();
}

/** A string that the schema allows and no branch matches. */
function* outsideAll(old: Structural, branches: readonly Structural[]): Generator<string> {
  const automata = (nodes: readonly Structural[]) =>
    nodes.flatMap(({ pattern }) => (pattern === "" ? [] : (compileAutomaton(pattern) ?? [])));
  const reject = automata(branches);
  if (reject.length === 0) return;
  const { minLength, maxLength } = old;
  const answer = findText({
    accept: automata(conjuncts(old)),
    reject,
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    maxSteps: 100_000,
  });
  if (answer.kind === "found") yield answer.text;
}

/** Objects that have some of the fields that the branches mention, and not the others. */
function* presenceSubsets(old: Structural, branches: readonly Structural[], sampler: Sampler): Generator<JsonValue> {
  const names = mentioned(branches)
    .filter((name) => old.properties.has(name))
    .slice(0, 6);
  const values = new Map(names.map((name) => [name, valuesFor(name, old, branches, sampler)]));
  const bases = [...sampler.samples(old, 2).filter(isObject), newObject()];
  for (const base of bases) {
    for (let bits = 0; bits < Math.min(2 ** names.length, MAX_SUBSETS); bits++) {
      yield* withSubset(base, names, bits, values);
    }
  }
}

function mentioned(branches: readonly Structural[]): string[] {
  const names = branches.flatMap((branch) => [
    ...branch.required,
    ...branch.properties.keys(),
    ...mentioned([...branch.anyOf, ...branch.oneOf, ...(branch.not === undefined ? [] : [branch.not])]),
  ]);
  return [...new Set(names)];
}

/** Values of a field that different branches accept. */
function valuesFor(
  name: string,
  old: Structural,
  branches: readonly Structural[],
  sampler: Sampler,
): readonly JsonValue[] {
  const schema = old.properties.get(name);
  if (schema === undefined) return [];
  const asked = branches.flatMap((branch) => branch.properties.get(name)?.enum ?? []);
  return [...asked, ...sampler.samples(schema, 2)].filter((value) => sampler.check.accepts(schema, value)).slice(0, 4);
}

function* withSubset(
  base: JsonObject,
  names: readonly string[],
  bits: number,
  values: ReadonlyMap<string, readonly JsonValue[]>,
): Generator<JsonObject> {
  const chosen = names.filter((_, index) => (bits & (1 << index)) !== 0);
  const widest = Math.max(1, ...chosen.map((name) => values.get(name)?.length ?? 0));
  for (let turn = 0; turn < widest; turn++) {
    let object = base;
    for (const name of names) object = withoutMember(object, name);
    for (const name of chosen) {
      const options = values.get(name) ?? [];
      const value = options[Math.min(turn, options.length - 1)];
      if (value !== undefined) object = withMember(object, name, value);
    }
    yield object;
  }
}
