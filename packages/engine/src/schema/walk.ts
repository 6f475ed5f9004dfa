/** The state of one walk over a value, and when it has seen enough. */
import type { Finding, Place } from "./finding.ts";

export interface Walk {
  readonly found: Finding[];
  readonly forgiven: { readonly text: string; readonly finding: Finding; readonly unchanged: Place | undefined }[];
  /** The length of all that was found so far; past `MAX_TEXT` no further values are looked at. */
  size: number;
}

// An object of the greatest size can break a rule a million times, and each break can name a million allowed values.
const MAX_TEXT = 2 ** 23;
/** What a finding takes besides its text. */
export const FINDING_SIZE = 512;

export function newWalk(found: Finding[]): Walk {
  return { found, forgiven: [], size: 0 };
}

export function isOver(walk: Walk): boolean {
  return walk.size > MAX_TEXT;
}
