/**
 * Keys in the order of go-yaml v2: letters behind everything else, and digits by the number they make, so that `a2` comes
 * before `a10`.
 */

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

export function compareKeys(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  const at = a.findIndex((char, index) => char !== b[index]);
  const [first, second] = [a[at], b[at]];
  if (first === undefined || second === undefined) return a.length - b.length;
  const [isLetter, isOtherLetter] = [LETTER.test(first), LETTER.test(second)];
  if (isLetter && isOtherLetter) return byCode(first, second);
  if (isLetter || isOtherLetter) return isLetter ? 1 : -1;
  // A zero behind another digit counts.
  const start = (first === "0" || second === "0") && isAfterDigit(a, at) ? 1 : 0;
  const [one, other] = [numberAt(a, at, start), numberAt(b, at, start)];
  return one.value - other.value || one.length - other.length || byCode(first, second);
}

function byCode(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}

function isAfterDigit(chars: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0 && DIGIT.test(chars[index] ?? ""); index--) if (chars[index] !== "0") return true;
  return false;
}

function numberAt(chars: readonly string[], at: number, start: number): { value: number; length: number } {
  let value = start;
  let length = 0;
  for (let char = chars[at]; char !== undefined && DIGIT.test(char); char = chars[at + ++length]) {
    value = value * 10 + byCode(char, "0");
  }
  return { value, length };
}
