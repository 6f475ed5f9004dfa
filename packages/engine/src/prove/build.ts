/**
 * Builds data from the assumptions of an execution path: the places it mentions, put into an object that is valid
 * without them.
 */
import type { Value } from "@portcullis/cel/internal";
import { deepCopy } from "../value/copy.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { type Element, type State, sizeKey } from "./evaluate/state.ts";
import type { Node } from "./evaluate/symbolic.ts";
import { sampleOf, toJson } from "./sorts/sample.ts";
import { skeletonItem } from "./sorts/skeletons.ts";

export class Builder {
  readonly #state: State;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #children = new Map<string, Node[]>();

  constructor(state: State, values: ReadonlyMap<string, Value>) {
    this.#state = state;
    this.#values = values;
    for (const node of state.nodes.values()) {
      if (node.parent === undefined) continue;
      const siblings = this.#children.get(node.parent.id) ?? [];
      this.#children.set(node.parent.id, [...siblings, node]);
    }
  }

  /** The value at a place; a value without a requirement is kept from the template. */
  build(id: string, template: JsonValue | undefined): JsonValue | undefined {
    const kind = this.#state.kinds.get(id);
    const node = this.#state.nodes.get(id);
    if (kind === undefined || node === undefined) return template ?? (node && this.#sample(node));
    switch (kind.kind) {
      case "null":
        return null;
      case "list":
        return this.#list(node, template);
      case "map":
        return kind.open === undefined ? this.#struct(node, template) : this.#openMap(node, template);
      default: {
        const value = this.#values.get(id);
        return value === undefined ? template : toJson(value);
      }
    }
  }

  /** A list gets an item of the usual form. */
  #sample(node: Node): JsonValue | undefined {
    const item = skeletonItem(node.key ?? "", 0, node.id);
    const isList = node.sort.alternatives().every((each) => each.kind === "list");
    return isList && item !== undefined ? [item] : sampleOf(node.sort);
  }

  #struct(node: Node, template: JsonValue | undefined): JsonObject {
    const made = objectFrom(template ?? sampleOf(node.sort));
    for (const child of this.#children.get(node.id) ?? []) {
      const { key } = child;
      if (key === undefined) continue;
      if (this.#state.presence.get(child.id) === false) {
        delete made[key];
        continue;
      }
      const value = this.build(child.id, made[key]);
      if (value !== undefined) made[key] = value;
    }
    return made;
  }

  #openMap(node: Node, template: JsonValue | undefined): JsonObject {
    const map = this.#state.maps.get(node.id);
    const made = newObject();
    const size = this.#size(node);
    if (map === undefined) return objectFrom(template ?? sampleOf(node.sort));
    for (const entry of map.entries) {
      const key = typeof entry.key === "string" ? entry.key : this.#values.get(entry.key.term.key);
      const value = this.build(entry.node.id, undefined);
      if (typeof key === "string" && value !== undefined) made[key] = value;
    }
    const sample = map.alternative.open && sampleOf(map.alternative.open.value());
    for (let extra = 0; Object.keys(made).length < size && extra < size; extra++) {
      if (sample !== undefined && !map.absent.has(`key${extra}`)) made[`key${extra}`] = deepCopy(sample);
    }
    return made;
  }

  #size(node: Node): number {
    const size = this.#values.get(sizeKey(node));
    return typeof size === "number" ? Math.min(size, MAX_SIZE) : 0;
  }

  #list(node: Node, template: JsonValue | undefined): JsonValue[] {
    const elements = this.#state.lists.get(node.id)?.elements;
    const before = isArray(template) ? template : [];
    if (elements === undefined) return before.length > 0 ? before : this.#fill([], 1, node, before);
    const size = Math.max(this.#size(node), elements.length, ...elements.map(({ index }) => (index ?? -1) + 1));
    const made: (JsonValue | undefined)[] = Array.from({ length: Math.min(size, MAX_SIZE) });
    for (const element of elements.filter(({ index }) => index !== undefined))
      this.#place(made, element, element.index ?? 0, node, before);
    for (const element of elements.filter(({ index }) => index === undefined))
      this.#place(made, element, made.indexOf(undefined), node, before);
    return this.#fill(made, size, node, before);
  }

  #place(
    made: (JsonValue | undefined)[],
    element: Element,
    at: number,
    node: Node,
    before: readonly JsonValue[],
  ): void {
    const template = before[at] ?? skeletonItem(node.key ?? "", at, node.id);
    made[at] = this.build(element.node.id, template === undefined ? undefined : deepCopy(template));
  }

  /** Elements without requirements are copies of elements with requirements. */
  #fill(made: (JsonValue | undefined)[], size: number, node: Node, before: readonly JsonValue[]): JsonValue[] {
    const known = made.find((each) => each !== undefined);
    const filled: JsonValue[] = [];
    for (let at = 0; at < Math.min(size, MAX_SIZE); at++) {
      const own = made[at] ?? (known === undefined ? (before[at] ?? this.#item(node, at)) : renamed(known, at));
      if (own !== undefined) filled.push(own);
    }
    return filled;
  }

  #item(node: Node, at: number): JsonValue | undefined {
    const skeleton = skeletonItem(node.key ?? "", at, node.id);
    if (skeleton !== undefined) return skeleton;
    const list = node.sort.alternatives().find((each) => each.kind === "list");
    return list?.kind === "list" ? sampleOf(list.item()) : undefined;
  }
}

const MAX_SIZE = 300;

/** Items of many lists must have distinct names. */
function renamed(item: JsonValue, at: number): JsonValue {
  const copy = deepCopy(item);
  if (isObject(copy) && typeof copy["name"] === "string") copy["name"] = `${copy["name"]}${at}`;
  return copy;
}

function objectFrom(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? Object.assign(newObject(), value) : newObject();
}
