/**
 * How long a text is. Prices count code points, and a rule asks several things of one string in a row, so recent
 * texts are remembered with their length: counting takes longer than most answers. Nothing but time depends on it.
 */
import { countRunes } from "@portcullis/gostd/utf8";

/** Shorter texts are counted as quickly as they are found; longer ones are not kept from being collected. */
const SHORTEST_KEPT = 12;
const LONGEST_KEPT = 1024;

/** By length, so that the few texts of a rule seldom push each other out. */
const PLACES = 32;
const texts: string[] = new Array<string>(PLACES).fill("");
/** The code points of the text at the same place; below zero, and one less, where it is not ASCII. */
const counts: number[] = new Array<number>(PLACES).fill(0);

/** Code points; a lone surrogate counts as one. */
export function runesOf(text: string): number {
  const count = countOf(text);
  return count < 0 ? ~count : count;
}

export function isAsciiText(text: string): boolean {
  return countOf(text) >= 0;
}

/** The code points of two texts joined. What was joined is likely to be asked about next, and is then known. */
export function joinedRunes(left: string, right: string, joined: string): number {
  const first = countOf(left);
  const second = countOf(right);
  const runes = (first < 0 ? ~first : first) + (second < 0 ? ~second : second);
  keep(joined, first < 0 || second < 0 ? ~runes : runes);
  return runes;
}

function countOf(text: string): number {
  const { length } = text;
  if (length < SHORTEST_KEPT) return counted(text);
  const place = length % PLACES;
  if (texts[place] === text) return counts[place] ?? 0;
  const count = counted(text);
  keep(text, count);
  return count;
}

function keep(text: string, count: number): void {
  const { length } = text;
  if (length < SHORTEST_KEPT || length > LONGEST_KEPT) return;
  texts[length % PLACES] = text;
  counts[length % PLACES] = count;
}

function counted(text: string): number {
  const { length } = text;
  let bits = 0;
  for (let index = 0; index < length; index++) bits |= text.charCodeAt(index);
  if (bits < 0x80) return length;
  return ~(bits < 0xd800 ? length : countRunes(text));
}
