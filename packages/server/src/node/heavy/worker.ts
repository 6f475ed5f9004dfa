/**
 * The main thread's side of a thread for heavy requests. It ends by lack of memory, or because it did not answer in time;
 * the next request starts another one.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { internalError, type StatusError, timeout } from "@portcullis/engine/internal/status/error";
import type { HeavyAnswer, HeavyRequest } from "../../app/heavy-requests.ts";
import type { AppOptions } from "../../app/options.ts";
import * as messages from "../../endpoints/messages.ts";
import { offer, RemoteFunctions } from "../../storage/link/functions.ts";
import { Link } from "../../storage/link/link.ts";
import { StoreHost } from "../../storage/link/store-host.ts";
import { type ClosableWorker, HeavyPool, type PoolThread } from "./pool.ts";
import { isPortable, mainFunctions, settingsOf } from "./settings.ts";
import { HEAVY, MAIN, threadPort } from "./thread-port.ts";

/** How long after its deadline a request may still be busy before the thread is ended, and all its requests with it. */
const GRACE_MS = 3_000;

/** Next to this file in the build; from sources there is none. */
export function builtThread(): string | undefined {
  const file = fileURLToPath(new URL("./heavy-thread.js", import.meta.url));
  return existsSync(file) ? file : undefined;
}

/** Undefined if all requests have to be performed on this thread. */
export function heavyWorker(file: string | undefined, options: AppOptions): ClosableWorker | undefined {
  if (file === undefined || !isPortable(options)) return undefined;
  return new HeavyPool((ended) => startThread(file, options, ended));
}

function startThread(file: string, options: AppOptions, ended: () => void): PoolThread {
  const worker = new Worker(file, { workerData: settingsOf(options) });
  worker.unref();
  const link = new Link(threadPort(worker));
  const host = new StoreHost(options.store, link);
  const thread = new RemoteFunctions(link, HEAVY);
  offer(link, MAIN, {
    ...mainFunctions(options),
    defect: async (stack: string) => options.onDefect?.(new Error(stack)),
  });
  let failure: StatusError = timeout(messages.writeTimeout(), 0);
  worker.once("error", (error) => {
    options.onDefect?.(error);
    failure = internalError(error.message);
  });
  worker.once("exit", () => {
    host.close();
    thread.fail(failure);
    ended();
  });
  return {
    perform: (request) => inTime(worker, request, thread.call<HeavyAnswer>("perform", request)),
    ready: () => thread.call<void>("ready"),
    metrics: () => thread.call<string>("metrics"),
    close: () => worker.terminate(),
  };
}

/** Ends the thread if it is still busy long after nobody waits for the answer. */
async function inTime(worker: Worker, request: HeavyRequest, answer: Promise<HeavyAnswer>): Promise<HeavyAnswer> {
  const timer = setTimeout(() => void worker.terminate(), request.timeLeft + GRACE_MS);
  timer.unref();
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
