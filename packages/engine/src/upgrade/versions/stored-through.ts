/**
 * The schema of a version as it sees objects that are stored in another version: what that version prunes is missing,
 * the nulls that it drops are gone, and its defaults are filled in.
 *
 * Follows the codec of customresource_handler.go: an object is decoded with the schema of the version it is stored in,
 * and only then converted to the version of the request.
 */
import { prune } from "../../schema/prune.ts";
import type { Structural } from "../../schema/structural.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonValue } from "../../value/json.ts";
import { ANYTHING, undeclared } from "../pairs.ts";
import { RESOURCE_MEMBERS } from "../resource-members.ts";

/** The same object if the stored version makes no difference. */
export function storedThrough(read: Structural, stored: Structural, isRoot = true): Structural {
  if (read === stored) return read;
  const changed: Partial<Structural>[] = [
    throughDefault(read, stored),
    throughMembers(read, stored, isRoot),
    throughItems(read, stored),
  ].filter((part) => part !== undefined);
  return changed.length === 0 ? read : Object.assign({}, read, ...changed);
}

type Part = Partial<Structural> | undefined;

function throughDefault(read: Structural, stored: Structural): Part {
  const nullable = read.nullable && stored.nullable;
  const value = stored.default === undefined ? read.default : pruned(stored.default, read);
  if (nullable === read.nullable && isSame(value, read.default)) return undefined;
  return { nullable, default: value };
}

function pruned(value: JsonValue, schema: Structural): JsonValue {
  return prune(value, schema, { isResourceRoot: false });
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && deepEqual(one, other));
}

function throughItems(read: Structural, stored: Structural): Part {
  if (read.items === undefined || stored.items === undefined) return undefined;
  const items = storedThrough(read.items, stored.items, false);
  return items === read.items ? undefined : { items };
}

function throughMembers(read: Structural, stored: Structural, isRoot: boolean): Part {
  const rest = undeclared(stored);
  const isResource = isRoot || stored.embeddedResource;
  const members = new Map<string, Structural>();
  let isChanged = false;
  for (const [name, member] of read.properties) {
    const other = stored.properties.get(name) ?? rest;
    if (isResource && RESOURCE_MEMBERS.includes(name)) members.set(name, member);
    else if (other === undefined) isChanged = true;
    else {
      const through = other === rest && rest === ANYTHING ? member : storedThrough(member, other, false);
      members.set(name, through);
      isChanged ||= through !== member;
    }
  }
  for (const [name, member] of stored.properties) {
    // Only a version that keeps unknown fields shows the default of one.
    if (read.properties.has(name) || member.default === undefined || undeclared(read) === undefined) continue;
    members.set(name, { ...ANYTHING, default: member.default });
    isChanged = true;
  }
  const keys = throughKeys(read, rest);
  return isChanged || keys !== undefined ? { ...(isChanged ? { properties: members } : {}), ...keys } : undefined;
}

function throughKeys(read: Structural, rest: Structural | undefined): Part {
  const own = undeclared(read);
  if (own === undefined) return undefined;
  if (rest === undefined) return { additionalProperties: undefined, preserveUnknownFields: undefined };
  const schema = read.additionalProperties?.schema;
  if (schema === undefined || rest === ANYTHING) return undefined;
  const through = storedThrough(schema, rest, false);
  return through === schema ? undefined : { additionalProperties: { allows: true, schema: through } };
}
