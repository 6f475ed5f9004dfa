/** Reports unknown and duplicate fields at their place in the file. */
import { fieldPath } from "@portcullis/engine/internal/codec/field-path";
import { duplicateField } from "@portcullis/engine/internal/codec/messages";
import type { DuplicateKey } from "@portcullis/engine/internal/codec/position";
import { findingAt } from "../report/build.ts";
import type { Finding, Range } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { type KindNames, unknownFieldHint } from "./field-names.ts";

/** What happens to unknown and duplicate fields. */
export type FieldValidationMode = "strict" | "warn" | "ignore";
export const FIELD_VALIDATION_MODES = ["strict", "warn", "ignore"] as const satisfies readonly FieldValidationMode[];

export interface FieldFindingOptions {
  /** The known fields, for hints. */
  readonly names?: KindNames | undefined;
  /** Report duplicates one by one with their paths, in the same form for JSON and YAML. */
  readonly isAligned?: boolean | undefined;
}

/** A hint compares the name with all known fields, which takes seconds for thousands of both. */
const MAX_HINTS = 200;

/** `unknown` are the API server's messages about unknown fields. */
export function fieldFindings(
  document: ManifestDocument,
  unknown: readonly string[],
  mode: FieldValidationMode,
  { names, isAligned = false }: FieldFindingOptions = {},
): Finding[] {
  if (mode === "ignore") return [];
  const severity = mode === "strict" ? "error" : "warning";
  const parts = { rule: "field/duplicate", atKey: true, severity } as const;
  const duplicates = isAligned
    ? (document.duplicates ?? []).map((each) => {
        const { path } = each;
        return findingAt(document, { ...parts, message: duplicateField(path), path, range: rangeOf(document, each) });
      })
    : document.strictErrors.flatMap((message) => {
        const found = duplicateOf(document, message);
        if (found === undefined) return [];
        return [findingAt(document, { ...parts, message, path: found.path, range: rangeOf(document, found) })];
      });
  const unknowns = unknown.map((message, index) => {
    const path = fieldPath(message);
    const hint = names && index < MAX_HINTS ? unknownFieldHint(path, names) : undefined;
    return findingAt(document, { rule: "field/unknown", atKey: true, severity, message, path, hint });
  });
  return [...duplicates, ...unknowns];
}

/**
 * The duplicate that a message of the API server is about. One for YAML is about all of a document; the first is shown,
 * and none if they are in other items of a list.
 */
function duplicateOf({ duplicates = [] }: ManifestDocument, message: string): DuplicateKey | undefined {
  return duplicates.find(({ path }) => message === duplicateField(path)) ?? duplicates[0];
}

function rangeOf({ lines, offset, text }: ManifestDocument, { path, offset: place }: DuplicateKey): Range {
  const at = offset + place;
  const start = lines.locate(at);
  const quotes = text[at] === '"' || text[at] === "'" ? 1 : 0;
  const length = Math.max(1, lastKey(path, text.slice(at + quotes, at + quotes + path.length)).length + 2 * quotes);
  return { start, end: { line: start.line, column: start.column + length } };
}

/** A key may contain dots: the longest end of the path that the text starts with. */
function lastKey(path: string, text: string): string {
  for (let at = 0; at !== -1; at = path.indexOf(".", at + 1)) {
    const key = path.slice(at === 0 ? 0 : at + 1);
    if (text.startsWith(key)) return key;
  }
  return path.slice(path.lastIndexOf(".") + 1);
}
