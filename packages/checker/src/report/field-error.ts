/**
 * Turns a field error of the engine into a finding at the right place of the source.
 *
 * The path alone is ambiguous: an error about a map key has the path of the value or of the whole map, and an error
 * about a label value has the path of all labels. The bad value shows which one is meant.
 */
import { locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import { type FindingParts, findingAt } from "./build.ts";
import type { Finding } from "./finding.ts";
import type { ManifestDocument } from "./manifest.ts";

type Parts = Pick<FindingParts, "rule" | "severity" | "hint"> & {
  /** The path in the source, if it differs from the path in errors. */
  readonly path?: string;
};

export function fieldFinding(document: ManifestDocument, error: FieldError, parts: Parts): Finding {
  const message = formatFieldError(error);
  const path = parts.path ?? namedPath(message) ?? error.path.toString();
  const place = document.source && placeOf(document.source, document, error, path);
  return findingAt(document, { ...parts, ...place, path, message });
}

const NAMED_PATH =
  /^<nil>: Invalid value: "": (?:"([^"]+)" must (?:not )?validate |Checked value must be of type .* in (\S+)$)/;

/** Errors of combined schemas have no path of their own; their text names it. */
function namedPath(message: string): string | undefined {
  const match = NAMED_PATH.exec(message);
  return match?.[1] ?? match?.[2];
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

/** The first key of each value as written; computed once, because all values of a map may be invalid. */
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

/** Schema keywords omit values that are too long; their paths never end in a map key. */
function isAboutKey({ path: { name, subscript }, badValue, origin }: FieldError): boolean {
  if (name !== "" || typeof subscript !== "string" || subscript === "") return false;
  return badValue === subscript || (badValue === undefined && origin === "maxLength");
}

/** As written, without quotes; undefined for lists and maps. */
function scalarText({ text, offset }: ManifestDocument, { start, end, fields, items }: SourceNode): string | undefined {
  if (fields !== undefined || items !== undefined) return undefined;
  return text.slice(offset + start, offset + end).replace(/^(["'])(.*)\1$/s, "$2");
}
