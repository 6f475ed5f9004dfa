/**
 * The engine in a worker: one attempt after another, the newest wins.
 *
 * The verdict is sent first; what takes longer follows, unless something newer has come in between.
 */
import { SyntaxErrorsMissing, setSyntaxErrors } from "@portcullis/checker/internal/browser/syntax-errors";
import type { Answer, Ask } from "./messages.ts";
import type { Mode } from "./modes.ts";
import type { Outcome } from "./review/outcome.ts";
import { type Meanwhile, type Pause, Reviewer } from "./review/review.ts";
import { compareVersions, type VersionVerdict } from "./review/versions.ts";
import { type State, VERSIONS } from "./state.ts";

interface Scope {
  postMessage(message: Answer): void;
  addEventListener(type: "message", listener: (event: { readonly data: Ask }) => void): void;
}

// The types of a worker and those of a page cannot be had together.
const scope = globalThis as unknown as Scope;
const upgrades = import("./review/upgrades.ts");
const policies = import("./review/policies.ts");
const proofs = import("./review/proofs.ts");
const completer = import("./complete/complete.ts").then(({ Completer }) => new Completer());
const syntaxErrors = import("portcullis-lazy:cel-syntax-errors").then(({ parseWithIssues }) =>
  setSyntaxErrors(parseWithIssues),
);
const parts = { upgrades: () => upgrades, policies: () => policies, proofs: () => proofs };
const today = (): string => new Date().toISOString().slice(0, 10);
const reviewer = new Reviewer(today, parts);
/** Remembers a definition in every version. */
const comparer = new Reviewer(today, parts, VERSIONS.length);
let newest = 0;

scope.addEventListener("message", ({ data }) => {
  if (data.kind !== "review") {
    help(data).catch((problem: unknown) => complain(problem, newest));
    return;
  }
  newest = data.id;
  answer(data).catch((problem: unknown) => complain(problem, data.id));
});
Promise.all([syntaxErrors, upgrades, policies, proofs, completer]).then(
  () => scope.postMessage({ kind: "ready" }),
  (problem: unknown) => complain(problem, newest),
);

function complain(problem: unknown, id: number): void {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  scope.postMessage({ kind: "broken", id, message });
}

async function help({ kind, id, request }: Exclude<Ask, { readonly kind: "review" }>): Promise<void> {
  const helper = await completer;
  if (kind === "hover") scope.postMessage({ kind: "hovered", id, hover: helper.hover(request) });
  else scope.postMessage({ kind: "completion", id, suggestions: helper.complete(request) });
}

async function answer({ id, state }: Ask & { readonly kind: "review" }): Promise<void> {
  const start = performance.now();
  const show = (outcome: Outcome, isInterim: boolean): void =>
    scope.postMessage({ kind: "outcome", id, outcome, milliseconds: performance.now() - start, isInterim });
  const meanwhile = meanwhileFor(id, (outcome) => show(outcome, true));
  const reviewed = await withSyntaxErrors(() => reviewer.review(state, meanwhile));
  if (reviewed === undefined) return;
  const { outcome, schemaPlaces } = reviewed;
  show(outcome, false);
  await nextTask();
  if (id !== newest) return;
  scope.postMessage({ kind: "places", id, places: schemaPlaces() });
  await nextTask();
  if (id !== newest) return;
  const details = await withSyntaxErrors(() => reviewer.details(state, pauseFor(id)));
  if (details === undefined || id !== newest) return;
  scope.postMessage({ kind: "details", id, details });
  if (isSmall(state) && COMPARED.includes(state.mode)) await reportVersions(id, state, outcome);
}

/** In characters: what takes long is not done six times more for a note. */
const SMALL = 40_000;
/** Upgrades take long, and policies are the same in all versions. */
const COMPARED: readonly Mode[] = ["create", "update", "cel"];

function isSmall({ texts }: State): boolean {
  return Object.values(texts).reduce((sum, text) => sum + text.length, 0) < SMALL;
}

async function reportVersions(id: number, state: State, { verdict }: Outcome): Promise<void> {
  const others: VersionVerdict[] = [];
  for (const version of VERSIONS.filter((each) => each !== state.version)) {
    await nextTask();
    if (id !== newest) return;
    const other = await withSyntaxErrors(() => comparer.review({ ...state, version }));
    if (other === undefined) return;
    others.push({ version, verdict: other.outcome.verdict });
  }
  const note = compareVersions({ version: state.version, verdict }, others);
  if (id === newest) scope.postMessage({ kind: "versions", id, note });
}

/** Works in slices, short enough for a keystroke to come between. */
const SLICE_MS = 12;

function pauseFor(id: number): Pause {
  let start = performance.now();
  const rest = async (): Promise<boolean> => {
    await nextTask();
    start = performance.now();
    return id === newest;
  };
  return () => performance.now() - start < SLICE_MS || rest();
}

/** A search that takes longer than this is reported in part first, and then again in full. */
const INTERIM_MS = 25;

function meanwhileFor(id: number, show: (soFar: Outcome) => void): Meanwhile {
  const pause = pauseFor(id);
  let begun: number | undefined;
  let isShown = false;
  return (soFar) => {
    begun ??= performance.now();
    if (!isShown && performance.now() - begun < INTERIM_MS) return true;
    if (!isShown) show(soFar());
    isShown = true;
    return pause();
  };
}

async function withSyntaxErrors<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (problem) {
    if (!(problem instanceof SyntaxErrorsMissing)) throw problem;
    await syntaxErrors;
    return make();
  }
}

/** Lets messages in that wait. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
