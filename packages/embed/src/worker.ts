/**
 * The worker: answers one question after the other. It is small; the engine is loaded with the first text, the rules of
 * built-in kinds with the first object of one, policies if there are any, and the messages of syntax errors when one is
 * found.
 */
import type { Context, Question, Reply } from "./messages.ts";
import type { Session } from "./session.ts";

interface Scope {
  postMessage(reply: Reply): void;
  addEventListener(type: "message", listener: (event: { readonly data: Question }) => void): void;
}

// The types of a worker and those of a page cannot be had together.
const scope = globalThis as unknown as Scope;
let context: Context = { crds: "", policies: "", kubeVersion: undefined };
let session: Promise<Session> | undefined;
let last: Promise<void> = Promise.resolve();

scope.addEventListener("message", ({ data }) => {
  last = last.then(() => answer(data));
});

async function answer(question: Question): Promise<void> {
  if (question.kind === "context") {
    context = question.context;
    session = undefined;
    return;
  }
  const { id } = question;
  try {
    session ??= import("./session.ts").then(({ Session }) => new Session(context));
    const current = await session;
    scope.postMessage(await withMissingParts(() => reply(question, current)));
  } catch (problem) {
    const failure = problem instanceof Error ? problem.message : String(problem);
    scope.postMessage({ id, failure });
  }
}

type Asked = Exclude<Question, { readonly kind: "context" }>;

async function reply(question: Asked, current: Session): Promise<Reply> {
  const { id, text } = question;
  if (question.kind === "check") return { id, findings: await current.check(text, question.old) };
  const { completionsIn } = await import("./completions.ts");
  return { id, completions: completionsIn(current, text, question.offset) };
}

/** Reviews and compilation cannot wait for a part that is not loaded yet, so they are tried again. */
async function withMissingParts<T>(make: () => Promise<T>, retries = LAZY_PARTS): Promise<T> {
  try {
    return await make();
  } catch (problem) {
    if (retries === 0 || !(await loadMissing(problem))) throw problem;
    return withMissingParts(make, retries - 1);
  }
}

/** Of which a review may need several, one after the other. */
const LAZY_PARTS = 2;

async function loadMissing(problem: unknown): Promise<boolean> {
  const { BuiltinKindsMissing, setBuiltinKinds } = await import("@portcullis/checker/internal/browser/builtin-kinds");
  if (problem instanceof BuiltinKindsMissing) {
    setBuiltinKinds(await import("portcullis-lazy:builtin-kinds"));
    return true;
  }
  const { SyntaxErrorsMissing, setSyntaxErrors } = await import("@portcullis/checker/internal/browser/syntax-errors");
  if (!(problem instanceof SyntaxErrorsMissing)) return false;
  const { parseWithIssues } = await import("portcullis-lazy:cel-syntax-errors");
  setSyntaxErrors(parseWithIssues);
  return true;
}
