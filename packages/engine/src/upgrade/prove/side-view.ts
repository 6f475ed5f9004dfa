/**
 * Objects as the two CRDs see them: one unknown manifest after the defaults, dropped nulls and pruning of either side.
 *
 * INVARIANT: a name denotes the same value on both sides only if both read the same data in the same way.
 */
import { unescapeName } from "../../kubecel/escaping.ts";
import type { Structural } from "../../schema/structural.ts";
import { and, FALSE, type Formula, flag, not, or, type Range, TRUE } from "../../symbolic/formula.ts";
import type { Case, Data, Place, Sort } from "../../symbolic/term.ts";
import type { JsonValue } from "../../value/json.ts";
import { ANYTHING, type SchemaStep, undeclared } from "../pairs.ts";
import { resourceMember } from "../resource-members.ts";
import { constantData } from "./constant-data.ts";
import {
  asRuleSees,
  hasSteadyKeys,
  isComparedWhole,
  isReadAlike,
  isSameDefault,
  isSeenAlike,
  isSteadyElement,
  keepsMore,
  sortOf,
  sortUnder,
} from "./reading.ts";
import type { ResourceType } from "./resource-type.ts";
import { isSameItem } from "./unique-items.ts";

export type SideName = "old" | "new";

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

/** The value of a member on one side: data, null, a constant that was filled in, or nothing. */
export type Raw = { readonly kind: "null" } | { readonly kind: "node"; readonly node: Node } | Filled | Missing;
interface Filled {
  readonly kind: "constant";
  readonly value: JsonValue;
  readonly schema: Structural;
}
interface Missing {
  readonly kind: "missing";
}

const MISSING: Missing = { kind: "missing" };

export interface ViewOptions {
  readonly side: SideName;
  /** Set for `oldSelf`, which is another object. */
  readonly prefix: string;
  /** Whether the data is that of stored objects, which have no fields that the old CRD drops. */
  readonly isStored?: boolean | undefined;
  /** Called for each visited node. */
  readonly onVisit: (node: Node) => void;
  /** The names of the members that were visited so far. */
  readonly visitedMembers: (node: Node) => readonly string[];
  /** What holds for each element of a list or map. */
  readonly elementFacts: (container: Node, element: string) => Formula;
}

export class SideView {
  readonly side: SideName;
  readonly #options: ViewOptions;

  constructor(options: ViewOptions) {
    this.side = options.side;
    this.#options = options;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  /** Whether the data is that of a stored object: `oldSelf`, or the question is about nothing else. */
  get #isStored(): boolean {
    return this.prefix !== "" || this.#options.isStored === true;
  }

  schemaOf(node: Node): Structural | undefined {
    return this.side === "old" ? node.old : node.new;
  }

  /** The name of a node's value; the new side has its own name if it reads the value differently. */
  nameOf(node: Node): string {
    // A node that only one CRD has is only read by that one.
    const isRead = node.old === undefined || (node.new !== undefined && isReadAlike(node.old, node.new));
    const isShared = isRead && node.isRetyped !== true;
    return `${this.prefix}${node.path}${(isShared && isSameCount(node)) || this.side === "old" ? "" : "@new"}`;
  }

  /** The name of everything at and below a node. */
  #wholeOf(node: Node): string {
    const { old, new: next } = node;
    const isAlike = old !== undefined && next !== undefined && isSeenAlike(old, next);
    const isWider = isAlike && !this.#isStored && keepsMore(old, next);
    const isShared = isAlike && !isWider && !node.isUnsteady && !node.isRoot;
    return `${this.prefix}${node.path}${isShared ? "" : `@${this.side}`}`;
  }

  /** The name for the presence of a node, and for its number of elements. */
  #presenceOf(node: Node): string {
    const isRead = node.old !== undefined && node.new !== undefined && isReadAlike(node.old, node.new);
    return `${this.prefix}${node.path}${isRead && !node.isUnsteady && isSameCount(node) ? "" : `@${this.side}`}`;
  }

  /** Whether the old CRD requires the member, and nothing fills it in or drops it. */
  #isAlways({ parent, steps, old, new: next, mayBeDropped }: Node): boolean {
    const step = steps.at(-1);
    const isRequired = step?.kind === "property" && parent?.old?.required.includes(step.name) === true;
    if (!isRequired || parent.old?.type !== "object" || old === undefined || mayBeDropped) return false;
    return !old.nullable && old.default === undefined && (this.side === "old" || next !== undefined);
  }

  /** The name for the length of a string or the number of items, however rules read it. */
  textName(node: Node): string {
    return `${this.prefix}${node.path}${node.isRetyped === true && this.side === "new" ? "@new" : ""}`;
  }

  has(node: Node): Formula {
    return flag(`has ${this.prefix}${node.path}`);
  }

  isNull(node: Node): Formula {
    return flag(`null ${this.prefix}${node.path}`);
  }

  /** A member by its key, as the schema's keywords see it. */
  raw(node: Node, key: string): readonly Case<Raw>[] {
    const child = childNode(node, key);
    if (child === undefined) return [{ when: TRUE, is: MISSING }];
    this.#options.onVisit(child);
    const schema = this.schemaOf(child);
    if (schema === undefined) return [{ when: TRUE, is: MISSING }];
    const dropped = child.mayBeDropped && this.side === "new" ? flag(`dropped ${this.prefix}${child.path}`) : undefined;
    // The old CRD drops a member that it has no place for: it may be in a manifest, but not in a stored object.
    const isKept = child.old === undefined && this.#isStored ? FALSE : this.has(child);
    const isGiven = dropped === undefined ? isKept : and(isKept, not(dropped));
    const isNull = this.isNull(child);
    const filled: Raw = schema.default === undefined ? MISSING : { kind: "constant", value: schema.default, schema };
    return [
      { when: and(isGiven, not(isNull)), is: { kind: "node", node: child } },
      { when: and(isGiven, isNull), is: schema.nullable ? { kind: "null" } : filled },
      { when: not(isGiven), is: filled },
    ];
  }

  /** The same as rules see it: a null member is absent. */
  place(node: Node): Place {
    const schema = asRuleSees(this.schemaOf(node) ?? ANYTHING, node.isRoot);
    const sort: Sort = this.side === "new" ? sortUnder(node.old, schema) : sortOf(schema);
    const name = sort === "other" ? `value ${this.nameOf(node)}` : this.nameOf(node);
    return {
      name,
      whole: this.#wholeOf(node),
      presence: this.#presenceOf(node),
      sort,
      isAlways: this.#isAlways(node),
      member: (escaped) => this.#members(node, escaped),
      child: (escaped) => this.#child(node, escaped),
      compared: () => (!node.isRoot && isComparedWhole(schema) ? this.#options.visitedMembers(node) : undefined),
      range: this.range(node),
      element: (key) => [{ when: TRUE, is: this.#elementData(node, key) }],
      elementChild: (key) => {
        const element = elementNode(node, key);
        return element && this.place(element);
      },
      unique: (one, other) => (isSameCount(node) ? isSameItem(this, node, one, other) : FALSE),
    };
  }

  #members(node: Node, escaped: string): readonly Case<Data>[] {
    const key = unescapeName(escaped);
    if (key === undefined) return [{ when: TRUE, is: MISSING }];
    return this.raw(node, key).map(({ when, is }) => ({ when, is: this.#data(is) }));
  }

  #data(raw: Raw): Data {
    if (raw.kind === "node") return { kind: "place", place: this.place(raw.node) };
    if (raw.kind === "constant") return constantData(raw.value, raw.schema);
    return MISSING;
  }

  #child(node: Node, escaped: string): Place | undefined {
    const key = unescapeName(escaped);
    const child = key === undefined ? undefined : childNode(node, key);
    if (child === undefined) return undefined;
    this.#options.onVisit(child);
    return this.place(child);
  }

  range(node: Node): Range | undefined {
    const schema = this.schemaOf(node);
    if (schema === undefined || (schema.items === undefined && undeclared(schema) === undefined)) return undefined;
    if (this.side === "old" || isSameCount(node)) {
      const name = `${this.prefix}${node.path}`;
      return { name, facts: (element) => this.#options.elementFacts(node, element.slice(this.prefix.length)) };
    }
    // The old CRD does not have all of these keys, so it requires nothing of them.
    return { name: `${this.prefix}${node.path}@new`, facts: () => TRUE };
  }

  elementOf(node: Node, element: string): Node | undefined {
    const path = element.startsWith(this.prefix) ? element.slice(this.prefix.length) : element;
    return elementNode(node, path);
  }

  memberOf(node: Node, key: string): Node | undefined {
    return childNode(node, key);
  }

  /** Items may be null, which rules see as a separate value. */
  #elementData(node: Node, key: string): Data {
    const element = this.elementOf(node, key);
    if (element === undefined) return { kind: "unknown", name: `element ${key}` };
    this.#options.onVisit(element);
    const { old, new: next } = element;
    const isPlain = old?.nullable !== true && next?.nullable !== true && isSteadyPair(old, next, node);
    if (!isPlain) return { kind: "unknown", name: `value ${this.#wholeOf(element)}` };
    return { kind: "place", place: this.place(element) };
  }
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

function isSameCount({ old, new: next }: Node): boolean {
  return old === undefined || next === undefined || hasSteadyKeys(old, next);
}

function elementSchema(schema: Structural): Structural | undefined {
  return schema.items ?? undeclared(schema);
}

export function isPresent(cases: readonly Case<Raw>[]): Formula {
  return or(...cases.filter(({ is }) => is.kind !== "missing").map(({ when }) => when));
}
