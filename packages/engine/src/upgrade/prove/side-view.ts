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
import { ANYTHING, undeclared } from "../pairs.ts";
import { constantData } from "./constant-data.ts";
import { childNode, elementNode, isSameCount, isSteadyPair, type Node } from "./node.ts";
import {
  asRuleSees,
  isComparedWhole,
  isGivenAlike,
  isReadAlike,
  isSeenAlike,
  keepsMore,
  sortOf,
  sortUnder,
} from "./reading.ts";
import { isDistinctList, isSameItem } from "./unique-items.ts";

export type SideName = "old" | "new";

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
  #wholeOf(node: Node, isGiven = false): string {
    const { old, new: next } = node;
    const isAlike = old !== undefined && next !== undefined && (isGiven ? isGivenAlike : isSeenAlike)(old, next);
    const isWider = isAlike && !this.#isStored && keepsMore(old, next);
    const isUnsteady = isGiven ? isFilledAbove(node) : node.isUnsteady;
    const isShared = isAlike && !isWider && !isUnsteady && !node.isRoot;
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

  /**
   * The value that a rule of the node reads as `self`. The rule only runs if a value is given, so it does not matter
   * what fills in an absent one. Expressions of other rules that lead there have other names.
   */
  self(node: Node): Place {
    return { ...this.place(node), whole: this.#wholeOf(node, this.prefix === "") };
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
      isScalar: schema.intOrString || schema.type === "string",
      isAlways: this.#isAlways(node),
      member: (escaped) => this.#members(node, escaped),
      child: (escaped) => this.#child(node, escaped),
      compared: () => (!node.isRoot && isComparedWhole(schema) ? this.#options.visitedMembers(node) : undefined),
      isSet: schema.listType === "set",
      mostItems: node.old?.type === "array" ? node.old.maxItems : undefined,
      isDistinct: isDistinctList(node),
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

/** Whether a parent may be filled in, dropped or absent on one side only, or the node is dropped or another text. */
function isFilledAbove({ parent, mayBeDropped, isRetyped, isUnsteady }: Node): boolean {
  return parent === undefined ? isUnsteady : parent.isUnsteady || mayBeDropped || isRetyped === true;
}

export function isPresent(cases: readonly Case<Raw>[]): Formula {
  return or(...cases.filter(({ is }) => is.kind !== "missing").map(({ when }) => when));
}
