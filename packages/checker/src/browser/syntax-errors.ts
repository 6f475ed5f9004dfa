/**
 * Replaces the language's `parse/syntax-errors.ts` until that has been loaded: the messages for syntax errors come from
 * a parser generator's runtime that is as large as the rest of the language, and texts without errors never need it.
 *
 * Compilation is synchronous, so a text that needs the messages before they are loaded throws `SyntaxErrorsMissing`,
 * and the worker tries again when they are there.
 */

/** CEL's own `parseWithIssues`; its types do not matter here. */
export type Parse = (source: unknown, options: unknown) => unknown;

let real: Parse | undefined;

export class SyntaxErrorsMissing extends Error {
  override readonly name = "SyntaxErrorsMissing";
}

export function setSyntaxErrors(parse: Parse): void {
  real = parse;
}

export const parseWithIssues: Parse = (source, options) => {
  if (real === undefined) throw new SyntaxErrorsMissing();
  return real(source, options);
};
