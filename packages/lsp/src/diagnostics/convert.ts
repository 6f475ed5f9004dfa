/** Findings as the editor shows them. */
import type { Finding, Severity } from "@portcullis/checker/internal/report/finding";
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag, type Range } from "vscode-languageserver";

/** What quick fixes need of the finding; editors send it back. */
export interface FindingData {
  readonly rule: string;
  readonly path: string;
  /** The API server's message. */
  readonly message: string;
  readonly hint: string | undefined;
  readonly isStale: boolean;
}

export const SOURCE = "portcullis";

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

export function toDiagnostic(finding: Finding): Diagnostic {
  const { rule, severity, message, hint, path } = finding;
  const data: FindingData = { rule, path, message, hint, isStale: false };
  return {
    range: rangeOf(finding),
    severity: SEVERITIES[severity],
    source: SOURCE,
    code: rule,
    message: hint === undefined ? message : `${message}\n${hint}`,
    data,
  };
}

/** What was true before the text became unreadable. */
export function toStaleDiagnostic(finding: Finding): Diagnostic {
  const current = toDiagnostic(finding);
  return {
    ...current,
    severity: DiagnosticSeverity.Hint,
    tags: [DiagnosticTag.Unnecessary],
    message: `${current.message}\n(stale: found before the text became unreadable)`,
    data: { ...(current.data as FindingData), isStale: true },
  };
}

/** Lines and columns count from 0 here. */
export function rangeOf({ range }: Pick<Finding, "range">): Range {
  const { start, end } = range ?? START;
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}

const START = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
