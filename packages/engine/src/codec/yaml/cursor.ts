/**
 * A place in YAML text, and the classes of characters around it.
 *
 * Four NULs are put behind the text so that looking ahead needs no bounds: a NUL is never part of YAML, and go-yaml
 * pads its buffer the same way. Columns and distances count code points.
 */

/** A place a token starts at. */
export interface Mark {
  readonly pos: number;
  readonly line: number;
  readonly column: number;
  /** Code points from the start of the text. */
  readonly index: number;
}

/** Carries an error out of the decoder; never leaves `decodeYaml`. */
export class YamlFailure extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`yaml: ${message}`);
    this.offset = offset;
  }
}

export class Cursor {
  readonly text: string;
  pos = 0;
  /** From 0. */
  line = 0;
  /** Where the line would start if every character before the position took one unit. */
  lineStart = 0;
  /** Surrogate pairs passed so far. */
  #pairs = 0;
  readonly #problem: string | undefined;
  readonly #wide: boolean;

  constructor(text: string, problem: string | undefined) {
    this.text = `${text}\0\0\0\0`;
    this.#problem = problem;
    this.#wide = /[\ud800-\udbff]/.test(text);
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  mark(): Mark {
    return { pos: this.pos, line: this.line, column: this.pos - this.lineStart, index: this.pos - this.#pairs };
  }

  peek(ahead = 0): number {
    return this.text.charCodeAt(this.pos + ahead);
  }

  /** Moves to an offset on the same line. */
  advanceTo(pos: number): void {
    if (this.#wide) {
      for (let i = this.pos; i < pos; i++) {
        if ((this.text.charCodeAt(i) & 0xfc00) === 0xd800) {
          this.lineStart++;
          this.#pairs++;
        }
      }
    }
    this.pos = pos;
  }

  skip(count = 1): void {
    this.advanceTo(this.pos + count);
  }

  /** Passes a line break and answers what it stands for; "" if there is none. */
  readBreak(): string {
    const unit = this.peek();
    if (!isBreak(unit)) return "";
    this.pos += unit === 0x0d && this.peek(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.pos;
    return unit === 0x2028 || unit === 0x2029 ? String.fromCharCode(unit) : "\n";
  }

  skipBlanks(): void {
    while (isBlank(this.peek())) this.pos++;
  }

  skipComment(): void {
    if (this.peek() !== 0x23) return;
    let end = this.pos;
    while (!isBreakOrEnd(this.text.charCodeAt(end))) end++;
    this.advanceTo(end);
  }

  /** `---` or `...` by itself at the start of a line. */
  atDocumentIndicator(): boolean {
    if (this.pos !== this.lineStart) return false;
    const unit = this.peek();
    if (unit !== 0x2d && unit !== 0x2e) return false;
    return this.peek(1) === unit && this.peek(2) === unit && isBlankOrEnd(this.peek(3));
  }

  /** The line of an error counts from 1, and the first line is not named. */
  fail(problem: string): never {
    this.checkEnd();
    throw new YamlFailure(this.line === 0 ? problem : `line ${this.line + 1}: ${problem}`, this.pos);
  }

  /** At the end of what could be read, the reason why it could not be read further. */
  checkEnd(): void {
    if (this.#problem !== undefined && this.peek() === 0) throw new YamlFailure(this.#problem, this.pos);
  }
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

export function isBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

export function isBreakOrEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0 || isBreak(unit);
}

export function isBlankOrEnd(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0 || isBreak(unit);
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** What names of anchors, tags and directives are made of. */
export function isWord(unit: number): boolean {
  const letter = unit | 0x20;
  return isDigit(unit) || (letter >= 0x61 && letter <= 0x7a) || unit === 0x5f || unit === 0x2d;
}
