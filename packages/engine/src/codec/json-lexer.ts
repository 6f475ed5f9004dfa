/**
 * The scalars of JSON: strings, numbers, literals, and the space between.
 *
 * Go checks syntax byte by byte with a state machine; each place that machine can stop has its own words, which the
 * `context` of a failure carries.
 */
import { Float64, integerValue, type JsonValue } from "../value/json.ts";
import { numberOutOfRange, UNEXPECTED_END } from "./messages.ts";

/** Carries a syntax error out of the decoder; never leaves `decodeJson`. */
export class SyntaxFailure extends Error {
  readonly offset: number;
  /** What Go was doing when it met a wrong character; undefined when the text ended. */
  readonly context: string | undefined;
  /** The character, where it is not the one at the offset. */
  readonly unit: number | undefined;

  constructor(offset: number, context: string | undefined, unit: number | undefined) {
    super(UNEXPECTED_END);
    this.offset = offset;
    this.context = context;
    this.unit = unit;
  }
}

export interface RangeFailure {
  readonly error: string;
  readonly offset: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_SAFE_DIGITS = 15;

export class JsonLexer {
  protected readonly text: string;
  protected pos = 0;
  /** The first number that no float64 can hold. */
  rangeError: RangeFailure | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character that is not space, or NaN at the end. */
  protected skipSpace(): number {
    const text = this.text;
    let pos = this.pos;
    let unit = text.charCodeAt(pos);
    while (unit <= SPACE && (unit === SPACE || unit === 0x0a || unit === 0x0d || unit === 0x09)) {
      unit = text.charCodeAt(++pos);
    }
    this.pos = pos;
    return unit;
  }

  protected fail(context: string): never {
    if (this.pos >= this.text.length) throw new SyntaxFailure(this.text.length, undefined, undefined);
    throw new SyntaxFailure(this.pos, context, undefined);
  }

  // Go feeds its machine one space at the end of the text, and literals end on that space instead of the end.
  private failInToken(context: string): never {
    if (this.pos >= this.text.length) throw new SyntaxFailure(this.text.length, context, SPACE);
    throw new SyntaxFailure(this.pos, context, undefined);
  }

  /** Reads the string whose opening quote is at the position. */
  protected readString(): string {
    const text = this.text;
    const start = this.pos + 1;
    for (let pos = start; ; pos++) {
      const unit = text.charCodeAt(pos);
      if (unit === QUOTE) {
        this.pos = pos + 1;
        return text.slice(start, pos);
      }
      if (unit === BACKSLASH) return this.readEscaped(start, pos);
      if (!(unit >= SPACE)) {
        this.pos = pos;
        this.fail("in string literal");
      }
    }
  }

  private readEscaped(start: number, firstEscape: number): string {
    const text = this.text;
    let result = text.slice(start, firstEscape);
    let from = firstEscape;
    this.pos = firstEscape;
    for (;;) {
      const unit = text.charCodeAt(this.pos);
      if (unit === QUOTE) {
        result += text.slice(from, this.pos++);
        return result;
      }
      if (unit === BACKSLASH) {
        result += text.slice(from, this.pos);
        result += this.readEscape();
        from = this.pos;
      } else if (unit >= SPACE) this.pos++;
      else this.fail("in string literal");
    }
  }

  private readEscape(): string {
    const unit = this.text.charCodeAt(++this.pos);
    if (unit === 0x75) return this.readUnicodeEscape();
    const plain = ESCAPES.get(unit);
    if (plain === undefined) this.failInToken("in string escape code");
    this.pos++;
    return plain;
  }

  // A pair of surrogates is one character; a lone one is replaced, and what follows it is read by itself.
  private readUnicodeEscape(): string {
    const unit = this.readHex4();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    const afterFirst = this.pos;
    if (unit < 0xdc00 && this.text.startsWith("\\u", afterFirst)) {
      this.pos++;
      const low = this.readHex4();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
      this.pos = afterFirst;
    }
    return "\ufffd";
  }

  private readHex4(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const digit = hexDigit(this.text.charCodeAt(++this.pos));
      if (digit < 0) this.failInToken("in \\u hexadecimal character escape");
      value = value * 16 + digit;
    }
    this.pos++;
    return value;
  }

  protected readLiteral(word: string, value: JsonValue): JsonValue {
    for (let i = 1; i < word.length; i++) {
      this.pos++;
      if (this.text.charCodeAt(this.pos) !== word.charCodeAt(i)) {
        this.failInToken(`in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.pos++;
    return value;
  }

  protected readNumber(first: number): JsonValue {
    const text = this.text;
    const start = this.pos;
    let unit = first;
    if (unit === 0x2d) {
      unit = text.charCodeAt(++this.pos);
      if (!isDigit(unit)) this.failInToken("in numeric literal");
    }
    // A leading zero is the whole integer part.
    let value = unit - 0x30;
    const digitsFrom = this.pos;
    unit = text.charCodeAt(++this.pos);
    if (value > 0) {
      for (; isDigit(unit); unit = text.charCodeAt(++this.pos)) value = value * 10 + (unit - 0x30);
    }
    if (unit === 0x2e || unit === 0x65 || unit === 0x45) return this.readFloat(start, unit);
    if (this.pos - digitsFrom > LAST_SAFE_DIGITS) return this.longInteger(text.slice(start, this.pos), start);
    return first === 0x2d ? 0 - value : value;
  }

  private longInteger(literal: string, start: number): JsonValue {
    // Past int64 only the float64 matters, which is not worth an exact integer of a million digits.
    if (literal.length > 20) return this.floatLiteral(literal, start);
    return integerValue(BigInt(literal));
  }

  private readFloat(start: number, separator: number): JsonValue {
    let unit = separator;
    if (unit === 0x2e) unit = this.readDigits("after decimal point in numeric literal");
    if (unit === 0x65 || unit === 0x45) {
      const sign = this.text.charCodeAt(this.pos + 1);
      if (sign === 0x2b || sign === 0x2d) this.pos++;
      this.readDigits("in exponent of numeric literal");
    }
    return this.floatLiteral(this.text.slice(start, this.pos), start);
  }

  private readDigits(context: string): number {
    let unit = this.text.charCodeAt(++this.pos);
    if (!isDigit(unit)) this.failInToken(context);
    while (isDigit(unit)) unit = this.text.charCodeAt(++this.pos);
    return unit;
  }

  private floatLiteral(literal: string, start: number): JsonValue {
    const value = Number(literal);
    if (Number.isFinite(value)) return Number.isInteger(value) ? new Float64(value) : value;
    this.rangeError ??= { error: numberOutOfRange(literal), offset: start };
    return new Float64(value);
  }
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x5c, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [0x66, "\f"],
  [0x6e, "\n"],
  [0x72, "\r"],
  [0x74, "\t"],
]);

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
