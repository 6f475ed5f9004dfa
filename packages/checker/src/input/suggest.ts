/** "Did you mean …?": finds the most similar valid name. */

/** The most similar name, or undefined if none is similar enough. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const each of words) {
    const distance = editDistance(word.toLowerCase(), each.toLowerCase(), least);
    if (distance < least) {
      best = each;
      least = distance;
    }
  }
  return best;
}

/** `; did you mean …?`, or nothing. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}

/**
 * Counts insertions, deletions, replacements and swaps of neighbours; returns `limit` if there are at least that many.
 */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let older: number[] = [];
  let old = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (old[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (old[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (older[column - 2] ?? 0) + 1 : limit,
        ),
      );
    }
    [older, old] = [old, current];
  }
  return old[right.length] ?? limit;
}
