/** The examples: a dialog to choose from, and the lesson of the one that is open. */
import type { Example } from "../examples/example.ts";
import { MODE_INFO } from "../modes.ts";
import { h, prose, replaceChildren } from "./dom.ts";

export class Gallery {
  readonly #dialog: HTMLDialogElement;
  readonly #lesson: HTMLElement;
  readonly #open: (example: Example) => void;
  readonly #list = h("div", { class: "gallery-list" });
  readonly #search = h("input", {
    type: "search",
    "aria-label": "Search the examples",
    placeholder: "ratcheting, quantity, enum…",
  });
  #examples: readonly Example[] = [];

  constructor(dialog: HTMLDialogElement, lesson: HTMLElement, open: (example: Example) => void) {
    this.#dialog = dialog;
    this.#lesson = lesson;
    this.#open = open;
    const close = h("button", { type: "button", class: "quiet-button", click: () => dialog.close() }, "Close");
    dialog.append(
      h("div", { class: "gallery-head" }, h("h2", { id: "gallery-title" }, "Examples"), this.#search, close),
      this.#list,
    );
    this.#search.addEventListener("input", () => this.#render());
  }

  setExamples(examples: readonly Example[]): void {
    this.#examples = examples;
    this.#render();
  }

  find(name: string): Example | undefined {
    return this.#examples.find((each) => each.name === name);
  }

  show(): void {
    this.#dialog.showModal();
    this.#search.focus();
  }

  /** Undefined if the texts are not an example. */
  setLesson(example: Example | undefined): void {
    this.#lesson.hidden = example === undefined;
    if (example === undefined) return;
    const at = this.#examples.indexOf(example);
    const step = (by: number, label: string): HTMLElement => {
      const next = this.#examples[at + by];
      const click = (): void => next && this.#open(next);
      return h("button", { type: "button", class: "quiet-button", disabled: next === undefined, click }, label);
    };
    replaceChildren(
      this.#lesson,
      h("p", { class: "kicker" }, `Example ${at + 1} of ${this.#examples.length} · ${example.topic}`),
      h("h2", {}, example.title),
      h("p", {}, ...prose(example.lesson)),
      h("p", { class: "lesson-steps" }, step(-1, "Previous"), step(1, "Next")),
    );
  }

  #render(): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const found = this.#examples.filter(({ title, lesson, topic, state }) =>
      `${title} ${lesson} ${topic} ${MODE_INFO[state.mode].label}`.toLowerCase().includes(wanted),
    );
    const topics = [...new Set(found.map(({ topic }) => topic))];
    const empty = h("p", { class: "about" }, "No example matches.");
    replaceChildren(
      this.#list,
      ...(found.length === 0
        ? [empty]
        : topics.map((topic) =>
            this.#topic(
              topic,
              found.filter((each) => each.topic === topic),
            ),
          )),
    );
  }

  #topic(topic: string, examples: readonly Example[]): HTMLElement {
    const items = examples.map((example) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "example",
            "data-example": example.name,
            click: () => {
              this.#dialog.close();
              this.#open(example);
            },
          },
          h("span", { class: "example-title" }, example.title),
          h("span", { class: "tag" }, MODE_INFO[example.state.mode].label),
          h("span", { class: "example-lesson" }, ...prose(example.lesson)),
        ),
      ),
    );
    return h("section", {}, h("h3", {}, topic), h("ul", {}, ...items));
  }
}
