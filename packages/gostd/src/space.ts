/** White space of Go's `unicode.IsSpace`: unlike JavaScript's it includes U+0085 and not U+FEFF. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/**
 * Go's `strings.TrimSpace`.
 * @example trimSpace("\ta\u0085") // "a"
 */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text[start] ?? "")) start++;
  while (end > start && SPACE.test(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}
