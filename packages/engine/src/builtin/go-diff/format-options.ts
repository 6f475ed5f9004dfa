/** How much of a value is printed, and whether its type is. Follows formatOptions of go-cmp. */
import type { Mark } from "./text-node.ts";

export interface FormatOptions {
  /** Both values and what differs, or one of them. */
  readonly mark: Mark;
  /** `auto` prints the types of structs, slices and maps that changed. */
  readonly typeMode: "always" | "never" | "auto";
  readonly verbosity: number;
  /** Whether the verbosity limits anything. */
  readonly isLimited: boolean;
  /** Print all of a value, although it prints itself. */
  readonly ignoresOwnText: boolean;
}

export const FIRST_OPTIONS: FormatOptions = {
  mark: "",
  typeMode: "always",
  verbosity: 0,
  isLimited: false,
  ignoresOwnText: false,
};

export function withVerbosity(options: FormatOptions, verbosity: number): FormatOptions {
  return { ...options, verbosity, isLimited: true };
}

export function deeper(options: FormatOptions): FormatOptions {
  return options.isLimited ? { ...options, verbosity: options.verbosity - 1 } : options;
}

/** Between no verbosity and the most there is. */
export function levelOf({ verbosity }: FormatOptions): number {
  return Math.min(16, Math.max(0, verbosity));
}

/** How many parts of a value that is printed as a whole. */
export function partsShown(options: FormatOptions): number {
  return options.isLimited ? ((1 << levelOf(options)) >> 1) << 2 : Number.POSITIVE_INFINITY;
}

export const MOST_VERBOSE = 6;

/** More and more of two values that look the same although they differ. */
export function moreVerbose(options: FormatOptions, step: number): FormatOptions {
  return {
    ...options,
    verbosity: levelOf(options) + 2 * step,
    ignoresOwnText: step > 0 || options.ignoresOwnText,
  };
}
