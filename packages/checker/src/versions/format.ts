/** The differences between two versions as text. */
import type { GateState } from "@portcullis/engine/internal/value/gates";
import type { ChangedField, VersionsDiff } from "./diff.ts";

export function formatVersionsDiff(diff: VersionsDiff): string {
  const { from, to, apis, fields, gates, functions, behaviours } = diff;
  const sections: readonly [title: string, lines: readonly string[]][] = [
    ["APIs", [...apis.added.map((name) => `+ ${name}`), ...apis.removed.map((name) => `- ${name}`)]],
    [
      "fields",
      [...fields.added.map((each) => `+ ${fieldText(each)}`), ...fields.removed.map((each) => `- ${fieldText(each)}`)],
    ],
    [
      "feature gates",
      gates.map(({ name, from: before, to: after }) => `  ${name}: ${gateText(before)} -> ${gateText(after)}`),
    ],
    ["CEL functions", [...functions.added.map((name) => `+ ${name}`), ...functions.removed.map((name) => `- ${name}`)]],
    [
      "behaviour",
      behaviours.flatMap(({ since, area, text, example }) => [`  ${since} ${area}: ${text}`, `      ${example}`]),
    ],
  ];
  const texts = sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`${title}\n${indented(lines)}`]));
  return `Kubernetes ${from} and ${to}\n\n${texts.length === 0 ? "no differences\n" : texts.join("\n")}`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("");
}

const SHOWN_KINDS = 3;

function fieldText({ field, kinds }: ChangedField): string {
  const shown = kinds.slice(0, SHOWN_KINDS).join(", ");
  const more = kinds.length > SHOWN_KINDS ? ` and ${kinds.length - SHOWN_KINDS} more` : "";
  return kinds.length === 0 ? field : `${field} (${shown}${more})`;
}

function gateText(state: GateState | undefined): string {
  return state === undefined ? "none" : `${state.stage}, ${state.isOn ? "on" : "off"}`;
}
