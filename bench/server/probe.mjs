/**
 * Measures how long a small GET takes while something else happens, from a thread of its own: what the benchmark itself
 * does must not count. Also runs as that thread.
 *
 * Where Linux counts it, also how much processor time the server used during a GET: on one core that nothing else uses,
 * the GET takes that long. On a busy machine the delay counts what others do. Of ours, the thread that answers is counted
 * by itself, too: it has a higher priority than the others.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { connect } from "./client.mjs";

const EVERY_MS = 10;
const TARGET = "/api/v1/namespaces/default";

/**
 * Runs the work; returns its result, its milliseconds, and of the small GETs meanwhile the longest delay and the most
 * milliseconds of processor time that the server, and its first thread, used during one; and the most memory, in
 * megabytes.
 */
export async function probed({ port, token, pid }, work) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, token, pid } });
  const next = () => new Promise((resolve) => worker.once("message", resolve));
  await next();
  const start = performance.now();
  try {
    const result = await work();
    const millis = performance.now() - start;
    worker.postMessage("stop");
    return { result, millis, ...(await next()) };
  } finally {
    await worker.terminate();
  }
}

async function run({ port, token, pid }) {
  const client = connect(port, token);
  for (let i = 0; i < 20; i++) await client.send("GET", TARGET);
  let isOver = false;
  parentPort.once("message", () => {
    isOver = true;
  });
  parentPort.postMessage("ready");
  let [delay, busy, main, memory] = [0, 0, 0, 0];
  while (!isOver) {
    const [start, used, mainUsed] = [performance.now(), processorMillis(pid), threadMillis(pid, pid)];
    await client.send("GET", TARGET);
    delay = Math.max(delay, performance.now() - start);
    main = Math.max(main, threadMillis(pid, pid) - mainUsed);
    busy = Math.max(busy, processorMillis(pid) - used);
    memory = Math.max(memory, residentMegabytes(pid));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  parentPort.postMessage({ delay, busy, main, memory });
  client.close();
}

const NANOS_PER_MILLI = 1e6;

/** Of all threads of the process; NaN where it is not counted. */
function processorMillis(pid) {
  if (process.platform !== "linux") return Number.NaN;
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMillis(pid, thread), 0);
}

function threadMillis(pid, thread) {
  if (process.platform !== "linux") return Number.NaN;
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]) / NANOS_PER_MILLI;
  } catch {
    // It has ended.
    return 0;
  }
}

const PAGE = 4096;

/** NaN where it is not counted. */
function residentMegabytes(pid) {
  if (process.platform !== "linux") return Number.NaN;
  return (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE) / 1e6;
}

if (!isMainThread && workerData?.port !== undefined) await run(workerData);
