/**
 * What is known about every object that the old CRD accepts, as far as a question needs it: the schema of the visited
 * places, and the rules that read the same places.
 */

import type { ScaleSubresource } from "../../crd/definition.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleNode } from "../../rules/tree.ts";
import { Translation } from "../../symbolic/cel.ts";
import { nameOf } from "../../symbolic/cel-names.ts";
import type { Binding, Scope } from "../../symbolic/cel-scope.ts";
import { isInt64, placeTerm } from "../../symbolic/data-terms.ts";
import { and, type Formula, flag, implies, not, TRUE } from "../../symbolic/formula.ts";
import { always, type BoolTerm, NONE, type Term, type Terms } from "../../symbolic/term.ts";
import { ruleNodeAt } from "../contain/rule-node.ts";
import { formatSchemaPath, type SchemaStep } from "../pairs.ts";
import { RESOURCE_MEMBERS } from "../resource-members.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { KeywordFormulas } from "./keyword-formula.ts";
import { childNode, holderOf, isCorrelated, type Node } from "./node.ts";
import type { ResourceType } from "./resource-type.ts";
import { type SideName, SideView } from "./side-view.ts";
import { keyFacts, replicaFacts, sizeFacts, typeFacts } from "./type-facts.ts";

/** The prefix for names that `oldSelf` reads: another object. */
const OLD_PREFIX = "before ";
/** Whether the write is an update. */
const IS_UPDATE = flag("the write is an update");
const MAX_NODES = 60;
const MAX_RULES = 24;
const MAX_DEPTH = 3;

/**
 * Which rules of the old CRD are premises: none, those of the place that the question is about, those of all visited
 * places, or also all around them.
 */
export type RulePremises = "none" | "own" | "near" | "all";

export interface KnowledgeOptions {
  readonly root: Node;
  readonly oldRules: RuleNode | undefined;
  /** The scale subresource of the old CRD. */
  readonly oldScale?: ScaleSubresource | undefined;
  readonly check: LocalCheck;
  readonly rules: RulePremises;
  /** The place that the question is about. */
  readonly path?: readonly SchemaStep[] | undefined;
  /** The apiVersion and kind of every object of the old CRD. */
  readonly type: ResourceType;
  /** Whether transition rules of the old CRD ran in the writes that the question is about. */
  readonly transitions: boolean;
  /** Whether the question is about stored objects only, not about manifests. */
  readonly isStored?: boolean | undefined;
}

/** One question. It records every place that is visited while the question is built. */
export class Knowledge {
  readonly #options: KnowledgeOptions;
  readonly #visited = new Map<string, { readonly node: Node; readonly prefix: string }>();
  /** Places that were visited for their own value, not on the way to another place. */
  #leaves = new Set<string>();
  /** Facts about names that translations introduced, also during the search. */
  readonly facts: Formula[] = [];
  /** Facts about elements, with the number of places that were visited before. */
  readonly #elements = new Map<string, { readonly visited: number; readonly facts: Formula }>();

  constructor(options: KnowledgeOptions) {
    this.#options = options;
  }

  view(side: SideName, prefix = ""): SideView {
    return new SideView({
      side,
      prefix,
      isStored: this.#options.isStored,
      onVisit: (node) => this.#visit(node, prefix),
      visitedMembers: (node) => this.#visitedMembers(node, prefix),
      elementFacts: (container, element) => this.#elementFacts(container, element, prefix),
    });
  }

  keywords(view: SideView): KeywordFormulas {
    return new KeywordFormulas(view, this.#options.check);
  }

  /** The condition under which a rule of a side holds for the value of a node. */
  rule(rule: CompiledRule, node: Node, side: SideName, prefix = ""): BoolTerm | undefined {
    if (rule.ast === undefined) return undefined;
    const translation = new Translation(rule.ast.checked, this.facts);
    return translation.condition(this.#scope(rule, node, side, prefix));
  }

  /** A name for the rule that is equal on both sides if both rules and the data they read are equal. */
  ruleName(rule: CompiledRule, node: Node, side: SideName): string | undefined {
    if (rule.ast === undefined) return undefined;
    const name = nameOf(rule.ast.checked.expr, this.#scope(rule, node, side, ""));
    return `${rule.usesOldSelf} ${rule.rule.optionalOldSelf === true} ${name}`;
  }

  #scope(rule: CompiledRule, node: Node, side: SideName, prefix: string): Scope {
    const view = this.view(side, prefix);
    const self = rule.usesOldSelf ? view.place(node) : view.self(node);
    this.#visit(node, prefix);
    const scope = new Map<string, Binding>([["self", { terms: always(placeTerm(self)), place: self, label: "self" }]]);
    if (!rule.usesOldSelf) return scope;
    const before = this.view(side, OLD_PREFIX).place(node);
    this.#visit(node, OLD_PREFIX);
    if (rule.rule.optionalOldSelf === true) {
      const had = this.#hadOptional(node, side);
      const optional = (value: Terms): Term => ({ sort: "optional", value });
      const terms: Terms = [
        { when: had, is: optional(always(placeTerm(before))) },
        { when: not(had), is: optional(always(NONE)) },
      ];
      return scope.set("oldSelf", { terms, place: undefined, label: `optional ${before.whole}` });
    }
    return scope.set("oldSelf", { terms: always(placeTerm(before)), place: before, label: "oldSelf" });
  }

  #visit(node: Node, prefix: string): void {
    this.#leaves.add(`${prefix}${node.path}`);
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      const key = `${prefix}${at.path}`;
      if (this.#visited.has(key)) return;
      this.#visited.set(key, { node: at, prefix });
    }
  }

  #visitedMembers(node: Node, prefix: string): readonly string[] {
    const names = [...((node.old ?? node.new)?.properties.keys() ?? [])];
    return names.filter((name) => this.#visited.has(`${prefix}${childNode(node, name)?.path}`));
  }

  /** Everything that is known about the places visited so far. */
  premises(): Formula[] {
    const found: Formula[] = [];
    const rules = this.#rulePremises();
    // Elements that only serve to name something need not exist: those that do get their facts from their range.
    const places = [...this.#visited.values()].filter(({ node }) => holderOf(node) === this.#options.root);
    for (const { node, prefix } of places.slice(0, MAX_NODES)) {
      found.push(implies(this.#isThere(node, prefix), this.#nodeFacts(node, prefix)), this.#nullFacts(node, prefix));
    }
    return [...found, ...rules];
  }

  /** Rules of the visited places and of their parents. */
  #rulePremises(): Formula[] {
    const found: Formula[] = [];
    const asked = new Set<string>();
    for (let round = 0; round < (this.#options.rules === "all" ? 2 : 1); round++) {
      for (const { node, prefix } of [...this.#visited.values()]) {
        const key = `${prefix}${node.path}`;
        if (asked.has(key) || found.length > MAX_RULES) continue;
        asked.add(key);
        found.push(...this.#rulesOf(node, prefix));
      }
    }
    return found;
  }

  #rulesOf(node: Node, prefix: string): Formula[] {
    if (!this.#isAsked(node)) return [];
    const rules = ruleNodeAt(this.#options.oldRules, node.steps)?.rules ?? [];
    return rules
      .filter((rule) => this.#applies(rule, prefix))
      .flatMap((rule) => {
        const condition = this.#related(rule, node, prefix);
        return condition === undefined ? [] : [implies(this.#isRun(rule, node, prefix), condition.yes)];
      });
  }

  /** A transition rule is only run if there was a value before: a new field or item has none. */
  #isRun(rule: CompiledRule, node: Node, prefix: string): Formula {
    const isThere = this.#isThere(node, prefix);
    if (!rule.usesOldSelf || rule.rule.optionalOldSelf === true) return isThere;
    return and(isThere, this.#isCompared(node));
  }

  /** Whether the write is an update, and the value is compared with one that the object had before. */
  #isCompared(node: Node): Formula {
    const holder = holderOf(node);
    const isKnown = holder === this.#options.root ? TRUE : isCorrelated(holder);
    return and(IS_UPDATE, isKnown, this.#isThere(node, OLD_PREFIX));
  }

  /** Whether an optional `oldSelf` has a value: a default may have filled it in, which is not modelled. */
  #hadOptional(node: Node, side: SideName): Formula {
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      if ((at.old?.default ?? at.new?.default) !== undefined) return flag(`had ${node.path} ${side}`);
    }
    return this.#isCompared(node);
  }

  #isAsked({ steps }: Node): boolean {
    const { rules, path = [] } = this.#options;
    return rules === "own" ? formatSchemaPath(steps) === formatSchemaPath(path) : rules !== "none";
  }

  /** Undefined if the rule reads nothing that the question reads. */
  #related(rule: CompiledRule, node: Node, prefix: string): BoolTerm | undefined {
    const asked = this.#leaves;
    this.#leaves = new Set();
    const condition = this.rule(rule, node, "old", prefix);
    const read = this.#leaves;
    read.delete(`${prefix}${node.path}`);
    this.#leaves = asked;
    const isRelated = read.size === 0 || [...read].some((key) => asked.has(key));
    if (isRelated) for (const key of read) asked.add(key);
    return isRelated ? condition : undefined;
  }

  /** Transition rules do not apply to created objects, nor to the object before the update. */
  #applies(rule: CompiledRule, prefix: string): boolean {
    if (!rule.usesOldSelf) return true;
    return prefix === "" && (rule.rule.optionalOldSelf === true || this.#options.transitions);
  }

  /** Whether the object before the update had a value at the node; a default of the new CRD may have filled it in. */
  hadValue(node: Node): Formula {
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      if (at.new?.default !== undefined) return IS_UPDATE;
    }
    return and(IS_UPDATE, this.#isThere(node, OLD_PREFIX));
  }

  #isThere(node: Node, prefix: string): Formula {
    const view = this.view("old", prefix);
    const own = node.parent === undefined ? TRUE : and(view.has(node), not(view.isNull(node)));
    return node.parent === undefined ? own : and(this.#isThere(node.parent, prefix), own);
  }

  #nodeFacts(node: Node, prefix: string): Formula {
    const view = this.view("old", prefix);
    const { old } = node;
    if (old === undefined) return this.#addedFacts(node, prefix);
    const isResource = node.isRoot || old.embeddedResource;
    const always = isResource ? RESOURCE_MEMBERS.filter((key) => node.isRoot || key !== "metadata") : [];
    const there = always
      .flatMap((key) => childNode(node, key) ?? [])
      .map((child) => and(view.has(child), not(view.isNull(child))));
    const type = node.isRoot ? [typeFacts(node, this.#options.type, (side) => this.view(side, prefix))] : [];
    const name = view.textName(node);
    const own = old.type === "integer" ? [isInt64(name), replicaFacts(node, this.#options.oldScale, name)] : [];
    return and(this.keywords(view).all(old, node), ...there, ...type, ...own, sizeFacts(old, name, view.nameOf(node)));
  }

  /** A field that only the new CRD has: what it refuses by the field's own schema is not asked. */
  #addedFacts(node: Node, prefix: string): Formula {
    if (node.new === undefined) return TRUE;
    const view = this.view("new", prefix);
    const own = node.new.type === "integer" ? isInt64(view.textName(node)) : TRUE;
    return and(this.keywords(view).all(node.new, node), own);
  }

  /** A null that the old schema allows by its type and refuses for another reason, such as an `enum`. */
  #nullFacts(node: Node, prefix: string): Formula {
    const { old, parent } = node;
    if (old === undefined || !old.nullable || this.#options.check.matches(old, null)) return TRUE;
    const view = this.view("old", prefix);
    const isNull = not(and(view.has(node), view.isNull(node)));
    return parent === undefined ? not(view.isNull(node)) : implies(this.#isThere(parent, prefix), isNull);
  }

  /** An item of a list, or a value of a map with its key: what the old schema and its rules require of each. */
  #elementFacts(container: Node, element: string, prefix: string): Formula {
    const key = `${prefix}${element}`;
    const known = this.#elements.get(key);
    // The more places are visited, the more is known about the element.
    if (known?.visited === this.#visited.size) return known.facts;
    const facts = this.#factsOf(container, element, prefix);
    this.#elements.set(key, { visited: this.#visited.size, facts });
    return facts;
  }

  #factsOf(container: Node, element: string, prefix: string): Formula {
    const view = this.view("old", prefix);
    const node = view.elementOf(container, element);
    if (node === undefined) return TRUE;
    const isPlain = (node.old ?? node.new)?.nullable !== true;
    const inner = this.#deepFacts(node, prefix, 0);
    const own = isPlain ? inner : and(implies(not(view.isNull(node)), inner), this.#nullFacts(node, prefix));
    return and(own, keyFacts(container.old?.propertyNames, element));
  }

  #deepFacts(node: Node, prefix: string, depth: number): Formula {
    const view = this.view("old", prefix);
    const schema = node.old ?? node.new;
    if (depth > MAX_DEPTH || schema === undefined) return TRUE;
    const children = [...schema.properties.keys()]
      .flatMap((key) => childNode(node, key) ?? [])
      .filter((child) => this.#visited.has(`${prefix}${child.path}`));
    const below = children.map((child) => {
      const isThere = and(view.has(child), not(view.isNull(child)));
      return implies(isThere, this.#deepFacts(child, prefix, depth + 1));
    });
    return and(this.#nodeFacts(node, prefix), ...below, ...this.#rulesOf(node, prefix));
  }
}
