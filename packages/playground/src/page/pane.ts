/** One input: a heading, the number of problems, and an editor; a plain text area until the editors are loaded. */
import type { Fix } from "@portcullis/checker/internal/complete/fix";
import type { HoverText } from "@portcullis/checker/internal/complete/hover";
import type { Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import { type Field, fieldInfo, type Mode } from "../modes.ts";
import type { Diagnostic } from "../review/outcome.ts";
import { h, replaceChildren } from "./dom.ts";
import type * as Editors from "./editors.ts";

export interface PaneEvents {
  change(text: string): void;
  /** Completions at an offset. */
  complete(text: string, offset: number): Promise<Suggestions | undefined>;
  /** Documentation at an offset. */
  hover(text: string, offset: number): Promise<HoverText | undefined>;
  /** It was opened or closed. */
  toggle(): void;
}

export class Pane {
  readonly element: HTMLElement;
  readonly #field: Field;
  readonly #title = h("span", {});
  readonly #hint = h("span", { class: "hint" });
  readonly #badge = h("span", { class: "badge", hidden: true });
  readonly #head: HTMLElement;
  readonly #fold: HTMLButtonElement;
  readonly #body: HTMLDivElement;
  readonly #area: HTMLTextAreaElement;
  readonly #events: PaneEvents;
  #editor: Editors.Editor | undefined;
  #diagnostics: readonly Diagnostic[] = [];
  #text = "";

  constructor(field: Field, events: PaneEvents) {
    this.#field = field;
    this.#events = events;
    const id = `body-${field}`;
    this.#fold = h(
      "button",
      { class: "fold", type: "button", "aria-expanded": "true", "aria-controls": id, click: () => this.#toggle() },
      this.#title,
    );
    this.#area = h("textarea", {
      spellcheck: "false",
      autocomplete: "off",
      input: () => this.#changed(this.#area.value),
    });
    this.#body = h("div", { class: "pane-body", id }, this.#area);
    this.#head = h("div", { class: "pane-head" }, h("h2", {}, this.#fold), this.#badge, this.#hint);
    this.element = h("section", { class: "pane blank", "data-field": field }, this.#head, this.#body);
  }

  get text(): string {
    return this.#text;
  }

  /** Something beside the title. */
  addControl(control: HTMLElement): void {
    this.#head.append(control);
  }

  /** Shows it as a part of a mode, or hides it. */
  place(mode: Mode, isShown: boolean): void {
    this.element.hidden = !isShown;
    const { label, hint } = fieldInfo(this.#field, mode);
    this.#title.textContent = label;
    this.#hint.textContent = hint;
    this.#area.setAttribute("aria-label", label);
    this.element.setAttribute("aria-label", label);
  }

  setText(text: string): void {
    this.#text = text;
    this.#markEmpty();
    this.#area.value = text;
    this.#editor?.setText(text);
  }

  /** An optional input is collapsed. */
  setOpen(isOpen: boolean): void {
    this.#fold.setAttribute("aria-expanded", String(isOpen));
    this.element.classList.toggle("closed", !isOpen);
  }

  upgrade({ createEditor }: typeof Editors): void {
    const host = h("div", { class: "editor" });
    const hadFocus = document.activeElement === this.#area;
    this.#editor = createEditor(host, {
      text: this.#text,
      label: this.#title.textContent ?? "",
      placeholder: this.#hint.textContent ?? "",
      language: this.#field === "expression" ? "cel" : "yaml",
      onChange: (text) => this.#changed(text),
      complete: this.#events.complete,
      hover: this.#events.hover,
    });
    replaceChildren(this.#body, host);
    this.#editor.setDiagnostics(this.#diagnostics);
    if (hadFocus) this.#editor.reveal(0, 0);
  }

  show(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics = diagnostics;
    this.#editor?.setDiagnostics(diagnostics);
    const worst = (["error", "warning", "note"] as const).find((each) =>
      diagnostics.some(({ severity }) => severity === each),
    );
    this.#badge.hidden = worst === undefined;
    if (worst === undefined) return;
    this.#badge.className = `badge ${worst}`;
    const count = diagnostics.filter(({ severity }) => severity === worst).length;
    this.#badge.textContent = plural(count, worst);
  }

  reveal(from: number, to: number): void {
    this.setOpen(true);
    if (this.#editor === undefined) {
      this.#area.focus();
      this.#area.setSelectionRange(from, to);
    } else {
      this.#editor.reveal(from, to);
    }
  }

  fix(fix: Fix): void {
    this.setOpen(true);
    this.#editor?.fix(fix);
  }

  lineOf(offset: number): number {
    return this.#text.slice(0, offset).split("\n").length;
  }

  #changed(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#markEmpty();
    this.#events.change(text);
  }

  /** An empty text needs little room. */
  #markEmpty(): void {
    this.element.classList.toggle("blank", this.#text.trim() === "");
  }

  #toggle(): void {
    this.setOpen(this.#fold.getAttribute("aria-expanded") !== "true");
    this.#events.toggle();
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
