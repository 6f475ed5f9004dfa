/** A result in the form that the client asked for. */

import { internalGroup } from "@portcullis/engine/internal/builtin/decode";
import { invalid as invalidField } from "@portcullis/engine/internal/field/error";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import { newPath } from "@portcullis/engine/internal/field/path";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { badRequest, StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import type { QueryValues } from "@portcullis/gostd/url";
import type { ApiResponse } from "../http/exchange.ts";
import type { Written } from "../registry/object-codec.ts";
import { columnsOf, scaleColumns } from "./format/columns.ts";
import { type IncludeObject, toPartial, toPartialList, toTable } from "./format/table.ts";
import * as messages from "./messages.ts";
import type { Output } from "./negotiate.ts";
import { respondJson, respondObject } from "./respond.ts";

export interface TransformOptions {
  readonly type: ResourceKind;
  readonly output: Output;
  readonly query: QueryValues;
  readonly now: number;
  /** False for all but the first event of a watch. */
  readonly withHeaders?: boolean;
}

/** The answer to a write. What was stored is mostly what is answered, and then its text is known. */
export function respondWritten(status: number, { object, text }: Written, options: TransformOptions): ApiResponse {
  const { output } = options;
  const shown = transform(object, options);
  const isPlain = output.format === "json" && !output.isPretty && shown === object;
  return isPlain && text !== undefined ? respondJson(status, text) : respondObject(status, shown, output);
}

export function transform(result: JsonObject, options: TransformOptions): JsonObject {
  const { output, type, query, now } = options;
  const { convert } = output;
  if (convert === undefined) return result;
  // Options are read before upstream looks at what there is to show.
  checkTableOptions(output, query);
  if (result["kind"] === "Status") return result;
  const apiVersion = `${convert.group}/${convert.version}`;
  const isList = "items" in result;
  switch (convert.kind) {
    case "Table": {
      const includeObject = readInclude(query);
      const columns = isScale(result) ? scaleColumns(type.isCustom) : columnsOf(type);
      return toTable(result, columns, {
        apiVersion,
        includeObject,
        now,
        withHeaders: options.withHeaders ?? true,
      });
    }
    case "PartialObjectMetadata":
      if (isList) throw notAcceptableAs(messages.notOneObject(goType(type, "List")));
      return toPartial(result, apiVersion);
    default:
      if (!isList) throw notAListError(result, type);
      return toPartialList(result, apiVersion);
  }
}

/** A table of a scale shows the scale, not the object that it belongs to. */
function isScale({ apiVersion, kind }: JsonObject): boolean {
  return kind === "Scale" && textOf(apiVersion).startsWith("autoscaling/");
}

/** Throws a StatusError where a table of these options cannot be made. */
export function checkTableOptions({ convert }: Output, query: QueryValues): void {
  if (convert?.kind === "Table") readInclude(query);
}

function readInclude(query: QueryValues): IncludeObject {
  const value = query.get("includeObject")?.[0] ?? "";
  if (value === "") return "Metadata";
  if (value === "None" || value === "Metadata" || value === "Object") return value;
  const error = invalidField(newPath("includeObject"), value, messages.badInclude());
  throw badRequest(messages.notAsTable(formatFieldError(error)));
}

function notAcceptableAs(message: string): StatusError {
  return new StatusError({ code: 406, reason: "NotAcceptable", message });
}

/** Unstructured objects pass for lists in Go until their items are looked at. */
function notAListError(result: JsonObject, type: ResourceKind): StatusError {
  if (isScale(result)) return notAcceptableAs(messages.notAList(type.isCustom ? "*v1.Scale" : "*autoscaling.Scale"));
  if (type.isCustom) return new StatusError({ code: 500, reason: "", message: messages.contentNotAList() });
  return notAcceptableAs(messages.notAList(goType(type, "")));
}

/** What the object is inside a server in Go. */
function goType({ isCustom, group, kind }: ResourceKind, suffix: "" | "List"): string {
  return isCustom ? `*unstructured.Unstructured${suffix}` : `*${internalGroup(group)}.${kind}${suffix}`;
}
