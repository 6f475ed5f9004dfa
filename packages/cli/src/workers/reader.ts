/** The reading thread of two; see two-threads.ts. */
import { parentPort } from "node:worker_threads";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { type FileObjects, readObjects } from "@portcullis/checker/internal/input/objects";
import { isPlain } from "@portcullis/engine/internal/builtin/plain/plain";
import { claimed, claims } from "./protocol.ts";
import { type FromReader, LeftFiles, sortFiles, type ToReader } from "./shared-work.ts";
import { storeCode } from "./store-code.ts";
import { digestOf } from "./text-digest.ts";

/** Fewer files would be checked before this thread is warm. */
const WORTH_HELPING = 1000;

/** The other thread is notified once for so many files. */
const NOTICE = 16;

parentPort?.once("message", async ({ plan, shared }: ToReader) => {
  const texts = new Texts(plan.files, plan.values);
  const sorted = sortFiles(plan, texts);
  post(sorted);
  // Loaded lazily: the other thread waits for the message.
  const { Chunk } = await import("@portcullis/checker/internal/check/chunk");
  const chunk = new Chunk(plan, texts, { ...sorted, digestOf });
  const { custom, builtIn } = sorted;
  const left = new LeftFiles(shared);
  let added = 0;
  for (const at of claims(shared.builtIn, builtIn.length)) {
    const index = builtIn[at] ?? -1;
    const text = texts.at(index);
    const objects = readObjects(texts.inputAt(index), text);
    if (hasOnlyPlain(objects) || left.size > WORTH_HELPING) await chunk.check(index, { text, objects });
    else {
      left.add(index);
      if (added++ % NOTICE === 0) post({ hasMore: true });
    }
  }
  if (custom.length - claimed(shared.custom, custom.length) >= WORTH_HELPING)
    for (const at of claims(shared.custom, custom.length)) await chunk.check(custom[at] ?? -1);
  if (left.size >= WORTH_HELPING) for (const index of left.take()) await chunk.check(index);
  storeCode();
  post({ result: chunk.result() });
});

function post(message: FromReader): void {
  parentPort?.postMessage(message);
}

function hasOnlyPlain({ documents, problems }: FileObjects): boolean {
  return problems.length === 0 && documents.every(({ object }) => isPlain(object));
}
