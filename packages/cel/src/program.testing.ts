/** One environment and one way to write values down, for tests of programs. */
import { Environment, type EnvironmentOptions } from "./env.ts";
import { listsLibrary } from "./ext/lists.ts";
import { optionalsLibrary } from "./ext/optionals.ts";
import { stringsLibrary } from "./ext/strings.ts";
import { twoVarLibrary } from "./ext/two-var.ts";
import type { Program, ProgramOptions } from "./program.ts";
import { displayText } from "./values/text.ts";
import { ListValue, MapValue, OptionalValue, type Value } from "./values/value.ts";

export const environment = new Environment({
  libraries: [stringsLibrary(2), listsLibrary(3), optionalsLibrary(), twoVarLibrary],
  settings: { crossTypeNumericComparisons: true, presenceTestHasCost: false },
});

/** Throws if the expression does not come to be a program. */
export function programOf(text: string, options: EnvironmentOptions = {}, limits: ProgramOptions = {}): Program {
  const extended = environment.extend(options);
  const compiled = extended.compile(text);
  if (!compiled.ok) throw new Error(compiled.text);
  const made = extended.program(compiled.ast, limits);
  if (!made.ok) throw new Error(made.error.message);
  return made.program;
}

/** A value as an expression would write it; an error is its message. */
export function show(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null) return "null";
  if (value instanceof ListValue)
    return `[${Array.from({ length: value.size }, (_, at) => show(value.at(at))).join(", ")}]`;
  if (value instanceof MapValue)
    return `{${value
      .keys()
      .map((key) => `${show(key)}: ${show(value.get(key) ?? null)}`)
      .join(", ")}}`;
  if (value instanceof OptionalValue)
    return value.value === undefined ? "optional.none()" : `optional.of(${show(value.value)})`;
  return displayText(value);
}
