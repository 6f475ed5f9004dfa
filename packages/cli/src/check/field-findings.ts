/** Unknown and duplicate fields, at their place in the file. */
import { unknownFieldUnescaped } from "@portcullis/engine/codec/messages";
import type { ManifestDocument } from "../input/manifest.ts";
import { findingAt } from "../report/build.ts";
import type { Finding, Range } from "../report/finding.ts";

/** What happens to unknown and duplicate fields. */
export type FieldValidationMode = "strict" | "warn" | "ignore";
export const FIELD_VALIDATION_MODES = ["strict", "warn", "ignore"] as const satisfies readonly FieldValidationMode[];

export function fieldFindings(
  document: ManifestDocument,
  unknown: readonly string[],
  mode: FieldValidationMode,
  messageOf: (path: string) => string = unknownFieldUnescaped,
): Finding[] {
  if (mode === "ignore") return [];
  const severity = mode === "strict" ? "error" : "warning";
  const duplicates = document.strictErrors.map((message) =>
    findingAt(document, {
      rule: "field/duplicate",
      atKey: true,
      severity,
      message,
      path: quotedPath(message),
      range: yamlRange(document, message),
    }),
  );
  const unknowns = unknown.map((path) =>
    findingAt(document, { rule: "field/unknown", atKey: true, severity, message: messageOf(path), path }),
  );
  return [...duplicates, ...unknowns];
}

function quotedPath(message: string): string {
  return /"(.*)"/.exec(message)?.[1] ?? "";
}

/** YAML's message has the line within the document and the key; the first is shown. */
function yamlRange({ text, lines, offset }: ManifestDocument, message: string): Range | undefined {
  const match = /line (\d+): key "(.*)" already set/.exec(message);
  if (match === null) return undefined;
  const line = lines.locate(offset).line + Number(match[1]) - 1;
  const source = text.split("\n", line)[line - 1] ?? "";
  const column = Math.max(source.indexOf(match[2] ?? ""), source.search(/\S|$/)) + 1;
  return { start: { line, column }, end: { line, column: column + (match[2]?.length ?? 1) } };
}
