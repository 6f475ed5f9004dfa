/** Reports unknown and duplicate fields at their place in the file. */
import { fieldPath } from "@portcullis/engine/internal/codec/field-path";
import { findingAt } from "../report/build.ts";
import type { Finding, Range } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { type NamesAt, unknownFieldHint } from "./field-names.ts";

/** What happens to unknown and duplicate fields. */
export type FieldValidationMode = "strict" | "warn" | "ignore";
export const FIELD_VALIDATION_MODES = ["strict", "warn", "ignore"] as const satisfies readonly FieldValidationMode[];

export interface FieldFindingOptions {
  /** The known fields, for hints. */
  readonly namesAt?: NamesAt | undefined;
}

/** `unknown` are the API server's messages about unknown fields. */
export function fieldFindings(
  document: ManifestDocument,
  unknown: readonly string[],
  mode: FieldValidationMode,
  { namesAt }: FieldFindingOptions = {},
): Finding[] {
  if (mode === "ignore") return [];
  const severity = mode === "strict" ? "error" : "warning";
  const duplicates = document.strictErrors.flatMap((message) => {
    const range = yamlRange(document, message);
    if (range !== undefined && !isInside(document, range)) return [];
    const path = quotedPath(message);
    return [findingAt(document, { rule: "field/duplicate", atKey: true, severity, message, path, range })];
  });
  const unknowns = unknown.map((message) => {
    const path = fieldPath(message);
    const hint = namesAt && unknownFieldHint(path, namesAt);
    return findingAt(document, { rule: "field/unknown", atKey: true, severity, message, path, hint });
  });
  return [...duplicates, ...unknowns];
}

function quotedPath(message: string): string {
  return /"(.*)"/.exec(message)?.[1] ?? "";
}

/** The YAML message contains the line within the document and the key; the first is shown. */
function yamlRange({ text, lines, offset }: ManifestDocument, message: string): Range | undefined {
  const match = /line (\d+): key "(.*)" already set/.exec(message);
  if (match === null) return undefined;
  const line = lines.locate(offset).line + Number(match[1]) - 1;
  const source = text.slice(lines.startOf(line), lines.startOf(line + 1));
  const key = match[2] ?? "";
  const column = Math.max(keyIndex(source, key), source.search(/\S|$/)) + 1;
  return { start: { line, column }, end: { line, column: column + Math.max(1, key.length) } };
}

/** The last place in a line where the text is a key: the first occurrence is valid. */
function keyIndex(line: string, key: string): number {
  for (let at = line.lastIndexOf(key); at >= 0; at = at === 0 ? -1 : line.lastIndexOf(key, at - 1)) {
    const isKey = /^["']?\s*:/.test(line.slice(at + key.length)) && /(^|[\s{,"'])$/.test(line.slice(0, at));
    if (isKey) return at;
  }
  return line.indexOf(key);
}

/** A finding about one item of a list does not apply to the other items. */
function isInside({ source, lines, offset }: ManifestDocument, { start }: Range): boolean {
  if (source === undefined) return true;
  const [first, last] = [lines.locate(offset + source.start), lines.locate(offset + source.end)];
  return start.line >= first.line && (start.line < last.line || (start.line === last.line && last.column > 1));
}
