/**
 * Reports syntax errors with cel-go's messages.
 *
 * cel-go parses with ANTLR, and its messages are ANTLR's: which tokens were expected, what was skipped
 * or inserted to continue. They follow from the grammar's automaton and ANTLR's recovery, so this path runs
 * the same automaton. What ANTLR recovers is then turned into a tree, which finds further problems: reserved
 * words, literals out of range, misused macros. Both kinds are reported together.
 */
import {
  BaseErrorListener,
  CharStream,
  CommonTokenStream,
  DefaultErrorStrategy,
  type Parser,
  type ParserRuleContext,
  type ParseTreeListener,
  type RecognitionException,
  type Token,
} from "antlr4ng";
import type { ParsedAst } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Source } from "../source.ts";
import { CelLexer } from "./antlr/generated/cel-lexer.ts";
import { CelParser, type StartContext } from "./antlr/generated/cel-parser.ts";
import {
  expectedIdentifier,
  lookaheadLimitExceeded,
  recoveryLimitExceeded,
  recursionLimitExceeded,
  syntaxError,
  tooManySyntaxErrors,
} from "./messages.ts";
import type { ParseOptions } from "./options.ts";
import { Abandoned, RecoveredTree } from "./recovered-tree.ts";

export interface Recovered {
  /** Present if there are no issues. */
  readonly ast: ParsedAst | undefined;
  readonly issues: readonly Issue[];
}

/** Parses with error recovery. Slow; for text that is known to have errors. */
export function parseWithIssues(source: Source, options: ParseOptions): Recovered {
  const issues: Issue[] = [];
  try {
    const tree = parseTree(source, options, issues);
    const ast = new RecoveredTree(source, options, issues).build(tree);
    return { ast: issues.length === 0 ? ast : undefined, issues };
  } catch (thrown) {
    if (!(thrown instanceof Abandoned)) throw thrown;
    if (thrown.finding !== undefined) issues.push({ message: thrown.finding, location: noLocation });
    return { ast: undefined, issues };
  }
}

function parseTree(source: Source, options: ParseOptions, issues: Issue[]): StartContext {
  const listener = new IssueListener(source, options, issues);
  const lexer = new CelLexer(CharStream.fromString(source.text));
  lexer.removeErrorListeners();
  lexer.addErrorListener(listener);
  const parser = new LimitedParser(new CommonTokenStream(lexer));
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  parser.addParseListener(new RecursionListener(options.maxRecursionDepth));
  parser.errorHandler = new LimitedRecovery(options);
  return parser.start();
}

/** Turns ANTLR's reports into issues and stops the parser when there are too many. */
class IssueListener extends BaseErrorListener {
  readonly #source: Source;
  readonly #issues: Issue[];
  readonly #limit: number;
  #reports = 0;

  constructor(source: Source, options: ParseOptions, issues: Issue[]) {
    super();
    this.#source = source;
    this.#issues = issues;
    this.#limit = options.errorReportingLimit;
  }

  override syntaxError(_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string): void {
    // ANTLR's Go runtime places the end of an empty text before its first column.
    const location = { line, column: this.#source.text === "" ? -1 : column };
    if (this.#reports++ < this.#limit) {
      this.#issues.push({ message: syntaxError(reword(message)), location });
      return;
    }
    this.#issues.push({ message: syntaxError(tooManySyntaxErrors(this.#limit)), location });
    throw new Abandoned(undefined);
  }
}

const keywordAsName = /no viable alternative at input '.(true|false|null)'/gu;

/** cel-go keeps the message of an older grammar for `a.true` and similar names. */
function reword(message: string): string {
  return message.replace(keywordAsName, (_all, word: string) => expectedIdentifier(word));
}

/** Stops the parser where a rule nests too deep in itself. */
class RecursionListener implements ParseTreeListener {
  readonly #limit: number;
  readonly #depths: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  enterEveryRule(context: ParserRuleContext): void {
    const depth = (this.#depths[context.ruleIndex] ?? 0) + 1;
    this.#depths[context.ruleIndex] = depth;
    if (depth > this.#limit) throw new Abandoned(recursionLimitExceeded(this.#limit));
  }

  exitEveryRule(context: ParserRuleContext): void {
    this.#depths[context.ruleIndex] = Math.max((this.#depths[context.ruleIndex] ?? 0) - 1, 0);
  }

  visitTerminal(): void {}

  visitErrorNode(): void {}
}

/** A parser with a limit on the tokens it may still consume. */
class LimitedParser extends CelParser {
  lookahead: { left: number; readonly limit: number } | undefined;

  override consume(): Token {
    if (this.lookahead !== undefined && this.lookahead.left-- <= 0) {
      throw new Abandoned(lookaheadLimitExceeded(this.lookahead.limit));
    }
    return super.consume();
  }
}

/** ANTLR's recovery with a limited number of attempts. */
class LimitedRecovery extends DefaultErrorStrategy {
  readonly #options: ParseOptions;
  #attempts = 0;

  constructor(options: ParseOptions) {
    super();
    this.#options = options;
  }

  override recover(recognizer: Parser, exception: RecognitionException): void {
    this.#limited(recognizer, () => super.recover(recognizer, exception));
  }

  override recoverInline(recognizer: Parser): Token {
    return this.#limited(recognizer, () => super.recoverInline(recognizer));
  }

  #limited<T>(recognizer: Parser, attempt: () => T): T {
    const { errorRecoveryLimit, errorRecoveryLookaheadLimit } = this.#options;
    if (this.#attempts++ === errorRecoveryLimit) {
      recognizer.notifyErrorListeners(recoveryLimitExceeded(errorRecoveryLimit), null, null);
      throw new Abandoned(undefined);
    }
    if (!(recognizer instanceof LimitedParser)) return attempt();
    recognizer.lookahead = { left: errorRecoveryLookaheadLimit, limit: errorRecoveryLookaheadLimit };
    try {
      return attempt();
    } finally {
      recognizer.lookahead = undefined;
    }
  }
}
