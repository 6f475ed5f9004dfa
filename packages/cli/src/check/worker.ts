/** A thread beside the first: checks what it can get when it is told where the definitions are. */
import { parentPort } from "node:worker_threads";
import { claims, type FromWorker, type ToWorker } from "./protocol.ts";
import { Share } from "./share.ts";

parentPort?.once("message", ({ plan, counter, first, definitionFiles }: ToWorker) => {
  const indices = claims(counter, plan.files.length, first);
  const answer: FromWorker = { result: new Share(plan).check(definitionFiles, indices) };
  parentPort?.postMessage(answer);
});
