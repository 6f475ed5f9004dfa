/**
 * The length of a text. Costs count code points, and a rule often reads one string several times, so the lengths of
 * recent texts are cached: counting takes longer than most operations. Only speed depends on it.
 */
import { countRunes } from "@portcullis/gostd/utf8";

/** Shorter texts are counted as fast as they are found; longer ones are left to the garbage collector. */
const SHORTEST_KEPT = 12;
const LONGEST_KEPT = 1024;

/** By length, so that the few texts of a rule rarely replace each other. */
const PLACES = 32;
const texts: string[] = new Array<string>(PLACES).fill("");
const sizes: TextSize[] = new Array<TextSize>(PLACES).fill(0);

/** Code points; below zero, and one less, where the text is not ASCII. */
export type TextSize = number;

/** Code points; a lone surrogate counts as one. */
export function runesOf(text: string): number {
  return runesIn(textSize(text));
}

export function isAsciiText(text: string): boolean {
  return textSize(text) >= 0;
}

export function runesIn(size: TextSize): number {
  return size < 0 ? ~size : size;
}

export function joinedSize(left: TextSize, right: TextSize): TextSize {
  const runes = runesIn(left) + runesIn(right);
  return left < 0 || right < 0 ? ~runes : runes;
}

export function textSize(text: string): TextSize {
  const { length } = text;
  if (length < SHORTEST_KEPT) return counted(text);
  const place = length % PLACES;
  if (texts[place] === text) return sizes[place] ?? 0;
  const size = counted(text);
  rememberSize(text, size);
  return size;
}

/** For callers that know the size of a text that is likely to be needed. */
export function rememberSize(text: string, size: TextSize): void {
  const { length } = text;
  if (length < SHORTEST_KEPT || length > LONGEST_KEPT) return;
  texts[length % PLACES] = text;
  sizes[length % PLACES] = size;
}

function counted(text: string): TextSize {
  const { length } = text;
  let bits = 0;
  for (let index = 0; index < length; index++) bits |= text.charCodeAt(index);
  if (bits < 0x80) return length;
  return ~(bits < 0xd800 ? length : countRunes(text));
}
