/** Query and path parameters of operations. Texts that only describe are left out. */

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "integer" | "boolean";
}

const query = (name: string, type: Parameter["type"] = "string"): Parameter => ({ name, in: "query", type });
const path = (name: string): Parameter => ({ name, in: "path", type: "string" });

export const PRETTY = query("pretty");
export const NAME = path("name");
export const NAMESPACE = path("namespace");

export const GET_PARAMETERS: readonly Parameter[] = [query("resourceVersion")];

export const WRITE_PARAMETERS: readonly Parameter[] = [
  query("dryRun"),
  query("fieldManager"),
  query("fieldValidation"),
];

export const PATCH_PARAMETERS: readonly Parameter[] = [...WRITE_PARAMETERS, query("force", "boolean")];

export const DELETE_PARAMETERS: readonly Parameter[] = [
  query("dryRun"),
  query("gracePeriodSeconds", "integer"),
  query("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
  query("orphanDependents", "boolean"),
  query("propagationPolicy"),
];

const SELECTION: readonly Parameter[] = [
  query("continue"),
  query("fieldSelector"),
  query("labelSelector"),
  query("limit", "integer"),
  query("resourceVersion"),
  query("resourceVersionMatch"),
  query("sendInitialEvents", "boolean"),
  query("shardSelector"),
  query("timeoutSeconds", "integer"),
];

export const LIST_PARAMETERS: readonly Parameter[] = [
  query("allowWatchBookmarks", "boolean"),
  ...SELECTION,
  query("watch", "boolean"),
];

/** Built-in kinds leave out what makes no sense here; custom resources offer all parameters of a list. */
export const DELETE_COLLECTION_PARAMETERS: readonly Parameter[] = [...DELETE_PARAMETERS, ...SELECTION];

export function sortedByName(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
