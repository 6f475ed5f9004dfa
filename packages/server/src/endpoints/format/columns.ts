/** The columns of tables: those of custom resources come from their definition, those of other kinds are fixed. */
import type { ColumnDefinition as BuiltinColumn } from "@portcullis/engine/internal/builtin/columns/column";
import type { PrinterColumn } from "@portcullis/engine/internal/crd/definition";
import type { KindColumns, ResourceKind } from "@portcullis/engine/internal/review/kind";
import {
  isArray,
  isInteger,
  isNumber,
  isObject,
  type JsonObject,
  type JsonValue,
} from "@portcullis/engine/internal/value/json";
import { metaOf, metaText } from "@portcullis/engine/internal/value/metadata";
import { asFloat, formatNumber } from "@portcullis/engine/internal/value/number";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { humanDuration } from "./human-duration.ts";
import { findFirst, type JsonPath, parseJsonPath, type SearchBudget } from "./json-path.ts";
import type { ColumnDefinition, TableColumns } from "./table.ts";

const NAME: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  priority: 0,
};

const CREATION =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

const known = new WeakMap<KindColumns, TableColumns>();

/** The columns of a kind's tables, made once. */
export function columnsOf({ columns }: Pick<ResourceKind, "columns">): TableColumns {
  const found = known.get(columns) ?? makeColumns(columns);
  known.set(columns, found);
  return found;
}

function makeColumns(columns: KindColumns): TableColumns {
  return columns.source === "custom" ? customColumns(columns.columns) : builtinColumns(columns.columns);
}

/** Without columns of its own a custom resource shows its age. */
function customColumns(columns: readonly PrinterColumn[]): TableColumns {
  const shown = columns.length > 0 ? columns : [AGE];
  const paths = shown.map(({ jsonPath }) => parseJsonPath(jsonPath));
  return {
    definitions: [NAME, ...shown.map(definitionOf)],
    cells: (object, now) => {
      const budget = { left: ROW_BUDGET };
      return [
        metaText(object, "name"),
        ...shown.map(({ type }, index) => cellOf(object, type, paths[index], { now, budget })),
      ];
    },
  };
}

/** So many values are looked at for a row: columns that search large objects could keep the thread for any time. */
const ROW_BUDGET = 200_000;

const AGE: PrinterColumn = {
  name: "Age",
  type: "date",
  format: "",
  description: CREATION,
  priority: 0,
  jsonPath: ".metadata.creationTimestamp",
};

function definitionOf({ name, type, format, description, priority, jsonPath }: PrinterColumn): ColumnDefinition {
  const fallback = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description: description === "" ? fallback : description, priority };
}

interface CellContext {
  readonly now: number;
  readonly budget: SearchBudget;
}

function cellOf(object: JsonObject, type: string, path: JsonPath | undefined, { now, budget }: CellContext): JsonValue {
  const value = path === undefined ? undefined : findFirst(path, object, budget);
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return printed(value);
    case "integer":
      return isNumber(value) ? (isInteger(value) ? value : Math.trunc(asFloat(value))) : null;
    case "number":
      return isNumber(value) ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
    default:
      return null;
  }
}

/** As JSONPath prints a value: text as it is, structures as JSON. */
function printed(value: JsonValue): JsonValue {
  if (value === null) return "<no value>";
  if (typeof value === "string") return value;
  if (isNumber(value)) return formatNumber(value);
  return isArray(value) || isObject(value) ? canonicalJson(value) : String(value);
}

/** How long ago, as people say it. */
function ageOf(time: string, now: number): string {
  if (time === "") return "<unknown>";
  const parsed = parseRfc3339(time);
  if (parsed.error !== undefined) return "<invalid>";
  return humanDuration(now - Number(parsed.value.seconds) * 1000);
}

/** Kinds without a printer of their own show when they were made. */
const defaultColumns: TableColumns = {
  definitions: [NAME, { name: "Created At", type: "date", format: "", description: CREATION, priority: 0 }],
  cells: (object) => [metaText(object, "name"), metaOf(object)["creationTimestamp"] ?? null],
};

/** The columns of a scale, which custom resources describe in their own words. */
export function scaleColumns(isCustom: boolean): TableColumns {
  return isCustom ? customScale : builtInScale;
}

const desired = (description: string): PrinterColumn => ({
  name: "Desired",
  type: "integer",
  format: "",
  description,
  priority: 0,
  jsonPath: ".spec.replicas",
});
const available = (description: string): PrinterColumn => ({
  name: "Available",
  type: "integer",
  format: "",
  description,
  priority: 0,
  jsonPath: ".status.replicas",
});

const customScale = customColumns([desired("Number of desired replicas"), available("Number of actual replicas"), AGE]);

const builtInScale: TableColumns = {
  definitions: [
    { ...NAME, format: "" },
    definitionOf(desired("replicas is the desired number of instances for the scaled object.")),
    definitionOf(available("replicas is the actual number of observed instances of the scaled object.")),
    { name: "Age", type: "string", format: "", description: CREATION, priority: 0 },
  ],
  cells: (object, now) => {
    const [name, spec, status, age] = customScale.cells(object, now);
    return [name ?? "", spec ?? 0, status ?? 0, age ?? "<unknown>"];
  },
};

/** Of a built-in kind; without a printer of its own it shows when it was made. */
function builtinColumns(columns: readonly BuiltinColumn[] | undefined): TableColumns {
  if (columns === undefined) return defaultColumns;
  return {
    definitions: columns.map(({ name, type, format, priority }) => ({ name, type, format, description: "", priority })),
    cells: (object, now) => columns.map(({ cell }) => cell(object, (time) => ageOf(time, now))),
  };
}
