/**
 * Baselines: accepted findings by fingerprint, in a file that is reviewed like any other.
 *
 * Findings in the file do not count; new ones do. An entry past its `expires` date counts again. A stale entry is
 * reported, so that the file only shrinks. Writing keeps owners, reasons and dates.
 */
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { LineIndex, locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../input/usage-error.ts";
import { findingInFile } from "../report/build.ts";
import { type Finding, formatObjectId, type Range } from "../report/finding.ts";
import { formatYaml } from "./yaml.ts";

const BASELINE_VERSION = "portcullis.dev/v1";

export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  readonly owner: string | undefined;
  readonly reason: string | undefined;
  /** A day, as `2027-01-31`. */
  readonly expires: string | undefined;
  readonly range: Range;
}

export interface Baseline {
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

/** Throws if the text is not a baseline: a mistyped one must not accept everything, or nothing. */
export function readBaseline(file: string, text: string): Baseline {
  const [first] = decodeDocuments(text, { positions: true });
  const document = first?.document;
  if (document === undefined || document.error !== undefined)
    throw new UsageError(`\`${file}\` is not a baseline: ${document?.error ?? "it is empty"}`);
  const { value, source } = document;
  if (!isObject(value) || value["kind"] !== "Baseline" || value["apiVersion"] !== BASELINE_VERSION)
    throw new UsageError(`\`${file}\` is not a baseline: it has no \`kind: Baseline\` in \`${BASELINE_VERSION}\``);
  const lines = new LineIndex(text);
  const items = value["findings"];
  if (!isArray(items)) throw new UsageError(`\`${file}\` is not a baseline: it has no list of findings`);
  return { file, entries: items.map((item, index) => readEntry(file, item, rangeAt(index, source, lines))) };
}

function readEntry(file: string, item: JsonValue, range: Range): BaselineEntry {
  const place = `${file}:${range.start.line}:${range.start.column}`;
  if (!isObject(item) || textOf(item, "fingerprint") === undefined)
    throw new UsageError(`${place}: an entry of a baseline needs a fingerprint`);
  const expires = textOf(item, "expires");
  if (expires !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(expires))
    throw new UsageError(`${place}: \`expires: ${expires}\` is not a date such as 2027-01-31`);
  return {
    fingerprint: textOf(item, "fingerprint") ?? "",
    rule: textOf(item, "rule") ?? "",
    owner: textOf(item, "owner"),
    reason: textOf(item, "reason"),
    expires,
    range,
  };
}

function rangeAt(index: number, source: SourceNode | undefined, lines: LineIndex): Range {
  const node = source === undefined ? undefined : locatePath(source, `findings[${index}]`);
  return { start: lines.locate(node?.start ?? 0), end: lines.locate(node?.end ?? 0) };
}

function textOf(item: JsonObject, key: string): string | undefined {
  const value = item[key];
  return typeof value === "string" ? value : undefined;
}

/** `today` is a day. */
export function applyBaseline(findings: readonly Finding[], baseline: Baseline, today: string): Finding[] {
  const entries = new Map(baseline.entries.map((entry) => [entry.fingerprint, entry]));
  const used = new Set<string>();
  const marked = findings.map((finding) => {
    const entry = entries.get(finding.fingerprint);
    if (entry === undefined || finding.suppressed !== undefined) return finding;
    used.add(entry.fingerprint);
    if (isExpired(entry, today)) return { ...finding, hint: expiredHint(entry, baseline.file) };
    return { ...finding, suppressed: { by: "baseline" as const, reason: entry.reason ?? baseline.file } };
  });
  const unused = baseline.entries.filter(({ fingerprint }) => !used.has(fingerprint));
  return [...marked, ...unused.map((entry) => unusedFinding(entry, baseline.file))];
}

function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

function expiredHint({ expires, owner }: BaselineEntry, file: string): string {
  return `accepted by ${owner === undefined ? file : `${owner} in ${file}`} until ${expires}`;
}

function unusedFinding({ fingerprint, rule, range }: BaselineEntry, file: string): Finding {
  const what = rule === "" ? fingerprint : `${rule} ${fingerprint}`;
  const parts = { severity: "warning", message: `no finding matches the entry \`${what}\`` } as const;
  const hint = "remove the entry, or write the baseline again";
  return findingInFile(file, { ...parts, rule: "baseline/unused", hint }, range);
}

/**
 * Writes errors and warnings as a baseline and keeps what is known of them. Notes never fail a run and are left out.
 */
export function formatBaseline(findings: readonly Finding[], before: Baseline | undefined): string {
  const known = new Map(before?.entries.map((entry) => [entry.fingerprint, entry]));
  const counted = findings.filter(
    ({ severity, rule }) => severity !== "note" && !rule.startsWith("baseline/") && !rule.startsWith("suppression/"),
  );
  const unique = [...new Map(counted.map((finding) => [finding.fingerprint, finding])).values()];
  const items = unique.map((finding) => entryObject(finding, known.get(finding.fingerprint)));
  return formatYaml([objectOf({ apiVersion: BASELINE_VERSION, kind: "Baseline", findings: items })]);
}

function entryObject(finding: Finding, known: BaselineEntry | undefined): JsonObject {
  const { fingerprint, rule, file, object, path, message } = finding;
  return objectOf({
    fingerprint,
    rule,
    file,
    object: object && formatObjectId(object),
    path: path === "" ? undefined : path,
    message,
    owner: known?.owner,
    reason: known?.reason,
    expires: known?.expires,
  });
}

function objectOf(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const made = newObject();
  for (const [key, value] of Object.entries(members)) if (value !== undefined) made[key] = value;
  return made;
}
