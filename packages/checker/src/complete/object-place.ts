/** The value of an object that is at an offset of a text. */
import type { SourceNode } from "@portcullis/engine/internal/codec/position";
import { locateInScalar } from "@portcullis/engine/internal/codec/scalar-position";
import type { JsonValue } from "@portcullis/engine/internal/value/json";
import type { ManifestDocument } from "../report/manifest.ts";
import { valueAt } from "./kind-views.ts";

export type Steps = readonly (string | number)[];

/** A value or its key in an object that can be read. */
export interface ObjectPlace {
  readonly object: ManifestDocument;
  readonly steps: Steps;
  readonly node: SourceNode;
  readonly isKey: boolean;
  readonly value: JsonValue | undefined;
}

export function objectPlaceAt(objects: readonly ManifestDocument[], offset: number): ObjectPlace | undefined {
  for (const object of objects) {
    const { source } = object;
    const at = offset - object.offset;
    if (source === undefined || at < source.start || at > source.end) continue;
    return descend(object, { node: source, steps: [], at });
  }
  return undefined;
}

function descend(
  object: ManifestDocument,
  { node, steps, at }: { readonly node: SourceNode; readonly steps: Steps; readonly at: number },
): ObjectPlace {
  for (const [key, child] of node.fields ?? []) {
    if (at < child.keyStart || at > child.end) continue;
    const inner = [...steps, key];
    if (at < child.start && at <= child.keyStart + key.length + 2) return placeOf(object, child, inner, true);
    if (at >= child.start) return descend(object, { node: child, steps: inner, at });
  }
  for (const [index, child] of (node.items ?? []).entries()) {
    if (at >= child.start && at <= child.end) return descend(object, { node: child, steps: [...steps, index], at });
  }
  return placeOf(object, node, steps, false);
}

function placeOf(object: ManifestDocument, node: SourceNode, steps: Steps, isKey: boolean): ObjectPlace {
  return { object, node, steps, isKey, value: valueAt(object.object, steps) };
}

/** The offset in the decoded text of a scalar that an offset in the file is at. */
export function offsetInScalar({ object, node }: ObjectPlace, value: string, offset: number): number {
  const source = object.text.slice(object.offset);
  const target = offset - object.offset;
  let [low, high] = [0, value.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (locateInScalar(source, node, value, middle) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
