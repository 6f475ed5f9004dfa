/**
 * Property names as CEL identifiers and back.
 *
 * Names that start with a digit or hold other characters than letters, digits, `_`, `.`, `-` and `/` have no escaped
 * form: expressions cannot reach such a property. Follows apiserver pkg/cel/escaping.go.
 */

const RESERVED: ReadonlySet<string> = new Set([
  ..."true false null in as break const continue else for function if import let loop package".split(" "),
  ..."namespace return var void while".split(" "),
]);

const SEQUENCES: ReadonlyMap<string, string> = new Map([
  ["__", "underscores"],
  [".", "dot"],
  ["-", "dash"],
  ["/", "slash"],
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map([...SEQUENCES].map(([text, name]) => [name, text]));

const ACCESSIBLE = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/;
const NEEDS_ESCAPE = /__|[-./]/g;
const ESCAPED = /__[^_]+__/g;

export function isReservedWord(name: string): boolean {
  return RESERVED.has(name);
}

/**
 * The identifier of a property, or undefined if it has none.
 * @example escapeName("a-b") // "a__dash__b"
 */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!ACCESSIBLE.test(name)) return undefined;
  return name.replace(NEEDS_ESCAPE, (sequence) => `__${SEQUENCES.get(sequence)}__`);
}

/**
 * The property of an identifier; undefined if it contains an invalid escape.
 * @example unescapeName("a__dash__b") // "a-b"
 */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes("__")) return escaped;
  let known = true;
  const name = escaped.replace(ESCAPED, (match) => {
    const word = match.slice(2, -2);
    const character = CHARACTERS.get(word);
    if (character !== undefined) return character;
    // A reserved word is escaped as a whole or not at all.
    known &&= RESERVED.has(word) && match.length === escaped.length;
    return word;
  });
  return known ? name : undefined;
}
