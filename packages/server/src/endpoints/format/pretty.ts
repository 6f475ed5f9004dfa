/** JSON with two spaces a level, as Go's Indent writes it: empty objects and lists stay on one line. */

/** `text` is JSON without any space between its tokens; the order of members stays. */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let level = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") level++;
    if (token === "}" || token === "]") level--;
    parts.push(spaced(token, level));
  }
  return parts.join("");
}

/** Texts, empty values, punctuation, and everything else. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]|[^"{}[\],:]+/g;

function spaced(token: string, level: number): string {
  switch (token) {
    case "{":
    case "[":
    case ",":
      return `${token}\n${"  ".repeat(level)}`;
    case "}":
    case "]":
      return `\n${"  ".repeat(level)}${token}`;
    case ":":
      return ": ";
    default:
      return token;
  }
}
