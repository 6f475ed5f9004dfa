/** Documentation of fields and functions in the editors: beside the pointer, or at the cursor with F1. */
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type Command, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { HoverText } from "@portcullis/checker/internal/complete/hover";
import { h } from "./dom.ts";
import { markdown } from "./markdown.ts";

export type AskHover = (text: string, offset: number) => Promise<HoverText | undefined>;

export function hoverDocumentation(ask: AskHover): Extension {
  const atPointer = hoverTooltip(async ({ state }, offset) => {
    const found = await ask(state.doc.toString(), offset);
    return found === undefined || !isWithin(found, state) ? null : tooltip(found);
  });
  return [
    atPointer,
    atCursor,
    keymap.of([
      { key: "F1", run: showAtCursor(ask) },
      { key: "Escape", run: hide },
    ]),
  ];
}

/** The text may have changed meanwhile. */
function isWithin({ to }: HoverText, { doc }: EditorState): boolean {
  return to <= doc.length;
}

function tooltip({ text, from, to }: HoverText): Tooltip {
  const create = (): { dom: HTMLElement } => ({
    // Long texts scroll: with the keyboard, too.
    dom: h("div", { class: "cm-about", role: "note", tabindex: "0" }, ...markdown(text)),
  });
  return { pos: from, end: to, above: true, create };
}

const setTooltip = StateEffect.define<Tooltip | null>();

/** The documentation that was asked for with the keyboard; the next change or movement removes it. */
const atCursor = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTooltip)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

function showAtCursor(ask: AskHover): Command {
  return (view) => {
    const { doc, selection } = view.state;
    ask(doc.toString(), selection.main.head).then((found) => {
      if (found !== undefined && view.state.doc === doc) view.dispatch({ effects: setTooltip.of(tooltip(found)) });
    });
    return true;
  };
}

const hide: Command = (view) => {
  if (view.state.field(atCursor) === null) return false;
  view.dispatch({ effects: setTooltip.of(null) });
  return true;
};
