/**
 * Checks of manifests for web pages: dashboards, editors, documentation.
 *
 * The engine runs in a worker, so that the page stays responsive, and nothing is sent anywhere.
 */
import type { EmbeddedCompletions, EmbeddedFinding } from "./finding.ts";
import type { Question, Reply } from "./messages.ts";

export type { EmbeddedCompletion, EmbeddedCompletions, EmbeddedFinding } from "./finding.ts";

/** What texts are checked against. Example: `{ crds: await (await fetch("crds.yaml")).text() }`. */
export interface EmbeddedCheckerOptions {
  /** CustomResourceDefinitions as YAML or JSON, with as many documents as there are. */
  readonly crds?: string;
  /** Admission policies and bindings, with params, namespaces and roles that they read. */
  readonly policies?: string;
  /** The Kubernetes version to answer as, such as `1.34`; the newest by default. */
  readonly kubeVersion?: string;
  /** A worker that runs `@portcullis/embed/worker`, for pages that load workers in their own way. */
  readonly worker?: Worker;
}

/** A text, and what it is compared with. Example: `{ old: stored }`. */
export interface CheckOptions {
  /** The objects as they are now: those in the text are checked as updates of them, with ratcheting. */
  readonly old?: string;
}

/** A checker with its worker. Example: `const findings = await checker.check(text);`. */
export interface EmbeddedChecker {
  /** What the API server would say to the objects of a text, in the order of the text. */
  check(text: string, options?: CheckOptions): Promise<readonly EmbeddedFinding[]>;
  /** What can be written at an offset, in UTF-16 units. */
  complete(text: string, offset: number): Promise<EmbeddedCompletions | undefined>;
  /** Other CRDs, policies or another version, for all texts from now on. */
  update(options: Omit<EmbeddedCheckerOptions, "worker">): void;
  /** Ends the worker. Questions that are open are never answered. */
  close(): void;
}

/**
 * Starts a worker that checks texts.
 *
 * @example
 * ```ts
 * const checker = createChecker({ crds });
 * for (const { line, message } of await checker.check(text)) console.log(line, message);
 * ```
 */
export function createChecker(options: EmbeddedCheckerOptions = {}): EmbeddedChecker {
  const worker = options.worker ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const open = new Map<number, (reply: Reply) => void>();
  let id = 0;
  const post = (question: Question): void => worker.postMessage(question);
  worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    open.get(data.id)?.(data);
    open.delete(data.id);
  });
  const ask = (question: (id: number) => Question): Promise<Reply> => {
    const own = ++id;
    return new Promise((resolve, reject) => {
      open.set(own, (reply) => ("failure" in reply ? reject(new Error(reply.failure)) : resolve(reply)));
      post(question(own));
    });
  };
  const update: EmbeddedChecker["update"] = ({ crds = "", policies = "", kubeVersion }) =>
    post({ kind: "context", context: { crds, policies, kubeVersion } });
  update(options);
  return {
    async check(text, { old = "" } = {}) {
      const reply = await ask((own) => ({ kind: "check", id: own, text, old }));
      return "findings" in reply ? reply.findings : [];
    },
    async complete(text, offset) {
      const reply = await ask((own) => ({ kind: "complete", id: own, text, offset }));
      return "completions" in reply ? reply.completions : undefined;
    },
    update,
    close: () => worker.terminate(),
  };
}
