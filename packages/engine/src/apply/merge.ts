/**
 * A live value with an applied configuration laid over it.
 *
 * Follows structured-merge-diff typed/merge.go. Nothing is ever removed: what the configuration leaves out stays. Items
 * that both lists have follow the order of the configuration; items only the live list has keep their place before the
 * next shared one; new items are inserted where the configuration has them.
 *
 * INVARIANT: both values have been validated; what did not change is shared with them.
 */
import type { PathElement } from "../fieldset/element.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { identityOf, itemElement } from "./list-item.ts";
import { formOf, memberType, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType } from "./types/types.ts";

/** Undefined only where a container has nothing left in it. */
export function mergeValues(
  type: MergeType | undefined,
  live: JsonValue | undefined,
  config: JsonValue | undefined,
): JsonValue | undefined {
  if (config === undefined || live === config) return live;
  if (live === undefined || type === undefined) return config;
  // The configuration decides the form; where the live value has another, it has no members to contribute.
  const form = resolveForm(type, formOf(type, config));
  if (form === "map" && type.map !== undefined) return mergeMaps(type.map, live, config);
  if (form === "list" && type.list !== undefined) return mergeLists(type.list, live, config);
  return config;
}

function mergeMaps(type: MapType, live: JsonValue, config: JsonValue): JsonValue | undefined {
  const left = isObject(live) ? live : undefined;
  const right = isObject(config) ? config : undefined;
  if (type.relationship === "atomic" || (isBare(left) && isBare(right))) return config;
  const merged = newObject();
  let isBareResult = true;
  const take = (name: string, value: JsonValue | undefined): void => {
    if (value === undefined) return;
    merged[name] = value;
    isBareResult = false;
  };
  for (const name in left) take(name, mergeValues(memberType(type, name), left[name], right?.[name]));
  for (const name in right) {
    if (left?.[name] === undefined) take(name, right[name]);
  }
  return isBareResult ? undefined : merged;
}

function isBare(map: JsonObject | undefined): boolean {
  for (const _ in map) return false;
  return true;
}

function mergeLists(type: ListType, live: JsonValue, config: JsonValue): JsonValue | undefined {
  const left = isArray(live) ? live : [];
  const right = isArray(config) ? config : [];
  if (type.relationship === "atomic" || (left.length === 0 && right.length === 0)) return config;
  const merged = new ListMerge(type, left, right).run();
  return merged.length === 0 ? undefined : merged;
}

/** The items of one list by their identity; an identity that occurs more than once has no one value. */
interface IndexedList {
  readonly identities: readonly string[];
  readonly values: ReadonlyMap<string, JsonValue>;
}

function indexList(type: ListType, items: readonly JsonValue[]): IndexedList {
  const identities: string[] = [];
  const values = new Map<string, JsonValue>();
  for (const item of items) {
    const element: PathElement | undefined = itemElement(type, item).value;
    const identity = element === undefined ? "" : identityOf(element);
    values.set(identity, values.has(identity) ? null : item);
    identities.push(identity);
  }
  return { identities, values };
}

class ListMerge {
  private readonly type: ListType;
  private readonly liveItems: readonly JsonValue[];
  private readonly live: IndexedList;
  private readonly config: IndexedList;
  /** Identities in both lists, in the configuration's order, not yet reached. */
  private readonly shared: string[];
  private readonly taken = new Set<string>();
  private readonly merged: JsonValue[] = [];

  constructor(type: ListType, live: readonly JsonValue[], config: readonly JsonValue[]) {
    this.type = type;
    this.liveItems = live;
    this.live = indexList(type, live);
    this.config = indexList(type, config);
    this.shared = this.config.identities.filter((identity) => this.live.values.has(identity)).reverse();
  }

  run(): JsonValue[] {
    const [left, right] = [this.live.identities, this.config.identities];
    let [l, r] = [0, 0];
    while (l < left.length || r < right.length) {
      const [here, wanted] = [left[l], right[r]];
      if (here !== undefined && wanted !== undefined) {
        if (here === wanted) {
          this.takeConfigured(here);
          this.shared.pop();
          l++;
          r++;
          continue;
        }
        if (this.config.values.has(here) && this.nextShared() !== undefined && this.nextShared() !== here) {
          l++;
          continue;
        }
      }
      if (here !== undefined) {
        if (!this.config.values.has(here)) {
          this.take(this.liveItems[l]);
          l++;
          continue;
        }
        if (this.taken.has(here)) l++;
      }
      if (wanted !== undefined) {
        this.takeConfigured(wanted);
        r++;
        if (this.nextShared() === wanted) this.shared.pop();
      }
    }
    return this.merged;
  }

  private nextShared(): string | undefined {
    return this.shared.at(-1);
  }

  private takeConfigured(identity: string): void {
    this.taken.add(identity);
    this.take(mergeValues(this.type.element, this.live.values.get(identity), this.config.values.get(identity)));
  }

  private take(item: JsonValue | undefined): void {
    if (item !== undefined) this.merged.push(item);
  }
}
