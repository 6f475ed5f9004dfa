/**
 * Validates a JSONPath in braces with the messages of client-go's parser; nothing is evaluated.
 *
 * Follows client-go util/jsonpath/parser.go. The parser is lenient: `{a b}` is two identifiers and fine.
 */
export function jsonPathProblem(text: string): string | undefined {
  try {
    new Scanner(text).scanText();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.text;
    throw thrown;
  }
}

/** Unwinds the scanner; never leaves this file. */
class Problem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

class Scanner {
  readonly #chars: readonly string[];
  #at = 0;
  #wasRecursive = false;

  constructor(text: string) {
    this.#chars = [...text];
  }

  scanText(): void {
    while (this.#at < this.#chars.length) if (this.#chars[this.#at++] === "{") this.#scanAction();
  }

  /** Up to and with the closing brace. */
  #scanAction(): void {
    for (;;) {
      if (this.#startsWith("}")) {
        this.#at++;
        return;
      }
      if (this.#startsWith("[?(")) this.#scanFilter();
      else if (this.#startsWith("..")) this.#scanRecursive();
      else {
        this.#scanStep();
        this.#wasRecursive = false;
      }
    }
  }

  #scanStep(): void {
    const char = this.#next();
    if (char === undefined || char === "\r" || char === "\n") throw new Problem("unclosed action");
    if (char === "[") this.#scanArray();
    else if (char === '"' || char === "'") this.#scanQuote(char);
    else if (char === ".") this.#scanField();
    else if (/[+\-\p{Nd}]/u.test(char)) this.#scanNumber(char);
    else if (/[_\p{L}]/u.test(char)) this.#skipTo(isTerminator);
    else if (!" @$".includes(char)) throw new Problem(`unrecognized character in action: ${describe(char)}`);
  }

  #scanRecursive(): void {
    if (this.#wasRecursive) throw new Problem("invalid multiple recursive descent");
    this.#at += 2;
    this.#wasRecursive = true;
    if (/[_\p{L}\p{Nd}]/u.test(this.#chars[this.#at] ?? "")) {
      this.#scanField();
      this.#wasRecursive = false;
    }
  }

  #scanField(): void {
    for (let char = this.#next(); char !== undefined; char = this.#next()) {
      if (char === "\\") this.#at++;
      else if (isTerminator(char)) {
        this.#at--;
        return;
      }
    }
  }

  #scanNumber(first: string): void {
    const rest = this.#skipTo((char) => char !== "." && !/\p{Nd}/u.test(char));
    const number = first + rest;
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(number)) throw new Problem(`cannot parse number ${number}`);
  }

  #scanArray(): void {
    const text = this.#until("]", "unterminated array");
    const parts = text.split(",");
    if (parts.length > 1) {
      for (const part of parts) new Scanner(`{[${part.replace(/^ +| +$/g, "")}]}`).scanText();
      return;
    }
    const key = /^'([^']*)'$/.exec(text)?.[1];
    if (key !== undefined) new Scanner(`{.${key}}`).scanText();
    else if (text !== "*") checkSlice(text);
  }

  #scanFilter(): void {
    this.#at += 3;
    const start = this.#at;
    let quote: string | undefined;
    let isClosed = false;
    for (;;) {
      const char = this.#next();
      if (char === undefined || char === "\n") throw new Problem("unterminated filter");
      if (char === '"' || char === "'") {
        if (quote === undefined) quote = char;
        else if (char === quote && this.#chars[this.#at - 2] !== "\\") isClosed = true;
      } else if (char === ")" && (quote !== undefined) === isClosed) break;
    }
    const text = this.#chars.slice(start, this.#at - 1).join("");
    if (this.#next() !== "]") throw new Problem("unclosed array expect ]");
    const comparison = splitComparison(text);
    for (const part of comparison === undefined ? [text] : [comparison.left, comparison.right]) {
      new Scanner(`{${part}}`).scanText();
    }
  }

  #scanQuote(quote: string): void {
    const start = this.#at;
    for (;;) {
      const char = this.#next();
      if (char === undefined || char === "\n") throw new Problem("unterminated quoted string");
      if (char === quote && this.#chars[this.#at - 2] !== "\\") break;
    }
    const inside = this.#chars.slice(start, this.#at - 1).join("");
    if (!/^([^\\]|\\([abfnrtv\\'"]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{3}))*$/.test(inside)) {
      throw new Problem(`unquote string ${quote}${inside}${quote} error invalid syntax`);
    }
  }

  #startsWith(text: string): boolean {
    return [...text].every((char, offset) => this.#chars[this.#at + offset] === char);
  }

  #next(): string | undefined {
    return this.#chars[this.#at++];
  }

  #skipTo(stop: (char: string) => boolean): string {
    const start = this.#at;
    while (this.#at < this.#chars.length && !stop(this.#chars[this.#at] ?? "")) this.#at++;
    return this.#chars.slice(start, this.#at).join("");
  }

  #until(end: string, problem: string): string {
    const text = this.#skipTo((char) => char === end || char === "\n");
    if (this.#next() !== end) throw new Problem(problem);
    return text;
  }
}

function checkSlice(text: string): void {
  const found = SLICE.exec(text);
  if (found === null) throw new Problem(`invalid array index ${text}`);
  for (const [position, part = ""] of found.slice(1).entries()) {
    const number = position === 0 ? part : part.slice(1);
    if (number === "-") throw new Problem(`array index ${number} is not a number`);
  }
}

function isTerminator(char: string): boolean {
  return " \t\r\n.,[]$@{}".includes(char);
}

/** Go's `%#U`. */
function describe(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${code} '${char}'`;
}

export interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

const OPERATOR = "!<>=";

/** The comparison in a filter, `/^([^!<>=]+)([!<>=]+)(.+?)$/` in linear time. */
export function splitComparison(text: string): Comparison | undefined {
  const start = text.search(/[!<>=]/);
  if (start <= 0) return undefined;
  let end = start;
  while (end < text.length && OPERATOR.includes(text.charAt(end))) end++;
  // Something has to be on the right.
  if (end === text.length) end--;
  const right = text.slice(end);
  if (end === start || right.includes("\n")) return undefined;
  return { left: text.slice(0, start), operator: text.slice(start, end), right };
}
