/**
 * Checks texts while they are edited. The text that changed last comes first, one text is checked at a time, and a check
 * ends early if its text changes again.
 */

import { readObjects } from "@portcullis/checker/internal/input/objects";
import { findingInFile } from "@portcullis/checker/internal/report/build";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { Diagnostic } from "vscode-languageserver";
import { toDiagnostic, toStaleDiagnostic } from "../diagnostics/convert.ts";
import { diagnose } from "../diagnostics/diagnose.ts";
import { type Answer, SYNTAX, staleFindings } from "../diagnostics/stale.ts";
import { suiteFindings } from "../diagnostics/suites.ts";
import { MAX_TEXT, type OpenText } from "../features/open-text.ts";
import { nextTask, slices } from "../workspace/scan.ts";
import type { Workspace } from "./workspace.ts";

/** Keystrokes that follow each other faster are checked together. */
const TYPING_MS = 15;
/** How long a text must rest before the texts that depend on it, and its tests, are checked again. */
const RESTING_MS = 200;
/** A text that changes all the time still gets an answer this often. */
const LONGEST_SILENCE_MS = 600;

export interface ChecksListener {
  publish(uri: string, version: number, diagnostics: readonly Diagnostic[]): void;
  /** An internal error: the last answer stays. */
  failed(problem: unknown): void;
}

interface Session {
  answer: Answer | undefined;
  /** Findings of suites, which are run only while the text rests. */
  tests: readonly Finding[];
  answeredAt: number;
}

class Superseded extends Error {}

export class Checks {
  readonly #workspace: Workspace;
  readonly #listener: ChecksListener;
  readonly #sessions = new Map<string, Session>();
  /** The texts to check; the last one comes first. */
  readonly #waiting = new Set<string>();
  readonly #resting = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(workspace: Workspace, listener: ChecksListener) {
    this.#workspace = workspace;
    this.#listener = listener;
  }

  /** The text has changed. */
  schedule(uri: string, delay = TYPING_MS): void {
    this.#waiting.delete(uri);
    this.#waiting.add(uri);
    if (this.#isRunning || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#run();
    }, delay);
  }

  /** All texts, such as after a change of the settings. */
  scheduleAll(): void {
    for (const { uri } of this.#workspace.all()) this.schedule(uri);
  }

  forget(uri: string): void {
    this.#sessions.delete(uri);
    this.#waiting.delete(uri);
    clearTimeout(this.#resting.get(uri));
    this.#resting.delete(uri);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let uri = this.#next(); uri !== undefined; uri = this.#next()) {
      const open = this.#workspace.find(uri);
      try {
        if (open !== undefined) await this.#check(open);
      } catch (problem) {
        if (!(problem instanceof Superseded)) this.#listener.failed(problem);
      }
      await nextTask();
    }
    this.#isRunning = false;
  }

  #next(): string | undefined {
    const uri = [...this.#waiting].at(-1);
    if (uri !== undefined) this.#waiting.delete(uri);
    return uri;
  }

  async #check(open: OpenText): Promise<void> {
    const { uri, document } = open;
    const { version } = document;
    const session = this.#sessionOf(uri);
    const text = document.getText();
    if (text.length > MAX_TEXT)
      return this.#answer(open, { text: "", findings: [tooLarge(open.file)], stale: [] }, version);
    const input = open.folder.inputOf(open.file) ?? { file: open.file, isNamed: false };
    const objects = readObjects(input, text);
    // A text that cannot be parsed may also be a template, and is not reported then.
    const isReadable = !objects.problems.some(({ rule }) => rule === SYNTAX) && !objects.skipped.includes("template");
    const affectsOthers = open.folder.setOpen(open.file, text, objects.documents, isReadable);
    // Files of charts and kustomizations are not objects.
    const isObject = open.folder.inputOf(open.file) !== undefined;
    const around = {
      folder: open.folder,
      context: open.context,
      compare: open.settings.compare,
      pause: this.#pauseFor(open, version, session),
    };
    const findings = isObject ? await diagnose({ input, text, objects }, around) : [];
    if (this.#workspace.find(uri) !== open) return;
    this.#answer(open, { text, findings, stale: staleFindings(session.answer, text, findings) }, version);
    this.#rest(open, version, affectsOthers);
  }

  #answer(open: OpenText, answer: Answer, version: number): void {
    const session = this.#sessionOf(open.uri);
    session.answer = answer;
    session.answeredAt = performance.now();
    this.#listener.publish(open.uri, version, [
      ...[...answer.findings, ...session.tests].map(toDiagnostic),
      ...answer.stale.map(toStaleDiagnostic),
    ]);
  }

  #pauseFor({ document }: OpenText, version: number, session: Session): () => Promise<void> {
    const slice = slices();
    return async () => {
      await slice();
      const isOld = document.version !== version;
      if (isOld && performance.now() - session.answeredAt < LONGEST_SILENCE_MS) throw new Superseded();
    };
  }

  #sessionOf(uri: string): Session {
    const known = this.#sessions.get(uri);
    if (known !== undefined) return known;
    const session: Session = { answer: undefined, tests: [], answeredAt: performance.now() };
    this.#sessions.set(uri, session);
    return session;
  }

  /** What can wait until nobody types. */
  #rest(open: OpenText, version: number, affectsOthers: boolean): void {
    clearTimeout(this.#resting.get(open.uri));
    const timer = setTimeout(() => {
      this.#resting.delete(open.uri);
      if (affectsOthers) this.#scheduleOthers(open);
      this.#runSuites(open, version).catch((problem: unknown) => this.#listener.failed(problem));
    }, RESTING_MS);
    this.#resting.set(open.uri, timer);
  }

  #scheduleOthers({ uri, folder }: OpenText): void {
    for (const other of this.#workspace.all()) {
      if (other.uri !== uri && other.folder === folder) this.schedule(other.uri);
    }
  }

  async #runSuites(open: OpenText, version: number): Promise<void> {
    const session = this.#sessionOf(open.uri);
    const text = open.document.getText();
    if (open.document.version !== version || session.answer === undefined || text.length > MAX_TEXT) return;
    const input = { file: open.file, isNamed: false };
    const tests = await suiteFindings({ input, text, objects: readObjects(input, text) }, open.folder);
    if (open.document.version !== version || (tests.length === 0 && session.tests.length === 0)) return;
    session.tests = tests;
    this.#answer(open, session.answer, version);
  }
}

function tooLarge(file: string): Finding {
  const message = `the file is larger than ${MAX_TEXT / 1e6} MB and is not checked while it is edited`;
  const hint = `\`portcullis check ${file}\` checks it`;
  return findingInFile(file, { rule: "editor/too-large", severity: "note", message, hint });
}
