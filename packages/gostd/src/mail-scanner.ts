/** The tokens of RFC 5322 addresses: atoms, quoted strings, domain literals, comments. */
import { badDomainAddress, badDomainCharacter, badQuotedCharacter } from "./messages.ts";
import { parseIp } from "./net.ts";
import type { Result } from "./result.ts";

export type Scanned = Result<string>;

interface AtomOptions {
  /** Allows dots anywhere, as in a display name. */
  readonly permissive: boolean;
}

/** A position in the text being parsed; each method that succeeds moves past what it read. */
export class MailScanner {
  position = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.position === this.#text.length;
  }

  peek(): string {
    return this.#text.charAt(this.position);
  }

  rest(): string {
    return this.#text.slice(this.position);
  }

  consume(char: string): boolean {
    if (this.peek() !== char) return false;
    this.position++;
    return true;
  }

  skipSpace(): void {
    while (this.peek() === " " || this.peek() === "\t") this.position++;
  }

  /** Skips blanks and comments; false when a comment is not closed. */
  skipComments(): boolean {
    this.skipSpace();
    while (this.consume("(")) {
      if (this.comment() === undefined) return false;
      this.skipSpace();
    }
    return true;
  }

  /** The inside of a comment, the opening parenthesis already read; nested ones are part of it. */
  comment(): string | undefined {
    let content = "";
    for (let depth = 1; !this.atEnd(); ) {
      const escaped = this.peek() === "\\" && this.position + 1 < this.#text.length;
      if (escaped) this.position++;
      else if (this.peek() === "(") depth++;
      else if (this.peek() === ")") depth--;
      if (depth > 0) content += this.peek();
      this.position++;
      if (depth === 0) return content;
    }
    return undefined;
  }

  atom({ permissive }: AtomOptions): Scanned {
    const start = this.position;
    while (!this.atEnd() && isAtext(this.#char(), { dot: true })) this.position += this.#char().length;
    const atom = this.#text.slice(start, this.position);
    if (atom === "") return { error: "mail: invalid string" };
    if (permissive) return { value: atom };
    if (atom.startsWith(".")) return { error: "mail: leading dot in atom" };
    if (atom.includes("..")) return { error: "mail: double dot in atom" };
    return atom.endsWith(".") ? { error: "mail: trailing dot in atom" } : { value: atom };
  }

  /** Does not move when it fails. */
  quotedString(): Scanned {
    let content = "";
    let escaped = false;
    for (let at = this.position + 1; at < this.#text.length; ) {
      const char = charAt(this.#text, at);
      at += char.length;
      if (!escaped && char === '"') {
        this.position = at;
        return { value: content };
      }
      if (!escaped && char === "\\") {
        escaped = true;
        continue;
      }
      if (!isVisible(char) && char !== " " && char !== "\t") return { error: badQuotedCharacter(codeOf(char)) };
      content += char;
      escaped = false;
    }
    return { error: "mail: unclosed quoted-string" };
  }

  /** An IP address in brackets. */
  domainLiteral(): Scanned {
    const start = ++this.position;
    while (this.peek() !== "]") {
      if (this.atEnd()) return { error: "mail: unclosed domain-literal" };
      const char = this.#char();
      if (char === "[" || char === "\\" || !isVisible(char)) return { error: badDomainCharacter(codeOf(char)) };
      this.position += char.length;
    }
    const content = this.#text.slice(start, this.position++);
    return parseIp(content) === undefined ? { error: badDomainAddress(content) } : { value: `[${content}]` };
  }

  #char(): string {
    return charAt(this.#text, this.position);
  }
}

const SPECIALS = '()<>[]:;@\\,"';

export function isAtext(char: string, { dot }: { readonly dot: boolean }): boolean {
  if (char === ".") return dot;
  return !SPECIALS.includes(char) && isVisible(char);
}

/** Printable ASCII, or anything beyond ASCII. */
function isVisible(char: string): boolean {
  const code = codeOf(char);
  return (code >= 0x21 && code <= 0x7e) || code >= 0x80;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
