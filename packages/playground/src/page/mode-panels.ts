/** The panels of single modes: upgrades with their witnesses, policies step by step, expressions. */
import type { CelPanel, PolicyPanel, TraceLine, UpgradePanel, UpgradeRow, Witness } from "../review/outcome.ts";
import { h, prose } from "./dom.ts";
import { mark, type Places, panel, problemList, showDiff } from "./panels.ts";

export function upgradePanel(
  found: UpgradePanel | undefined,
  places: Places,
  load: (witness: Witness) => void,
): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const open = found.questions.filter(({ verdict }) => verdict !== "safe" && verdict !== "noop");
  const hidden = found.hidden === 0 ? "" : ` ${found.hidden} more proved safe or without effect.`;
  const questions = open.map(({ text, verdict }) =>
    h("li", {}, h("span", { class: `stamp ${verdict === "unsafe" ? "kept" : "forgiven"}` }, verdict), text),
  );
  return panel(
    "Upgrade",
    `Each unsafe change has an object that demonstrates it.${hidden}`,
    questions.length === 0 ? undefined : h("ul", { class: "questions" }, ...questions),
    problemList(found.rows, (row) => upgradeRow(row, places, load)),
    found.rollout.length === 0 ? undefined : rollout(found),
  );
}

function upgradeRow(row: UpgradeRow, places: Places, load: (witness: Witness) => void): HTMLElement {
  const click = (): void => places.reveal("definition", row.from, row.to);
  const buttons = row.witnesses.map((witness) =>
    h(
      "button",
      { class: "action", type: "button", "data-witness": witness.mode, click: () => load(witness) },
      witness.label,
    ),
  );
  return h(
    "li",
    { class: "problem", "data-severity": row.severity, "data-rule": row.code },
    mark(row.severity),
    h(
      "div",
      {},
      h(
        "p",
        { class: "message" },
        h("strong", {}, row.verdict),
        ": ",
        ...prose(`${row.place === "" ? "" : `${row.place}: `}${row.message}`),
      ),
      row.why === "" ? undefined : h("p", { class: "note" }, ...prose(row.why)),
      ...row.errors.slice(0, 3).map((error) => h("p", { class: "server" }, error)),
      row.witnessText === undefined
        ? undefined
        : h("pre", { class: "witness", tabindex: "0", role: "region", "aria-label": "witness" }, row.witnessText),
      row.effect && showDiff(row.effect, "effect on stored data"),
      row.writes.length < 2 ? undefined : writes(row),
      buttons.length === 0 ? undefined : h("p", { class: "actions" }, ...buttons),
      row.hint === "" ? undefined : h("p", { class: "note" }, ...prose(`What to do: ${row.hint}`)),
      h(
        "p",
        { class: "where" },
        h("button", { class: "link", type: "button", click }, places.name("definition", row.from)),
        h("span", { class: "rule" }, row.code),
      ),
    ),
  );
}

const WRITES: Readonly<Record<string, string>> = {
  create: "create",
  field: "edit the field",
  sibling: "edit a sibling field",
  elsewhere: "edit elsewhere",
  append: "append an item",
  status: "status",
  label: "edit a label",
  finalizer: "remove a finalizer",
};

/** Which writes such an object still takes. */
function writes({ writes: rows }: UpgradeRow): HTMLElement {
  return h(
    "ul",
    { class: "writes", "aria-label": "writes that such an object accepts" },
    ...rows.map(({ write, outcome }) =>
      h(
        "li",
        { class: outcome },
        `${outcome === "refused" ? "✕" : "✓"} ${WRITES[write] ?? write}`,
        h("span", { class: "quiet" }, ` ${outcome}`),
      ),
    ),
  );
}

function rollout({ rollout: steps }: UpgradePanel): HTMLElement {
  return h(
    "details",
    { class: "rollout" },
    h("summary", {}, "A safe rollout"),
    h(
      "ol",
      {},
      ...steps.map(({ title, items }) => h("li", {}, title, h("ul", {}, ...items.map((item) => h("li", {}, item))))),
    ),
  );
}

export function policyPanel(found: PolicyPanel | undefined): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const notes = found.notes.map((note) => h("p", { class: "note" }, ...prose(note)));
  const annotations = found.annotations.flatMap(({ key, value }) => [h("dt", {}, key), h("dd", {}, value)]);
  return panel(
    "Why",
    "What matched, and each expression with its value and cost.",
    ...notes,
    h("ul", { class: "trace" }, ...found.lines.map(traceRow)),
    annotations.length === 0 ? undefined : h("h3", {}, "Audit annotations"),
    annotations.length === 0 ? undefined : h("dl", { class: "annotations" }, ...annotations),
  );
}

function traceRow({ depth, kind, text, value, cost }: TraceLine): HTMLElement {
  return h(
    "li",
    { class: `trace-${kind}`, "data-depth": Math.min(depth, 4) },
    h("span", { class: "trace-text" }, text),
    value === undefined
      ? undefined
      : h("span", { class: `value ${value === "false" || value.startsWith("error") ? "bad" : ""}` }, value),
    cost === undefined ? undefined : h("span", { class: "tag" }, `cost ${cost}`),
  );
}

export function celPanel(found: CelPanel | undefined): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const { value, cost, parts } = found;
  return panel(
    "Subexpressions",
    cost,
    value === undefined ? undefined : h("pre", { class: "witness", tabindex: "0", "aria-label": "value" }, value),
    parts.length === 0 ? undefined : h("ul", { class: "trace" }, ...parts.map(partRow)),
  );
}

function partRow({ depth, text, value, isError, isNeeded }: CelPanel["parts"][number]): HTMLElement {
  const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  return h(
    "li",
    { class: isNeeded ? "trace-step" : "trace-step unneeded", "data-depth": Math.min(depth, 4) },
    h("span", { class: "trace-text" }, text),
    value === "" ? undefined : h("span", { class: `value ${isError || value === "false" ? "bad" : ""}` }, `→ ${shown}`),
    isNeeded ? undefined : h("span", { class: "tag" }, "not needed"),
  );
}

const MAX_VALUE = 200;
