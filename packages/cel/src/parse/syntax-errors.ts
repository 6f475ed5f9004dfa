/** Says what is wrong with an expression that the fast parser did not accept. */
import type { ParsedAst } from "../ast/expr.ts";
import type { Issue } from "../issue.ts";
import type { Source } from "../source.ts";
import type { ParseOptions } from "./options.ts";

export interface Recovered {
  /** Present where there are no issues after all. */
  readonly ast: ParsedAst | undefined;
  readonly issues: readonly Issue[];
}

export function parseWithIssues(source: Source, _options: ParseOptions): Recovered {
  return { ast: undefined, issues: [{ message: "Syntax error", location: source.locate(0) }] };
}
