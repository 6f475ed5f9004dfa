/** A worker thread of `portcullis test`. */
import { parentPort } from "node:worker_threads";
import { runClaimed, type ToSuiteWorker } from "./suite-pool.ts";

parentPort?.once("message", async ({ plan, counter }: ToSuiteWorker) => {
  parentPort?.postMessage(await runClaimed(plan, counter));
});
