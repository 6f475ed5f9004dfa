/** Turns upgrade findings into findings of a report: at their place in the new file, with the evidence. */
import type { WriteRow } from "@portcullis/engine/internal/upgrade/blast-radius";
import { entryOf, type Level } from "@portcullis/engine/internal/upgrade/catalog";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import * as messages from "@portcullis/engine/internal/upgrade/messages";
import { fingerprintOf } from "@portcullis/engine/internal/upgrade/policy/fingerprint";
import type { GradedFinding } from "@portcullis/engine/internal/upgrade/policy/policy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { findingAt } from "../report/build.ts";
import { toExact } from "../report/exact-number.ts";
import type { Finding } from "../report/finding.ts";
import type { DefinitionPair, Matching } from "./matching.ts";
import { placeOfFinding } from "./places.ts";
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
  /** What changed, without its place; "" where it is not about a keyword. */
  readonly change: string;
  /** Other places where the same was found. */
  readonly also?: readonly { readonly version: string; readonly schemaPath: string; readonly fingerprint: string }[];
}

export function toReportFinding(graded: GradedFinding, definition: SourceDefinition): UpgradeReportFinding {
  const { finding, acknowledged, isExpired } = graded;
  const level: Level = graded.level === "off" ? "note" : graded.level;
  const base = findingAt(definition.document, {
    rule: finding.code,
    severity: level,
    ...placeOfFinding(finding, definition.json),
    message: [headline(finding), ...evidence(finding), ...identity(graded), ...acknowledgement(graded)].join("\n"),
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
        object: toExact(finding.witness.object),
        before: finding.witness.before && toExact(finding.witness.before),
        errors: finding.witness.errors,
      },
      effect: finding.effect && {
        object: toExact(finding.effect.object),
        before: toExact(finding.effect.before),
        after: toExact(finding.effect.after),
      },
      writes: finding.blast?.writes,
      acknowledgement: acknowledged && { ...acknowledged, isExpired },
      change: finding.change === undefined ? "" : finding.message,
    },
  };
}

function headline({ verdict, version, path, message, blast }: UpgradeFinding): string {
  const place = [version, path].filter((part) => part !== "").join(" ");
  const severity = blast?.severity === undefined ? "" : `, ${blast.severity}`;
  return `${verdict}${severity}: ${place === "" ? "" : `${place}: `}${message}`;
}

function evidence({ code, witness, effect, blast, why, verdict }: UpgradeFinding): string[] {
  const lines: string[] = [];
  if (witness !== undefined) {
    if (witness.before !== undefined) lines.push(`stored   ${clip(exactJson(witness.before))}`);
    lines.push(`${witness.before === undefined ? "witness" : "update "}  ${clip(exactJson(witness.object))}`);
    // What readers may see newly is refused by the old CRD only.
    const refused = code === READER_RULE ? "old CRD  refuses it: " : "refused  ";
    for (const error of witness.errors.slice(0, 3)) lines.push(`${refused}${messages.clip(error)}`);
  }
  if (effect !== undefined) {
    lines.push(`stored   ${clip(exactJson(effect.before))}`, `becomes  ${clip(exactJson(effect.after))}`);
  }
  if (blast !== undefined && blast.writes.length > 1) lines.push(`writes   ${writesLine(blast.writes)}`);
  const isExplained = verdict !== "unsafe" || witness?.isQuirk === true || (witness?.dropped?.length ?? 0) > 0;
  if (isExplained && why !== "") lines.push(why);
  return lines;
}

const READER_RULE = entryOf("reader").code;
const MAX_OBJECT = 400;

/** Reading the text gives the same object again. */
function exactJson(object: JsonObject): string {
  return canonicalJson(object, { keepFloats: true });
}

function clip(text: string): string {
  return text.length <= MAX_OBJECT ? text : `${text.slice(0, MAX_OBJECT)}… (${text.length} characters)`;
}

/** The writes that an invalid object still accepts, in one line. */
export function writesLine(writes: readonly WriteRow[]): string {
  return writes
    .filter(({ outcome }) => outcome !== "none")
    .map(({ write, outcome }) => `${WRITES[write]} ${outcome === "allowed" ? "✓" : "✗"}`)
    .join(" · ");
}

const WRITES: Readonly<Record<WriteRow["write"], string>> = {
  create: "create",
  field: "edit this field",
  sibling: "edit beside it",
  elsewhere: "edit elsewhere",
  append: "append to the list",
  status: "write status",
  label: "set a label",
  finalizer: "remove a finalizer",
};

/** The rules that an acknowledgement can name; notes need none. */
function identity({ finding, level, acknowledged }: GradedFinding): string[] {
  return level === "error" || level === "warning" || acknowledged !== undefined
    ? [`id       ${finding.fingerprint}`]
    : [];
}

function acknowledgement({ acknowledged, isExpired }: GradedFinding): string[] {
  if (acknowledged === undefined) return [];
  const { owner, reason, expires } = acknowledged;
  return [`${isExpired ? "acknowledgement expired" : "acknowledged"}: ${owner}, until ${expires}: ${reason}`];
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
      change: "",
    },
  };
}
