/**
 * What the engine finds wrong with a field, at the place in the source that it speaks of.
 *
 * The path alone does not say enough: an error about a key of a map has the path of the value, or that of the whole map,
 * and an error about a value of a label that of all labels. The bad value tells which is meant.
 */
import { locatePath, type SourceNode } from "@portcullis/engine/codec/position";
import type { FieldError } from "@portcullis/engine/field/error";
import { formatFieldError } from "@portcullis/engine/field/format";
import { type FindingParts, findingAt } from "./build.ts";
import type { Finding } from "./finding.ts";
import type { ManifestDocument } from "./manifest.ts";

type Parts = Pick<FindingParts, "rule" | "severity" | "hint"> & {
  /** The path in the source, where errors have another. */
  readonly path?: string;
};

export function fieldFinding(document: ManifestDocument, error: FieldError, parts: Parts): Finding {
  const path = parts.path ?? error.path.toString();
  const place = document.source && placeOf(document.source, document, error, path);
  return findingAt(document, { ...parts, ...place, path, message: formatFieldError(error) });
}

type Place = Pick<FindingParts, "place" | "atKey">;

function placeOf(source: SourceNode, document: ManifestDocument, error: FieldError, path: string): Place {
  if (isAboutKey(error)) return { atKey: true };
  const { badValue } = error;
  if (typeof badValue !== "string") return {};
  const node = locatePath(source, path);
  const entry = (key: string): string | undefined => {
    const at = `${path}[${key}]`;
    return locatePath(source, at) === node.fields?.get(key) ? at : undefined;
  };
  if (node.fields?.has(badValue) === true) return { place: entry(badValue), atKey: true };
  const key = keysByText(node, document).get(badValue);
  return key === undefined ? {} : { place: entry(key) };
}

const known = new WeakMap<SourceNode, ReadonlyMap<string, string>>();

/** The first key of each value as it is written; worked out once, as all values of a map may be wrong. */
function keysByText(node: SourceNode, document: ManifestDocument): ReadonlyMap<string, string> {
  let keys = known.get(node);
  if (keys === undefined) {
    const entries = [...(node.fields ?? [])].reverse();
    keys = new Map(
      entries.flatMap(([key, value]): [string, string][] => {
        const text = scalarText(document, value);
        return text === undefined ? [] : [[text, key]];
      }),
    );
    known.set(node, keys);
  }
  return keys;
}

/** Keywords leave the value out where it is too long; no value of a map has a path that ends in its key from them. */
function isAboutKey({ path: { name, subscript }, badValue, origin }: FieldError): boolean {
  if (name !== "" || typeof subscript !== "string" || subscript === "") return false;
  return badValue === subscript || (badValue === undefined && origin === "maxLength");
}

/** As it is written, without quotes; undefined for lists and maps. */
function scalarText({ text, offset }: ManifestDocument, { start, end, fields, items }: SourceNode): string | undefined {
  if (fields !== undefined || items !== undefined) return undefined;
  return text.slice(offset + start, offset + end).replace(/^(["'])(.*)\1$/s, "$2");
}
