/** Turns upgrade findings into findings of a report: at their place in the new file, with the evidence. */
import { entryOf, type Level } from "@portcullis/engine/upgrade/catalog";
import type { UpgradeFinding } from "@portcullis/engine/upgrade/finding";
import { fingerprintOf } from "@portcullis/engine/upgrade/fingerprint";
import * as messages from "@portcullis/engine/upgrade/messages";
import type { JudgedFinding } from "@portcullis/engine/upgrade/policy";
import { toPlain } from "@portcullis/engine/value/copy";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { DefinitionPair, Matching } from "./matching.ts";
import type { SourceDefinition } from "./sources.ts";

/** What programs get in addition to an ordinary finding. */
export interface UpgradeReportFinding extends Finding {
  readonly upgrade: UpgradeDetails;
}

export interface UpgradeDetails {
  readonly questions: readonly string[];
  readonly verdict: string;
  readonly version: string;
  readonly schemaPath: string;
  readonly why: string;
  readonly reason: string | undefined;
  readonly severity: string | undefined;
  readonly witness: unknown;
  readonly effect: unknown;
  readonly writes: unknown;
  readonly acknowledgement: unknown;
}

export function toReportFinding(judged: JudgedFinding, definition: SourceDefinition): UpgradeReportFinding {
  const { finding, acknowledged, isExpired } = judged;
  const level: Level = judged.level === "off" ? "note" : judged.level;
  const base = findingAt(definition.document, {
    rule: finding.code,
    severity: level,
    path: sourcePath(finding, definition),
    message: [headline(finding), ...evidence(finding), ...identity(judged), ...acknowledgement(judged)].join("\n"),
    hint: finding.hint === "" ? undefined : finding.hint,
  });
  return {
    ...base,
    fingerprint: finding.fingerprint,
    upgrade: {
      questions: finding.questions,
      verdict: finding.verdict,
      version: finding.version,
      schemaPath: finding.path,
      why: finding.why,
      reason: finding.reason,
      severity: finding.blast?.severity,
      witness: finding.witness && {
        object: toPlain(finding.witness.object),
        before: finding.witness.before && toPlain(finding.witness.before),
        errors: finding.witness.errors,
      },
      effect: finding.effect && {
        object: toPlain(finding.effect.object),
        before: toPlain(finding.effect.before),
        after: toPlain(finding.effect.after),
      },
      writes: finding.blast?.writes,
      acknowledgement: acknowledged && { ...acknowledged, isExpired },
    },
  };
}

function headline({ verdict, version, path, message, blast }: UpgradeFinding): string {
  const place = [version, path].filter((part) => part !== "").join(" ");
  const severity = blast?.severity === undefined ? "" : `, ${blast.severity}`;
  return `${verdict}${severity}: ${place === "" ? "" : `${place}: `}${message}`;
}

function evidence({ witness, effect, blast, why, verdict }: UpgradeFinding): string[] {
  const lines: string[] = [];
  if (witness !== undefined) {
    if (witness.before !== undefined) lines.push(`stored   ${clip(canonicalJson(witness.before))}`);
    lines.push(`${witness.before === undefined ? "witness" : "update "}  ${clip(canonicalJson(witness.object))}`);
    for (const error of witness.errors.slice(0, 3)) lines.push(`refused  ${messages.clip(error)}`);
  }
  if (effect !== undefined) {
    lines.push(`stored   ${clip(canonicalJson(effect.before))}`, `becomes  ${clip(canonicalJson(effect.after))}`);
  }
  if (blast !== undefined && blast.writes.length > 1) lines.push(`writes   ${writesLine(blast.writes)}`);
  if (verdict !== "unsafe" && why !== "") lines.push(why);
  return lines;
}

const MAX_OBJECT = 400;

function clip(text: string): string {
  return text.length <= MAX_OBJECT ? text : `${text.slice(0, MAX_OBJECT)}… (${text.length} characters)`;
}

function writesLine(writes: readonly { readonly write: string; readonly outcome: string }[]): string {
  return writes
    .filter(({ outcome }) => outcome !== "none")
    .map(({ write, outcome }) => `${write} ${outcome}`)
    .join(", ");
}

/** The rules that an acknowledgement can name; notes need none. */
function identity({ finding, level, acknowledged }: JudgedFinding): string[] {
  return level === "error" || level === "warning" || acknowledged !== undefined
    ? [`id       ${finding.fingerprint}`]
    : [];
}

function acknowledgement({ acknowledged, isExpired }: JudgedFinding): string[] {
  if (acknowledged === undefined) return [];
  const { owner, reason, expires } = acknowledged;
  return [`${isExpired ? "acknowledgement expired" : "acknowledged"}: ${owner}, until ${expires}: ${reason}`];
}

/** The position of the schema path in the file; for removed fields, of the nearest parent. */
function sourcePath({ version, path, message, code }: UpgradeFinding, { json }: SourceDefinition): string {
  if (code === "upgrade/not-accepted") return hoisted(message.slice(0, Math.max(0, message.indexOf(": "))));
  const index = versionIndex(json, version);
  if (index < 0) return "spec";
  if (path === "") return `spec.versions[${index}]`;
  const inner = path
    .replaceAll("[*]", "\0items")
    .replaceAll("{*}", "\0additionalProperties")
    .replaceAll(/\.([^.\0]+)/g, ".properties.$1")
    .replaceAll("\0", ".");
  return `spec.versions[${index}].schema.openAPIV3Schema${inner === "." ? "" : inner}`;
}

/** By name; schemas are not compared. */
function versionIndex({ spec }: JsonObject, name: string): number {
  const versions = isObject(spec) && isArray(spec["versions"]) ? spec["versions"] : [];
  return versions.findIndex((version) => isObject(version) && version["name"] === name);
}

/** Fields that all versions share are reported as if they were above `versions`. */
function hoisted(path: string): string {
  return path.replace(/^spec\.validation/, "spec.versions[0].schema");
}

/** CRDs without a partner. */
export function unmatchedFindings({ added, removed, renamed }: Matching): UpgradeReportFinding[] {
  return [
    ...removed.map((each) => simple("definition-removed", each, messages.removedDefinition(each.name))),
    ...renamed.map((pair) => renamedFinding(pair)),
    ...added.map((each) => simple("definition-added", each, messages.addedDefinition(each.name))),
  ];
}

function renamedFinding({ old, new: next }: DefinitionPair): UpgradeReportFinding {
  return simple("definition-renamed", next, messages.renamedDefinition(old.name, next.name));
}

function simple(code: string, definition: SourceDefinition, message: string): UpgradeReportFinding {
  const entry = entryOf(code);
  const base = findingAt(definition.document, {
    rule: entry.code,
    severity: entry.level,
    path: "metadata.name",
    message,
    hint: entry.fix === "" ? undefined : entry.fix,
  });
  return {
    ...base,
    fingerprint: fingerprintOf([entry.code, definition.name]),
    upgrade: {
      questions: [entry.question],
      verdict: code === "definition-added" ? "safe" : "unsafe",
      version: "",
      schemaPath: "",
      why: entry.why,
      reason: undefined,
      severity: undefined,
      witness: undefined,
      effect: undefined,
      writes: undefined,
      acknowledgement: undefined,
    },
  };
}
