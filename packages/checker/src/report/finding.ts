/** The findings of a command. Every output format is made from this data alone. */

export type Severity = "error" | "warning" | "note";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface ObjectId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Something to report about a place in a file. */
export interface Finding {
  /** The rule that raised it, such as `schema/maxLength` or `cel/rule`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly file: string;
  /** Absent if the finding is about the whole file. */
  readonly range: Range | undefined;
  readonly object: ObjectId | undefined;
  /** The field's path as the API server prints it; "" for the whole object. */
  readonly path: string;
  /** The API server's message, unchanged. */
  readonly message: string;
  /** A hint of our own. */
  readonly hint: string | undefined;
  /** The same finding has the same fingerprint in every run, regardless of its line. */
  readonly fingerprint: string;
  /** The Kubernetes versions it applies to, if several were checked and they differ. */
  readonly kubeVersions?: readonly string[] | undefined;
  /** The file that the text was rendered from; the position is in the rendered text. */
  readonly source?: string | undefined;
  /** How many objects it is about, if more than one. */
  readonly count?: number | undefined;
  /** Why it does not count. */
  readonly suppressed?: Suppression | undefined;
}

export interface Suppression {
  readonly by: "comment" | "annotation" | "baseline";
  readonly reason: string;
}

/** An object that was checked, for outputs that list what passed. */
export interface Subject {
  readonly file: string;
  readonly object: ObjectId;
}

export interface Report {
  readonly command: string;
  readonly findings: readonly Finding[];
  readonly summary: Summary;
  /** Found, but suppressed by a comment, an annotation or a baseline. */
  readonly suppressed: readonly Finding[];
  readonly subjects: readonly Subject[];
  /** The versions that were checked. */
  readonly kubeVersions: readonly string[];
  /** Files that were recognized and left out. */
  readonly skipped: readonly SkippedFiles[];
}

export interface SkippedFiles {
  /** A chart, a kustomization or a file. */
  readonly path: string;
  /** Such as `helm-chart`. */
  readonly reason: string;
  readonly files: number;
  /** In a commit, an archive or a download, where no tool can render it. */
  readonly isPacked?: boolean | undefined;
}

export interface Summary {
  readonly files: number;
  readonly objects: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Objects of unknown kinds. */
  readonly withoutSchema: number;
  readonly suppressed: number;
  /** Documents in folders that are not Kubernetes objects, such as Helm values. */
  readonly passedOver: number;
}

export function formatObjectId({ apiVersion, kind, namespace, name }: ObjectId): string {
  const place = namespace === "" ? name : `${namespace}/${name}`;
  return `${apiVersion} ${kind} ${place}`;
}

/** By file, position, rule and message, so that the same input gives the same bytes. */
export function compareFindings(left: Finding, right: Finding): number {
  return (
    compareTexts(left.file, right.file) ||
    (left.range?.start.line ?? 0) - (right.range?.start.line ?? 0) ||
    (left.range?.start.column ?? 0) - (right.range?.start.column ?? 0) ||
    compareTexts(left.rule, right.rule) ||
    compareTexts(left.message, right.message)
  );
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
