/**
 * Evaluation speed of CEL rules: ours beside cel-go and the other JavaScript engines.
 *
 * All contestants run in the same session, one short batch after the other, and the minimum of several
 * repeats counts: on a shared machine that is what repeats. Only ratios are meant to travel. cel-go runs with
 * GOGC=2000, which imitates an API server's large heap and favours it.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { data, rules } from "./cel-rules.mjs";

/** Columns that track cost, which must agree. */
const COUNTED = new Set(["ours", "ours crd", "go vap", "go crd"]);

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const oracle = path.join(here, "..", "conformance", "oracle");

export async function main(options) {
  const quick = options.includes("--quick");
  const scratch = mkdtempSync(path.join(tmpdir(), "bench-"));
  try {
    const columns = await openAll(scratch);
    const best = await measureAll(columns, { repeats: quick ? 2 : 5, millis: quick ? 40 : 100 });
    for (const column of columns) column.close();
    console.log(report(columns, best));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function openAll(scratch) {
  const node = (name) => [process.execPath, [path.join(here, "contestants", `${name}.mjs`)]];
  const commands = [
    ["ours", ...node("ours")],
    ["ours crd", ...node("ours-crd")],
    ["marcbachmann", ...node("marcbachmann")],
    ["bufbuild", ...node("bufbuild")],
  ];
  const go = buildGo(scratch);
  if (go === undefined) console.log("without a Go compiler the cel-go columns are absent");
  else for (const kind of ["bare", "vap", "crd"]) commands.push([`go ${kind}`, go, [kind]]);
  return Promise.all(commands.map(([name, command, args]) => open(name, command, args)));
}

function buildGo(scratch) {
  const binary = path.join(scratch, "bench-go");
  const built = spawnSync("go", ["build", "-o", binary, "./bench"], { cwd: oracle, stdio: ["ignore", 2, "inherit"] });
  return built.status === 0 ? binary : undefined;
}

/** A contestant that cannot start is a column without figures, and says why. */
async function open(name, command, args) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, GOGC: "2000" } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} stopped`);
    return JSON.parse(value);
  };
  child.stdin.on("error", () => {});
  const missing = rules.map(() => ({ ok: false, error: undefined }));
  const states = await ask({ rules: rules.map(([, rule]) => rule), data }).catch(() => missing);
  return { name, states, ask, close: () => child.stdin.end() };
}

async function measureAll(columns, { repeats, millis }) {
  const best = columns.map(() => rules.map(() => Number.POSITIVE_INFINITY));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const rule of rules.keys()) {
      for (const [index, column] of columns.entries()) {
        if (!column.states[rule].ok) continue;
        const { ns } = await column.ask({ rule, millis });
        best[index][rule] = Math.min(best[index][rule], ns);
      }
    }
  }
  return best;
}

function report(columns, best) {
  const ours = columns.findIndex((column) => column.name === "ours");
  const header = ["rule", "cost", ...columns.map((column) => column.name)];
  const rows = rules.map(([title], rule) => [
    title,
    String(columns[ours].states[rule].cost ?? "-"),
    ...columns.map((_, index) => cell(best[index][rule], best[ours][rule])),
  ]);
  const means = ["geometric mean, ours ahead by", "", ...columns.map((_, index) => meanRatio(best[index], best[ours]))];
  const table = formatTable([header, ...rows, means]);
  return [
    "CPU time per evaluation; in brackets how many times as long as ours",
    table,
    ...disagreements(columns),
    ...failures(columns),
  ].join("\n");
}

function cell(ns, own) {
  if (!Number.isFinite(ns)) return "-";
  return Number.isFinite(own) ? `${formatTime(ns)} (${(ns / own).toFixed(2)})` : formatTime(ns);
}

function formatTime(ns) {
  if (ns < 1e3) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1e3).toFixed(2)} us` : `${(ns / 1e6).toFixed(2)} ms`;
}

function meanRatio(theirs, ours) {
  const ratios = theirs.map((ns, rule) => ns / ours[rule]).filter((ratio) => Number.isFinite(ratio) && ratio > 0);
  if (ratios.length === 0) return "-";
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return `${mean.toFixed(2)}${ratios.length < rules.length ? ` (${ratios.length} rules)` : ""}`;
}

function formatTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join("  ");
  return rows.map(line).join("\n");
}

/** Engines that answer differently are not doing the same work. */
function disagreements(columns) {
  const counted = columns.filter((column) => COUNTED.has(column.name));
  return rules.flatMap(([title], rule) => {
    const values = new Set(columns.filter(({ states }) => states[rule].ok).map(({ states }) => states[rule].value));
    const costs = new Set(counted.filter(({ states }) => states[rule].ok).map(({ states }) => states[rule].cost));
    const notes = [];
    if (values.size > 1) notes.push(`different answers: ${title}`);
    if (costs.size > 1) notes.push(`different costs: ${title}: ${[...costs].join(", ")}`);
    return notes;
  });
}

function failures(columns) {
  return columns.flatMap(({ name, states }) => {
    if (states.every(({ ok, error }) => !ok && error === undefined)) return [`${name} did not start`];
    return states.flatMap(({ ok, error }, rule) => (ok ? [] : [`${name} cannot run \`${rules[rule][0]}\`: ${error}`]));
  });
}
