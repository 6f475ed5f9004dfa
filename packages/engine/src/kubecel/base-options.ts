/**
 * What each Kubernetes version added to expressions.
 *
 * Follows the table in apiserver pkg/cel/environment/base.go. cel-go's math, encoders, bindings and other extensions
 * are not in it: `math.greatest(1, 2)` does not compile.
 */
import {
  type CelGoVersion,
  durationLiterals,
  listsLibrary as extendedListsLibrary,
  formatCalls,
  hasCelGo,
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

/** What the compatibility versions added, as the libraries of a server of the given version have it. */
// biome-ignore format: a table
function optionsOf(server: number): readonly VersionedOptions[] {
  const celGo = celGoOf(server);
  return [
    { introduced: 0,  libraries: [urlsLibrary, regexLibrary], validators: [homogeneousLiterals] },
    { introduced: 0,  removed: 37, libraries: [listsLibrary(0)] },
    { introduced: 27, libraries: [authzLibrary] },
    { introduced: 28, libraries: [optionalsLibrary(hasCelGo(celGo, "0.23") ? 2 : 1, celGo), quantityLibrary(server < 37)] },
    { introduced: 29, validators: [durationLiterals, timestampLiterals, regexLiterals] },
    { introduced: 0,  removed: 29, libraries: [stringsLibrary(0, celGo)] },
    { introduced: 29, libraries: [stringsLibrary(2, celGo), setsLibrary], validators: [formatCalls] },
    { introduced: 30, libraries: [ipLibrary, cidrLibrary] },
    { introduced: 31, libraries: [formatLibrary] },
    // A gate that is on since 1.32 took precedence over the version up to 1.36.
    { introduced: server < 32 ? Number.POSITIVE_INFINITY : server < 37 ? 0 : 31, libraries: [authzSelectorsLibrary] },
    { introduced: 32, libraries: [twoVarLibrary] },
    { introduced: 33, libraries: [semverLibrary] },
    { introduced: 34, libraries: [extendedListsLibrary(3, celGo)] },
    { introduced: 37, libraries: [listsLibrary(1)] },
  ];
}

const EARLIER_CEL_GO: ReadonlyMap<number, CelGoVersion> = new Map([
  [33, "0.23"],
  [32, "0.22"],
  [31, "0.20"],
]);

/** The version of cel-go that a server of this minor version has. */
export function celGoOf(server: number): CelGoVersion {
  if (server >= 37) return "0.29";
  if (server >= 34) return "0.26";
  return EARLIER_CEL_GO.get(server) ?? "0.17";
}

const CROSS_TYPE_COMPARISONS_SINCE = 28;
const KEYWORD_FIELDS_SINCE = 31;

/** The options of a compatibility version on a server. */
export function baseOptions(minor: number, server: number): BaseOptions {
  const inForce = optionsOf(server).filter(
    ({ introduced, removed }) => minor >= introduced && !(removed !== undefined && minor >= removed),
  );
  return {
    libraries: inForce.flatMap(({ libraries }) => libraries ?? []),
    validators: inForce.flatMap(({ validators }) => validators ?? []),
    crossTypeNumericComparisons: minor >= CROSS_TYPE_COMPARISONS_SINCE,
    keywordFields: minor >= KEYWORD_FIELDS_SINCE,
  };
}
