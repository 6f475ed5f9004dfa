/** The comparison in a filter of a JSONPath, as client-go divides it: `/^([^!<>=]+)([!<>=]+)(.+?)$/`, in linear time. */

export interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

const OPERATOR = "!<>=";

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
