/**
 * Strings counted in code points, as the language counts them.
 *
 * Without surrogates a code point is a UTF-16 unit, so JavaScript's own positions are right and nothing is
 * counted.
 */
import { countRunes } from "@portcullis/gostd/utf8";
import { runesOf } from "../values/text-size.ts";

/** True where every UTF-16 unit is a code point. */
export function isPlain(text: string): boolean {
  return runesOf(text) === text.length;
}

/** The UTF-16 position of the code point with this index; the length of the text where there is none. */
export function unitIndex(text: string, runeIndex: number): number {
  if (isPlain(text)) return Math.min(runeIndex, text.length);
  let unit = 0;
  for (let rune = 0; rune < runeIndex && unit < text.length; rune++) unit += unitsAt(text, unit);
  return unit;
}

/** The index of the code point at a UTF-16 position; -1 stays -1. */
export function runeIndex(text: string, unit: number): number {
  return unit < 0 || isPlain(text) ? unit : countRunes(text.slice(0, unit));
}

function unitsAt(text: string, unit: number): 1 | 2 {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}
