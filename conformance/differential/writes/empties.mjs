/**
 * Sends objects of built-in kinds with empty lists and maps to a real API server and to ours: alone, in place of a list
 * that has items, by a patch, and everywhere in an object that also has a mistake.
 *
 *     node conformance/differential/writes/empties.mjs --reference URL --server URL --token T [--only TEXT]
 *
 * Which fields are lists and maps is read from the OpenAPI documents of the real server.
 */
import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { emptyPlaces, withEmpties } from "./empty-places.mjs";
import { allCases } from "./probes.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    only: { type: "string", default: "" },
  },
});
const reference = new Client(values.reference, values.token, "none");
const ours = new Client(values.server, values.token, "none");
const schemas = new Map();
const cases = [];
for (const each of allCases().filter(isAlone)) cases.push(...(await casesFrom(each)));
const wanted = unique(cases).filter(({ name }) => name.includes(values.only));
const started = Date.now().toString(36);
let [next, differing] = [0, 0];
await Promise.all(Array.from({ length: 4 }, work));
console.log(`${wanted.length} objects with empty lists and maps: ${differing} answered differently`);
process.exitCode = differing === 0 ? 0 : 1;

/** Neither written by controllers too, nor of a kind whose names are numbers that several cases share. */
function isAlone({ isShared, setup, steps }) {
  return (
    isShared !== true && JSON.stringify([setup, steps]).includes("{{n}}") && !steps[0].path.includes("ipaddresses")
  );
}

/** The probe with empties everywhere; and its valid object, with one of them at a time. */
async function casesFrom({ name, setup, steps }) {
  const { path } = setup[0] ?? steps[0];
  const base = setup[0]?.body;
  const schema = await schemaOf(path, base?.kind ?? steps[0].body?.kind);
  if (schema === undefined) return [];
  const [first, ...others] = steps;
  const body = first.body ?? JSON.parse(first.raw);
  const full = { ...first, body: withEmpties(body, schema), raw: undefined };
  const everywhere = { name: `${name}, with empties`, setup, steps: [full, ...others] };
  if (base === undefined) return [everywhere];
  return [everywhere, ...emptyPlaces(base, schema).flatMap((place) => single(place, { name, base, path, steps }))];
}

function single({ at, make, isPresent }, { base, path, steps }) {
  const own = steps.at(-1).path;
  const get = { method: "GET", path: own };
  const emptied = make(base);
  const versioned = { ...emptied, metadata: { ...emptied.metadata, resourceVersion: "{{rv}}" } };
  const label = `${base.kind}: ${at} ${isPresent ? "emptied" : "empty"}`;
  return [
    { name: `${label}, created`, setup: [], steps: [{ method: "POST", path, body: emptied }, get] },
    {
      name: `${label}, updated`,
      setup: [{ method: "POST", path, body: base }],
      steps: [{ method: "PUT", path: own, body: versioned }, get],
    },
    ...patches({ at, base, path, own, emptied, label, get }),
  ];
}

function patches({ at, base, path, own, emptied, label, get }) {
  const parts = at.split(".");
  const value = parts.reduce((inner, part) => inner[part], emptied);
  const operation = { op: "add", path: `/${parts.map((part) => part.replaceAll("/", "~1")).join("/")}`, value };
  const merge = parts.reduceRight((inner, part) => ({ [part]: inner }), value);
  const create = { method: "POST", path, body: base };
  const patch = (type, body, query) => ({
    method: "PATCH",
    path: own,
    contentType: `application/${type}`,
    body,
    query,
  });
  const way = (name, first, second) => ({ name: `${label}, ${name}`, setup: [first], steps: [second, get] });
  const applied = (body) => patch("apply-patch+yaml", body, { fieldManager: "m", force: "true" });
  return [
    way("JSON patch", create, patch("json-patch+json", [operation])),
    ...(/\.\d+(\.|$)/.test(at)
      ? []
      : [
          way("merge patch", create, patch("merge-patch+json", merge)),
          way("strategic patch", create, patch("strategic-merge-patch+json", merge)),
        ]),
    way("applied", applied(base), applied(emptied)),
  ];
}

function unique(all) {
  const seen = new Set();
  return all.filter(({ setup, steps }) => {
    const key = JSON.stringify([setup, steps]);
    return !seen.has(key) && seen.add(key);
  });
}

/** That of a kind whose objects are created at a path; references are resolved while walking. */
async function schemaOf(path, kind) {
  const [, root, group, version] = /^\/(apis?)\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  const document = root === "api" ? `api/${group}` : `apis/${group}/${version}`;
  if (!schemas.has(document)) {
    const response = await reference.read(`/openapi/v3/${document}`);
    schemas.set(document, JSON.parse(response).components.schemas);
  }
  const components = schemas.get(document);
  const found = Object.values(components).find((schema) =>
    schema["x-kubernetes-group-version-kind"]?.some((each) => each.kind === kind),
  );
  return found && { schema: found, components };
}

async function work() {
  for (let index = next++; index < wanted.length; index = next++) {
    const each = wanted[index];
    const name = `e${started}x${index}x`;
    const [right, got] = [await reference.run(each, name), await ours.run(each, name)];
    if (right.some(({ code }) => code === 0) || areAlikeInAnyOrder(right, got)) continue;
    differing++;
    showDifference(index, each, right, got);
  }
}
