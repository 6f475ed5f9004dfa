/**
 * Turns a schema change into a finding: its catalog entry, the questions it answers, and its effect on other writes.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { type BlastRadius, blastRadius } from "./blast-radius.ts";
import { type CatalogEntry, entryOf, entryOfKeyword, type Question } from "./catalog.ts";
import type { Change } from "./change.ts";
import { newFinding, type UpgradeFinding } from "./finding.ts";
import * as messages from "./messages.ts";
import { formatSchemaPath } from "./pairs.ts";
import { asStored, Replay } from "./witness/replay.ts";
import type { Sampler } from "./witness/sample.ts";
import type { Witness } from "./witness/witness-check.ts";

export interface ChangeContext {
  /** The name of the CRD. */
  readonly definition: string;
  readonly version: string;
  /** The version's resource after the upgrade. */
  readonly next: CustomResource;
  readonly sampler: Sampler;
}

export function changeFinding(change: Change, context: ChangeContext): UpgradeFinding {
  const { definition, version } = context;
  const { witness, verdict, reason } = change;
  const finding = newFinding(entryOfChange(change), {
    verdict,
    definition,
    version,
    path: formatSchemaPath(change.path),
    message: messages.changeText(change),
    identity: [change.keyword, change.detail, change.before ?? "", change.after ?? ""],
  });
  const questions = change.axis === "validity" ? validityQuestions(change) : finding.questions;
  return {
    ...finding,
    level: witness?.isQuirk === true ? "note" : finding.level,
    questions,
    why: whyOf(change),
    hint: reason === undefined ? (messages.witnessHint(change) ?? finding.hint) : messages.howToDecide(reason),
    reason,
    witness,
    effect: change.effect,
    blast: witness?.breaksStored === true ? storedBlast(change, witness, context) : transitionBlast(witness),
    change,
  };
}

function whyOf({ reason, why, witness }: Change): string {
  if (witness?.isQuirk === true) return messages.accidentText();
  if (witness !== undefined && (witness.dropped?.length ?? 0) > 0) return messages.droppedText(witness.dropped ?? []);
  return reason === undefined ? why : messages.reasonText(reason);
}

function entryOfChange({ axis, keyword }: Change): CatalogEntry {
  if (axis === "loss") return entryOf(keyword === "properties" ? "field-removed" : "unknown-fields-dropped");
  if (axis === "ownership") return entryOf("ownership");
  if (axis === "value") return entryOf(keyword === "nullable" ? "null-dropped" : "default");
  return entryOfKeyword(keyword);
}

function validityQuestions({ witness }: Change): readonly Question[] {
  if (witness === undefined) return ["Q1", "Q2"];
  const shown: Question[] = [];
  if (witness.breaksStored) shown.push("Q1");
  if (witness.breaksManifest) shown.push("Q2");
  return witness.breaksStored ? [...shown, "Q6"] : shown;
}

function storedBlast({ keyword, detail }: Change, { object, path }: Witness, context: ChangeContext): BlastRadius {
  const { next, sampler } = context;
  const stored = asStored(new Replay(next, next).rest(object, next).object);
  const missing = keyword === "required" ? detail : undefined;
  return blastRadius({ object: stored, path, missing }, next, sampler);
}

/** A refused update blocks an edit; a refused manifest only blocks creates. */
function transitionBlast(witness: Witness | undefined): BlastRadius | undefined {
  if (witness === undefined) return undefined;
  if (witness.before === undefined) {
    return { writes: [{ write: "create", outcome: "refused", errors: witness.errors }], severity: "create-only" };
  }
  return { writes: [{ write: "field", outcome: "refused", errors: witness.errors }], severity: "blocks-touching-edit" };
}
