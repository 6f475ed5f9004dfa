/** The inputs, one above the other, with a bar between any two that are open, and the bar beside them. */
import type { Field, Mode } from "../modes.ts";
import type { Pane } from "./pane.ts";
import { savedSize, saveSize } from "./sizes.ts";
import { splitter } from "./splitters.ts";

export class PaneColumn {
  readonly #parent: HTMLElement;
  readonly #panes: readonly (readonly [Field, Pane])[];
  #mode: Mode = "create";

  /** In reading order. */
  constructor(parent: HTMLElement, panes: readonly (readonly [Field, Pane])[]) {
    this.#parent = parent;
    this.#panes = panes;
    parent.append(...panes.map(([, pane]) => pane.element));
  }

  /** After a change of the mode, or when a pane was opened or closed. */
  arrange(mode: Mode): void {
    this.#mode = mode;
    for (const bar of this.#parent.querySelectorAll(".splitter")) bar.remove();
    const open = this.#panes.filter(([, { element }]) => !element.hidden && !element.classList.contains("closed"));
    for (const [field, { element }] of open) setGrow(element, savedSize(`${mode}/${field}`));
    for (const [index, lower] of open.entries()) {
      const upper = open[index - 1];
      if (upper !== undefined) lower[1].element.before(this.#barBetween(upper, lower));
    }
  }

  #barBetween([upperField, upper]: readonly [Field, Pane], [lowerField, lower]: readonly [Field, Pane]): HTMLElement {
    const sides = [
      [upperField, upper.element],
      [lowerField, lower.element],
    ] as const;
    return splitter({
      orientation: "horizontal",
      label: `Height of ${upper.element.getAttribute("aria-label") ?? upperField}`,
      measure: () => {
        const first = upper.element.offsetHeight;
        return { first, both: first + lower.element.offsetHeight };
      },
      resize: (share) => {
        const both = growOf(upper.element) + growOf(lower.element);
        const grows = share === undefined ? [undefined, undefined] : [both * share, both * (1 - share)];
        for (const [index, [field, element]] of sides.entries()) {
          setGrow(element, grows[index]);
          saveSize(`${this.#mode}/${field}`, grows[index]);
        }
      },
    });
  }
}

function growOf(element: HTMLElement): number {
  return Number(getComputedStyle(element).flexGrow);
}

function setGrow(element: HTMLElement, grow: number | undefined): void {
  element.style.flexGrow = grow === undefined ? "" : String(grow);
}

/** The bar between the inputs and the results. */
export function columnSplitter(work: HTMLElement, inputs: HTMLElement, results: HTMLElement): HTMLElement {
  const resize = (share: number | undefined): void => {
    if (share === undefined) work.style.removeProperty("--inputs");
    else work.style.setProperty("--inputs", `${share / (1 - share)}fr`);
    saveSize("inputs", share);
  };
  const saved = savedSize("inputs");
  if (saved !== undefined && saved < 1) resize(saved);
  return splitter({
    orientation: "vertical",
    label: "Width of the inputs",
    measure: () => ({ first: inputs.offsetWidth, both: inputs.offsetWidth + results.offsetWidth }),
    resize,
  });
}
