/** The differences of a tree of values as text. Follows report_compare of go-cmp. */

import { formatBatched, isBatched } from "./format-batched.ts";
import {
  deeper,
  type FormatOptions,
  levelOf,
  MOST_VERBOSE,
  moreVerbose,
  partsShown,
  withVerbosity,
} from "./format-options.ts";
import { formatKey, formatValue, withType } from "./format-value.ts";
import { type GoValue, isZeroValue } from "./go-value.ts";
import { addGroups, describeGroup, differencesIn, type Group, groupsOf, isNoGroup, newGroup } from "./groups.ts";
import { braced, ELLIPSIS, isSameText, lengthOf, type Mark, type TextNode, type TextRecord } from "./text-node.ts";
import type { Node, Record } from "./tree.ts";

export function formatDiff(node: Node, given: FormatOptions): TextNode | undefined {
  const options = atLeastVerbose(given);
  const type = node.x ?? node.y;
  if (type === undefined) return undefined;
  if (isBatched(node, options)) return formatBatched(node, options);
  if (node.depth === 0) return formatLeaf(node, type, options);
  if (node.target !== undefined) return { prefix: "&", inner: formatDiff(node.target, options) ?? "", suffix: "" };
  return withType(type, formatRecords(node.records, type, options), options);
}

function atLeastVerbose(options: FormatOptions): FormatOptions {
  if (options.mark === " ") return withVerbosity(options, 1);
  return levelOf(options) < 3 ? withVerbosity(options, 3) : options;
}

function formatLeaf({ x, y, different }: Node, type: GoValue, options: FormatOptions): TextNode | undefined {
  if (options.mark === "-") return x && formatValue(x, options);
  if (options.mark === "+") return y && formatValue(y, options);
  if (different > 0)
    return withType(type, bothValues(x, y, { ...options, typeMode: "never" }), { ...options, typeMode: "always" });
  const [before, after] = [x && formatValue(x, options), y && formatValue(y, options)];
  return lengthOf(before ?? "") < lengthOf(after ?? "") ? before : after;
}

function bothValues(x: GoValue | undefined, y: GoValue | undefined, options: FormatOptions): TextNode {
  const [before, after] = distinct(options, (each) => [x && formatValue(x, each), y && formatValue(y, each)]);
  return pair(before, after, "");
}

type Pair = readonly [before: TextNode | undefined, after: TextNode | undefined];

/** More is printed until the two are not the same. */
function distinct(options: FormatOptions, format: (options: FormatOptions) => Pair): Pair {
  let found = format(options);
  for (let step = 0; step <= MOST_VERBOSE && isSameText(...found); step++) found = format(moreVerbose(options, step));
  return found;
}

function pair(before: TextNode | undefined, after: TextNode | undefined, key: string): TextRecord[] {
  const records: TextRecord[] = [];
  if (before !== undefined) records.push({ mark: "-", key, text: before });
  if (after !== undefined) records.push({ mark: "+", key, text: after });
  return records;
}

const PART_NAMES = { struct: "field", slice: "element", map: "entry" } as const;

function formatRecords(records: readonly Record[], owner: GoValue, given: FormatOptions): TextNode {
  const typeMode = owner.kind === "struct" ? "auto" : "never";
  const options: FormatOptions = { ...deeper(given), typeMode };
  const keyed = records.map((record) => ({ ...record, key: shownKey(record.key, owner) }));
  if (given.mark !== "") return formatOneSide(keyed, owner, partsShown(given), options, given);
  const limit = given.isLimited ? (1 << levelOf(given)) << 1 : Number.POSITIVE_INFINITY;
  return braced(new Differences(keyed, nameOf(owner), options).print(limit));
}

function nameOf(owner: GoValue): string {
  return PART_NAMES[owner.kind as keyof typeof PART_NAMES];
}

function shownKey(key: string, owner: GoValue): string {
  return owner.kind === "map" ? formatKey(key, owner.hasOwnKeys) : key;
}

/** Only what one of the values has. */
function formatOneSide(
  records: readonly Record[],
  owner: GoValue,
  identicalLimit: number,
  options: FormatOptions,
  given: FormatOptions,
): TextNode {
  const marked = given.isLimited ? (1 << levelOf(given)) << 1 : Number.POSITIVE_INFINITY;
  const limit = given.mark === " " ? identicalLimit : marked;
  const shown: TextRecord[] = [];
  for (const { key, node } of records) {
    if (shown.length === limit) return braced([...shown, { text: ELLIPSIS, isBare: true }]);
    if (owner.kind === "struct" && isNothing(node, given.mark)) continue;
    const text = formatDiff(node, options);
    if (text !== undefined) shown.push({ key, text });
  }
  return braced(shown);
}

function isNothing({ x, y }: Node, mark: Mark): boolean {
  const isZero = (value: GoValue | undefined): boolean => value !== undefined && isZeroValue(value);
  if (mark === "-") return isZero(x);
  return mark === "+" ? isZero(y) : isZero(x) || isZero(y);
}

/** How many equal parts are printed on either side of what differs. */
const CONTEXT = 2;

/** The parts of a value in which something differs, with some of their neighbours. */
class Differences {
  readonly #lines: TextRecord[] = [];
  readonly #records: readonly Record[];
  readonly #name: string;
  readonly #options: FormatOptions;

  constructor(records: readonly Record[], name: string, options: FormatOptions) {
    this.#records = records;
    this.#name = name;
    this.#options = options;
  }

  print(limit: number): readonly TextRecord[] {
    const groups = groupsOf(this.#records.map(({ node }) => changeOf(node)));
    let [start, count] = [0, 0];
    let rest = newGroup();
    for (const [index, group] of groups.entries()) {
      const end = start + group.identical + differencesIn(group);
      if (count >= limit) rest = addGroups(rest, group);
      else if (differencesIn(group) === 0) {
        this.#printEqual(this.#records.slice(start, end), index === 0, index === groups.length - 1);
      } else {
        for (const record of this.#records.slice(start, end)) this.#printChanged(record);
        count += differencesIn(group);
      }
      start = end;
    }
    if (!isNoGroup(rest)) this.#leaveOut(rest);
    return this.#lines;
  }

  #printEqual(records: readonly Record[], isFirst: boolean, isLast: boolean): void {
    const total = records.length;
    const leading = isFirst ? 0 : Math.min(CONTEXT, total);
    const trailing = isLast ? 0 : Math.min(CONTEXT, total - leading);
    const shownLast = total - leading - trailing === 1 ? trailing + 1 : trailing;
    for (const record of records.slice(0, leading)) this.#printIdentical(record);
    const left = total - leading - shownLast;
    if (left > 0) this.#leaveOut(newGroup({ identical: left }));
    for (const record of records.slice(total - shownLast)) this.#printIdentical(record);
  }

  #printIdentical({ key, node }: Record): void {
    const text = formatDiff(node, { ...this.#options, mark: " " });
    if (text !== undefined) this.#lines.push({ key, text });
  }

  #printChanged({ key, node }: Record): void {
    if (isBatched(node, this.#options)) this.#lines.push({ key, text: formatBatched(node, this.#options) });
    else if (node.descendants === node.depth) {
      const [before, after] = distinct(this.#options, (options) => [
        formatDiff(node, { ...options, mark: "-" }),
        formatDiff(node, { ...options, mark: "+" }),
      ]);
      this.#lines.push(...pair(before, after, key));
    } else {
      const text = formatDiff(node, this.#options);
      if (text !== undefined) this.#lines.push({ key, text });
    }
  }

  #leaveOut(group: Group): void {
    this.#lines.push({ text: ELLIPSIS, isBare: true, comment: describeGroup(group, this.#name) });
  }
}

function changeOf({ x, y, different }: Node): keyof Group {
  if (different === 0) return "identical";
  if (y === undefined) return "removed";
  return x === undefined ? "inserted" : "modified";
}
