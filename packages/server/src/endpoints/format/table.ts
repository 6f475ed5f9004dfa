/** Objects as rows of a table, and objects cut down to their metadata: what clients ask for with `as=` in Accept. */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf, objectOf } from "@portcullis/engine/internal/value/metadata";
import { withoutMember } from "@portcullis/engine/internal/value/rewrite";

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** `now` in milliseconds, for ages. */
  cells(object: JsonObject, now: number): JsonValue[];
}

/** What is shown of the object itself beside each row. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  /** `meta.k8s.io/v1` or `/v1beta1`. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly now: number;
  readonly withHeaders: boolean;
}

/** `result` is one object or a list of them. */
export function toTable(result: JsonObject, columns: TableColumns, options: TableOptions): JsonObject {
  const items = isArray(result["items"]) ? result["items"].filter(isObject) : undefined;
  const meta = metaOf(result);
  const metadata = objectOf({
    resourceVersion: meta["resourceVersion"],
    continue: items === undefined || meta["continue"] === "" ? undefined : meta["continue"],
    remainingItemCount: items === undefined ? undefined : meta["remainingItemCount"],
  });
  return objectOf({
    kind: "Table",
    apiVersion: options.apiVersion,
    metadata,
    columnDefinitions: options.withHeaders ? columns.definitions.map((each) => objectOf({ ...each })) : null,
    rows: (items ?? [result]).map((item) => toRow(item, columns, options)),
  });
}

function toRow(object: JsonObject, columns: TableColumns, options: TableOptions): JsonObject {
  const shown = rowObject(object, options);
  return objectOf({ cells: columns.cells(object, options.now), object: shown });
}

function rowObject(object: JsonObject, { includeObject, apiVersion }: TableOptions): JsonValue {
  if (includeObject === "None") return null;
  return includeObject === "Object" ? object : toPartial(object, apiVersion);
}

/** Only what every object has. */
export function toPartial(object: JsonObject, apiVersion: string): JsonObject {
  return objectOf({ kind: "PartialObjectMetadata", apiVersion, metadata: object["metadata"] ?? newObject() });
}

export function toPartialList(list: JsonObject, apiVersion: string): JsonObject {
  const items = isArray(list["items"]) ? list["items"].filter(isObject) : [];
  return objectOf({
    kind: "PartialObjectMetadataList",
    apiVersion,
    metadata: withoutEmptyContinue(list["metadata"]),
    // A slice that nothing was put into.
    items: items.length === 0 ? null : items.map((item) => toPartial(item, apiVersion)),
  });
}

/** Lists of custom resources always have a continue token, lists of their metadata do not. */
function withoutEmptyContinue(metadata: JsonValue | undefined): JsonObject {
  if (!isObject(metadata)) return newObject();
  return metadata["continue"] === "" ? withoutMember(metadata, "continue") : metadata;
}
