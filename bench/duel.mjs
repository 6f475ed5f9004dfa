/** Contestants in processes of their own, measured in turns: what the benchmarks of the engine share. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts a contestant and puts the question to it; `first` is its answer. Go has a large heap, as in an API server. */
export async function open(command, args, question) {
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
  return { ask, first: await ask(question), close };
}

/** Compilers take their time. */
export async function warmUp(contestants, phases, millis) {
  for (const phase of phases) for (const { ask } of contestants) await ask({ phase, millis });
}

/** The best time of each phase, for each contestant: they take turns, so that they meet the same noise. */
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
