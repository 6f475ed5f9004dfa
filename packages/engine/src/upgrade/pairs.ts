/**
 * Pairs the nodes of two schemas by the place of their data. A property declared in one schema is paired with the map
 * values or the preserved data of the other. A type that differs between the sides is paired with the new type.
 */
import { newSchema, type Structural } from "../schema/structural.ts";
import type { ResourceType } from "./prove/resource-type.ts";
import { RESOURCE_MEMBERS, resourceMember } from "./resource-members.ts";
import { nodeKeywords, schemaText } from "./schema-text.ts";

export type SchemaStep =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "item" }
  /** Any key of a map. */
  | { readonly kind: "key" };

export interface NodePair {
  readonly path: readonly SchemaStep[];
  readonly old: Structural;
  readonly new: Structural;
  /** Keywords of the node itself that differ. */
  readonly changed: readonly string[];
  /** Whether nothing at or below the node differs. */
  readonly isSame: boolean;
  readonly children: readonly NodePair[];
  /** Properties whose data the new schema no longer keeps. */
  readonly removed: readonly string[];
  /** Properties that only the new schema declares, if the old one had no place for their data. */
  readonly added: readonly string[];
  /** Whether keys that the old map or preserving object could hold are now dropped. */
  readonly dropsKeys: boolean;
}

/** Data without a schema: anything at all. */
export const ANYTHING: Structural = newSchema({ preserveUnknownFields: true, nullable: true });

export function pairNodes(
  old: Structural,
  next: Structural,
  minor: number,
  path: readonly SchemaStep[] = [],
  type: ResourceType = NO_TYPE,
): NodePair {
  const isSame = schemaText(old, minor) === schemaText(next, minor) && type.size === 0;
  const base = { path, old, new: next, isSame };
  if (isSame) return { ...base, changed: [], children: [], removed: [], added: [], dropsKeys: false };
  const descend = (left: Structural, right: Structural, step: SchemaStep): NodePair =>
    pairNodes(left, right, minor, [...path, step]);
  const children: NodePair[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  const isRoot = path.length === 0;
  const [before, after] = [new Map([...membersOf(old, isRoot), ...typeSchemas(type)]), membersOf(next, isRoot)];
  for (const [name, property] of before) {
    const other = after.get(name) ?? undeclared(next);
    if (other === undefined) removed.push(name);
    else children.push(descend(property, other, { kind: "property", name }));
  }
  for (const [name, property] of after) {
    if (before.has(name)) continue;
    const other = undeclared(old);
    if (other === undefined) added.push(name);
    else children.push(descend(other, property, { kind: "property", name }));
  }
  if (old.items !== undefined && next.items !== undefined) {
    children.push(descend(old.items, next.items, { kind: "item" }));
  }
  const [oldRest, newRest] = [undeclared(old), undeclared(next)];
  if (oldRest !== undefined && newRest !== undefined && (oldRest !== ANYTHING || newRest !== ANYTHING)) {
    children.push(descend(oldRest, newRest, { kind: "key" }));
  }
  const dropsKeys = oldRest !== undefined && newRest === undefined && next.additionalProperties === undefined;
  return { ...base, changed: changedKeywords(old, next, minor), children, removed, added, dropsKeys };
}

const NO_TYPE: ResourceType = new Map();

/** An object of another version has the new type, whatever the old one was. */
function typeSchemas(type: ResourceType): [string, Structural][] {
  return [...type].map(([key, text]) => [key, newSchema({ type: "string", enum: [text] })]);
}

/** The declared properties, and the fields that every resource has. */
function membersOf(schema: Structural, isRoot: boolean): ReadonlyMap<string, Structural> {
  if (!isRoot && !schema.embeddedResource) return schema.properties;
  const implicit = RESOURCE_MEMBERS.flatMap((name) => {
    const member = resourceMember(schema, name, isRoot);
    return member === undefined ? [] : [[name, member] as const];
  });
  return new Map([...schema.properties, ...implicit]);
}

/** The schema of undeclared members; undefined if they are pruned. */
export function undeclared(schema: Structural): Structural | undefined {
  if (schema.additionalProperties !== undefined) {
    // Below `additionalProperties: true` objects are pruned to empty ones, but any other value is kept.
    return schema.additionalProperties.schema ?? (schema.additionalProperties.allows ? ANY_VALUE : undefined);
  }
  return schema.preserveUnknownFields === true ? ANYTHING : undefined;
}

const ANY_VALUE: Structural = newSchema({ nullable: true });

function changedKeywords(old: Structural, next: Structural, minor: number): string[] {
  const [before, after] = [nodeKeywords(old, minor), nodeKeywords(next, minor)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
}

/** All nodes that differ, or have a difference below, outer ones first. */
export function* changedPairs(pair: NodePair): Generator<NodePair> {
  if (pair.isSame) return;
  yield pair;
  for (const child of pair.children) yield* changedPairs(child);
}

/** `.spec.list[*].labels{*}`; the root is `.`. */
export function formatSchemaPath(path: readonly SchemaStep[]): string {
  const text = path.map((step) => (step.kind === "property" ? `.${step.name}` : step.kind === "item" ? "[*]" : "{*}"));
  return text.length === 0 ? "." : text.join("");
}
