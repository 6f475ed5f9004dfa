/** The indentation of the next line, from the line before it: what is written after `spec:` belongs to it. */

const UNIT = "  ";

/** `line` is the text from the start of the line to the cursor. */
export function indentAfter(line: string): string {
  const [, indent = "", dashes = "", rest = ""] = /^( *)((?:- +)*)(.*)$/.exec(line) ?? [];
  const column = indent + " ".repeat(dashes.length);
  const bare = withoutComment(rest).trimEnd();
  if (bare === "-") return `${column}${UNIT}`;
  // The value of a key comes in the next lines: nothing yet, a block of text, or an anchor.
  if (/:(?: +(?:[|>][-+0-9]*|[&!]\S+))?$/.test(bare)) return `${column}${UNIT}`;
  if (/[{[]$/.test(bare)) return `${column}${UNIT}`;
  return column;
}

function withoutComment(text: string): string {
  if (text.startsWith("#")) return "";
  const quoted = /^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)*/.exec(text)?.[0] ?? "";
  return text.slice(quoted.length).startsWith("#") ? quoted : text;
}
