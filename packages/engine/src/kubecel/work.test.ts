/** Expressions whose cost says little of the time they take can be ended. */
import { DYN } from "@portcullis/cel";
import { checkWork } from "@portcullis/gostd/work";
import { expect, test } from "vitest";
import { kubernetesEnvironment } from "./environment.ts";
import { PER_CALL_LIMIT } from "./limits.ts";

class Ended extends Error {}

const environment = kubernetesEnvironment({ version: "1.36", mode: "stored", variables: { object: DYN } });

function programOf(expression: string) {
  const compiled = environment.compile(expression);
  if (!compiled.ok) throw new Error(compiled.text);
  const made = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
  if (!made.ok) throw new Error(made.error.message);
  return made.program;
}

/** `[[[0, 0], [0, 0]], …]`, made of as many lists as there are levels. */
const doubled = (levels: number): string =>
  Array.from({ length: levels }, (_, i) => `.map(x${i}, [x${i}, x${i}])`).reduce((text, part) => text + part, "[0]");

const keys = Array.from({ length: 5_000 }, (_, i) => `w${i}`);
const object = {
  list: keys,
  nested: keys.map((word) => ({ a: [word] })),
  map: Object.fromEntries(keys.map((w) => [w, w])),
};

test.each([
  `${doubled(40)} == ${doubled(40)}`,
  `${doubled(40)} in [${doubled(40)}]`,
  `{'a': ${doubled(40)}} == {'a': ${doubled(40)}}`,
  `[${doubled(40)}, ${doubled(40)}].distinct().size() == 1`,
  `[${doubled(40)}].indexOf(${doubled(40)}) == 0`,
  `sets.contains(${doubled(40)}, ${doubled(40)})`,
  `'%s'.format([${doubled(40)}]) == ''`,
  "object.list.all(a, object.nested == object.nested)",
  "object.list.all(a, object.map == object.map)",
  "object.list.all(a, object.list.indexOf('none') < 0)",
  "object.list.all(a, object.list.lastIndexOf('none') < 0)",
  "object.list.all(a, !('none' in object.list))",
  "object.list.all(a, object.list.sort().size() > 0)",
  "object.list.map(a, object.list.sort().size()).size() > 0",
  "object.list.exists_one(a, object.list.sort().size() == 0)",
  "object.list.filter(a, object.list.sort().size() == 0).size() == 0",
])("%s can be ended", (expression) => {
  const program = programOf(expression);
  let checks = 0;
  const check = (): void => {
    if (++checks === 50) throw new Ended();
  };
  expect(() => checkWork(check, () => program.evaluate({ object }))).toThrow(Ended);
  // The program can be used again.
  expect(() =>
    checkWork(
      () => {
        throw new Ended();
      },
      () => program.evaluate({ object }),
    ),
  ).toThrow(Ended);
});

test.each([
  { expression: `${doubled(60)}.flatten(70).size() > 0`, error: "internal error: Invalid array length" },
  { expression: "[[0]].map(x, x + x).size() > 0", error: undefined },
  {
    expression: `${Array.from({ length: 60 }, (_, i) => `.map(x${i}, x${i} + x${i})`).reduce((a, b) => a + b, "[[0]]")}[0].size() > 0`,
    error: "internal error: Invalid array length",
  },
])("$expression ends before memory does", ({ expression, error }) => {
  const { value } = programOf(expression).evaluate({ object });
  expect(error === undefined ? value : (value as { message?: string } | null)?.message).toBe(error ?? true);
});
