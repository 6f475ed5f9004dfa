/** A result in the form that the client asked for. */
import { invalid as invalidField } from "@portcullis/engine/field/error";
import { newPath } from "@portcullis/engine/field/path";
import { invalid, StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { QueryValues } from "@portcullis/gostd/url";
import type { ResourceType } from "../registry/resource-type.ts";
import * as messages from "./messages.ts";
import type { Output } from "./negotiate.ts";
import { type IncludeObject, toPartial, toPartialList, toTable } from "./table.ts";

export interface TransformOptions {
  readonly type: ResourceType;
  readonly output: Output;
  readonly query: QueryValues;
  readonly now: number;
  /** False for all but the first event of a watch. */
  readonly withHeaders?: boolean;
}

export function transform(result: JsonObject, options: TransformOptions): JsonObject {
  const { output, type, query, now } = options;
  const { convert } = output;
  if (convert === undefined || result["kind"] === "Status") return result;
  const apiVersion = `${convert.group}/${convert.version}`;
  const isList = "items" in result;
  switch (convert.kind) {
    case "Table": {
      const includeObject = readInclude(query);
      return toTable(result, type.columns, {
        apiVersion,
        includeObject,
        now,
        withHeaders: options.withHeaders ?? true,
      });
    }
    case "PartialObjectMetadata":
      if (isList) throw notConvertible("PartialObjectMetadata");
      return toPartial(result, apiVersion);
    default:
      if (!isList) throw notConvertible("PartialObjectMetadataList");
      return toPartialList(result, apiVersion);
  }
}

function readInclude(query: QueryValues): IncludeObject {
  const value = query.get("includeObject")?.[0] ?? "";
  if (value === "") return "Metadata";
  if (value === "None" || value === "Metadata" || value === "Object") return value;
  const error = invalidField(newPath("includeObject"), value, messages.badInclude());
  throw invalid({ group: "meta.k8s.io", kind: "TableOptions" }, "", [error]);
}

function notConvertible(kind: string): StatusError {
  const message =
    kind === "PartialObjectMetadata"
      ? "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)"
      : "you requested PartialObjectMetadataList, but the requested object is not a list (*unstructured.Unstructured)";
  return new StatusError({ code: 406, reason: "NotAcceptable", message });
}
