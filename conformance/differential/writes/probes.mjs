/**
 * Typical mistakes in objects of built-in kinds: each is one object of its kind with one thing changed, created, or put in the
 * place of the right one. `undefined` removes a member.
 */
import { coreProbes } from "./probes-core.mjs";
import { groupProbes } from "./probes-groups.mjs";

export const probes = [...coreProbes, ...groupProbes];

/** One case for each mistake. */
export function casesOf({ path, object, mistakes, changes, held }) {
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
