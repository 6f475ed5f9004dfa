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
  // A rule's next measurement starts with the batch that was long enough, which halves the time.
  const batches = prepared.map(() => 1);
  for await (const line of lines) {
    const { rule, millis } = JSON.parse(line);
    const { ns, batch } = measureFrom(prepared[rule].run, millis * 1000, batches[rule]);
    batches[rule] = batch;
    reply({ ns });
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
  return measureFrom(run, enoughMicros, 1).ns;
}

function measureFrom(run, enoughMicros, firstBatch) {
  for (let batch = firstBatch; ; batch *= 2) {
    const start = process.cpuUsage();
    for (let i = 0; i < batch; i++) run();
    const { user, system } = process.cpuUsage(start);
    if (user + system >= enoughMicros) return { ns: ((user + system) * 1000) / batch, batch };
  }
}

export function reply(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
