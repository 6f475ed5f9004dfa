/** Random edits of one request: of its body, its text, its query or its media type. */

const ODD_VALUES = [
  null,
  "",
  "a",
  "A b",
  "1",
  "1h",
  "*",
  "metadata.name",
  "x".repeat(300),
  "\u00e9\ud83d\ude00",
  0,
  -1,
  1.5,
  2147483648,
  true,
  false,
  [],
  {},
  [null],
  { a: 1 },
];
const ODD_TEXTS = ['"', ",", "{", "}", "[", "null", " ", ": ", "\n", "- ", "#", "&a ", "*a", "e5", "\\u0000", "<<: "];
const MEDIA_TYPES = [
  "application/json",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const QUERIES = [
  ["fieldValidation", ["Strict", "Warn", "Ignore", "x", ""]],
  ["dryRun", ["All", "x"]],
  ["fieldManager", ["m", "x".repeat(129), "\u00e9"]],
  ["force", ["true", "false", "x"]],
  ["propagationPolicy", ["Orphan", "x"]],
  ["resourceVersion", ["0", "x"]],
];
/** Changing these mostly leads to the same refusals. */
const IDENTITY = new Set(["apiVersion", "kind", "metadata.name"]);
const MAX_POOL = 400;
const MAX_VALUE_LENGTH = 3000;

/** The values in the bodies of all requests, as JSON, by their keys. */
export function collectValues(steps) {
  const pool = new Map();
  for (const { body } of steps)
    for (const place of placesIn(body)) {
      const key = place.at(-1);
      const text = JSON.stringify(valueAt(body, place));
      if (isIndex(key) || text.length > MAX_VALUE_LENGTH) continue;
      const known = pool.get(key) ?? [];
      if (known.length < MAX_POOL) pool.set(key, [...known, text]);
    }
  return pool;
}

export function editStep(step, pool, random) {
  const choice = random.below(10);
  if (choice === 0) editQuery(step, random);
  else if (choice === 1 && step.method === "PATCH") step.contentType = random.pick(MEDIA_TYPES);
  else if (typeof step.raw === "string") step.raw = editText(step.raw, random);
  else editBody(step.body, pool, random);
}

function editQuery(step, random) {
  const [name, values] = random.pick(QUERIES);
  step.query = { ...step.query, [name]: random.pick(values) };
}

function editText(text, random) {
  const at = random.below(text.length + 1);
  const removed = random.below(4);
  const inserted = removed === 0 || random.bool(0.3) ? random.pick(ODD_TEXTS) : "";
  return text.slice(0, at) + inserted + text.slice(at + removed);
}

function editBody(body, pool, random) {
  const places = placesIn(body).filter((place) => !IDENTITY.has(place.join(".")) || random.bool(0.1));
  if (places.length === 0) return;
  const place = random.pick(places);
  const parent = valueAt(body, place.slice(0, -1));
  const key = place.at(-1);
  const edit = random.pick(EDITS);
  edit({ body, places, place, parent, key, pool, random });
}

/** What is more likely to get past the decoder is listed several times. */
const EDITS = [remove, replaceOddly, replaceAlike, replaceAlike, replaceAlike, copyFrom, rename, add, swap];

function remove({ parent, key }) {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function replaceOddly({ parent, key, random }) {
  parent[key] = structuredClone(random.pick(ODD_VALUES));
}

/** By a value that another request has under the same key; an item by an item of such a list. */
function replaceAlike({ parent, key, place, pool, random }) {
  const name = place.findLast((part) => !isIndex(part));
  const known = pool.get(name);
  if (known === undefined) return;
  const value = JSON.parse(random.pick(known));
  const isItem = Array.isArray(parent);
  parent[key] = isItem && Array.isArray(value) ? (random.pick([...value, null]) ?? null) : value;
}

function copyFrom({ body, places, parent, key, random }) {
  const value = structuredClone(valueAt(body, random.pick(places)));
  if (Array.isArray(parent)) parent.push(value);
  else parent[key] = value;
}

function rename({ parent, key, random }) {
  if (Array.isArray(parent)) return parent.reverse();
  const value = parent[key];
  delete parent[key];
  parent[random.pick([`${key}x`, key.slice(1), key.charAt(0).toUpperCase() + key.slice(1)])] = value;
}

function add({ parent, key, pool, random }) {
  const name = random.pick([...pool.keys()]);
  if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(random.pick(ODD_VALUES)));
  else parent[name] = JSON.parse(random.pick(pool.get(name)));
}

function swap({ parent, key, random }) {
  const other = random.pick(Object.keys(parent));
  [parent[key], parent[other]] = [parent[other], parent[key]];
}

function placesIn(value, place = []) {
  if (value === null || typeof value !== "object") return place.length === 0 ? [] : [place];
  const inner = Object.keys(value).flatMap((key) => placesIn(value[key], [...place, key]));
  return place.length === 0 ? inner : [place, ...inner];
}

function valueAt(body, place) {
  return place.reduce((value, key) => value[key], body);
}

function isIndex(key) {
  return /^\d+$/.test(key);
}
