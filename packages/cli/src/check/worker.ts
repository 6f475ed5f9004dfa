/** A thread beside the first: checks what it can get when it is told where the definitions are. */
import { parentPort } from "node:worker_threads";
import { claims, type FromWorker, type ToWorker } from "./protocol.ts";
import { Share } from "./share.ts";
import { Texts } from "./texts.ts";

parentPort?.once("message", ({ plan, counter, first, definitionFiles }: ToWorker) => {
  const share = new Share(plan, new Texts(plan.files), { definitionFiles });
  for (const index of claims(counter, plan.files.length, first)) share.check(index);
  const answer: FromWorker = { result: share.result() };
  parentPort?.postMessage(answer);
});
