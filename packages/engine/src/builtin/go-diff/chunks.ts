/** The differences of two sequences in chunks of one size, with some of what did not change around them. */
import { editScript, plainLikeness } from "./edit-script.ts";
import { type FormatOptions, levelOf } from "./format-options.ts";
import { addGroups, describeGroup, differencesIn, type Group, groupsOf, isNoGroup, newGroup } from "./groups.ts";
import { ELLIPSIS, type Mark, type TextRecord } from "./text-node.ts";

export interface Chunks<T> {
  readonly before: readonly T[];
  readonly after: readonly T[];
  readonly size: number;
  /** Of one element. */
  readonly name: string;
  readonly print: (chunk: readonly T[], mark: Mark) => TextRecord;
}

const CONTEXT = 2;

export function chunkRecords<T>(chunks: Chunks<T>, options: FormatOptions): TextRecord[] {
  const { before, after, size, name, print } = chunks;
  const records: TextRecord[] = [];
  const limit = options.isLimited ? (1 << levelOf(options)) << 2 : Number.POSITIVE_INFINITY;
  const groups = groupsFor(chunks);
  const put = (part: readonly T[], mark: Mark): void => {
    for (let at = 0; at < part.length; at += size) records.push(print(part.slice(at, at + size), mark));
  };
  let [x, y, count] = [0, 0, 0];
  let rest = newGroup();
  for (const [index, group] of groups.entries()) {
    const [lengthX, lengthY] = [countX(group), countY(group)];
    if (count >= limit) rest = addGroups(rest, group);
    else if (differencesIn(group) === 0) {
      const { leading, trailing } = contextOf(group.identical, size, index === 0, index === groups.length - 1);
      put(before.slice(x, x + leading), " ");
      const left = group.identical - leading - trailing;
      if (left > 0) records.push(leftOut(newGroup({ identical: left }), name));
      put(before.slice(x + lengthX - trailing, x + lengthX), " ");
    } else {
      const start = records.length;
      put(before.slice(x, x + lengthX), "-");
      put(after.slice(y, y + lengthY), "+");
      count += records.length - start;
    }
    [x, y] = [x + lengthX, y + lengthY];
  }
  if (!isNoGroup(rest)) records.push(leftOut(rest, name));
  return records;
}

function leftOut(group: Group, name: string): TextRecord {
  return { text: ELLIPSIS, isBare: true, comment: describeGroup(group, name) };
}

interface Context {
  readonly leading: number;
  readonly trailing: number;
}

function contextOf(total: number, size: number, isFirst: boolean, isLast: boolean): Context {
  const leading = isFirst ? 0 : Math.min(size * CONTEXT, total);
  const trailing = isLast ? 0 : Math.min(size * CONTEXT, total - leading);
  return { leading, trailing: total - leading - trailing <= size ? total - leading : trailing };
}

function countX({ identical, removed, modified }: Group): number {
  return identical + removed + modified;
}

function countY({ identical, inserted, modified }: Group): number {
  return identical + inserted + modified;
}

function groupsFor<T>({ before, after, size }: Chunks<T>): Group[] {
  const isEqual = (x: number, y: number): boolean => before[x] === after[y];
  const edits = editScript(before.length, after.length, (x, y) => plainLikeness(isEqual(x, y)));
  return trimmed(withoutShortRuns(groupsOf(edits), Math.floor(size / 4)), isEqual);
}

/** Short equal runs between differences become part of them. */
function withoutShortRuns(groups: readonly Group[], longest: number): Group[] {
  const result: Group[] = [];
  for (const group of groups) {
    const [before, between] = result.slice(-2);
    const isBoth =
      before !== undefined &&
      before.removed + group.removed > 0 &&
      before.inserted + group.inserted > 0 &&
      differencesIn(group) > 0;
    if (result.length >= 2 && isBoth && between !== undefined && between.identical <= longest) {
      result.splice(-2, 2, addGroups(addGroups(before, between), group));
    } else result.push(group);
  }
  return result;
}

/** Equal elements at the ends of differences belong to the equal runs beside them. */
function trimmed(groups: readonly Group[], isEqual: (x: number, y: number) => boolean): Group[] {
  const result = groups.map((group) => ({ ...group }));
  let [x, y, first, last] = [0, 0, 0, 0];
  for (const [index, group] of result.entries()) {
    let [lengthX, lengthY] = [countX(group), countY(group)];
    if (differencesIn(group) > 0) {
      const shorter = Math.min(lengthX, lengthY);
      let [leading, trailing] = [0, 0];
      while (leading < shorter && isEqual(x + leading, y + leading)) leading++;
      while (trailing < shorter && isEqual(x + lengthX - 1 - trailing, y + lengthY - 1 - trailing)) trailing++;
      const [previous, next] = [result[index - 1], result[index + 1]];
      if (previous !== undefined) previous.identical += leading;
      else first = leading;
      if (next !== undefined) next.identical += trailing;
      else last = trailing;
      [x, y] = [x + leading, y + leading];
      [lengthX, lengthY] = [lengthX - leading - trailing, lengthY - leading - trailing];
      if (leading + trailing > 0) result[index] = newGroup({ removed: lengthX, inserted: lengthY });
    }
    [x, y] = [x + lengthX, y + lengthY];
  }
  if (first > 0) result.unshift(newGroup({ identical: first }));
  if (last > 0) result.push(newGroup({ identical: last }));
  return result;
}
