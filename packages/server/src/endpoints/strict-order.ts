/**
 * Findings of a typed decoder in the order of the document.
 *
 * Go's decoder meets duplicate and unknown fields in one pass. A field that is both is only unknown, and nothing below an
 * unknown field is looked at. At most 100 are reported.
 */
import { locatePath, type SourceNode } from "@portcullis/engine/codec/position";
import { unquote } from "@portcullis/gostd/quote";

const MAX_FINDINGS = 100;

export function inDocumentOrder(
  duplicates: readonly string[],
  unknown: readonly string[],
  source: SourceNode | undefined,
): string[] {
  if (source === undefined || duplicates.length === 0) return [...duplicates, ...unknown].slice(0, MAX_FINDINGS);
  const unknownPaths = unknown.map(pathOf);
  const seen = duplicates.filter((text) => !unknownPaths.some((path) => isAtOrBelow(pathOf(text), path)));
  const placed = [...seen, ...unknown].map((text) => ({ text, start: locatePath(source, pathOf(text)).keyStart }));
  placed.sort((a, b) => a.start - b.start);
  return placed.map(({ text }) => text).slice(0, MAX_FINDINGS);
}

/** The path inside `unknown field "spec.a"`. */
function pathOf(finding: string): string {
  const quoted = finding.slice(finding.indexOf('"'));
  const path = unquote(quoted);
  return path.error === undefined ? path.value : quoted;
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`) || path.startsWith(`${ancestor}[`);
}
