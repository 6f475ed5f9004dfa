/** Lists and maps of limited size. Where one is too long, nothing else about it is reported. */

import { duplicate, type FieldError, GoJson, tooMany } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isObject, type JsonObject, newObject, sortedKeys } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { eachOf, eachTextOf } from "../checks.ts";
import { versionedJson } from "../versioned-json.ts";

export type ItemCheck = (item: JsonObject, path: FieldPath) => FieldError[];

export function sized(object: JsonObject, key: string, path: FieldPath, max: number, check: ItemCheck): FieldError[] {
  const count = objectsOf(object, key).length;
  return count > max ? [tooMany(path.child(key), count, max)] : eachOf(object, key, path, check);
}

/** How to check the items of a list that must be unique. */
export interface UniqueItems {
  readonly max: number;
  readonly check: ItemCheck;
  /** The key of an item; the text of a duplicate is shown. */
  readonly identify: (item: JsonObject) => string | GoJson;
  /** The name of the key, which up to 1.34 was part of the path. */
  readonly keyName: string;
  /** Where the items are, if declarative validation reports duplicates: since 1.37 it prints the whole item. */
  readonly place?: string | undefined;
}

export function unique(object: JsonObject, key: string, path: FieldPath, rules: UniqueItems): FieldError[] {
  const items = objectsOf(object, key);
  if (items.length > rules.max) return [tooMany(path.child(key), items.length, rules.max)];
  const keyName = since("1.35") ? undefined : rules.keyName;
  const again = repeated(items.map(rules.identify), path.child(key), keyName);
  return [...eachOf(object, key, path, rules.check), ...again.map((error) => declaredDuplicate(error, items, rules))];
}

function declaredDuplicate(error: FieldError, items: readonly JsonObject[], { place }: UniqueItems): FieldError {
  if (place === undefined || !since("1.37")) return error;
  const index = Number(/(?<!\d)(\d+)\]$/.exec(error.path.toString())?.[1]);
  return duplicate(error.path, versionedJson(place, items[index] ?? newObject()), "unique");
}

/** Items with unique names. */
export function distinct(
  object: JsonObject,
  key: string,
  path: FieldPath,
  rules: Pick<UniqueItems, "max" | "check" | "place">,
): FieldError[] {
  return unique(object, key, path, { ...rules, identify: (item) => textOf(item, "name"), keyName: "name" });
}

export function distinctTexts(
  object: JsonObject,
  key: string,
  path: FieldPath,
  max: number,
  check: (text: string, path: FieldPath) => FieldError[],
): FieldError[] {
  const texts = textsOf(object, key);
  if (texts.length > max) return [tooMany(path.child(key), texts.length, max)];
  const again = repeated(texts, path.child(key)).map((error) => ({ ...error, origin: "unique" }));
  return [...eachTextOf(object, key, path, check), ...again];
}

export function repeated(names: readonly (string | GoJson)[], path: FieldPath, keyName?: string): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const text = name instanceof GoJson ? name.text : name;
    const isRepeated = seen.has(text);
    seen.add(text);
    const at = keyName === undefined ? path.index(index) : path.index(index).child(keyName);
    return isRepeated ? [duplicate(at, name)] : [];
  });
}

/** How to check the entries of a map. */
export interface EntryRules {
  /** Longer keys are shortened in paths. */
  readonly shownLength: number;
  readonly checkKey: (name: string, path: FieldPath) => FieldError[];
  /** `whole` is the path with the key in full. */
  readonly checkValue?: (item: JsonObject, path: FieldPath, whole: FieldPath) => FieldError[];
}

/** Problems with keys are reported for the map, problems with values under their keys. */
export function eachEntry(object: JsonObject, key: string, path: FieldPath, rules: EntryRules): FieldError[] {
  const { shownLength, checkKey, checkValue = () => [] } = rules;
  const map = objectOf(object, key) ?? newObject();
  const at = path.child(key);
  return sortedKeys(map).flatMap((name) => {
    const value = map[name];
    const atValue = at.key(shortened(name, shownLength));
    return [
      ...checkKey(name, since("1.36") ? at : atValue),
      ...checkValue(isObject(value) ? value : newObject(), atValue, at.key(name)),
    ];
  });
}

/** The middle of a long key is left out. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const left = max - 3;
  return `${text.slice(0, Math.ceil(left / 2))}...${text.slice(text.length - Math.floor(left / 2))}`;
}
