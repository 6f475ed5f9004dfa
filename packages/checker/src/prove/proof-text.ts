/** Verdicts and facts of proofs as they are printed. */
import type { ComparedSide, Comparison } from "@portcullis/engine/internal/prove/compare-policies";
import type { Verdict } from "@portcullis/engine/internal/prove/difference";
import type { ImpliedBy, ValidationFacts } from "@portcullis/engine/internal/prove/facts";
import { verdictOf, type Witness } from "@portcullis/engine/internal/prove/witness";
import { denialLine, reliesText, requestLine, witnessLines } from "./proof-report.ts";

export function comparisonText(
  { newlyDenied, newlyAllowed }: Comparison,
  old: ComparedSide,
  next: ComparedSide,
): string {
  return [...directionLines("newly denied", newlyDenied, next), ...directionLines("newly allowed", newlyAllowed, old)]
    .map((line) => `${line}\n`)
    .join("");
}

/** `denying` is the side whose words show why. */
function directionLines(title: string, verdict: Verdict<Witness>, denying: ComparedSide): string[] {
  if (verdict.verdict === "unknown") return [`${title}: unknown`, `  ${verdict.why}`];
  if (verdict.verdict === "none") {
    const relies = reliesText(verdict.relies, verdict.upTo);
    return [`${title}: none (proved${relies === "" ? "" : `, ${relies}`})`];
  }
  const { witness } = verdict;
  const refused = denialLine(verdictOf(denying.policies, denying.context, witness));
  const whose = title === "newly denied" ? "NEW" : "OLD";
  return [
    `${title}: some`,
    `  ${requestLine(witness.attributes)}`,
    `  ${whose}: ${refused}`,
    ...witnessLines(witness).map((line) => `    ${line}`),
  ];
}

export function factsText(facts: readonly ValidationFacts[]): string {
  const lines = facts.flatMap((each) => [
    `${each.policy}, validation ${each.validation}: ${each.expression}`,
    ...factLines("never denies", each.neverDenies),
    ...factLines("always denies", each.alwaysDenies),
    ...factLines("may fail at run time", each.mayFailAtRuntime),
    ...factLines("follows from another", each.impliedBy),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

const ANSWERS = { true: "yes", false: "no", unknown: "unknown" } as const;

export function factLines(title: string, fact: ImpliedBy, indent = "  "): string[] {
  const { verdict, witness, why, relies, upTo, by } = fact;
  const detail = [
    by === undefined ? "" : `from validation ${by}`,
    witness === undefined ? "" : requestLine(witness.attributes),
    why ?? "",
    reliesText(relies ?? [], upTo),
  ].filter((part) => part !== "");
  return [`${indent}${title}: ${ANSWERS[verdict]}${detail.length === 0 ? "" : ` (${detail.join("; ")})`}`];
}
