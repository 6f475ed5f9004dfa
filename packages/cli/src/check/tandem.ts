/**
 * A run on two threads that do different things: one reads and decodes the files, this one checks the objects of built-in
 * kinds as they come.
 *
 * Two threads that did the same would each have to load and warm up everything, which takes longer than all the checks;
 * with two processors that gains nothing.
 */
import { on } from "node:events";
import type { Worker } from "node:worker_threads";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { FromReader, ReadObjects, ToReader } from "./protocol.ts";
import type { CheckPlan, Share, ShareResult } from "./share.ts";
import { Texts } from "./texts.ts";

export interface TandemOptions {
  readonly stdin: () => string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The results of both. */
export async function runInTandem(reader: Worker, plan: CheckPlan, options: TandemOptions): Promise<ShareResult[]> {
  const messages: AsyncIterable<FromReader[]> = on(reader, "message", { close: ["exit"] });
  const given = plan.files.flatMap(({ file }, index) => (file === "-" ? [[index, options.stdin()] as const] : []));
  const request: ToReader = { plan, given };
  reader.postMessage(request);
  const texts = new Texts(plan.files);
  for (const [index, text] of given) texts.keep(index, text);
  // Loaded while the other thread starts. Definitions have no say here: none replaces a built-in kind.
  const { Share } = await import("./share.ts");
  const share = new Share(plan, texts, { definitionFiles: [] });
  for await (const [message] of messages) {
    if (message === undefined) continue;
    if ("result" in message) return [share.result(), message.result];
    options.onProgress?.(message.done, plan.files.length);
    checkRead(message, share);
  }
  throw new Error("a thread ended early");
}

function checkRead({ indices, json }: ReadObjects, share: Share): void {
  const files: readonly (readonly JsonObject[])[] = JSON.parse(json);
  for (const [at, index] of indices.entries()) share.checkObjects(index, files[at] ?? []);
}
