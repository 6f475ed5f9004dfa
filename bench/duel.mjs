/** Contestants in separate processes, measured alternately: shared code of the benchmarks against Go. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const oracle = path.join(here, "..", "conformance", "oracle");

/** The command of a contestant of ours. */
export function ownContestant(name, flags = [], args = []) {
  return [process.execPath, [...flags, path.join(here, "contestants", `${name}.mjs`), ...args]];
}

/** Runs work with a temporary folder. */
export async function inScratch(work) {
  const scratch = mkdtempSync(path.join(tmpdir(), "bench-"));
  try {
    await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * The Go contestant, a folder of `conformance/oracle`; undefined if there is no Go to build it. `modules` is a file that
 * replaces go.mod there.
 */
export function buildGo(scratch, folder, modules = "go.mod") {
  const binary = path.join(scratch, `${folder}-go`);
  const options = { cwd: oracle, stdio: ["ignore", 2, "inherit"] };
  const args = ["build", `-modfile=${modules}`, "-o", binary, `./${folder}`];
  return spawnSync("go", args, options).status === 0 ? binary : undefined;
}

/** Starts a contestant and sends the first input; `first` is its output. */
export async function open(command, args, question) {
  const { ask, close } = start(command, args);
  return { ask, first: await ask(question), close };
}

/** A contestant that replies to each line with a line. Go has a large heap, as in an API server. */
export function start(command, args) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, GOGC: "2000" } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command} stopped`);
    return JSON.parse(value);
  };
  const ended = new Promise((resolve) => child.once("close", resolve));
  const close = () => {
    child.stdin.end();
    return ended;
  };
  // A contestant that cannot start has no output; that is reported when it is requested.
  child.stdin.on("error", () => {});
  return { ask, close };
}

/** JIT compilers need time. */
export async function warmUp(contestants, phases, millis) {
  for (const phase of phases) for (const { ask } of contestants) await ask({ phase, millis });
}

/** The best time of each phase for each contestant: they alternate, so that they see the same noise. */
export async function measureAll(contestants, phases, repeats, millis) {
  const best = contestants.map(() => new Map(phases.map((phase) => [phase, Number.POSITIVE_INFINITY])));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const phase of phases) {
      for (const [index, contestant] of contestants.entries()) {
        const { ns } = await contestant.ask({ phase, millis });
        best[index].set(phase, Math.min(best[index].get(phase), ns));
      }
    }
  }
  return best;
}

export function row(phase, own, other) {
  const ratio = other === undefined ? "" : `${formatTime(other).padStart(12)}  ${(other / own).toFixed(1).padStart(7)}`;
  return `${phase.padEnd(16)}${formatTime(own).padStart(12)}${ratio}`;
}

export function formatTime(ns) {
  if (ns < 10) return `${ns.toFixed(2)} ns`;
  if (ns < 1e3) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1e3).toFixed(2)} us` : `${(ns / 1e6).toFixed(2)} ms`;
}
