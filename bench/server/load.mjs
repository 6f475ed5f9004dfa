/**
 * Sends many requests and measures them. The client is a small program in Go where there is a compiler, because on two
 * cores what the client takes is missing to the server; otherwise it runs in this process.
 */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inParallel, percentile } from "./workload.mjs";

const execute = promisify(execFile);
const PARALLEL = 32;

/**
 * A function that sends requests, each `[method, path, body]`, to a server: `{ seconds, p50, p99, cpu, answers }`, times
 * in milliseconds; `cpu` is the client's own.
 */
export function loadGenerator(folder) {
  const program = path.join(folder, "load");
  const options = { cwd: fileURLToPath(new URL("load", import.meta.url)), stdio: ["ignore", 2, "inherit"] };
  const isBuilt = spawnSync("go", ["build", "-o", program, "."], options).status === 0;
  if (!isBuilt) console.log("without a Go compiler the client takes much of the processor time");
  return isBuilt
    ? (server, requests, type) => sendByProgram(server, requests, { program, folder, type })
    : sendFromHere;
}

async function sendByProgram({ port, token }, requests, { program, folder, type = "application/json" }) {
  const [input, output] = ["requests", "answers"].map((name) => path.join(folder, name));
  writeFileSync(input, requests.map((request) => `${request.join("\t")}\n`).join(""));
  const target = ["-address", `127.0.0.1:${port}`, "-token", token, "-parallel", `${PARALLEL}`, "-type", type];
  const { stdout } = await execute(program, [...target, "-requests", input, "-answers", output]);
  const answers = () => readFileSync(output, "utf8").trimEnd().split("\n");
  return { ...JSON.parse(stdout), answers };
}

async function sendFromHere({ client }, requests, type) {
  const before = process.cpuUsage();
  const answers = [];
  const { seconds, times } = await inParallel(requests.length, PARALLEL, async (i) => {
    const [method, target, body] = requests[i];
    answers[i] = (await client.must(method, target, body === "" ? undefined : body, type)).toString();
  });
  const { user, system } = process.cpuUsage(before);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { seconds, p50, p99, cpu: (user + system) / 1_000, answers: () => answers };
}
