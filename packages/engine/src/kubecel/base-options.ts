/**
 * What each Kubernetes version added to expressions.
 *
 * Follows the table in apiserver pkg/cel/environment/base.go. cel-go's math, encoders, bindings and other extensions
 * are not in it: `math.greatest(1, 2)` does not compile. Selectors in authorization checks depend on a feature gate
 * that has been locked on since 1.34, and a gate takes precedence over a version: they are available in every
 * compatibility version.
 */
import {
  durationLiterals,
  listsLibrary as extendedListsLibrary,
  formatCalls,
  homogeneousLiterals,
  type Library,
  optionalsLibrary,
  regexLiterals,
  setsLibrary,
  timestampLiterals,
  twoVarLibrary,
  type Validator,
} from "@portcullis/cel/internal";
import { authzLibrary, authzSelectorsLibrary } from "./library/authz-library.ts";
import { cidrLibrary } from "./library/cidr.ts";
import { formatLibrary } from "./library/format.ts";
import { ipLibrary } from "./library/ip.ts";
import { listsLibrary } from "./library/lists.ts";
import { quantityLibrary } from "./library/quantity.ts";
import { regexLibrary } from "./library/regex.ts";
import { semverLibrary } from "./library/semver.ts";
import { stringsLibrary } from "./library/strings.ts";
import { urlsLibrary } from "./library/urls.ts";

export interface BaseOptions {
  readonly libraries: readonly Library[];
  readonly validators: readonly Validator[];
  /** Allows comparisons such as `1 < 2.0`. */
  readonly crossTypeNumericComparisons: boolean;
  /** Allows fields with the names of reserved words: `self.namespace`. */
  readonly keywordFields: boolean;
}

interface VersionedOptions {
  /** Minor versions of Kubernetes 1. */
  readonly introduced: number;
  readonly removed?: number;
  readonly libraries?: readonly Library[];
  readonly validators?: readonly Validator[];
}

// biome-ignore format: a table
const OPTIONS: readonly VersionedOptions[] = [
  { introduced: 0,  libraries: [urlsLibrary, regexLibrary, listsLibrary], validators: [homogeneousLiterals] },
  { introduced: 27, libraries: [authzLibrary] },
  { introduced: 28, libraries: [optionalsLibrary(), quantityLibrary] },
  { introduced: 29, validators: [durationLiterals, timestampLiterals, regexLiterals] },
  { introduced: 0,  removed: 29, libraries: [stringsLibrary(0)] },
  { introduced: 29, libraries: [stringsLibrary(2), setsLibrary], validators: [formatCalls] },
  { introduced: 30, libraries: [ipLibrary, cidrLibrary] },
  { introduced: 31, libraries: [formatLibrary] },
  { introduced: 0,  libraries: [authzSelectorsLibrary] },
  { introduced: 32, libraries: [twoVarLibrary] },
  { introduced: 33, libraries: [semverLibrary] },
  { introduced: 34, libraries: [extendedListsLibrary(3)] },
];

const CROSS_TYPE_COMPARISONS_SINCE = 28;
const KEYWORD_FIELDS_SINCE = 31;

/** The options of a minor version; `Infinity` gives everything that was not replaced. */
export function baseOptions(minor: number): BaseOptions {
  const inForce = OPTIONS.filter(
    ({ introduced, removed }) => minor >= introduced && !(removed !== undefined && minor >= removed),
  );
  return {
    libraries: inForce.flatMap(({ libraries }) => libraries ?? []),
    validators: inForce.flatMap(({ validators }) => validators ?? []),
    crossTypeNumericComparisons: minor >= CROSS_TYPE_COMPARISONS_SINCE,
    keywordFields: minor >= KEYWORD_FIELDS_SINCE,
  };
}
