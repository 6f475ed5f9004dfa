/**
 * Documents of extension API servers beside those of this server.
 *
 * Follows kube-openapi pkg/aggregator: of a document of version 2, only the paths of the served version and the
 * definitions that they use are taken; a definition with the name of another one gets a new name.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export interface ExtensionDocument {
  readonly group: string;
  readonly version: string;
  readonly document: JsonObject;
}

export interface ExtensionDocuments {
  /** Grows with every change. */
  readonly generation: number;
  /** By place, such as `apis/example.com/v1`: where the document of version 3 is. */
  places(): ReadonlyMap<string, string>;
  /** Of version 2. */
  documents(): readonly ExtensionDocument[];
}

/** The members of a document that are put together. `definitionOf` returns the text of a definition of this server. */
export interface Fragment {
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/** Fragments that can be added to a document with these definitions. */
export function fragmentsOf(
  documents: readonly ExtensionDocument[],
  definitionText: (name: string) => string | undefined,
): Fragment[] {
  const taken = new Map<string, string>();
  const textOf = (name: string): string | undefined => taken.get(name) ?? definitionText(name);
  return documents.map((each) => {
    const fragment = selectPaths(each);
    const names = newNames(fragment.definitions, textOf);
    const definitions = newObject();
    for (const [name, value] of Object.entries(fragment.definitions)) {
      const renamed = names.get(name) ?? name;
      definitions[renamed] = renameReferences(value, names);
      taken.set(renamed, canonicalJson(definitions[renamed]));
    }
    return { paths: asObject(renameReferences(fragment.paths, names)), definitions };
  });
}

const REFERENCE = "#/definitions/";

function selectPaths({ group, version, document }: ExtensionDocument): Fragment {
  const [all, known] = [asObject(document["paths"]), asObject(document["definitions"])];
  const [paths, definitions] = [newObject(), newObject()];
  const prefix = `/apis/${group}/${version}/`;
  for (const [path, value] of Object.entries(all)) if (path.startsWith(prefix)) paths[path] = value;
  const queue: JsonValue[] = [paths];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    for (const name of referencesOf(value)) {
      const definition = known[name];
      if (definition === undefined || definitions[name] !== undefined) continue;
      definitions[name] = definition;
      queue.push(definition);
    }
  }
  return { paths, definitions };
}

function referencesOf(value: JsonValue): string[] {
  const found: string[] = [];
  const queue: JsonValue[] = [value];
  for (let each = queue.pop(); each !== undefined; each = queue.pop()) {
    if (isArray(each)) queue.push(...each);
    if (!isObject(each)) continue;
    for (const [key, member] of Object.entries(each)) {
      const isReference = key === "$ref" && typeof member === "string" && member.startsWith(REFERENCE);
      if (isReference) found.push(member.slice(REFERENCE.length));
      else if (member !== undefined) queue.push(member);
    }
  }
  return found;
}

/** A definition that differs from the one of its name gets `_v2` behind it, or the first number that is free. */
function newNames(definitions: JsonObject, textOf: (name: string) => string | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(definitions)) {
    const text = canonicalJson(value);
    let [renamed, at] = [name, 2];
    for (let other = textOf(renamed); other !== undefined && other !== text; other = textOf(renamed)) {
      renamed = `${name}_v${at++}`;
    }
    if (renamed !== name) names.set(name, renamed);
  }
  return names;
}

function renameReferences(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (names.size === 0) return value;
  if (isArray(value)) return value.map((each) => renameReferences(each, names));
  if (!isObject(value)) return value;
  const renamed = newObject();
  for (const [key, member] of Object.entries(value)) {
    const name = key === "$ref" && typeof member === "string" ? names.get(member.slice(REFERENCE.length)) : undefined;
    renamed[key] = name === undefined ? renameReferences(member, names) : `${REFERENCE}${name}`;
  }
  return renamed;
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : newObject();
}
