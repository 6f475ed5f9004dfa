/** Places in the data with their schemas in both CRDs. */
import type { Structural } from "../../schema/structural.ts";
import { type Formula, flag } from "../../symbolic/formula.ts";
import { type SchemaStep, undeclared } from "../pairs.ts";
import { resourceMember } from "../resource-members.ts";
import { hasSteadyKeys, isSameDefault, isSteadyElement } from "./reading.ts";
import type { ResourceType } from "./resource-type.ts";

/** One node of the data with its schema in either CRD; undefined if the CRD has no place for it. */
export interface Node {
  /** The path in the data, such as `.spec.list[#0].name`. */
  readonly path: string;
  readonly old: Structural | undefined;
  readonly new: Structural | undefined;
  readonly isRoot: boolean;
  /** Steps through the schema from the root. */
  readonly steps: readonly SchemaStep[];
  /** The parent node; undefined for the root, and for elements, which exist because they are visited. */
  readonly parent: Node | undefined;
  /** Whether it, or one of its parents, may be present, absent or null for one side only, or filled in differently. */
  readonly isUnsteady: boolean;
  /** Whether it may be dropped although it was written: the status of a created object. */
  readonly mayBeDropped: boolean;
  /** Set for the root of objects that have another type in the new CRD. */
  readonly retyped?: ResourceType;
  /** Whether its text is another one in the new CRD: the type of an object of another version. */
  readonly isRetyped?: boolean;
}

/** Undefined if neither side has such a member. */
export function childNode(node: Node, key: string): Node | undefined {
  const old = node.old && memberOf(node.old, key, node.isRoot);
  const next = node.new && memberOf(node.new, key, node.isRoot);
  if (old === undefined && next === undefined) return undefined;
  const mayBeDropped = node.isRoot && node.mayBeDropped && key === "status";
  const steps: SchemaStep[] = [...node.steps, { kind: "property", name: key }];
  const isRetyped = node.retyped?.has(key) === true;
  const isUnsteady = node.isUnsteady || mayBeDropped || isRetyped || !isSteady(old, next);
  const path = `${node.path}.${pathName(key)}`;
  return { path, old, new: next, isRoot: false, mayBeDropped, steps, parent: node, isUnsteady, isRetyped };
}

/** Quotes a name with special characters, so that different places have different paths. */
function pathName(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Whether both sides keep, drop and fill in a member in the same way. */
function isSteady(old: Structural | undefined, next: Structural | undefined): boolean {
  if (old === undefined) return next?.default === undefined;
  return next !== undefined && old.nullable === next.nullable && isSameDefault(old, next);
}

function memberOf(schema: Structural, key: string, isRoot: boolean): Structural | undefined {
  return resourceMember(schema, key, isRoot) ?? schema.properties.get(key) ?? undeclared(schema);
}

/** An item of a list or the value of a map. */
export function elementNode(node: Node, path: string): Node | undefined {
  const [old, next] = [node.old && elementSchema(node.old), node.new && elementSchema(node.new)];
  if (old === undefined && next === undefined) return undefined;
  const isItem = (node.old ?? node.new)?.items !== undefined;
  const steps: SchemaStep[] = [...node.steps, { kind: isItem ? "item" : "key" }];
  // The element of a map is its key; the value has its own name.
  const own = isItem ? path : `${path}=`;
  return {
    path: own,
    old,
    new: next,
    isRoot: false,
    mayBeDropped: false,
    steps,
    parent: undefined,
    isUnsteady: node.isUnsteady || !isSteadyPair(old, next, node),
  };
}

/** Whether both sides do the same with nulls among the elements of a node. */
export function isSteadyPair(old: Structural | undefined, next: Structural | undefined, holder: Node): boolean {
  const isItem = (holder.old ?? holder.new)?.items !== undefined;
  return old === undefined || next === undefined || isSteadyElement(old, next, isItem);
}

/** Whether both sides have the same elements. */
export function isSameCount({ old, new: next }: Node): boolean {
  return old === undefined || next === undefined || hasSteadyKeys(old, next);
}

function elementSchema(schema: Structural): Structural | undefined {
  return schema.items ?? undeclared(schema);
}

/** The root, or the nearest element of a list or map. */
export function holderOf(node: Node): Node {
  let at = node;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

/** Whether an element is compared with one of the object before the update. */
export function isCorrelated({ path }: Node): Formula {
  return flag(`correlated ${path}`);
}
