/**
 * Measures how long a small GET takes while something else happens, from a thread of its own: what the benchmark itself
 * does must not count. Also runs as that thread.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { connect } from "./client.mjs";

const EVERY_MS = 10;
const TARGET = "/api/v1/namespaces/default";

/** Runs the work; returns its result, its milliseconds, and the longest delay of a small GET meanwhile. */
export async function probed(port, token, work) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, token } });
  const next = () => new Promise((resolve) => worker.once("message", resolve));
  await next();
  const start = performance.now();
  try {
    const result = await work();
    const millis = performance.now() - start;
    worker.postMessage("stop");
    return { result, millis, delay: await next() };
  } finally {
    await worker.terminate();
  }
}

async function run({ port, token }) {
  const client = connect(port, token);
  for (let i = 0; i < 20; i++) await client.send("GET", TARGET);
  let isOver = false;
  parentPort.once("message", () => {
    isOver = true;
  });
  parentPort.postMessage("ready");
  let longest = 0;
  while (!isOver) {
    const start = performance.now();
    await client.send("GET", TARGET);
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  parentPort.postMessage(longest);
  client.close();
}

if (!isMainThread && workerData?.port !== undefined) await run(workerData);
