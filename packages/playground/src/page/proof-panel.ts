/** The answers of proofs about policies, with requests that can be evaluated. */
import type { ProofPanel, ProofRow, Witness } from "../review/outcome.ts";
import { h, prose } from "./dom.ts";
import { panel } from "./panels.ts";

export function proofPanel(found: ProofPanel | undefined, load: (witness: Witness) => void): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const { directions, facts } = found;
  const about = facts.flatMap(({ validation, rows }) => [
    h("h3", {}, ...prose(validation)),
    h("ul", { class: "questions" }, ...rows.map((row) => proofRow(row, load))),
  ]);
  return panel(
    "Proof",
    "Each answer is shown by a request, proved for all requests, or unknown.",
    directions.length === 0
      ? undefined
      : h("ul", { class: "questions" }, ...directions.map((row) => proofRow(row, load))),
    ...about,
  );
}

const STAMPS = { bad: "kept", good: "", open: "forgiven" } as const;

function proofRow({ title, answer, tone, lines, witness }: ProofRow, load: (witness: Witness) => void): HTMLElement {
  const button =
    witness === undefined
      ? undefined
      : h(
          "button",
          { class: "action", type: "button", "data-witness": witness.mode, click: () => load(witness) },
          witness.label,
        );
  return h(
    "li",
    { "data-proof": title, "data-answer": answer },
    h("span", { class: `stamp ${STAMPS[tone]}` }, answer),
    title,
    ...lines.map((line) => h("p", { class: "note" }, line)),
    button,
  );
}
