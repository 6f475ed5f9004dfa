/**
 * Text to syntax tree.
 *
 * Valid text, nearly all there is, takes the fast parser. Any other text is parsed once more by
 * `syntax-errors.ts`, which words every problem as cel-go does and is an order of magnitude slower. That
 * module and the parser generator's runtime behind it are imported here and nowhere else, so that compiling
 * stays synchronous and a bundler still has one seam to cut along.
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

/** Parses one expression. Any text at all ends in a tree or in issues; nothing is thrown. */
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
