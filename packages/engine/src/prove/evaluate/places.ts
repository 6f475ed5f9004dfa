/** Members of maps: whether a key is present, and its value. */

import type { MapAlternative, Property } from "../sorts/sort.ts";
import { isIntPossible as isPossible } from "../theory/int-theory.ts";
import { INFEASIBLE } from "../theory/path-search.ts";
import { exactly, isOfBase as isPossibleKey, withTextTest } from "../theory/text-theory.ts";
import { type MapEntry, type MapState, type State, sizeKey } from "./state.ts";
import { constant, type Node, type Scalar, type Sym } from "./symbolic.ts";

/** The member of a map; undefined if it is absent. */
export function memberOf(state: State, map: Sym & { k: "mapnode" | "entries" }, key: string): Sym | undefined {
  if (map.k === "entries") return map.entries.get(key);
  const property = map.alternative.property(key);
  if (property === undefined) return undefined;
  for (const premise of property.relies) state.relies.add(premise);
  const open = map.alternative.open !== undefined;
  const node = open ? openMember(state, map.node, map.alternative, key) : fixedMember(state, map.node, key, property);
  return node && { k: "node", node };
}

function fixedMember(state: State, parent: Node, key: string, property: Property): Node | undefined {
  const node = state.nodeAt(parent, key, property.sort, key);
  if (property.presence === "always") return node;
  const known = state.presence.get(node.id);
  const isThere = known ?? state.choices.choose(2) === 1;
  state.presence.set(node.id, isThere);
  return isThere ? node : undefined;
}

function openMember(state: State, parent: Node, alternative: MapAlternative, key: string): Node | undefined {
  const map = openMapState(state, parent, alternative);
  const known = findEntry(state, map, key);
  if (known !== undefined) return known.node;
  if (map.absent.has(key)) return undefined;
  const property = alternative.property(key);
  if (property === undefined || !isKeyPossible(alternative, key)) return undefined;
  const isThere = property.presence === "always" || state.choices.choose(2) === 1;
  if (isThere) return addEntry(state, map, key, property).node;
  map.absent.add(key);
  return undefined;
}

function isKeyPossible({ open }: MapAlternative, key: string): boolean {
  return open === undefined || isPossibleKey(open.key, key);
}

/** The entry of a key, including one whose unknown key turns out to be this one. */
function findEntry(state: State, map: MapState, key: string): MapEntry | undefined {
  return map.entries.find((entry) =>
    typeof entry.key === "string" ? entry.key === key : state.decideText(entry.key.term.key, equalsTest(key)),
  );
}

export function equalsTest(text: string) {
  return {
    key: `=${JSON.stringify(text)}`,
    holds: (value: string) => value === text,
    pattern: exactly(text),
    equals: text,
  };
}

/** Starts with the entries that are always present. */
export function openMapState(state: State, node: Node, alternative: MapAlternative): MapState {
  const isNew = !state.maps.has(node.id);
  const map = state.mapState(node, alternative);
  if (!isNew || alternative.open === undefined) return map;
  for (const key of alternative.keys()) {
    const property = alternative.property(key);
    if (property?.presence === "always") addEntry(state, map, key, property);
  }
  return map;
}

function addEntry(state: State, map: MapState, key: string, property: Property): MapEntry {
  const node = state.nodeAt(map.node, key, property.sort, key);
  const entry = { id: node.id, node, key, syms: [constant(key), { k: "node", node }] as const, index: undefined };
  return admitEntry(state, map, entry);
}

/** An entry with a key that differs from all known ones. */
export function addUnknownEntry(state: State, map: MapState): MapEntry {
  const { open } = map.alternative;
  if (open === undefined) throw INFEASIBLE;
  const id = `${map.node.id}.[${map.entries.length}]`;
  const key: Scalar = state.freshKey(`key(${id})`, open);
  for (const other of [...map.entries.map((entry) => entry.key), ...map.absent]) {
    if (typeof other === "string") excludeText(state, key.term.key, other);
  }
  const node = { id, sort: open.value(), parent: map.node, key: undefined };
  state.nodes.set(id, node);
  return admitEntry(state, map, { id, node, key, syms: [key, { k: "node", node }], index: undefined });
}

function excludeText(state: State, variable: string, text: string): void {
  const domain = state.texts.get(variable);
  if (domain !== undefined) state.setText(variable, withTextTest(domain, equalsTest(text), false));
}

function admitEntry(state: State, map: MapState, entry: MapEntry): MapEntry {
  map.entries.push(entry);
  requireSize(state, map.node, map.entries.length);
  for (const { check, except } of [...map.universals]) {
    if (!except.has(entry.id) && !check(entry.syms)) throw INFEASIBLE;
  }
  return entry;
}

/** Requires at least `count` elements. */
export function requireSize(state: State, node: Node, count: number): void {
  const least = BigInt(count);
  state.requireInt(sizeKey(node), { key: `>=${least}`, holds: (size) => size >= least, breaks: [least] });
}

/** Whether `count` elements are possible. */
export function canHold(state: State, node: Node, count: number): boolean {
  const domain = state.ints.get(sizeKey(node));
  if (domain === undefined) return true;
  const least = BigInt(count);
  return isPossible(domain.min < least ? { ...domain, min: least } : domain);
}
