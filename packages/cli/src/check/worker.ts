/** A thread with a part of the files: loads what it can get, says where definitions are, checks when told all of them. */
import { parentPort, workerData } from "node:worker_threads";
import type { WorkerData } from "./parallel.ts";
import { claims, type FromWorker, type ToWorker } from "./protocol.ts";
import { Share } from "./share.ts";

const { plan, counter, first } = workerData as WorkerData;
const share = new Share(plan);
for (const index of claims(counter, plan.files.length, first)) share.load(index);
send({ kind: "loaded", definitionFiles: share.definitionFiles() });
parentPort?.once("message", ({ definitionFiles }: ToWorker) => {
  send({ kind: "checked", result: share.check(definitionFiles) });
});

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}
