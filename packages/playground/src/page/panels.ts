/** What is shown below the verdict: problems, the pipeline, ratcheting, costs. */
import type { Fix } from "@portcullis/checker/internal/complete/fix";
import type { Field } from "../modes.ts";
import type {
  CostPanel,
  CostRow,
  DiffLine,
  Problem,
  RatchetingPanel,
  RatchetNote,
  SchemaPlaces,
  Severity,
  Stage,
} from "../review/outcome.ts";
import { type Child, h, prose } from "./dom.ts";

/** Moves the cursor to a place in a text. */
export interface Places {
  reveal(field: Field, from: number, to: number): void;
  fix(field: Field, fix: Fix): void;
  /** `Object, line 5`. */
  name(field: Field, from: number): string;
}

export function panel(title: string, about: string, ...children: readonly Child[]): HTMLElement {
  const id = `panel-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return h(
    "section",
    { class: "panel", "aria-labelledby": id },
    h("h2", { id }, title),
    about === "" ? undefined : h("p", { class: "about" }, about),
    ...children,
  );
}

const MARKS: Readonly<Record<Severity, string>> = { error: "✕", warning: "!", note: "i" };

export function mark(severity: Severity): HTMLElement {
  return h("span", { class: `mark ${severity}`, role: "img", "aria-label": severity }, MARKS[severity]);
}

export function problemsPanel(problems: readonly Problem[], places: Places): HTMLElement | undefined {
  if (problems.length === 0) return undefined;
  return panel(
    "Findings",
    "",
    problemList(problems, (each) => problemItem(each, places)),
  );
}

/** A browser takes seconds to lay out thousands of items, after every keystroke. */
const MAX_ITEMS = 200;

export function problemList<T>(all: readonly T[], itemOf: (each: T) => HTMLElement): HTMLElement {
  const more = all.length - MAX_ITEMS;
  const rest =
    more > 0 ? h("li", {}, `and ${more} more; download the files to see all of them with portcullis`) : undefined;
  return h("ul", { class: "problems" }, ...all.slice(0, MAX_ITEMS).map(itemOf), rest);
}

function problemItem(problem: Problem, places: Places): HTMLElement {
  const { severity, rule, message, hint, field, ratchet, fixes = [] } = problem;
  const note = ratchet?.reason ?? hint;
  const buttons = fixes.map((fix) =>
    h("button", { class: "fix", type: "button", click: () => places.fix(field, fix) }, ...prose(fix.title)),
  );
  return h(
    "li",
    { class: "problem", "data-severity": severity, "data-rule": rule },
    mark(severity),
    h(
      "div",
      {},
      h("p", { class: "message" }, message),
      note === undefined ? undefined : h("p", { class: "note" }, ratchetStamp(ratchet), ...prose(note)),
      buttons.length === 0 ? undefined : h("p", { class: "fixes" }, ...buttons),
      h("p", { class: "where" }, jump(places, field, problem), h("span", { class: "rule" }, rule)),
    ),
  );
}

function ratchetStamp(ratchet: RatchetNote | undefined): HTMLElement | undefined {
  return ratchet && h("span", { class: `stamp ${ratchet.outcome}` }, ratchet.outcome);
}

/** They come after the verdict, each next to the link to its place. */
export function addSchemaLinks(parent: Element, found: SchemaPlaces, places: Places): void {
  for (const [index, links] of [...parent.querySelectorAll(".problem .where")].entries()) {
    const place = found[index];
    if (place !== undefined) links.firstElementChild?.after(jump(places, place.field, place));
  }
}

function jump(places: Places, field: Field, { from, to }: { readonly from: number; readonly to: number }): HTMLElement {
  const click = (): void => places.reveal(field, from, to);
  return h("button", { class: "link", type: "button", click }, places.name(field, from));
}

export function pipelinePanel(stages: readonly Stage[] | undefined): HTMLElement | undefined {
  if (stages === undefined || stages.length === 0) return undefined;
  const items = stages.map((stage, index) => {
    const open = stage.changes > 0 && stage.title !== "Stored";
    const count = stage.changes === 0 ? "no change" : `${stage.changes} ${stage.changes === 1 ? "line" : "lines"}`;
    return h(
      "li",
      {},
      h(
        "details",
        { class: "stage", open },
        h(
          "summary",
          {},
          h("span", { class: "step" }, String(index + 1)),
          h("span", { class: "stage-title" }, stage.title),
          h("span", { class: "tag" }, count),
          h("span", { class: "stage-about" }, stage.about),
        ),
        showDiff(stage.lines, `${stage.title}, as a difference`),
      ),
    );
  });
  return panel(
    "Pipeline",
    "How the API server processes the object, step by step.",
    h("ol", { class: "stages" }, ...items),
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const ANNOUNCED = { same: "", added: "added: ", removed: "removed: " } as const;

export function showDiff(lines: readonly DiffLine[], label: string): HTMLElement {
  const all = collapse(lines);
  const rows = all
    .slice(0, MAX_LINES)
    .map((line) =>
      line === undefined
        ? h("span", { class: "line gap" }, "⋯\n")
        : h(
            "span",
            { class: `line ${line.kind}` },
            h("span", { class: "sign", "aria-hidden": "true" }, `${SIGNS[line.kind]} `),
            line.kind === "same" ? undefined : h("span", { class: "quiet" }, ANNOUNCED[line.kind]),
            `${line.text}\n`,
          ),
    );
  const more = all.length > MAX_LINES ? `and ${all.length - MAX_LINES} more lines` : undefined;
  return h("pre", { class: "diff", tabindex: "0", role: "region", "aria-label": label }, ...rows, more);
}

const CONTEXT = 3;
const MAX_LINES = 1000;

/** Long runs of unchanged lines become one gap. */
function collapse(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  if (lines.length < 24) return [...lines];
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? [undefined] : [];
  });
}

/** The errors themselves are among the findings, each with what ratcheting made of it. */
export function ratchetingPanel(found: RatchetingPanel | undefined): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const { forgiven, kept, errorsWithout } = found;
  const about =
    forgiven + kept === 0
      ? "The new object is valid, so ratcheting had nothing to ignore."
      : `${forgiven} forgiven, ${kept} kept. Without ratcheting this update would have ${errorsWithout} ${errorsWithout === 1 ? "error" : "errors"}.`;
  return panel("Ratcheting", about);
}

export function costPanel(found: CostPanel | undefined, places: Places): HTMLElement | undefined {
  if (found === undefined) return undefined;
  const schemas = found.schemas.flatMap((schema) => [
    h("h3", {}, schema.title),
    h(
      "p",
      { class: "about" },
      `${schema.rules.length} ${schema.rules.length === 1 ? "rule" : "rules"}, ${schema.shareText}`,
    ),
    h("ul", { class: "costs" }, ...schema.rules.map((row) => costRow(row, places))),
  ]);
  const about = "The maximum cost of each rule, as the API server estimates it before it accepts the CRD.";
  return panel("Cost", about, ...schemas);
}

function costRow(row: CostRow, places: Places): HTMLElement {
  const isOver = row.ruleShare > 1;
  const meter = h("meter", {
    min: 0,
    max: 1,
    low: 0.5,
    high: 0.99,
    optimum: 0,
    value: Math.min(row.ruleShare, 1),
    "aria-label": `share of a rule's budget: ${row.shareText}`,
  });
  return h(
    "li",
    { class: isOver ? "cost over" : "cost" },
    h(
      "p",
      { class: "cost-head" },
      meter,
      h("strong", {}, row.shareText),
      isOver ? h("span", { class: "stamp kept" }, "over budget") : undefined,
    ),
    h("code", { class: "rule-text" }, row.rule),
    ...row.causes.map((cause) => h("p", { class: "note" }, ...prose(cause))),
    h(
      "p",
      { class: "where" },
      jump(places, "definition", row),
      h("span", { class: "rule" }, [row.total, row.often].filter((part) => part !== "").join(": ")),
    ),
  );
}
