/**
 * Typical mistakes in objects of built-in kinds: each is one object of its kind with one thing changed, created, or put in the
 * place of the right one. `undefined` removes a member.
 */
import { clusterProbes } from "./probes-cluster.mjs";
import { coreProbes } from "./probes-core.mjs";
import { groupProbes } from "./probes-groups.mjs";
import { leastProbes } from "./probes-least.mjs";
import { networkProbes } from "./probes-network.mjs";
import { statusProbes } from "./probes-statuses.mjs";
import { storageProbes } from "./probes-storage.mjs";
import { workloadProbes } from "./probes-workloads.mjs";

export const probes = [
  ...coreProbes,
  ...workloadProbes,
  ...groupProbes,
  ...storageProbes,
  ...clusterProbes,
  ...networkProbes,
  ...statusProbes,
  ...leastProbes,
];

/** One case for each mistake. */
export function casesOf({ path, object, mistakes = {}, changes = {}, statuses = {}, held }) {
  const kind = object.kind;
  const get = { method: "GET", path: `${path}/{{n}}` };
  const put = (base, changed, label) => ({
    name: `${kind}: ${label}`,
    setup: [{ method: "POST", path, body: base }],
    steps: [{ method: "PUT", path: `${path}/{{n}}`, raw: JSON.stringify(withVersion(changed)) }, get],
  });
  const putStatus = (changed, label) => ({
    name: `${kind}: ${label}`,
    setup: [{ method: "POST", path, body: object }],
    steps: [{ method: "PUT", path: `${path}/{{n}}/status`, raw: JSON.stringify(withVersion(changed)) }, get],
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
    ...each(statuses).map(([at, value]) => putStatus(changed(object, at, value), `status ${at} ${show(value)}`)),
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
