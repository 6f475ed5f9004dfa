/**
 * Trimming one character, as `strings.TrimRight` and `strings.Trim` do. Not by a regular expression such as `/ +$/`: it
 * tries again at every character of a long run within the text, which takes the square of its length.
 */

export function trimRight(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}

function trimLeft(text: string, char: string): string {
  let start = 0;
  while (text[start] === char) start++;
  return text.slice(start);
}

export function trimBoth(text: string, char: string): string {
  return trimLeft(trimRight(text, char), char);
}
