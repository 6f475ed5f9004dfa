/** The page: inputs on one side, the verdict and its reasons on the other. */

import type { CompletionRequest } from "../complete/complete.ts";
import { type Example, readExample } from "../examples/example.ts";
import { type Field, fieldInfo, MODE_INFO, MODES } from "../modes.ts";
import type { Details, Outcome, Witness } from "../review/outcome.ts";
import { EMPTY_STATE, FIELD_VALIDATIONS, pick, type State, VERSIONS } from "../state.ts";
import { clearAddress, exampleInAddress, shareTexts, showExampleInAddress, textsInAddress } from "./address.ts";
import { Client } from "./client.ts";
import { crdChooser } from "./crd-chooser.ts";
import { byId, h, replaceChildren } from "./dom.ts";
import { Gallery } from "./gallery.ts";
import { celPanel, policyPanel, upgradePanel } from "./mode-panels.ts";
import { Pane } from "./pane.ts";
import { columnSplitter, PaneColumn } from "./pane-column.ts";
import { modeFor, OPTIONAL, ORDER } from "./pane-order.ts";
import { addSchemaLinks, costPanel, type Places, pipelinePanel, problemsPanel, ratchetingPanel } from "./panels.ts";
import { proofPanel } from "./proof-panel.ts";
import { loadTexts, type SavedTexts, saveTexts } from "./saved-texts.ts";
import { setUpTheme } from "./theme.ts";
import { setUpTransfer } from "./transfer.ts";
import { type Timing, VerdictView } from "./verdict.ts";

class Page {
  #state: State = EMPTY_STATE;
  readonly #panes = new Map<Field, Pane>();
  readonly #verdict = new VerdictView(
    byId("verdict", HTMLElement),
    byId("dock", HTMLElement),
    byId("live", HTMLElement),
  );
  readonly #panels = byId("panels", HTMLElement);
  readonly #cost = byId("cost", HTMLElement);
  readonly #version = byId("version", HTMLSelectElement);
  readonly #fieldValidation = byId("field-validation", HTMLSelectElement);
  readonly #notice = byId("notice", HTMLElement);
  readonly #gallery = new Gallery(byId("gallery", HTMLDialogElement), byId("lesson", HTMLElement), (each) => {
    this.#dismiss();
    this.#open(each);
  });
  readonly #client: Client;
  readonly #column: PaneColumn;
  /** The example that the texts started from. */
  #example: Example | undefined;

  constructor() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "engine" });
    this.#client = new Client(worker, {
      outcome: (outcome, timing) => this.#show(outcome, timing),
      places: (places) => addSchemaLinks(this.#panels, places, this.#places),
      details: (details) => this.#showDetails(details),
      versions: (note) => this.#verdict.showVersions(note),
      busy: () => this.#panels.setAttribute("aria-busy", "true"),
      idle: () => this.#panels.setAttribute("aria-busy", "false"),
      ready: () => this.#markLoaded("engine"),
      broken: (message) => this.notify(`Internal error: ${message}`),
    });
    this.#setUpControls();
    this.#column = this.#setUpPanes();
  }

  async start(): Promise<void> {
    const [{ EXAMPLES }, shared] = await Promise.all([
      import("portcullis-lazy:examples"),
      textsInAddress(this.#notify),
    ]);
    const examples = EXAMPLES.map(({ file, json }) => readExample(file, json));
    this.#gallery.setExamples(examples);
    this.#panes.get("definition")?.addControl(crdChooser(examples, (each) => this.#openCrd(each)));
    this.#begin(shared, examples[0]);
    addEventListener("hashchange", () => this.#followFragment());
    addEventListener("pagehide", () => this.#save());
    const editors = await import("./editors.ts");
    for (const pane of this.#panes.values()) pane.upgrade(editors);
    this.#markLoaded("editors");
  }

  /** A link first, then the texts of the last visit, then the first example. */
  #begin(shared: State | undefined, first: Example | undefined): void {
    const named = this.#namedExample();
    const saved = shared === undefined && named === undefined ? loadTexts() : undefined;
    const example = named ?? (saved === undefined ? first : undefined);
    if (shared !== undefined) this.#load(shared);
    else if (example !== undefined) this.#open(example);
    else if (saved !== undefined) this.#restore(saved);
  }

  #restore({ state, example }: SavedTexts): void {
    this.#setExample(example === undefined ? undefined : this.#gallery.find(example));
    this.#load(state);
  }

  /** Resolves when the whole page is loaded: nothing is loaded after that. */
  #markLoaded(part: "engine" | "editors"): void {
    document.documentElement.dataset[part] = "ready";
  }

  #setUpControls(): void {
    const modes = byId("modes", HTMLFieldSetElement);
    for (const mode of MODES) {
      const change = (): void => this.#change({ mode });
      const input = h("input", { type: "radio", name: "mode", value: mode, id: `mode-${mode}`, change });
      modes.append(h("span", { class: "segment" }, input, h("label", { for: `mode-${mode}` }, MODE_INFO[mode].label)));
    }
    for (const version of VERSIONS) this.#version.append(h("option", { value: version }, `Kubernetes ${version}`));
    for (const each of FIELD_VALIDATIONS) this.#fieldValidation.append(h("option", { value: each }, `Fields: ${each}`));
    this.#version.addEventListener("change", () => {
      this.#change({ version: pick(this.#version.value, VERSIONS) ?? this.#state.version });
    });
    this.#fieldValidation.addEventListener("change", () => {
      const fieldValidation = pick(this.#fieldValidation.value, FIELD_VALIDATIONS) ?? this.#state.fieldValidation;
      this.#change({ fieldValidation });
    });
    byId("examples", HTMLButtonElement).addEventListener("click", () => this.#gallery.show());
    byId("clear", HTMLButtonElement).addEventListener("click", () => this.#clear());
    byId("share", HTMLButtonElement).addEventListener("click", () => shareTexts(this.#state, this.#notify));
    setUpTransfer(byId("open", HTMLButtonElement), byId("download", HTMLButtonElement), {
      state: () => this.#state,
      received: (texts, names) => this.#receive(texts, names),
      refused: (message) => this.notify(message),
    });
    setUpTheme(byId("theme", HTMLButtonElement));
  }

  #setUpPanes(): PaneColumn {
    for (const field of ORDER) {
      const at = (text: string, offset: number): CompletionRequest => {
        return { state: { ...this.#state, texts: { ...this.#state.texts, [field]: text } }, field, offset };
      };
      const pane = new Pane(field, {
        change: (text) => this.#edit(field, text),
        complete: (text, offset) => this.#client.complete(at(text, offset)),
        hover: (text, offset) => this.#client.hover(at(text, offset)),
        toggle: () => this.#column.arrange(this.#state.mode),
      });
      this.#panes.set(field, pane);
    }
    const inputs = byId("inputs", HTMLElement);
    const work = byId("work", HTMLElement);
    inputs.after(columnSplitter(work, inputs, byId("results", HTMLElement)));
    return new PaneColumn(inputs, [...this.#panes]);
  }

  #edit(field: Field, text: string): void {
    clearAddress();
    this.#change({ texts: { ...this.#state.texts, [field]: text } });
  }

  /** A text has changed. */
  #change(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    if (part.mode !== undefined) this.#arrange();
    this.#client.ask(this.#state);
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#save(), SAVE_MS);
  }

  #saving: ReturnType<typeof setTimeout> | undefined;

  #save(): void {
    saveTexts({ state: this.#state, example: this.#example?.name });
  }

  /** All texts have changed. */
  #load(state: State): void {
    this.#state = state;
    for (const [field, pane] of this.#panes) pane.setText(state.texts[field] ?? "");
    this.#arrange();
    this.#client.ask(state);
    this.#save();
  }

  #arrange(): void {
    const { mode, texts } = this.#state;
    const { fields, question } = MODE_INFO[mode];
    const isBlank = fields.every((field) => (texts[field] ?? "") === "");
    for (const [field, pane] of this.#panes) {
      pane.place(mode, fields.includes(field));
      pane.setOpen(isBlank || (texts[field] ?? "").trim() !== "" || !OPTIONAL.includes(field));
    }
    this.#column.arrange(mode);
    byId(`mode-${mode}`, HTMLInputElement).checked = true;
    byId("question", HTMLElement).textContent = question;
    this.#version.value = this.#state.version;
    this.#fieldValidation.value = this.#state.fieldValidation;
    this.#fieldValidation.hidden = mode !== "create" && mode !== "update";
  }

  #setExample(example: Example | undefined): void {
    this.#example = example;
    this.#gallery.setLesson(example);
  }

  /** Its CRD, and its object unless there is one. */
  #openCrd({ state: { texts } }: Example): void {
    this.#setExample(undefined);
    const object = (this.#state.texts.object ?? "").trim() === "" ? texts.object : this.#state.texts.object;
    const { definition = "" } = texts;
    this.#edit("definition", definition);
    this.#load({ ...this.#state, texts: { ...this.#state.texts, definition, object: object ?? "" } });
  }

  #receive(texts: State["texts"], names: readonly string[]): void {
    const mode = modeFor(Object.keys(texts), this.#state.mode);
    this.#setExample(undefined);
    clearAddress();
    this.#load({ ...this.#state, mode, texts: { ...this.#state.texts, ...texts } });
    this.notify(`Opened ${names.join(", ")}.`);
  }

  #open(example: Example): void {
    this.#setExample(example);
    showExampleInAddress(example.name);
    this.#load(example.state);
  }

  /** Empties the texts of this mode; the other modes keep theirs. */
  #clear(): void {
    this.#dismiss();
    const texts = { ...this.#state.texts };
    for (const field of MODE_INFO[this.#state.mode].fields) delete texts[field];
    this.#setExample(undefined);
    clearAddress();
    this.#load({ ...this.#state, texts });
  }

  #loadWitness({ mode, fieldValidation, texts }: Witness): void {
    this.#setExample(undefined);
    clearAddress();
    this.#load({ ...this.#state, mode, fieldValidation, texts: { ...this.#state.texts, ...texts } });
    byId("verdict", HTMLElement).focus();
  }

  #show(outcome: Outcome, timing: Timing): void {
    this.#verdict.show(outcome.verdict, timing);
    for (const [field, pane] of this.#panes) pane.show(outcome.diagnostics.filter((each) => each.field === field));
    const isUpgrade = outcome.upgrade !== undefined;
    replaceChildren(
      this.#panels,
      celPanel(outcome.cel),
      isUpgrade ? undefined : problemsPanel(outcome.problems, this.#places),
      upgradePanel(outcome.upgrade, this.#places, (witness) => this.#loadWitness(witness)),
      ratchetingPanel(outcome.ratcheting),
      policyPanel(outcome.policy),
      proofPanel(outcome.proof, (witness) => this.#loadWitness(witness)),
      pipelinePanel(outcome.pipeline),
    );
  }

  #showDetails({ cost }: Details): void {
    replaceChildren(this.#cost, costPanel(cost, this.#places));
  }

  readonly #places: Places = {
    reveal: (field, from, to) => this.#panes.get(field)?.reveal(from, to),
    fix: (field, fix) => this.#panes.get(field)?.fix(fix),
    name: (field, from) => {
      const line = this.#panes.get(field)?.lineOf(from) ?? 1;
      return `${fieldInfo(field, this.#state.mode).label}, line ${line}`;
    },
  };

  #namedExample(): Example | undefined {
    const name = exampleInAddress();
    const found = name === undefined ? undefined : this.#gallery.find(name);
    if (name !== undefined && found === undefined) this.notify(`There is no example named ${name}.`);
    return found;
  }

  async #followFragment(): Promise<void> {
    this.#dismiss();
    const named = this.#namedExample();
    if (named !== undefined) return this.#open(named);
    const shared = await textsInAddress(this.#notify);
    if (shared === undefined) return;
    this.#setExample(undefined);
    this.#load(shared);
  }

  readonly #notify = (text: string): void => this.notify(text);

  notify(text: string): void {
    replaceChildren(
      this.#notice,
      h("span", {}, text),
      h("button", { type: "button", class: "quiet-button", click: () => this.#dismiss() }, "Dismiss"),
    );
  }

  #dismiss(): void {
    replaceChildren(this.#notice);
  }
}

/** After the last keystroke. */
const SAVE_MS = 400;

const page = new Page();
page.start().catch((problem: unknown) => page.notify(`The page did not load: ${String(problem)}`));
