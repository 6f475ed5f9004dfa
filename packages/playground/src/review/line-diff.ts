/** The difference of two texts, line by line. */
import type { DiffLine } from "./outcome.ts";

/** Larger texts than this are shown as they are. */
const MAX_CELLS = 4_000_000;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const head = commonPrefix(before, after);
  const tail = commonPrefix(before.slice(head).reverse(), after.slice(head).reverse());
  const [left, right] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return [
    ...before.slice(0, head).map(same),
    ...diffMiddle(left, right),
    ...(tail === 0 ? [] : before.slice(-tail)).map(same),
  ];
}

export function countChanges(lines: readonly DiffLine[]): number {
  return lines.filter(({ kind }) => kind !== "same").length;
}

function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length * right.length > MAX_CELLS) return [...left.map(removed), ...right.map(added)];
  const lengths = commonLengths(left, right);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    if (a !== undefined && a === b) {
      lines.push(same(a));
      i++;
      j++;
    } else if (b === undefined || (a !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      lines.push(removed(a ?? ""));
      i++;
    } else {
      lines.push(added(b));
      j++;
    }
  }
  return lines;
}

/** Of every pair of suffixes, the length of their longest common subsequence. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    const [row, below] = [table[i], table[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = right.length - 1; j >= 0; j--) {
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

function commonPrefix(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

const same = (text: string): DiffLine => ({ kind: "same", text });
const added = (text: string): DiffLine => ({ kind: "added", text });
const removed = (text: string): DiffLine => ({ kind: "removed", text });
