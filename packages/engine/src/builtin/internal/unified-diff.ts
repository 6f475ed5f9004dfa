/**
 * The difference of two texts as kube-apiserver prints it: the algorithm of Python's difflib, three lines of context, no
 * header. Lines that are more than a hundredth of a text of 200 lines or more are not looked for, as there.
 */
const CONTEXT = 3;

export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return groupsOf(changesOf(a, b))
    .map((group) => hunk(group, a, b))
    .join("");
}

/** Lines `a1` to `a2` become lines `b1` to `b2`. */
interface Change {
  readonly isEqual: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function hunk(group: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const lines = group.flatMap(({ isEqual, a1, a2, b1, b2 }) =>
    isEqual
      ? a.slice(a1, a2).map((line) => ` ${line}\n`)
      : [...a.slice(a1, a2).map((line) => `-${line}\n`), ...b.slice(b1, b2).map((line) => `+${line}\n`)],
  );
  return `@@ -${range(first.a1, last.a2)} +${range(first.b1, last.b2)} @@\n${lines.join("")}`;
}

function range(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Changes that are near one another, with what stays the same around them. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const trimmed = changes.map((change, index) => trimEnds(change, index === 0, index === changes.length - 1));
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const change of trimmed) {
    const { isEqual, a1, a2, b1, b2 } = change;
    if (isEqual && a2 - a1 > 2 * CONTEXT) {
      group.push({ isEqual, a1, a2: Math.min(a2, a1 + CONTEXT), b1, b2: Math.min(b2, b1 + CONTEXT) });
      groups.push(group);
      group = [{ isEqual, a1: Math.max(a1, a2 - CONTEXT), a2, b1: Math.max(b1, b2 - CONTEXT), b2 }];
    } else group.push(change);
  }
  groups.push(group);
  return groups.filter((each) => each.some(({ isEqual }) => !isEqual));
}

function trimEnds(change: Change, isFirst: boolean, isLast: boolean): Change {
  if (!change.isEqual) return change;
  const { isEqual, a1, a2, b1, b2 } = change;
  const [from, to] = [isFirst ? Math.max(0, a2 - a1 - CONTEXT) : 0, isLast ? Math.max(0, a2 - a1 - CONTEXT) : 0];
  return { isEqual, a1: a1 + from, a2: a2 - (isFirst ? 0 : to), b1: b1 + from, b2: b2 - (isFirst ? 0 : to) };
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const { a: ai, b: bj, size } of matchesOf(a, b)) {
    if (i < ai || j < bj) changes.push({ isEqual: false, a1: i, a2: ai, b1: j, b2: bj });
    if (size > 0) changes.push({ isEqual: true, a1: ai, a2: ai + size, b1: bj, b2: bj + size });
    [i, j] = [ai + size, bj + size];
  }
  return changes;
}

/** The longest run first, then what is on either side of it; neighbours joined, and an empty one at the end. */
function matchesOf(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesIn(b);
  const found: Match[] = [];
  const open = [{ alo: 0, ahi: a.length, blo: 0, bhi: b.length }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const match = longest(a, b, places, part);
    if (match.size === 0) continue;
    found.push(match);
    open.push({ alo: part.alo, ahi: match.a, blo: part.blo, bhi: match.b });
    open.push({ alo: match.a + match.size, ahi: part.ahi, blo: match.b + match.size, bhi: part.bhi });
  }
  found.sort((left, right) => left.a - right.a || left.b - right.b);
  return [...joined(found), { a: a.length, b: b.length, size: 0 }];
}

function joined(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of matches) {
    const last = result.at(-1);
    if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b) {
      result[result.length - 1] = { ...last, size: last.size + match.size };
    } else result.push(match);
  }
  return result;
}

const MANY_LINES = 200;

function placesIn(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, index) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  });
  if (b.length < MANY_LINES) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, indexes] of places) if (indexes.length > most) places.delete(line);
  return places;
}

interface Part {
  readonly alo: number;
  readonly ahi: number;
  readonly blo: number;
  readonly bhi: number;
}

function longest(a: readonly string[], b: readonly string[], places: Map<string, number[]>, part: Part): Match {
  const { alo, ahi, blo, bhi } = part;
  let best = { a: alo, b: blo, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = alo; i < ahi; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < blo) continue;
      if (j >= bhi) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extended(a, b, best, part);
}

/** By lines that are not looked for, where they happen to be equal. */
function extended(a: readonly string[], b: readonly string[], { a: start, b: other, size }: Match, part: Part): Match {
  let [i, j, length] = [start, other, size];
  while (i > part.alo && j > part.blo && a[i - 1] === b[j - 1]) {
    i--;
    j--;
    length++;
  }
  while (i + length < part.ahi && j + length < part.bhi && a[i + length] === b[j + length]) length++;
  return { a: i, b: j, size: length };
}
