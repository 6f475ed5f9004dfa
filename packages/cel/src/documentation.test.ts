import { expect, test } from "vitest";
import { Environment } from "./env.ts";
import { listsLibrary } from "./ext/lists.ts";
import { optionalsLibrary } from "./ext/optionals.ts";
import { setsLibrary } from "./ext/sets.ts";
import { stringsLibrary } from "./ext/strings.ts";
import { twoVarLibrary } from "./ext/two-var.ts";
import { isError } from "./values/value.ts";

const environment = new Environment({
  libraries: [listsLibrary(3), optionalsLibrary(), setsLibrary, stringsLibrary(2), twoVarLibrary],
});
/** Other names with an `@` are internal: expressions cannot write them. */
const functions = environment.functions().filter(({ name }) => !name.includes("@") || name === "@in");

test.each([...functions, ...environment.macros()])("$name has documentation and a true example", (declared) => {
  expect(declared.doc).toMatch(/^\w+s .*[^.]$/);
  expect(evaluate(declared.example ?? "")).toBe(true);
});

function evaluate(expression: string): unknown {
  const compiled = environment.compile(expression);
  if (!compiled.ok) return compiled.text;
  const made = environment.program(compiled.ast);
  if (!made.ok) return made.error.message;
  const { value } = made.program.evaluate({});
  return isError(value) ? value.message : value;
}
