/** The options of a request. */
import { ANY, always, BOOL, NONEMPTY_TEXT, optional, type Property, type Sort, sortOf, structOf } from "./sort.ts";

const oneOf = (...listed: readonly string[]): Sort => sortOf([{ kind: "string", listed }], ["native-validation"]);
const WHOLE: Sort = sortOf([{ kind: "int" }]);
const DRY_RUN: Sort = sortOf([{ kind: "list", item: () => oneOf("All"), min: 1 }]);

const WRITE_OPTIONS: Readonly<Record<string, Property>> = {
  dryRun: optional(DRY_RUN),
  fieldManager: optional(NONEMPTY_TEXT),
  fieldValidation: optional(oneOf("Strict", "Warn", "Ignore")),
};
const DELETE_OPTIONS: Readonly<Record<string, Property>> = {
  dryRun: optional(DRY_RUN),
  gracePeriodSeconds: optional(WHOLE),
  propagationPolicy: optional(oneOf("Background", "Foreground", "Orphan")),
  orphanDependents: optional(BOOL),
  preconditions: optional(ANY),
  ignoreStoreReadErrorWithClusterBreakingPotential: optional(BOOL),
};

/** CreateOptions and the like: the server validates them before admission. */
export function optionsSort(kind: string): Sort {
  const own = kind === "DeleteOptions" ? DELETE_OPTIONS : WRITE_OPTIONS;
  const header = { apiVersion: "meta.k8s.io/v1", kind };
  const texts = Object.entries(header).map(([key, text]) => [key, always(oneOf(text))] as const);
  return sortOf([structOf(new Map([...texts, ...Object.entries(own)]))]);
}
