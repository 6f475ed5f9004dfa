/**
 * Unknown and duplicate fields of a body that is decoded into a Go struct, in the order of the document.
 *
 * The decoder of a struct meets both in one pass: a key that is unknown is not also a duplicate, and what stands below
 * an unknown field, or below a type that decodes itself, is never looked at.
 */
import { unquote } from "@portcullis/gostd/quote";
import { unknownField } from "./messages.ts";
import { locatePath, type SourceNode } from "./position.ts";

export interface TypedFindings {
  /** What the decoder of the text found. */
  readonly strictErrors: readonly string[];
  readonly unknown: readonly string[];
  readonly opaque: readonly string[];
  /** With it, duplicates and unknown fields are put into one order; without, duplicates come first. */
  readonly source?: SourceNode | undefined;
}

export function typedFindings({ strictErrors, unknown, opaque, source }: TypedFindings): string[] {
  const duplicates = strictErrors
    .map(readDuplicate)
    .filter(({ path }) => path === undefined || !(unknown.includes(path) || isInside(path, opaque)));
  const findings = [...duplicates, ...unknown.map((path) => ({ path, text: unknownField(path) }))];
  if (source === undefined) return findings.map(({ text }) => text);
  const placed = findings.map(({ path, text }) => ({ text, at: path === undefined ? -1 : offsetOf(path, source) }));
  return placed.sort((a, b) => a.at - b.at).map(({ text }) => text);
}

interface Duplicate {
  /** Undefined for findings of other kinds, such as the list a YAML decoder makes. */
  readonly path: string | undefined;
  readonly text: string;
}

const DUPLICATE = "duplicate field ";

function readDuplicate(text: string): Duplicate {
  const quoted = text.startsWith(DUPLICATE) ? unquote(text.slice(DUPLICATE.length)) : undefined;
  return { path: quoted?.value, text };
}

function isInside(path: string, opaque: readonly string[]): boolean {
  return opaque.some((prefix) => {
    if (!path.startsWith(prefix)) return false;
    const rest = path.slice(prefix.length);
    return rest.startsWith(".") || rest.startsWith("[");
  });
}

function offsetOf(path: string, source: SourceNode): number {
  return locatePath(source, path).keyStart;
}
