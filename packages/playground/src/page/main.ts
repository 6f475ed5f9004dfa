/** The page: inputs on one side, the verdict and its reasons on the other. */
import { type Example, readExample } from "../examples/example.ts";
import { FIELDS, type Field, fieldInfo, MODE_INFO, MODES } from "../modes.ts";
import type { Details, Outcome, Witness } from "../review/outcome.ts";
import { fromFragment, toFragment } from "../share.ts";
import { EMPTY_STATE, FIELD_VALIDATIONS, pick, type State, VERSIONS } from "../state.ts";
import { Client } from "./client.ts";
import { byId, h, replaceChildren } from "./dom.ts";
import { Gallery } from "./gallery.ts";
import { celPanel, policyPanel, upgradePanel } from "./mode-panels.ts";
import { Pane } from "./pane.ts";
import { addSchemaLinks, costPanel, type Places, pipelinePanel, problemsPanel, ratchetingPanel } from "./panels.ts";
import { proofPanel } from "./proof-panel.ts";
import { setUpTheme } from "./theme.ts";
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
    this.#setUpPanes();
  }

  async start(): Promise<void> {
    const [{ EXAMPLES }, shared] = await Promise.all([import("portcullis-lazy:examples"), this.#readFragment()]);
    const examples = EXAMPLES.map(({ file, json }) => readExample(file, json));
    this.#gallery.setExamples(examples);
    const example = this.#namedExample() ?? examples[0];
    if (shared !== undefined) this.#load(shared);
    else if (example !== undefined) this.#open(example);
    addEventListener("hashchange", () => this.#followFragment());
    const editors = await import("./editors.ts");
    for (const pane of this.#panes.values()) pane.upgrade(editors);
    this.#markLoaded("editors");
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
    byId("share", HTMLButtonElement).addEventListener("click", () => this.#share());
    setUpTheme(byId("theme", HTMLButtonElement));
  }

  #setUpPanes(): void {
    const inputs = byId("inputs", HTMLElement);
    for (const field of FIELDS) {
      const pane = new Pane(field, {
        change: (text) => this.#change({ texts: { ...this.#state.texts, [field]: text } }),
        complete: (text, offset) => {
          const state = { ...this.#state, texts: { ...this.#state.texts, [field]: text } };
          return this.#client.complete({ state, field, offset });
        },
      });
      this.#panes.set(field, pane);
    }
    // Old before new, in reading order.
    for (const field of ORDER) inputs.append(this.#panes.get(field)?.element ?? "");
  }

  /** A text has changed. */
  #change(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    if (part.mode !== undefined) this.#arrange();
    this.#client.ask(this.#state);
  }

  /** All texts have changed. */
  #load(state: State): void {
    this.#state = state;
    for (const [field, pane] of this.#panes) pane.setText(state.texts[field] ?? "");
    this.#arrange();
    this.#client.ask(state);
  }

  #arrange(): void {
    const { mode, texts } = this.#state;
    const { fields, question } = MODE_INFO[mode];
    const isBlank = fields.every((field) => (texts[field] ?? "") === "");
    for (const [field, pane] of this.#panes) {
      pane.place(mode, fields.includes(field));
      pane.setOpen(isBlank || (texts[field] ?? "").trim() !== "" || !OPTIONAL.includes(field));
    }
    byId(`mode-${mode}`, HTMLInputElement).checked = true;
    byId("question", HTMLElement).textContent = question;
    this.#version.value = this.#state.version;
    this.#fieldValidation.value = this.#state.fieldValidation;
    this.#fieldValidation.hidden = mode !== "create" && mode !== "update";
  }

  #open(example: Example): void {
    this.#gallery.setLesson(example);
    history.replaceState(null, "", `#example=${example.name}`);
    this.#load(example.state);
  }

  /** Empties the texts of this mode; the other modes keep theirs. */
  #clear(): void {
    this.#dismiss();
    const texts = { ...this.#state.texts };
    for (const field of MODE_INFO[this.#state.mode].fields) delete texts[field];
    this.#gallery.setLesson(undefined);
    history.replaceState(null, "", "#");
    this.#load({ ...this.#state, texts });
  }

  #loadWitness({ mode, fieldValidation, texts }: Witness): void {
    this.#gallery.setLesson(undefined);
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
      isUpgrade ? undefined : problemsPanel(outcome.problems, this.#places, outcome.ratcheting !== undefined),
      upgradePanel(outcome.upgrade, this.#places, (witness) => this.#loadWitness(witness)),
      ratchetingPanel(outcome.ratcheting, this.#places),
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
    name: (field, from) => {
      const line = this.#panes.get(field)?.lineOf(from) ?? 1;
      return `${fieldInfo(field, this.#state.mode).label}, line ${line}`;
    },
  };

  async #share(): Promise<void> {
    const fragment = await toFragment(this.#state);
    history.replaceState(null, "", fragment);
    const size = `${Math.ceil(fragment.length / 100) / 10} kB`;
    const copied = await navigator.clipboard.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.notify(
      `${copied ? "The link is on the clipboard" : "The link is in the address bar"} (${size}). It contains all texts; nothing is stored anywhere else.`,
    );
  }

  #namedExample(): Example | undefined {
    const name = /^#example=(.*)$/.exec(location.hash)?.[1];
    const found = name === undefined ? undefined : this.#gallery.find(name);
    if (name !== undefined && found === undefined) this.notify(`There is no example named ${name}.`);
    return found;
  }

  async #readFragment(): Promise<State | undefined> {
    try {
      return await fromFragment(location.hash);
    } catch (problem) {
      this.notify(`This link is not valid: ${problem instanceof Error ? problem.message : String(problem)}`);
      return undefined;
    }
  }

  async #followFragment(): Promise<void> {
    this.#dismiss();
    const named = this.#namedExample();
    if (named !== undefined) return this.#open(named);
    const shared = await this.#readFragment();
    if (shared === undefined) return;
    this.#gallery.setLesson(undefined);
    this.#load(shared);
  }

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

const ORDER: readonly Field[] = [
  "oldDefinition",
  "definition",
  "oldPolicy",
  "policy",
  "old",
  "object",
  "cluster",
  "request",
  "expression",
  "variables",
];
/** Inputs that may be empty. */
const OPTIONAL: readonly Field[] = ["oldPolicy", "old", "cluster", "request", "variables", "definition"];

const page = new Page();
page.start().catch((problem: unknown) => page.notify(`The page did not load: ${String(problem)}`));
