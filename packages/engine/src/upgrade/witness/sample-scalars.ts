/** Candidate strings and numbers for a node: those at its bounds first, then a few plain ones. */
import { type Automaton, compileAutomaton, findText } from "@portcullis/gostd/regexp/automaton";
import type { Structural } from "../../schema/structural.ts";
import { floatValue, integerValue, type JsonValue } from "../../value/json.ts";
import { formatAutomaton, formatSamples } from "../contain/formats.ts";
import { enforcedFormat } from "../schema-text.ts";

const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 1000;

/** A sample must satisfy all `nodes`: a schema and branches of its combinators. */
export function sampleTexts(nodes: readonly Structural[], minor: number): readonly string[] {
  // Published schemas repeat themselves: the same pattern occurs in a hundred places.
  const key = JSON.stringify(
    nodes.map((node) => [node.pattern, enforcedFormat(node, minor), node.minLength, node.maxLength]),
  );
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = makeTexts(nodes, minor);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

function makeTexts(nodes: readonly Structural[], minor: number): string[] {
  const min = Math.max(0, ...nodes.map(({ minLength }) => minLength ?? 0));
  const max = Math.min(...nodes.map(({ maxLength }) => maxLength ?? Number.POSITIVE_INFINITY));
  const formats = nodes.map((node) => enforcedFormat(node, minor)).filter((format) => format !== "");
  const accept = [
    ...nodes.flatMap(({ pattern }) => (pattern === "" ? [] : (compileAutomaton(pattern) ?? []))),
    ...formats.flatMap((format) => formatAutomaton(format) ?? []),
  ];
  return [
    ...formats.flatMap((format) => formatSamples(format)),
    ...textsOfLengths(accept, min, max),
    ...(accept.length > 0 ? [] : ["a", "b", "c", "1", "A", ""]),
  ];
}

const LONGEST = 5000;

function textsOfLengths(accept: readonly Automaton[], min: number, max: number): string[] {
  const lengths = [...new Set([min, min + 1, min + 2, Math.min(max, min + 5), max])].filter(
    (length) => length <= max && length <= LONGEST,
  );
  if (accept.length === 0) return lengths.map((length) => "a".repeat(length));
  const found: string[] = [];
  for (const minLength of lengths) {
    const answer = findText({ accept, reject: [], minLength, maxLength: max, maxSteps: 100_000 });
    if (answer.kind === "found") found.push(answer.text);
  }
  return found;
}

export function sampleIntegers(nodes: readonly Structural[]): JsonValue[] {
  const bounds = nodes.flatMap(({ minimum, maximum }) => [minimum, maximum]).filter((each) => each !== undefined);
  const factors = nodes.flatMap(({ multipleOf }) => (multipleOf === undefined || multipleOf < 1 ? [] : [multipleOf]));
  const near = bounds.flatMap((bound) => [bound, bound + 1, bound - 1].map(Math.trunc));
  const multiples = factors.flatMap((factor) =>
    [0, ...bounds].flatMap((bound) => [Math.ceil(bound / factor) * factor, (Math.floor(bound / factor) + 1) * factor]),
  );
  const wanted = [0, 1, ...near, ...multiples, 2, 3, -1, 10, 100];
  return [...new Set(wanted)].filter(Number.isInteger).map((value) => integerValue(BigInt(value)));
}

export function sampleNumbers(nodes: readonly Structural[]): JsonValue[] {
  const bounds = nodes.flatMap(({ minimum, maximum }) => [minimum, maximum]).filter((each) => each !== undefined);
  const factors = nodes.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf, 3 * multipleOf]));
  const fractions = [...bounds.flatMap((bound) => [bound + 0.5, bound - 0.5, bound]), ...factors, 0.5, 1.5, 0.25];
  return [...sampleIntegers(nodes), ...fractions.map(floatValue)];
}
