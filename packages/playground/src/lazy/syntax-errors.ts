/**
 * Replaces the language's `parse/syntax-errors.ts` until that has been loaded: the messages for syntax errors come from
 * a parser generator's runtime that is as large as the rest of the language, and texts without errors never need it.
 *
 * Compiling is synchronous, so a text that does need it before it is there ends the attempt with `WordsMissing`, and the
 * worker tries again when it has come.
 */

/** The language's own `parseWithIssues`; what it takes and gives is between it and its caller. */
export type Parse = (source: unknown, options: unknown) => unknown;

let real: Parse | undefined;

export class WordsMissing extends Error {
  override readonly name = "WordsMissing";
}

export function setWords(parse: Parse): void {
  real = parse;
}

export const parseWithIssues: Parse = (source, options) => {
  if (real === undefined) throw new WordsMissing();
  return real(source, options);
};
