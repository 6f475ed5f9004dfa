/**
 * What `cmp.Diff` of github.com/google/go-cmp prints of two values, which messages contain up to 1.33. Upstream prints
 * one of two forms, chosen when the process starts; this is the one with ordinary spaces that searches from the start.
 */

import { formatDiff } from "./format-diff.ts";
import { FIRST_OPTIONS } from "./format-options.ts";
import type { GoValue } from "./go-value.ts";
import { printText } from "./text-node.ts";
import { compareValues } from "./tree.ts";

/** Empty if they are equal. */
export function goDiff(before: GoValue, after: GoValue): string {
  const tree = compareValues(before, after);
  return tree.different === 0 ? "" : printText(formatDiff(tree, FIRST_OPTIONS) ?? "");
}
