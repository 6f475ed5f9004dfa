/**
 * The documents of all that the registry holds.
 *
 * Paths and schemas of custom resources do not depend on each other, so the text of a document is put together from a
 * piece for each kind, and one new definition among thousands costs one piece.
 */
import { openApiV2, openApiV3 } from "@portcullis/engine/internal/openapi/document";
import type { PublishedResource } from "@portcullis/engine/internal/openapi/resource";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { asVersion, type KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export type Pause = () => Promise<void> | undefined;

/** Makes the documents. Called again for a group version when one of its kinds has changed. */
export interface OpenApiPublisher {
  v3(types: readonly ResourceKind[]): JsonObject;
  /** `pause` lets others run in between. */
  v3Text(types: readonly ResourceKind[], pause: Pause): Promise<string>;
  v2Text(types: readonly ResourceKind[], pause: Pause): Promise<string>;
  /** A document of a resource that is always the same: it shows how documents are made. */
  sample(): string;
}

/** `version` is that of Kubernetes, such as 1.36. */
export function schemaPublisher(version: KubernetesVersion): OpenApiPublisher {
  const options = { version };
  const v2 = (types: readonly ResourceKind[]): JsonObject =>
    asVersion(version, () => openApiV2(types.map(toPublished), options));
  const v3 = (types: readonly ResourceKind[]): JsonObject =>
    asVersion(version, () => openApiV3(types.map(toPublished), options));
  const [v2Texts, v3Texts] = [
    new Assembler(v2, ["paths", "definitions", "parameters"]),
    new Assembler(v3, ["paths", "components"]),
  ];
  return {
    v3,
    v3Text: (types, pause) => v3Texts.document(types, pause),
    v2Text: (types, pause) => v2Texts.document(types, pause),
    sample: () => canonicalJson(openApiV3([SAMPLE], options)),
  };
}

/** Texts of members by name; those that are put together member by member are maps in turn. */
type Texts = Map<string, string | Texts>;

/** Puts documents together from pieces that it keeps as long as their kinds live. */
class Assembler {
  readonly #make: (types: readonly ResourceKind[]) => JsonObject;
  readonly #merged: readonly string[];
  readonly #pieces = new WeakMap<ResourceKind, Texts>();
  /** By the first of the kinds. */
  readonly #builtIn = new WeakMap<ResourceKind, { readonly count: number; readonly texts: Texts }>();

  /** `merged` names the members that are put together member by member. */
  constructor(make: (types: readonly ResourceKind[]) => JsonObject, merged: readonly string[]) {
    this.#make = make;
    this.#merged = merged;
  }

  async document(types: readonly ResourceKind[], pause: Pause): Promise<string> {
    const custom = types.filter(({ customSchema }) => customSchema !== undefined);
    const document: Texts = new Map();
    merge(document, this.#builtInPiece(types.filter(({ customSchema }) => customSchema === undefined)));
    await pause();
    for (const type of custom) {
      merge(document, this.#piece(type));
      await pause();
    }
    return textOf(document);
  }

  /** Built-in kinds are the same for as long as the server runs. */
  #builtInPiece(types: readonly ResourceKind[]): Texts {
    const [first] = types;
    if (first === undefined) return new Map();
    const known = this.#builtIn.get(first);
    if (known?.count === types.length) return known.texts;
    const texts = this.#textsOf(types);
    this.#builtIn.set(first, { count: types.length, texts });
    return texts;
  }

  #piece(type: ResourceKind): Texts {
    const known = this.#pieces.get(type);
    if (known !== undefined) return known;
    const made = this.#textsOf([type]);
    this.#pieces.set(type, made);
    return made;
  }

  #textsOf(types: readonly ResourceKind[]): Texts {
    const members = Object.entries(this.#make(types));
    return new Map(
      members.map(([name, value]) => [name, this.#merged.includes(name) ? split(value) : canonicalJson(value)]),
    );
  }
}

/** Schemas of version 3 lie one level deeper than those of version 2. */
function split(value: JsonValue): Texts {
  const members = isObject(value) ? Object.entries(value) : [];
  return new Map(members.map(([name, member]) => [name, name === "schemas" ? split(member) : memberText(member)]));
}

const texts = new WeakMap<JsonObject, string>();

/** Custom resources share the schemas of their metadata, as the same objects. */
function memberText(member: JsonValue): string {
  if (!isObject(member)) return canonicalJson(member);
  let text = texts.get(member);
  if (text === undefined) {
    text = canonicalJson(member);
    texts.set(member, text);
  }
  return text;
}

/** What is there stays: what two pieces share is the same in both, or more complete in the first, the built-in one. */
function merge(into: Texts, from: Texts): void {
  for (const [name, value] of from) {
    const present = into.get(name);
    if (present === undefined) into.set(name, typeof value === "string" ? value : copy(value));
    else if (typeof present !== "string" && typeof value !== "string") merge(present, value);
  }
}

function copy(texts: Texts): Texts {
  return new Map([...texts].map(([name, value]) => [name, typeof value === "string" ? value : copy(value)]));
}

function textOf(texts: Texts): string {
  const members = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  const written = members.map(([name, value]) => {
    return `${canonicalJson(name)}:${typeof value === "string" ? value : textOf(value)}`;
  });
  return `{${written.join(",")}}`;
}

const SAMPLE: PublishedResource = {
  group: "example.com",
  version: "v1",
  kind: "Sample",
  listKind: "SampleList",
  plural: "samples",
  namespaced: true,
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  patchTypes: ["application/merge-patch+json"],
  returnsDeletedObject: false,
  subresources: [],
  custom: { revision: "", schema: undefined, preserveUnknownFields: false, selectableFields: [], propertyNames: true },
};

export function toPublished(type: ResourceKind): PublishedResource {
  const { group, version, kind, listKind, plural, namespaced, verbs, patchTypes, strategy } = type;
  const subresources = [...type.subresources.values()].map((each) => ({
    name: each.name,
    ...each.kind,
    verbs: each.verbs,
  }));
  return {
    group,
    version,
    kind,
    listKind,
    plural,
    namespaced,
    verbs,
    patchTypes,
    subresources,
    returnsDeletedObject: strategy.returnsDeletedObject,
    custom: type.customSchema,
  };
}
