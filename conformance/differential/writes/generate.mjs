/** One write: a live object, and a request for it that may contain a few mistakes. */
import { Doc, docsIn, Literal, toDoc, writeJson, writeYaml } from "./documents.mjs";
import { kinds, scaleOf } from "./kinds.mjs";

const DIRECTIVES = ["Strict", "Strict", "Warn", "Warn", "Ignore", undefined, ""];
const FORMS = [
  "create",
  "create",
  "create-yaml",
  "update",
  "update-yaml",
  "json-patch",
  "json-patch",
  "json-patch",
  "merge-patch",
  "merge-patch",
  "strategic",
  "strategic",
  "apply",
  "apply",
  "apply-yaml",
];

export function generateCase(random) {
  const kind = random.pick(kinds);
  const form = random.pick(FORMS);
  const subresource = form.startsWith("create") ? "" : random.pick(kind.subresources);
  const query = {};
  const directive = random.pick(DIRECTIVES);
  if (directive !== undefined) query.fieldValidation = directive;
  if (random.bool(0.05)) query.dryRun = "All";
  const url = `${kind.path}/{{n}}${subresource === "" ? "" : `/${subresource}`}`;
  const base = subresource === "scale" ? scaleOf(kind) : kind.object;
  const seed = { method: "POST", path: kind.path, body: kind.object };
  const setup =
    form.startsWith("create") || (form.startsWith("apply") && subresource === "" && random.bool(0.3)) ? [] : [seed];
  if (setup.length > 0 && form.startsWith("apply") && random.bool(0.6)) {
    setup[0] = {
      method: "PATCH",
      path: `${kind.path}/{{n}}`,
      contentType: "application/apply-patch+yaml",
      query: { fieldManager: random.pick(["m1", "m2"]) },
      body: kind.object,
    };
  }
  const request = writeRequest({ form, base, url, kind, query }, random);
  return {
    name: `${kind.name}${subresource === "" ? "" : `/${subresource}`} ${form} ${directive ?? "absent"}`,
    setup,
    steps: [
      { ...request, managedFields: true },
      { method: "GET", path: `${kind.path}/{{n}}`, managedFields: true },
    ],
  };
}

function writeRequest({ form, base, url, kind, query }, random) {
  switch (form) {
    case "create":
    case "create-yaml":
    case "update":
    case "update-yaml": {
      const document = spoil(toDoc(structuredClone(base)), random);
      if (form.startsWith("update") && random.bool(0.8)) setResourceVersion(document);
      const isYaml = form.endsWith("yaml");
      return {
        method: form.startsWith("create") ? "POST" : "PUT",
        path: form.startsWith("create") ? kind.path : url,
        query,
        contentType: isYaml ? "application/yaml" : "application/json",
        raw: isYaml ? writeYaml(document).trimStart() : writeJson(document, random),
      };
    }
    case "apply":
    case "apply-yaml": {
      const document = spoil(toDoc(structuredClone(random.bool(0.5) ? base : part(base, random))), random);
      const options = {
        ...query,
        fieldManager: random.pick(["m1", "m2", "m3"]),
        ...(random.bool(0.4) && { force: "true" }),
      };
      return {
        method: "PATCH",
        path: url,
        query: options,
        contentType: "application/apply-patch+yaml",
        raw: form === "apply" ? writeJson(document, random) : writeYaml(document).trimStart(),
      };
    }
    case "json-patch":
      return {
        method: "PATCH",
        path: url,
        query,
        contentType: "application/json-patch+json",
        raw: writeJson(operations(base, random), random),
      };
    case "merge-patch":
      return {
        method: "PATCH",
        path: url,
        query,
        contentType: "application/merge-patch+json",
        raw: writeJson(spoil(partialDoc(base, random), random, true), random),
      };
    default: {
      const document = spoil(partialDoc(base, random), random, true);
      if (random.bool(0.5)) direct(document, random);
      return {
        method: "PATCH",
        path: url,
        query,
        contentType: "application/strategic-merge-patch+json",
        raw: writeJson(document, random),
      };
    }
  }
}

function setResourceVersion(document) {
  if (!(document instanceof Doc)) return;
  const metadata = document.entries.find(([key]) => key === "metadata")?.[1];
  if (metadata instanceof Doc) metadata.entries.push(["resourceVersion", "{{rv}}"]);
}

/** Some members of an object at every level; the header and lists keep theirs. */
function part(value, random, depth = 0) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(
    ([key]) =>
      (depth === 0 && key !== "data") || /^(name|apiVersion|kind|selector|template)$/.test(key) || random.bool(0.6),
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, part(member, random, depth + 1)]));
}

function partialDoc(base, random) {
  const partial = part(base, random);
  if (random.bool(0.8)) delete partial.apiVersion;
  if (random.bool(0.8)) delete partial.kind;
  return toDoc(structuredClone(partial));
}

const SCALARS = [1, 0, -1, "x", "", "a<b>&", true, false, null, "1Gi", "0.5", 2147483648];
const LITERALS = [
  "1.0",
  "1e3",
  "9223372036854775807",
  "9223372036854775808",
  "1.5",
  '"\\u0041"',
  '"\\u00e9\\ud83d\\ude00"',
  "-0",
  "[]",
  "{}",
  "[null]",
  '{"a":null}',
  '{"q":1,"p":2,"q":3}',
  '[{"z":1,"y":2,"z":3}]',
];
const KEYS = [
  "unknown",
  "Spec",
  "labels",
  "name",
  "zz",
  "a.b",
  "a/b",
  "0",
  "10",
  "9",
  "$patch",
  "é\n",
  "metadata",
  "kind",
  "spec",
];

function anyValue(random) {
  return random.bool(0.35) ? new Literal(random.pick(LITERALS)) : random.pick(SCALARS);
}

/** A few mistakes: unknown keys, repeated keys, values of other types. */
function spoil(document, random, isPatch = false) {
  const mistakes = random.pick([0, 1, 1, 1, 2, 2, 3]);
  for (let i = 0; i < mistakes; i++) spoilOnce(document, random, isPatch);
  return document;
}

function spoilOnce(document, random, isPatch) {
  const places = docsIn(document);
  if (places.length === 0) return;
  const { doc, path } = random.pick(places);
  const at = random.below(doc.entries.length + 1);
  const entry = doc.entries.length > 0 ? random.pick(doc.entries) : undefined;
  if (entry?.[0] === "name" && path.at(-1) === "metadata" && path.length === 1) return;
  const isHeader = path.length === 0 || (path.length === 1 && path[0] === "metadata");
  switch (random.below(8)) {
    case 0:
    case 1:
      doc.entries.splice(at, 0, [random.pick(KEYS), anyValue(random)]);
      break;
    case 2:
    case 3:
      if (entry !== undefined)
        doc.entries.splice(at, 0, [entry[0], random.bool(0.5) ? entry[1] : isHeader ? entry[1] : anyValue(random)]);
      break;
    case 4:
      if (entry !== undefined) doc.entries.splice(at, 0, [entry[0], structuredCloneDoc(entry[1])]);
      break;
    case 5:
      if (entry !== undefined && (!isHeader || random.bool(0.2))) entry[1] = anyValue(random);
      break;
    case 6:
      if (entry !== undefined && (isPatch || random.bool(0.3))) entry[1] = null;
      break;
    default:
      doc.entries.reverse();
  }
}

function structuredCloneDoc(value) {
  if (Array.isArray(value)) return value.map(structuredCloneDoc);
  if (value instanceof Doc) return new Doc(value.entries.map(([key, member]) => [key, structuredCloneDoc(member)]));
  return value;
}

function direct(document, random) {
  const { doc } = random.pick(docsIn(document));
  const lists = doc.entries.filter(([, value]) => Array.isArray(value));
  switch (random.below(6)) {
    case 0:
      doc.entries.push(["$patch", random.pick(["replace", "delete", "merge", "zap"])]);
      break;
    case 1:
      doc.entries.push(["$retainKeys", random.pick([doc.entries.map(([key]) => key), ["name"], "x"])]);
      break;
    case 2:
      if (lists.length > 0) {
        const [key, items] = random.pick(lists);
        doc.entries.push([`$setElementOrder/${key}`, random.bool(0.5) ? items : [...items].reverse()]);
      }
      break;
    case 3:
      if (lists.length > 0) {
        const [key, items] = random.pick(lists);
        doc.entries.push([`$deleteFromPrimitiveList/${key}`, items.slice(0, 1)]);
      }
      break;
    default:
      for (const [, items] of lists) {
        const item = random.pick(items);
        if (item instanceof Doc) item.entries.push(["$patch", random.pick(["delete", "replace", "merge"])]);
      }
  }
}

function pointersIn(value, path = "") {
  if (value === null || typeof value !== "object") return [path];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pointersIn(member, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [path, ...inner];
}

function valueAt(value, pointer) {
  return pointer
    .split("/")
    .slice(1)
    .reduce((at, part) => at?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], value);
}

function operations(base, random) {
  const pointers = pointersIn(base).filter((each) => !/^\/(apiVersion|kind|metadata\/name)/.test(each));
  const list = Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => operation(base, pointers, random));
  if (random.bool(0.04))
    return random.pick([
      new Literal("{}"),
      new Literal("null"),
      new Literal("[null]"),
      new Literal("[1]"),
      new Literal("[{}]"),
      new Literal("[[]]"),
      new Literal("1"),
    ]);
  return list;
}

function operation(base, pointers, random) {
  const path = somePath(pointers, random);
  const live = toDoc(structuredClone(valueAt(base, path) ?? null));
  const value = random.bool(0.5)
    ? spoil(live instanceof Doc || Array.isArray(live) ? live : toDoc({ a: 1, b: { c: 2 } }), random, true)
    : random.bool(0.5)
      ? live
      : anyValue(random);
  const entries = [
    ["op", random.pick(["add", "add", "add", "replace", "replace", "remove", "test", "test", "move", "copy", "frob"])],
    ["path", path],
  ];
  if (/move|copy/.test(entries[0][1]) || random.bool(0.03)) entries.push(["from", somePath(pointers, random)]);
  if (!/remove|move|copy/.test(entries[0][1]) && random.bool(0.95)) entries.push(["value", value]);
  if (random.bool(0.1))
    entries.splice(random.below(entries.length + 1), 0, [
      random.pick(["op", "path", "value", "extra", "Path", "from"]),
      random.bool(0.7) ? random.pick(["add", path, ""]) : anyValue(random),
    ]);
  return new Doc(entries);
}

function somePath(pointers, random) {
  const path = random.pick(pointers);
  const dice = random.below(12);
  if (dice === 0) return `${path}/-`;
  if (dice === 1) return `${path}/${random.pick(["new", "0", "1", "-1", "01", "a~1b", "é"])}`;
  if (dice === 2) return path.replace(/\/\d+$/, () => `/${random.pick(["0", "-1", "5", "-", "-3", "+1"])}`);
  return path;
}
