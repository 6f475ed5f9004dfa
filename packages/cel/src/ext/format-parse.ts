/**
 * Reading a format string clause by clause, for both the function and its check at compile time.
 *
 * Problems are found in the order of the text: the visitor gets each clause before the rest of the
 * string is read. Follows cel-go ext/formatting.go.
 */
import { atoi } from "@portcullis/gostd/strconv";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import {
  badPrecision,
  CLAUSE_TAKES,
  type ClauseLetter,
  endOfFormat,
  endOfPrecision,
  missingArgument,
  unknownClause,
  unparsableClause,
} from "./messages.ts";

export interface Clause {
  readonly letter: ClauseLetter;
  /** As written after the dot, or the default. */
  readonly precision: bigint;
}

/** The problem, and its node if that is known. */
export interface FormatProblem {
  readonly problem: string;
  readonly at?: number | undefined;
}

export interface ClauseVisitor {
  readonly argumentCount: number;
  /** False if a missing argument is reported only after the end of the text. */
  readonly checksArgumentsFirst: boolean;
  /** The text in place of a clause. */
  fill(clause: Clause, argument: number): string | FormatProblem;
}

const DEFAULT_PRECISION = 6n;

export interface Filled {
  readonly text: string;
  readonly argumentsUsed: number;
}

export function fillFormat(format: string, visitor: ClauseVisitor): Filled | FormatProblem {
  let text = "";
  let argument = 0;
  let position = 0;
  for (;;) {
    const percent = format.indexOf("%", position);
    if (percent < 0) return { text: text + format.slice(position), argumentsUsed: argument };
    text += format.slice(position, percent);
    position = percent + 1;
    if (format[position] === "%") {
      text += "%";
      position++;
      continue;
    }
    const clause = nextClause(format, position, argument, visitor);
    if ("problem" in clause) return clause;
    const filled = visitor.fill(clause, argument);
    if (typeof filled !== "string") return filled;
    text += filled;
    position = clause.end;
    argument++;
  }
}

function nextClause(
  format: string,
  position: number,
  argument: number,
  visitor: ClauseVisitor,
): (Clause & { readonly end: number }) | FormatProblem {
  const isMissing = argument >= visitor.argumentCount;
  if (isMissing && visitor.checksArgumentsFirst) return { problem: missingArgument(argument) };
  if (position >= format.length) return { problem: endOfFormat };
  if (isMissing) return { problem: missingArgument(argument) };
  const clause = parseClause(format, position);
  return "problem" in clause ? { problem: unparsableClause(clause.problem) } : clause;
}

function parseClause(format: string, start: number): (Clause & { readonly end: number }) | FormatProblem {
  let position = start;
  let precision = DEFAULT_PRECISION;
  if (format[position] === ".") {
    position = endOfDigits(format, position + 1);
    if (position >= format.length) return { problem: endOfPrecision };
    const parsed = atoi(format.slice(start + 1, position));
    if (parsed.error !== undefined) return { problem: badPrecision(parsed.error) };
    precision = parsed.value;
  }
  const letter = format[position] ?? "";
  if (!isClauseLetter(letter)) return { problem: unknownClause(firstByte(format.slice(position))) };
  return { letter, precision, end: position + 1 };
}

function endOfDigits(format: string, start: number): number {
  let position = start;
  while (position < format.length && isDigit(format.charCodeAt(position))) position++;
  return position;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isClauseLetter(letter: string): letter is ClauseLetter {
  return Object.hasOwn(CLAUSE_TAKES, letter);
}

// Upstream reads bytes and shows the first one as if it were a character.
function firstByte(text: string): string {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return String.fromCharCode(encodeUtf8(character)[0] ?? 0);
}
