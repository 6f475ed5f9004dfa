/** What a column of a table of built-in kinds is made of. */
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { isObject } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { formatSelector } from "../selector-text.ts";

/** How long ago a time was; `<unknown>` for none. */
export type Age = (time: string) => string;

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 1 for what only `-o wide` shows. */
  readonly priority: number;
  readonly cell: (object: JsonObject, age: Age) => JsonValue;
}

export type Cell = ColumnDefinition["cell"];

const column = (name: string, type: string, cell: Cell, priority = 0): ColumnDefinition => {
  return { name, type, format: name === "Name" ? "name" : "", priority, cell };
};

export const text = (name: string, cell: Cell, priority = 0): ColumnDefinition =>
  column(name, "string", cell, priority);
export const count = (name: string, cell: Cell): ColumnDefinition => column(name, "integer", cell);
export const flag = (name: string, cell: Cell): ColumnDefinition => column(name, "boolean", cell);

export const NAME = column("Name", "string", (object) => textOf(metaOf(object), "name"));
export const AGE = column("Age", "string", (object, age) => age(textOf(metaOf(object), "creationTimestamp")));
export const CREATED = column("Created At", "date", (object) => textOf(metaOf(object), "creationTimestamp"));

export const spec = (object: JsonObject): JsonObject => objectOf(object, "spec") ?? {};
export const status = (object: JsonObject): JsonObject => objectOf(object, "status") ?? {};

/** A text of the spec. */
export const specText = (name: string, key: string, otherwise = ""): ColumnDefinition =>
  text(name, (object) => textOf(spec(object), key) || otherwise);

/** A count in the status. */
export const statusCount =
  (key: string): Cell =>
  (object) =>
    numberOf(status(object), key);

export function mapText(map: JsonObject | undefined): string {
  const keys = Object.keys(map ?? {}).sort();
  return keys.length === 0 ? "<none>" : keys.map((key) => `${key}=${textOf(map, key)}`).join(",");
}

/** A selector of either form. */
export function selectorText(selector: JsonValue | undefined): string {
  if (!isObject(selector)) return "<none>";
  const isLabelSelector = has(selector, "matchLabels") || has(selector, "matchExpressions");
  return isLabelSelector ? formatSelector(selector) : mapText(selector);
}

export function memberTexts(items: readonly JsonObject[], key: string): string {
  return items.map((item) => textOf(item, key)).join(",");
}

export function containersOf(template: JsonObject | undefined): JsonObject[] {
  return objectsOf(objectOf(template, "spec"), "containers");
}

const MAX_SHOWN = 3;

/** The first few, and how many more there are. */
export function shortenedList(items: readonly string[]): string {
  const shown = items.slice(0, MAX_SHOWN).join(",");
  return items.length > MAX_SHOWN ? `${shown} + ${items.length - MAX_SHOWN} more...` : shown;
}

export function memberCount(object: JsonObject, key: string): number {
  return Object.keys(objectOf(object, key) ?? {}).length;
}
