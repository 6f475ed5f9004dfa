/** Differences between objects, as lines that name the path. */
import { looseEqual } from "@portcullis/engine/internal/value/equal";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

/** What every object gets from the server, and no manifest has. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  ...["uid", "generation", "creationTimestamp", "resourceVersion", "managedFields", "deletionGracePeriodSeconds"],
  ...["deletionTimestamp", "selfLink", "generateName"],
]);

/** A name and a namespace count only if they are expected: names may be generated. */
export function withoutServerFields(object: JsonObject, expected: JsonObject): JsonObject {
  const wanted = isObject(expected["metadata"]) ? expected["metadata"] : {};
  const isLeftOut = (name: string): boolean =>
    SERVER_FIELDS.has(name) || ((name === "name" || name === "namespace") && wanted[name] === undefined);
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  const made = newObject();
  for (const [name, value] of Object.entries(metadata)) if (!isLeftOut(name)) made[name] = value;
  return withMember(object, "metadata", made);
}

const SHOWN = 5;

/** The fields that are wanted and differ. Null stands for an absent field; a list must have as many items. */
export function missingFrom(wanted: JsonObject, found: JsonObject, path: string): string[] {
  return shown(missingMembers(wanted, found, path));
}

function missingMembers(wanted: JsonObject, found: JsonObject, path: string): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => missingValue(value, found[name], `${path}.${name}`));
}

function missingValue(value: JsonValue, other: JsonValue | undefined, at: string): string[] {
  if (isObject(value) && isObject(other)) return missingMembers(value, other, at);
  if (isArray(value) && isArray(other) && value.length === other.length) {
    return value.flatMap((item, index) => missingValue(item, other[index], `${at}[${index}]`));
  }
  const isMissing =
    value === null ? other !== undefined && other !== null : other === undefined || !looseEqual(value, other);
  return isMissing ? [line(at, value === null ? undefined : value, other)] : [];
}

/** All differences. */
export function differenceOf(wanted: JsonObject, found: JsonObject, path: string): string[] {
  return shown(differences(wanted, found, path));
}

function differences(wanted: JsonValue | undefined, found: JsonValue | undefined, path: string): string[] {
  if (wanted !== undefined && found !== undefined && looseEqual(wanted, found)) return [];
  if (isObject(wanted) && isObject(found)) {
    const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
    return names.flatMap((name) =>
      sameMember(wanted, found, name) ? [] : differences(wanted[name], found[name], `${path}.${name}`),
    );
  }
  if (isArray(wanted) && isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((item, index) => differences(item, found[index], `${path}[${index}]`));
  }
  return [line(path, wanted, found)];
}

function sameMember(left: JsonObject, right: JsonObject, name: string): boolean {
  const [one, other] = [left[name], right[name]];
  return one === undefined || other === undefined ? one === other : looseEqual(one, other);
}

function line(path: string, wanted: JsonValue | undefined, found: JsonValue | undefined): string {
  const text = (value: JsonValue | undefined): string => (value === undefined ? "no such field" : canonicalJson(value));
  return `expected ${path} ${text(wanted)}, got ${text(found)}`;
}

function shown(problems: readonly string[]): string[] {
  const more = problems.length - SHOWN;
  return more > 0 ? [...problems.slice(0, SHOWN), `and ${more} more differences`] : [...problems];
}
