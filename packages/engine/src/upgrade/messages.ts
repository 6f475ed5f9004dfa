/** The messages of findings. They are our own: lower case, no full stop, user text in backticks. */

import { PER_CALL_LIMIT } from "../kubecel/limits.ts";
import type { Change } from "./change.ts";
import type { UnknownReason } from "./contain/proof.ts";
import { differingKeywords } from "./schema-text.ts";
import type { SurfaceChange } from "./surface.ts";

const MAX_TEXT = 160;

export function changeText({ keyword, detail, before, after, axis }: Change): string {
  if (detail === STRAY) return "an object that was accepted is refused, and no single change explains it";
  if (axis === "loss" && keyword === "properties") return `\`${detail}\` was removed`;
  if (axis === "loss") return "keys that the schema does not name are no longer kept";
  if (keyword === "default" && axis === "validity")
    return `the default of \`${detail}\` is refused where it is filled in`;
  if (keyword === "subresources.scale") return scaleText(detail, before, after);
  if (keyword === "required" && detail !== "") return `\`${detail}\` became required`;
  if (keyword === "x-kubernetes-validations" && detail === COST) return costText(before, after);
  if (keyword === "x-kubernetes-validations") return detail === "" ? "rules were removed" : `rule \`${clip(detail)}\``;
  if (before === after) return `\`${keyword}\` now sees other data`;
  if (keyword === "x-kubernetes-property-names" && before !== undefined && after !== undefined) {
    const parts = differingKeywords(before, after).map((part) => `\`${part}\``);
    return `\`${keyword}\` changed${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
  }
  const isWordy = ["allOf", "anyOf", "oneOf", "not", "x-kubernetes-property-names"].includes(keyword);
  if (isWordy)
    return `\`${keyword}\` ${before === undefined ? "was added" : after === undefined ? "was removed" : "changed"}`;
  if (before === undefined) return `\`${keyword}: ${clip(after ?? "")}\` was added`;
  if (after === undefined) return `\`${keyword}: ${clip(before)}\` was removed`;
  return `\`${keyword}\` changed from \`${clip(before)}\` to \`${clip(after)}\``;
}

function scaleText(path: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `the scale subresource now reads \`${path}\``;
  if (after === undefined) return `the scale subresource no longer reads \`${path}\``;
  return `the scale subresource reads \`${path}\`, where other values are possible now`;
}

/** The detail of a finding about the cost of rules. */
export const COST = "cost";

/** The detail of a refusal that no change explains. */
export const STRAY = "stray";

function costText(limit: string | undefined, estimate: string | undefined): string {
  return limit === String(PER_CALL_LIMIT)
    ? `a rule is estimated to cost up to ${estimate}; one rule may cost ${limit}`
    : `the rules are estimated to cost up to ${estimate}; a request may cost ${limit}`;
}

/** The next step, where it is not the usual one for the keyword. */
export function witnessHint({ keyword, detail, witness }: Change): string | undefined {
  if (witness === undefined) return undefined;
  if (keyword === "x-kubernetes-validations" && detail === COST)
    return "write a cheaper rule, or bound what it reads with `maxLength`, `maxItems` or `maxProperties`";
  if ((witness.dropped?.length ?? 0) > 0)
    return "correct the manifests first: remove the fields that the old CRD drops, or change them";
  if (witness.before !== undefined)
    return "announce it first: such an update is refused from now on, and stored objects stay valid";
  return undefined;
}

export function surfaceText({ code, detail, before, after, version }: SurfaceChange): string {
  const where = version === "" ? "" : ` of version \`${version}\``;
  if (code === "version-removed") return `version \`${version}\` was removed`;
  if (code === "stored-version-removed") return `stored version \`${version}\` was removed`;
  const name = SURFACE_NAMES[code];
  const subject = name === undefined ? `\`${detail}\`` : name.replace("%", () => `\`${detail}\``);
  if (before === undefined) return `${subject}${where} was added`;
  if (after === undefined && name === undefined) return `${subject}${where} lost \`${clip(before)}\``;
  if (after === undefined) return `${subject}${where} was removed`;
  return `${subject}${where} changed from \`${clip(before)}\` to \`${clip(after)}\``;
}

/** What the detail of a change is, where it is not a field of the CRD. */
const SURFACE_NAMES: Readonly<Partial<Record<SurfaceChange["code"], string>>> = {
  "status-added": "the status subresource",
  "status-removed": "the status subresource",
  "scale-removed": "the scale subresource",
  "scale-changed": "the scale subresource",
  "selectable-field-removed": "the selectable field %",
  "column-removed": "the column %",
};

const REASONS: Readonly<Record<UnknownReason, string>> = {
  budget: "the search was given up after its budget was spent",
  "opaque-format": "texts of this format cannot be compared by reasoning, and no example was refused",
  "cel-undecided": "the rule does not follow from the old ones, and no object was found that it refuses",
  "combinator-undecided": "the combination does not follow from the old one, and no object was found that it refuses",
  "no-witness": "no whole object was found that the old definition accepts and the new one refuses",
  time: "the time for the comparison was up before this was looked at",
  cost: "by the estimates of the API server the rules may use up the budget of a request, and no such object was found",
  "not-modelled": "the proof does not cover changes of this sort",
  "not-structural": "the schema is not structural",
};

export function reasonText(reason: UnknownReason): string {
  return REASONS[reason];
}

export function accidentText(): string {
  return "only values that were accepted by accident, or that are in fields that the old CRD drops, are refused";
}

export function droppedText(fields: readonly string[]): string {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  return `only manifests that already have ${names} are refused, which the old CRD drops; stored objects stay valid`;
}

export function howToDecide(reason: UnknownReason): string {
  return reason === "budget" || reason === "time"
    ? "raise --budget, or try real objects with `portcullis crd scan`"
    : "try real objects with `portcullis crd scan`";
}

export function noopText(keywords: ReadonlyMap<string, number>): string {
  const parts = [...keywords].map(([keyword, count]) =>
    count === 1 ? `\`${keyword}\`` : `\`${keyword}\` (${count} times)`,
  );
  return `no difference: ${parts.join(", ")}`;
}

export function readerText(change: Change): string {
  return `${changeText(change)}: new values are allowed`;
}

export function openReadersText(count: number): string {
  return `whether ${count === 1 ? "one change allows" : `${count} changes allow`} values that readers do not know is not known`;
}

export function crossVersionText(from: string, to: string, change: Change): string {
  const verb = change.verdict === "unknown" ? "may be" : "is";
  const what = `${verb} ${change.axis === "loss" ? "lost" : "refused"}`;
  return `what version \`${from}\` accepts ${what} in version \`${to}\`: ${changeText(change)}`;
}

export function storageText(from: string, to: string, change: Change): string {
  const verb = change.verdict === "unknown" ? "may lose" : "loses";
  return `objects are stored in version \`${to}\` instead of \`${from}\`, which ${verb} data: ${changeText(change)}`;
}

export function storedText(stored: string, version: string, change: string): string {
  return `objects that are stored in version \`${stored}\`, read through \`${version}\`: ${change}`;
}

export function storedHint(stored: string, version: string): string {
  return `make versions \`${stored}\` and \`${version}\` agree there, or use a conversion webhook`;
}

export function removedDefinition(name: string): string {
  return `definition \`${name}\` is gone`;
}

export function addedDefinition(name: string): string {
  return `definition \`${name}\` is new`;
}

export function renamedDefinition(before: string, after: string): string {
  return `definition \`${before}\` is now called \`${after}\``;
}

export function clip(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT)}…`;
}
