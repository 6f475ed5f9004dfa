/** Go's strings.Replace and strings.SplitN: an empty needle matches around every code point. */
import { countWork } from "@portcullis/gostd/work";
import type { Int } from "../values/int.ts";
import { TextList } from "../values/list.ts";
import type { CelError } from "../values/value.ts";
import { resultTooLarge } from "./messages.ts";

/**
 * Longer results are rejected before they are built. More than a cost limit allows to read, far less than a JavaScript
 * engine can hold.
 */
export const MAX_RESULT_LENGTH = 2 ** 23;

/** A negative limit means all. */
export function replaceFirst(text: string, old: string, by: string, limit: Int): string | CelError {
  if (old === by || Number(limit) === 0) return text;
  if (text.length > LONG && old !== "" && limit < 0) return replaceAllOf(text, old, by);
  const parts = partsToReplace(text, old, Number(limit));
  const length = text.length + (parts.length - 1) * (by.length - old.length);
  return length > MAX_RESULT_LENGTH ? resultTooLarge() : parts.join(by);
}

/** In millions of parts a text takes a hundred times its size. */
const LONG = 2 ** 16;

function replaceAllOf(text: string, old: string, by: string): string | CelError {
  countWork(text.length);
  const length = text.length + (countParts(text, old) - 1) * (by.length - old.length);
  return length > MAX_RESULT_LENGTH ? resultTooLarge() : text.replaceAll(old, () => by);
}

/** A limit of 0 gives nothing, a negative one everything. */
export function splitFirst(text: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  if (separator === "") return limit < 0 ? [...text] : headAndRest([...text], limit, "");
  const parts = partsBetween(text, separator);
  return limit < 0 ? parts : headAndRest(parts, limit, separator);
}

function partsToReplace(text: string, old: string, limit: number): string[] {
  const parts = old === "" ? ["", ...text, ""] : partsBetween(text, old);
  return limit < 0 ? parts : headAndRest(parts, limit + 1, old);
}

/** The result of `text.split` with a string separator, faster. */
function partsBetween(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let end = text.indexOf(separator); end !== -1; end = text.indexOf(separator, start)) {
    parts.push(text.slice(start, end));
    start = end + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** `text.split(separator)`: many rules only ask how many parts there are, which needs no copies of them. */
export class SplitList extends TextList {
  readonly #text: string;
  readonly #separator: string;
  #size: number | undefined;
  #parts: readonly string[] | undefined;
  /** INVARIANT: the separator is not empty. */
  constructor(text: string, separator: string) {
    super(NO_PARTS);
    this.#text = text;
    this.#separator = separator;
  }
  override get size(): number {
    this.#size ??= countParts(this.#text, this.#separator);
    return this.#size;
  }
  override at(index: number): string {
    this.#parts ??= partsBetween(this.#text, this.#separator);
    return this.#parts[index] ?? "";
  }
}

const NO_PARTS: readonly string[] = [];

function countParts(text: string, separator: string): number {
  let count = 1;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + separator.length)) count++;
  return count;
}

function headAndRest(parts: string[], count: number, separator: string): string[] {
  if (parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}
