/** The state of one walk over a value, and when it has seen enough. */
import { type Finding, newPlace, type Place, type PlaceKind } from "./finding.ts";
import { furtherFindings } from "./messages.ts";

export interface Walk {
  readonly found: Finding[];
  readonly forgiven: { readonly text: string; readonly finding: Finding; readonly unchanged: Place | undefined }[];
  /** The length of all that was found so far; past `MAX_TEXT` no further values are looked at. */
  size: number;
  /** Only whether there is a finding matters. */
  readonly isQuick: boolean;
}

// An object of the greatest size can break a rule a million times, and each break can name a million allowed values.
export const MAX_TEXT = 2 ** 24;
/** What a finding takes besides its text. */
export const FINDING_SIZE = 512;

/** Stands for a finding whose words nobody will read. */
export const SOMETHING: Finding = furtherFindings();

export function newWalk(found: Finding[], isQuick: boolean): Walk {
  return { found, forgiven: [], size: 0, isQuick };
}

export function isOver(walk: Walk): boolean {
  return walk.isQuick ? walk.found.length > 0 : walk.size > MAX_TEXT;
}

export function placeIn(
  walk: Walk,
  parent: Place | undefined,
  step: string | number,
  kind: PlaceKind,
): Place | undefined {
  return walk.isQuick ? undefined : newPlace(parent, step, kind);
}
