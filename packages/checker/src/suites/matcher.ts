/** Expected texts in tests: the exact text, or `/a pattern/` in Go's syntax that matches some part of the text. */
import { isError, STRING } from "@portcullis/cel";
import { compatibilityVersion, kubernetesEnvironment, SERVER_VERSION } from "@portcullis/engine/kubecel";
import { UsageError } from "../input/usage-error.ts";
import * as messages from "../policy/messages.ts";

export interface Matcher {
  /** As written. */
  readonly text: string;
  matches(found: string): boolean;
}

export function readMatcher(text: string): Matcher {
  const pattern = /^\/([\s\S]+)\/$/.exec(text)?.[1];
  return pattern === undefined ? exactly(text) : patternMatcher(pattern);
}

/** The whole text. */
export function exactly(text: string): Matcher {
  return { text, matches: (found) => found === text };
}

/** Any part of the text. */
export function containing(text: string): Matcher {
  return { text, matches: (found) => found.includes(text) };
}

/** Some part of the text matches. */
export function patternMatcher(pattern: string): Matcher {
  const matches = (found: string): boolean | string => matchPattern(found, pattern);
  const problem = matches("");
  if (typeof problem === "string") throw new UsageError(messages.badPattern(pattern, problem));
  return { text: `/${pattern}/`, matches: (found) => matches(found) === true };
}

let program: ReturnType<typeof compileMatches> | undefined;

/** CEL's own `matches` uses Go's pattern syntax. A string is an error message. */
function matchPattern(text: string, pattern: string): boolean | string {
  program ??= compileMatches();
  const { value } = program.evaluate({ text, pattern });
  return isError(value) ? value.message : value === true;
}

function compileMatches() {
  const version = compatibilityVersion(SERVER_VERSION);
  const environment = kubernetesEnvironment({ version, mode: "new", variables: { text: STRING, pattern: STRING } });
  const compiled = environment.compile("text.matches(pattern)");
  if (!compiled.ok) throw new Error(compiled.text);
  const planned = environment.program(compiled.ast);
  if (!planned.ok) throw planned.error;
  return planned.program;
}
