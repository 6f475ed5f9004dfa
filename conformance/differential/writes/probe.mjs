/**
 * Typical mistakes in built-in objects, sent to a real API server and to ours.
 *
 *     node conformance/differential/writes/probe.mjs --reference URL --server URL --token T [--only TEXT] [--record FILE]
 */
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { probes } from "./probes.mjs";

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
const cases = probes.flatMap(casesOf).filter(({ name }) => name.includes(values.only));
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
    if (isDeepStrictEqual(wanted, got)) continue;
    const [left, right] = [wanted[0], got[0]];
    const isVerdict = left.code !== right.code;
    counts[isVerdict ? "verdict" : "text"]++;
    console.log(`${isVerdict ? "VERDICT" : "text"} ${each.name}\n  wanted ${brief(left)}\n     got ${brief(right)}`);
  }
}

/** Objects under changed names stay behind on the real server, so names differ from run to run. */
function nameOf(index) {
  return `p${started}x${index}x`;
}

function brief(answer) {
  return `${answer.code} ${(answer.message ?? JSON.stringify(answer.object)).slice(0, 420)} ${answer.warnings}`;
}

function casesOf({ path, object, mistakes, changes, held }) {
  const kind = object.kind;
  const get = { method: "GET", path: `${path}/{{n}}` };
  const put = (base, changed, label) => ({
    name: `${kind}: ${label}`,
    setup: [{ method: "POST", path, body: base }],
    steps: [{ method: "PUT", path: `${path}/{{n}}`, raw: JSON.stringify(withVersion(changed)) }, get],
  });
  const create = (body, label) => ({
    name: `${kind}: ${label}`,
    setup: [],
    steps: [{ method: "POST", path, body }, get],
  });
  const frozen = { ...object, immutable: true };
  return [
    ...each(mistakes).map(([at, value]) => create(changed(object, at, value), `create ${at} ${show(value)}`)),
    ...each(changes).map(([at, value]) => put(object, changed(object, at, value), `update ${at} ${show(value)}`)),
    ...each(held?.changes ?? {}).map(([at, value]) =>
      put(frozen, changed(frozen, at, value), `immutable ${at} ${show(value)}`),
    ),
  ];
}

function each(mistakes) {
  return Object.entries(mistakes).flatMap(([at, list]) => list.map((value) => [at, value]));
}

function withVersion(object) {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "{{rv}}" } };
}

function changed(object, at, value) {
  const copy = structuredClone(object);
  const parts = at.split(".");
  const last = parts.pop();
  const target = parts.reduce((inner, part) => (inner[part] ??= {}), copy);
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

function show(value) {
  return (JSON.stringify(value) ?? "absent").slice(0, 90);
}
