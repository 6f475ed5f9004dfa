/**
 * Sends typical mistakes in built-in objects to a real API server and to ours.
 *
 *     node conformance/differential/writes/probe.mjs --reference URL --server URL --token T [--only TEXT] [--record FILE]
 */
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { allCases, areAlike } from "./probes.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    only: { type: "string", default: "" },
    record: { type: "string" },
  },
});
const reference = new Client(values.reference, values.token, "none");
const ours = new Client(values.server, values.token, "none");
const cases = allCases().filter(({ name }) => name.includes(values.only));
const started = Date.now().toString(36);
const counts = { verdict: 0, text: 0 };
const recorded = [];
let next = 0;
await Promise.all(Array.from({ length: 4 }, work));
console.log(`${cases.length} probes: ${counts.verdict} other verdicts, ${counts.text} other texts`);
if (values.record !== undefined) {
  const vectors = recorded.sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(values.record, `${JSON.stringify({ suite: "builtin-validation", vectors }, null, 1)}\n`);
}

async function work() {
  for (let index = next++; index < cases.length; index = next++) {
    const each = cases[index];
    const [wanted, got] = [await reference.run(each, nameOf(index)), await ours.run(each, nameOf(index))];
    if (wanted.some(({ code }) => code === 0)) continue;
    recorded.push({ ...each, expect: wanted });
    if (areAlike(each, wanted, got)) continue;
    const isVerdict = wanted[0].code !== got[0].code;
    counts[isVerdict ? "verdict" : "text"]++;
    console.log(`${isVerdict ? "VERDICT" : "text"} ${each.name}\n${differenceOf(wanted, got)}`);
  }
}

/** Objects with changed names remain on the real server, so names differ from run to run. */
function nameOf(index) {
  return `p${started}x${index}x`;
}

/** Both responses from shortly before the first difference. */
function differenceOf(wanted, got) {
  const at = wanted.findIndex((answer, index) => !isDeepStrictEqual(answer, got[index]));
  const [left, right] = [textOf(wanted[at]), textOf(got[at])];
  let start = 0;
  while (left[start] === right[start] && start < left.length) start++;
  const cut = (text) => text.slice(Math.max(0, start - 100), start + 300);
  const step = at === 0 ? "" : `  step ${at}, code ${wanted[at].code} and ${got[at]?.code}\n`;
  return `${step}  wanted ${wanted[at].code} ${cut(left)}\n     got ${got[at]?.code} ${cut(right)}`;
}

function textOf(answer) {
  return `${answer?.message ?? JSON.stringify(answer?.object)} ${JSON.stringify(answer?.warnings)} ${JSON.stringify(answer?.causes)}`;
}
