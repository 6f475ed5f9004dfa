/** Shrinks a question while the results still differ in the same way. */
import { isArray, isObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import type { Kind } from "../../runners/engine/case.ts";
import { type Asked, askBoth, copyOf } from "./compare.ts";
import type { Question } from "./question.ts";

const ROUNDS = 40;
const CANDIDATES = 150;

export function shrink(oracle: string, kind: Kind, found: Asked): Asked {
  let smallest = found;
  const field = found.differences[0]?.field;
  for (let round = 0; round < ROUNDS; round++) {
    const candidates = smallerQuestions(smallest.question).slice(0, CANDIDATES);
    const answers = candidates.length === 0 ? [] : askBoth(oracle, kind, candidates);
    const next = answers.find((each) => each.case.want.panic === undefined && each.differences[0]?.field === field);
    if (next === undefined) return smallest;
    smallest = next;
  }
  return smallest;
}

function smallerQuestions(question: Question): Question[] {
  return ["schema", "old", "object"].flatMap((part) => {
    const value = question[part];
    if (value === undefined) return [];
    return smaller(value).map((less) => Object.assign(copyOf(question), { [part]: less }));
  });
}

/** The value with one part left out, the largest parts first. */
function smaller(value: JsonValue): JsonValue[] {
  if (isArray(value)) {
    const fewer = value.map((_, index) => value.toSpliced(index, 1));
    return [...fewer, ...value.flatMap((item, index) => smaller(item).map((less) => value.with(index, less)))];
  }
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  const fewer = names.map((name) => {
    const copy = Object.assign(newObject(), value);
    delete copy[name];
    return copy;
  });
  const lesser = names.flatMap((name) =>
    smaller(value[name] ?? null).map((less) => Object.assign(newObject(), value, { [name]: less })),
  );
  return [...fewer, ...lesser];
}
