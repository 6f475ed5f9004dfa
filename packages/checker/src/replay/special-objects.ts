/** Objects that decide how a log is read: policies, roles and definitions. They never leave memory. */
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Known, ObjectKey } from "./known-objects.ts";

interface Uncertain {
  readonly group: string;
  readonly why: string;
}

export class SpecialObjects {
  readonly #objects = new Map<string, JsonObject>();
  /** Those whose content is not known, by their key, and groups of which any may be meant. Their last known content stays. */
  readonly #uncertain = new Map<string, Uncertain>();

  all(): JsonObject[] {
    return [...this.#objects.values()];
  }

  set(key: ObjectKey, object: JsonObject): void {
    this.#objects.set(textOf(key), object);
  }

  /** Whether this changes anything. */
  learn(key: ObjectKey, group: string, known: Known): boolean {
    const text = textOf(key);
    const wasUncertain = this.#uncertain.delete(text);
    const why = whyOpen(known);
    if (why !== undefined) this.#uncertain.set(text, { group, why });
    const before = this.#objects.get(text);
    const after = known.state === "present" ? known.object.object() : undefined;
    if (after !== undefined) this.#objects.set(text, after);
    else if (known.state === "absent") this.#objects.delete(text);
    // A new status changes nothing.
    return wasUncertain || why !== undefined || after === undefined || before === undefined || !isSame(before, after);
  }

  /** One object may have changed, or any of the group. */
  doubt(group: string, why: string, key?: ObjectKey): void {
    this.#uncertain.set(key === undefined ? group : textOf(key), { group, why });
  }

  /** Why objects of a group, or only one of them, may not be as they were; undefined if they are. */
  whyUncertain(group: string, key?: ObjectKey): string | undefined {
    if (this.#uncertain.size === 0) return undefined;
    if (key !== undefined) return (this.#uncertain.get(textOf(key)) ?? this.#uncertain.get(group))?.why;
    for (const each of this.#uncertain.values()) if (each.group === group) return each.why;
    return undefined;
  }
}

function whyOpen(known: Known): string | undefined {
  if (known.state === "uncertain") return known.why;
  const hasForms = known.state === "present" && known.others !== undefined && known.others.length > 0;
  return hasForms ? "the log does not say how it was patched" : undefined;
}

function textOf({ place, namespace, name }: ObjectKey): string {
  return `${place}${name}\n${namespace}`;
}

function isSame(before: JsonObject, after: JsonObject): boolean {
  return ["spec", "rules", "subjects", "roleRef", "aggregationRule"].every((key) =>
    deepEqual(before[key] ?? null, after[key] ?? null),
  );
}
