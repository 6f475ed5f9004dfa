/** A worker thread: checks its files as soon as it knows where the CRDs are. */
import { parentPort } from "node:worker_threads";
import { Chunk } from "@portcullis/checker/internal/check/chunk";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { claims, type FromWorker, type ToWorker } from "./protocol.ts";
import { storeCode } from "./store-code.ts";
import { digestOf } from "./text-digest.ts";

parentPort?.once("message", async ({ plan, counter, contextFiles }: ToWorker) => {
  const chunk = new Chunk(plan, new Texts(plan.files, plan.values), { contextFiles, digestOf });
  for (const index of claims(counter, plan.files.length)) await chunk.check(index);
  storeCode();
  const answer: FromWorker = { result: chunk.result() };
  parentPort?.postMessage(answer);
});
