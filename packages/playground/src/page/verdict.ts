/** The verdict: a gate that is up or down, one sentence, and what kubectl would print. */
import type { Transcript, Verdict } from "../review/outcome.ts";
import type { VersionsNote } from "../review/versions.ts";
import { h, replaceChildren, svg } from "./dom.ts";

/** In milliseconds. */
export interface Timing {
  /** The time of the review itself. */
  readonly review: number;
  /** From the keystroke to the first verdict. */
  readonly felt: number;
  /** From the keystroke to the current verdict. */
  readonly whole: number;
  /** Whether a more complete one follows. */
  readonly isInterim: boolean;
}

/** The findings of all objects are listed below; a browser takes seconds to lay out thousands of outputs. */
const MAX_TRANSCRIPTS = 50;

export class VerdictView {
  readonly #card: HTMLElement;
  readonly #headline: HTMLElement;
  readonly #summary: HTMLElement;
  readonly #output: HTMLElement;
  readonly #timing: HTMLElement;
  readonly #versions = h("p", { class: "versions" });
  readonly #dock: HTMLElement;
  readonly #live: HTMLElement;
  #announcing: ReturnType<typeof setTimeout> | undefined;

  constructor(card: HTMLElement, dock: HTMLElement, live: HTMLElement) {
    this.#card = card;
    this.#dock = dock;
    this.#live = live;
    this.#headline = h("p", { class: "headline" }, "…");
    this.#summary = h("p", { class: "summary" });
    this.#output = h("div", { class: "transcripts" });
    this.#timing = h("p", { class: "timing" });
    const texts = h("div", { class: "words" }, this.#headline, this.#summary);
    card.append(
      h("h2", { class: "quiet", id: "verdict-title" }, "Verdict"),
      h("div", { class: "gatehouse" }, gate(), texts),
      this.#output,
      h("div", { class: "footing" }, this.#timing, this.#versions),
    );
  }

  show({ tone, headline, summary, transcripts }: Verdict, timing: Timing): void {
    this.#card.dataset["tone"] = tone;
    this.#dock.dataset["tone"] = tone;
    this.#summary.textContent = summary;
    this.#headline.textContent = headline;
    const sentence = summary === "" ? headline : `${headline}: ${summary}`;
    this.#dock.textContent = sentence;
    replaceChildren(this.#output, ...transcripts.slice(0, MAX_TRANSCRIPTS).map(showTranscript));
    const took = timing.review < 1 ? "under 1" : Math.round(timing.review);
    this.#timing.textContent = timing.isInterim ? "still searching …" : `checked in ${took} ms, in this page`;
    this.#card.dataset["milliseconds"] = timing.felt.toFixed(1);
    this.#card.dataset["whole"] = timing.whole.toFixed(1);
    this.#announce(sentence);
    this.#versions.textContent = "";
  }

  showVersions({ isSame, text }: VersionsNote): void {
    this.#versions.dataset["same"] = String(isSame);
    this.#versions.textContent = text;
  }

  /** Announced when typing pauses, and only if it has changed. */
  #announce(text: string): void {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => {
      if (this.#live.textContent !== text) this.#live.textContent = text;
    }, 700);
  }
}

function showTranscript({ command, output, isRefusal }: Transcript): HTMLElement {
  const copy = h("button", { class: "copy", type: "button", click: () => copyText(copy, output) }, "Copy");
  return h(
    "figure",
    { class: isRefusal ? "transcript bad" : "transcript" },
    h("figcaption", {}, h("span", { class: "prompt", "aria-hidden": "true" }, "$ "), h("code", {}, command), copy),
    h("pre", { tabindex: "0", "aria-label": `output of ${command.split("\n")[0] ?? ""}` }, output),
  );
}

/** The clipboard may be forbidden; then the button says so. */
async function copyText(button: HTMLButtonElement, text: string): Promise<void> {
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "Not allowed",
  );
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

/** A portcullis in its arch. The grille is moved by the style sheet. */
function gate(): SVGElement {
  const bars = [14, 22, 30, 38, 46].map((x) => svg("path", { d: `M${x} 8V50l-1.6 4h3.2L${x} 50` }));
  const beams = [18, 29, 40].map((y) => svg("path", { d: `M10 ${y}H50` }));
  const clip = svg("clipPath", { id: "arch" }, svg("path", { d: "M9 58V28a21 21 0 0 1 42 0v30z" }));
  return svg(
    "svg",
    { class: "gate", viewBox: "0 0 60 60", "aria-hidden": "true", focusable: "false" },
    svg("defs", {}, clip),
    svg("path", { class: "opening", d: "M9 58V28a21 21 0 0 1 42 0v30z" }),
    svg("g", { "clip-path": "url(#arch)" }, svg("g", { class: "grille" }, ...bars, ...beams)),
    svg("path", { class: "wall", d: "M4 58V28a26 26 0 0 1 52 0v30" }),
    svg("path", { class: "ground", d: "M1 58.5H59" }),
  );
}
