/**
 * The protocol between a contestant and the benchmark: lines of JSON.
 *
 * The first input is `{rules, data}`; the output has, per rule, `{ok, value, cost}` or `{ok: false, error}`. Each
 * further `{rule, millis}` returns `{ns}`: CPU time of this process, all threads, per evaluation. Each contestant is a
 * separate process, so that none warms up, deoptimises or collects garbage for another.
 */
import { createInterface } from "node:readline";

/** `prepare(data)` returns a function from rule text to a function that evaluates once: `() => ({ value, cost? })`. */
export async function contend(prepare) {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const { rules, data } = JSON.parse((await lines.next()).value);
  const compile = await prepare(data);
  const prepared = rules.map((rule) => attempt(compile, rule));
  reply(prepared.map(({ run: _, ...state }) => state));
  for await (const line of lines) {
    const { rule, millis } = JSON.parse(line);
    reply({ ns: measure(prepared[rule].run, millis * 1000) });
  }
}

function attempt(compile, rule) {
  try {
    const run = compile(rule);
    const { value, cost } = run();
    if (typeof value !== "boolean") throw new Error(`answered ${String(value)}`);
    return { ok: true, value, cost, run };
  } catch (error) {
    return { ok: false, error: String(error?.message ?? error) };
  }
}

/** Doubles the batch until it is long enough for the clock. */
export function measure(run, enoughMicros) {
  for (let batch = 1; ; batch *= 2) {
    const start = process.cpuUsage();
    for (let i = 0; i < batch; i++) run();
    const { user, system } = process.cpuUsage(start);
    if (user + system >= enoughMicros) return ((user + system) * 1000) / batch;
  }
}

export function reply(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
