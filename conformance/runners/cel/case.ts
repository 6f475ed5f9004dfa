/** The recorded CEL corpus as data. PROVENANCE.md in the corpus folder documents each field. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";

export interface Case {
  readonly id: string;
  readonly expr?: string;
  readonly parts?: readonly (readonly [text: string, count: number])[];
  readonly env?: CaseEnvironment;
  readonly bind?: Readonly<Record<string, TypedJson>>;
  readonly limit?: string;
  readonly want: Answer;
}

export interface CaseEnvironment {
  readonly version?: `1.${number}`;
  readonly mode?: "new" | "stored";
  readonly vars?: Readonly<Record<string, string>>;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly schema?: string;
  readonly root?: boolean;
  readonly optionalOldSelf?: boolean;
}

/** One tag and its content, such as `{"int": "5"}`. */
export type TypedJson = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly issues?: string;
  readonly type?: string;
  readonly estimate?: { readonly min: string; readonly max: string };
  readonly programError?: string;
  readonly panic?: string;
  readonly value?: TypedJson;
  readonly error?: string;
  readonly cost?: string;
}

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "corpora", "cel");

export const topics: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => path.basename(name, ".jsonl"))
  .sort();

/** A file of freshly recorded cases to run in addition to the corpus; see the oracle's `fuzz`. */
export const extraFile: string | undefined = process.env["CEL_CASES"];

/** The line is kept with the case: its numbers are exact, those of `JSON.parse` are not. */
export interface RecordedCase {
  readonly line: string;
  readonly case: Case;
}

export function readTopic(topic: string): readonly RecordedCase[] {
  return readCases(path.join(folder, `${topic}.jsonl`));
}

/** The versions whose answers were recorded beside those of the corpus. */
export function recordedVersions(): KubernetesVersion[] {
  const files = readdirSync(path.join(folder, "versions")).filter((name) => name.endsWith(".jsonl"));
  return files.map((name) => path.basename(name, ".jsonl") as KubernetesVersion);
}

/** What another version answers differently, and cases that only it has. */
export function readVersion(version: string): readonly RecordedCase[] {
  return readCases(path.join(folder, "versions", `${version}.jsonl`));
}

export function readCases(file: string): readonly RecordedCase[] {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => ({ line, case: JSON.parse(line) }));
}

export function readSchemas(): string {
  return readFileSync(path.join(folder, "schemas.json"), "utf8");
}

export function textOf({ expr, parts }: Case): string {
  return parts === undefined ? (expr ?? "") : parts.map(([text, count]) => text.repeat(count)).join("");
}
