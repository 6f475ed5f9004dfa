/**
 * Typical mistakes in objects of built-in kinds: each case is an object of its kind with one change, created or put in
 * place of the valid one. `undefined` removes a member.
 */
import { isDeepStrictEqual } from "node:util";
import { clusterProbes } from "./probes-cluster.mjs";
import { coreProbes } from "./probes-core.mjs";
import { deviceProbes } from "./probes-devices.mjs";
import { flowProbes } from "./probes-flow.mjs";
import { foundProbes } from "./probes-found.mjs";
import { groupProbes } from "./probes-groups.mjs";
import { leastProbes } from "./probes-least.mjs";
import { networkProbes } from "./probes-network.mjs";
import { statusProbes } from "./probes-statuses.mjs";
import { storageProbes } from "./probes-storage.mjs";
import { workloadProbes } from "./probes-workloads.mjs";

const probes = [
  ...coreProbes,
  ...workloadProbes,
  ...groupProbes,
  ...storageProbes,
  ...clusterProbes,
  ...networkProbes,
  ...statusProbes,
  ...leastProbes,
  ...flowProbes,
  ...deviceProbes,
  ...foundProbes,
];

/** All cases under unique names: the same case is sent once, and truncated names are numbered. */
export function allCases() {
  const seen = new Set();
  const counts = new Map();
  return probes.flatMap(casesOf).flatMap((each) => {
    const question = JSON.stringify([each.name, each.setup, each.steps[0]]);
    if (seen.has(question)) return [];
    seen.add(question);
    const count = (counts.get(each.name) ?? 0) + 1;
    counts.set(each.name, count);
    return [count === 1 ? each : { ...each, name: `${each.name} (${count})` }];
  });
}

/**
 * One case per mistake. Kinds whose names are not free to choose have a function that makes them from the number of the
 * case. Objects that a controller also writes are updated without a version, and only the status code of an accepted
 * update is compared.
 */
function casesOf(probe) {
  const {
    path,
    object,
    mistakes = {},
    changes = {},
    statuses = {},
    held,
    name = () => "{{n}}",
    isShared = false,
  } = probe;
  const kind = object.kind;
  let count = 0;
  const begin = (base = object) => {
    const called = name(count++);
    const right = { ...base, metadata: { name: called, ...base.metadata } };
    return { right, own: `${path}/${called}`, get: { method: "GET", path: `${path}/${called}` } };
  };
  const create = ([at, value]) => {
    const { right, get } = begin();
    const body = changed(right, at, value);
    const steps = [{ method: "POST", path, body }, get];
    return { name: `${kind}: create ${at} ${show(value)}`, setup: [], steps, isShared };
  };
  const put = ([at, value], label, subresource = "", base = object) => {
    const { right, own, get } = begin(base);
    const sent = changed(right, at, value);
    const raw = JSON.stringify(isShared ? sent : withVersion(sent));
    return {
      name: `${kind}: ${label} ${at} ${show(value)}`,
      setup: [{ method: "POST", path, body: right }],
      steps: [{ method: "PUT", path: `${own}${subresource}`, raw }, get],
      isShared,
    };
  };
  return [
    ...each(mistakes).map(create),
    ...each(changes).map((change) => put(change, "update")),
    ...each(statuses).map((change) => put(change, "status", "/status")),
    ...each(held?.changes ?? {}).map((change) => put(change, "immutable", "", { ...object, immutable: true })),
  ];
}

/** Whether two servers gave the same response to a case. */
export function areAlike({ isShared }, wanted, got) {
  if (!isShared) return isDeepStrictEqual(wanted, got);
  const [first] = wanted;
  return first.code < 300 ? got[0].code === first.code : isDeepStrictEqual(first, got[0]);
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
