/**
 * Text to syntax tree.
 *
 * Valid text is parsed by the fast parser. Any other text is parsed again by `syntax-errors.ts`, which reports
 * every problem with cel-go's message and is an order of magnitude slower. That
 * module and the parser generator's runtime behind it are imported here and nowhere else, so that compiling
 * stays synchronous and bundlers have one place to split.
 */

import { countRunes } from "@portcullis/gostd/utf8";
import type { ParsedAst } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Source } from "../source.ts";
import { parseValid } from "./fast-parser.ts";
import { codePointLimitExceeded } from "./messages.ts";
import type { ParseOptions } from "./options.ts";
import { parseWithIssues } from "./syntax-errors.ts";

export type ParseResult =
  | { readonly ok: true; readonly ast: ParsedAst }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses one expression into a tree or issues; never throws. */
export function parse(source: Source, options: ParseOptions): ParseResult {
  const tooLarge = checkSize(source.text, options.maxCodePoints);
  if (tooLarge !== undefined) return { ok: false, issues: [tooLarge] };
  const ast = parseValid(source.text, options);
  return ast === undefined ? explain(source, options) : { ok: true, ast };
}

function explain(source: Source, options: ParseOptions): ParseResult {
  const { ast, issues } = parseWithIssues(source, options);
  return ast === undefined ? { ok: false, issues } : { ok: true, ast };
}

function checkSize(text: string, limit: number): Issue | undefined {
  if (text.length <= limit) return undefined;
  const size = countRunes(text);
  return size > limit ? { message: codePointLimitExceeded(size, limit), location: noLocation } : undefined;
}
