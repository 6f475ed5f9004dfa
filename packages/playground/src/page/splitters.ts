/**
 * Bars between panes that change their sizes: with the pointer, with the arrow keys, and back to the default with a
 * double click. Sizes are shares, so that they fit every window.
 */
import { h } from "./dom.ts";

const STEP = 0.04;
const MIN_SHARE = 0.12;

export interface SplitterOptions {
  /** A horizontal bar is between two panes that are one above the other. */
  readonly orientation: "horizontal" | "vertical";
  readonly label: string;
  /** The size of the first side and of both together, in pixels. */
  readonly measure: () => { readonly first: number; readonly both: number };
  /** The share of the first side; undefined for the default. */
  readonly resize: (share: number | undefined) => void;
}

/** `aria-valuenow` follows each change. */
export function splitter(options: SplitterOptions): HTMLElement {
  const { orientation, label, resize } = options;
  const isRow = orientation === "horizontal";
  const bar = h("div", {
    class: `splitter ${orientation}`,
    role: "separator",
    tabindex: 0,
    "aria-orientation": orientation,
    "aria-label": label,
    "aria-valuemin": Math.round(MIN_SHARE * 100),
    "aria-valuemax": Math.round((1 - MIN_SHARE) * 100),
    "aria-valuenow": 50,
    dblclick: () => set(undefined),
  });
  const set = (share: number | undefined): void => {
    const bounded = share === undefined ? undefined : Math.min(Math.max(share, MIN_SHARE), 1 - MIN_SHARE);
    resize(bounded);
    bar.setAttribute("aria-valuenow", String(Math.round((bounded ?? 0.5) * 100)));
  };
  const current = (): number => {
    const { first, both } = options.measure();
    return both === 0 ? 0.5 : first / both;
  };
  bar.addEventListener("keydown", (event) => {
    const [less, more] = isRow ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    set(current() + (event.key === more ? STEP : -STEP));
  });
  bar.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const { first, both } = options.measure();
    const start = isRow ? event.clientY : event.clientX;
    const move = (next: PointerEvent): void => set((first + (isRow ? next.clientY : next.clientX) - start) / both);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), { once: true });
  });
  return bar;
}
