/** The tokens of a label selector. Follows the lexer of apimachinery pkg/labels/selector.go. */
import { keywordExpected } from "./messages.ts";

export type TokenKind =
  | "end"
  | "error"
  | "identifier"
  | "("
  | ")"
  | ","
  | "!"
  | "="
  | "=="
  | "!="
  | ">"
  | "<"
  | "in"
  | "notin";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS: readonly TokenKind[] = [")", ",", "!", "==", "=", ">", "<", "!=", "(", "in", "notin"];

function asSymbol(text: string): TokenKind | undefined {
  return text.length > LONGEST_SYMBOL ? undefined : SYMBOLS.find((symbol) => symbol === text);
}

const LONGEST_SYMBOL = "notin".length;

/** Ends with an "end" token. A NUL ends the text, as it does upstream. */
export function scanSelector(selector: string): Token[] {
  const nul = selector.indexOf("\0");
  const text = nul < 0 ? selector : selector.slice(0, nul);
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    while (isSpace(text[at])) at++;
    if (at >= text.length) return [...tokens, { kind: "end", text: "" }];
    const token = isSpecial(text[at]) ? scanSymbol(text, at) : scanWord(text, at);
    tokens.push(token.token);
    at = token.end;
  }
}

const WORD_END = /[=!(),>< \t\r\n]/g;

interface Scanned {
  readonly token: Token;
  readonly end: number;
}

function scanWord(text: string, start: number): Scanned {
  WORD_END.lastIndex = start;
  const end = WORD_END.exec(text)?.index ?? text.length;
  const word = text.slice(start, end);
  return { token: { kind: asSymbol(word) ?? "identifier", text: word }, end };
}

/** The longest run of special characters that is a symbol. */
function scanSymbol(text: string, start: number): Scanned {
  let found: Scanned | undefined;
  let end = start;
  while (isSpecial(text[end])) {
    end++;
    const symbol = text.slice(start, end);
    const kind = asSymbol(symbol);
    if (kind !== undefined) found = { token: { kind, text: symbol }, end };
    else if (found !== undefined) return { ...found, end: end - 1 };
  }
  return found ?? { token: { kind: "error", text: keywordExpected(text.slice(start, end)) }, end };
}

function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\r" || char === "\n";
}

function isSpecial(char: string | undefined): boolean {
  return char !== undefined && "=!(),><".includes(char);
}
