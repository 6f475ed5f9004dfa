/** Files in and out: opened, dropped on the page, or downloaded for the command line. */
import { strToU8, zipSync } from "fflate";
import { filesFor, shellCommand } from "../command-line.ts";
import { FIELDS, type Field } from "../modes.ts";
import { pick, type State } from "../state.ts";
import { h } from "./dom.ts";
import { joinDocuments, MAX_FILE, sortFiles, type TextFile } from "./files.ts";

export interface TransferEvents {
  state(): State;
  /** Files have become texts. */
  received(texts: State["texts"], names: readonly string[]): void;
  refused(message: string): void;
}

export function setUpTransfer(open: HTMLButtonElement, download: HTMLButtonElement, events: TransferEvents): void {
  const chooser = h("input", { type: "file", multiple: true, hidden: true, accept: ".yaml,.yml,.json,.cel" });
  chooser.addEventListener("change", () => {
    receive([...(chooser.files ?? [])], undefined, events);
    chooser.value = "";
  });
  open.after(chooser);
  open.addEventListener("click", () => chooser.click());
  download.addEventListener("click", () => save(events.state()));
  setUpDrop(events);
}

/** A file that is dropped on a text replaces it; elsewhere files find their own texts. */
function setUpDrop(events: TransferEvents): void {
  const body = document.body;
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  const mark = (field: Field | undefined): void => {
    for (const pane of document.querySelectorAll(".pane")) {
      pane.classList.toggle("drop", pane instanceof HTMLElement && pane.dataset["field"] === field);
    }
  };
  // Before the editors, which would insert the text of the file.
  addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      body.classList.add("dropping");
      mark(fieldAt(event));
    },
    { capture: true },
  );
  const end = (): void => {
    body.classList.remove("dropping");
    mark(undefined);
  };
  addEventListener("dragleave", (event) => event.relatedTarget === null && end());
  addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      end();
      receive([...(event.dataTransfer?.files ?? [])], fieldAt(event), events);
    },
    { capture: true },
  );
}

function fieldAt({ target }: Event): Field | undefined {
  const pane = target instanceof Element ? target.closest(".pane") : null;
  return pane instanceof HTMLElement ? pick(pane.dataset["field"], FIELDS) : undefined;
}

async function receive(given: readonly File[], field: Field | undefined, events: TransferEvents): Promise<void> {
  if (given.length === 0) return;
  const large = given.find(({ size }) => size > MAX_FILE);
  if (large !== undefined) return events.refused(`${large.name} is larger than ${MAX_FILE / 1_000_000} MB.`);
  const files = await Promise.all(
    given.map(async (file): Promise<TextFile> => ({ name: file.name, text: await file.text() })),
  );
  const binary = files.find(({ text }) => text.includes("\0"));
  if (binary !== undefined) return events.refused(`${binary.name} is not a text.`);
  const texts =
    field === undefined
      ? sortFiles(files, events.state().mode)
      : { [field]: joinDocuments(files.map(({ text }) => text)) };
  events.received(
    texts,
    files.map(({ name }) => name),
  );
}

const FOLDER = "portcullis";

/** An archive with the texts as files, and the command that gives the same result. */
function save(state: State): void {
  const files = Object.fromEntries(
    [...filesFor(state), { name: "run.sh", text: script(state) }].map(({ name, text }) => [
      `${FOLDER}/${name}`,
      strToU8(text),
    ]),
  );
  const archive = new Blob([zipSync(files)], { type: "application/zip" });
  const href = URL.createObjectURL(archive);
  h("a", { href, download: `${FOLDER}-${state.mode}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

function script(state: State): string {
  return `#!/bin/sh\n# The same review as in the playground. Needs portcullis on the path.\ncd "$(dirname "$0")"\n${shellCommand(state)}\n`;
}
