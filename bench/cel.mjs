/**
 * Evaluation speed of CEL rules: ours compared with cel-go and the other JavaScript engines.
 *
 * All contestants run in the same session in short alternating batches, and the minimum of several repeats counts,
 * because that is reproducible on a shared machine. Only ratios are comparable across machines. cel-go runs with
 * GOGC=2000, which imitates an API server's large heap and favours it. `--kube-version 1.36` measures the environment and
 * the cel-go of that version.
 */
import { parseArgs } from "node:util";
import { data, rules } from "./cel-rules.mjs";
import { buildGo, formatTime, inScratch, ownContestant, start } from "./duel.mjs";

const OPTIONS = { quick: { type: "boolean" }, "kube-version": { type: "string", default: "1.37" } };

/** Columns that track cost, which must agree. */
const COUNTED = new Set(["ours", "ours crd", "go vap", "go crd"]);

/** The modules of the versions that can be measured: cel-go 0.29, and 0.26. */
const MODULES = { 1.37: "versions/1.37.mod", 1.36: "go.mod" };

export async function main(options) {
  const { quick, "kube-version": version } = parseArgs({ args: options, options: OPTIONS }).values;
  if (MODULES[version] === undefined)
    throw new Error(`versions that can be measured: ${Object.keys(MODULES).join(", ")}`);
  await inScratch(async (scratch) => {
    const columns = await openAll(scratch, version);
    const best = await measureAll(columns, { repeats: quick ? 2 : 4, millis: quick ? 40 : 80 });
    for (const column of columns) column.close();
    console.log(report(columns, best));
  });
}

async function openAll(scratch, version) {
  const commands = [
    ["ours", ...ownContestant("ours", [], [version])],
    ["ours crd", ...ownContestant("ours-crd", [], [version])],
    ["marcbachmann", ...ownContestant("marcbachmann")],
    ["bufbuild", ...ownContestant("bufbuild")],
  ];
  const go = buildGo(scratch, "bench", MODULES[version]);
  if (go === undefined) console.log("without a Go compiler the cel-go columns are absent");
  else for (const kind of ["bare", "vap", "crd"]) commands.push([`go ${kind}`, go, [kind, version]]);
  return Promise.all(commands.map(([name, command, args]) => open(name, command, args)));
}

/** A contestant that cannot start is a column without figures; the reason is printed. */
async function open(name, command, args) {
  const { ask, close } = start(command, args);
  const missing = rules.map(() => ({ ok: false, error: undefined }));
  const states = await ask({ rules: rules.map(([, rule]) => rule), data }).catch(() => missing);
  return { name, states, ask, close };
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

/** Engines with different results are not doing the same work. */
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
