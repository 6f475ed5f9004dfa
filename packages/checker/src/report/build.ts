/** Builds findings about documents: positions, fingerprints, the summary. */
import { createHash } from "node:crypto";
import { locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import {
  compareFindings,
  type Finding,
  type ObjectId,
  type Range,
  type Report,
  type Severity,
  type SkippedFiles,
  type Subject,
} from "./finding.ts";
import type { ManifestDocument } from "./manifest.ts";

export interface FindingParts {
  readonly rule: string;
  readonly severity: Severity;
  readonly path?: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The path in the source, if it differs from the reported path. */
  readonly place?: string | undefined;
  /** Point at the field's name rather than at its value. */
  readonly atKey?: boolean;
  /** A position that is more exact than the path. */
  readonly range?: Range | undefined;
}

export function findingAt(document: ManifestDocument, parts: FindingParts): Finding {
  const path = parts.path ?? "";
  const object = document.id;
  return {
    rule: parts.rule,
    severity: parts.severity,
    file: document.file,
    range: parts.range ?? rangeOf(document, parts.place ?? path, parts.atKey === true),
    object,
    path,
    message: parts.message,
    hint: parts.hint,
    fingerprint: fingerprint(parts.rule, document.file, object, path, parts.message),
  };
}

/** A finding about a file that could not be read, or a place in it. */
export function findingInFile(file: string, parts: FindingParts, range?: Range): Finding {
  return {
    rule: parts.rule,
    severity: parts.severity,
    file,
    range,
    object: undefined,
    path: "",
    message: parts.message,
    hint: parts.hint,
    fingerprint: fingerprint(parts.rule, file, undefined, "", parts.message),
  };
}

export interface ReportInit {
  readonly command: string;
  /** How many of them are suppressed. */
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly objects: number;
  readonly withoutSchema: number;
  readonly passedOver?: number;
  readonly subjects?: readonly Subject[];
  readonly kubeVersions?: readonly string[];
  readonly skipped?: readonly SkippedFiles[];
}

export function buildReport(init: ReportInit): Report {
  const {
    command,
    files,
    objects,
    withoutSchema,
    passedOver = 0,
    subjects = [],
    kubeVersions = [],
    skipped = [],
  } = init;
  const all = [...init.findings].sort(compareFindings);
  const findings = all.filter((finding) => finding.suppressed === undefined);
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return {
    command,
    findings,
    suppressed: all.filter((finding) => finding.suppressed !== undefined),
    subjects,
    kubeVersions,
    skipped: [...skipped].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0)),
    summary: {
      files,
      objects,
      withoutSchema,
      errors: count("error"),
      warnings: count("warning"),
      notes: count("note"),
      suppressed: all.length - findings.length,
      passedOver,
    },
  };
}

/** The position of the path in the source, or of its nearest existing parent. */
function rangeOf(document: ManifestDocument, path: string, atKey: boolean): Range | undefined {
  const { source, lines, offset } = document;
  if (source === undefined) return undefined;
  const node = locatePath(source, path === "<nil>" ? "" : path);
  const [start, end] = atKey && node.keyStart >= 0 ? keySpan(document, node) : [node.start, node.end];
  return { start: lines.locate(offset + start), end: lines.locate(offset + end) };
}

/** From the first character of the key to the colon behind it. */
function keySpan({ text, offset }: ManifestDocument, { keyStart, start }: SourceNode): readonly [number, number] {
  const between = text.slice(offset + keyStart, offset + start);
  const colon = between.lastIndexOf(":");
  return [keyStart, keyStart + (colon > 0 ? between.slice(0, colon).trimEnd().length : 1)];
}

function fingerprint(rule: string, file: string, object: ObjectId | undefined, path: string, message: string): string {
  const identity = object === undefined ? [file] : [object.apiVersion, object.kind, object.namespace, object.name];
  return createHash("sha256")
    .update([rule, ...identity, path, message].join("\0"))
    .digest("hex")
    .slice(0, 12);
}
