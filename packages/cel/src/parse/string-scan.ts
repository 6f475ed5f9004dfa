/** Where a quoted literal ends. */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;

/** The index after the quotes that close the literal opened at `open`, or -1 where it is malformed. */
export function endOfString(text: string, open: number, raw: boolean): number {
  const quote = text.charCodeAt(open);
  const isTriple = isTripleAt(text, open, quote);
  for (let at = isTriple ? open + 3 : open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote && (!isTriple || isTripleAt(text, at, quote))) return at + (isTriple ? 3 : 1);
    if (!isTriple && (code === LINE_FEED || code === CARRIAGE_RETURN)) return -1;
    if (code === BACKSLASH && !raw) {
      const length = escapeLength(text, at);
      if (length === 0) return -1;
      at += length - 1;
    }
  }
  return -1;
}

function isTripleAt(text: string, at: number, quote: number): boolean {
  return text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
}

const escapeSequence = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** How long the escape sequence at a backslash is, or 0 if it is not one. */
function escapeLength(text: string, at: number): number {
  escapeSequence.lastIndex = at;
  return escapeSequence.test(text) ? escapeSequence.lastIndex - at : 0;
}
