/** Messages of the opt-in check of CRD upgrades. */
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export function unsafeUpgrade({
  version,
  path,
  message,
  verdict,
  witness,
  effect,
  fingerprint,
}: UpgradeFinding): string {
  const place = [version, path].filter((part) => part !== "").join(" ");
  const what = `${place === "" ? "" : `${place}: `}${message}`;
  const shown = effect === undefined ? "" : `; ${brief(effect.before)} becomes ${brief(effect.after)}`;
  const refused =
    witness === undefined
      ? shown
      : `; ${brief(witness.object)} was accepted and would be refused: ${witness.errors[0] ?? ""}`;
  const doubt = verdict === "unknown" ? " (neither proved safe nor shown unsafe)" : "";
  return `${what}${doubt}${refused} [${fingerprint}]`;
}

export function unsafeUpgrades(shown: readonly string[], count: number, annotation: string): string {
  const more = count > shown.length ? `; and ${count - shown.length} more` : "";
  return `unsafe CRD upgrade: ${shown.join("; ")}${more}; to proceed, add the fingerprints to the annotation ${annotation}`;
}

export const badAcknowledgement = (problem: string): string => `the acknowledgements cannot be read: ${problem}`;

const LONGEST = 600;

function brief(object: JsonObject): string {
  const text = canonicalJson(object);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
