/**
 * OpenAPI documents: the list of group versions and one document for each, and the older document of everything.
 *
 * A document is made when it is asked for and kept until one of its kinds changes. Clients keep documents by their hash: an
 * old hash leads to the present one. The hash of a document of custom resources is that of their definitions, so that the
 * list of thousands of documents makes none of them.
 */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { sha512 } from "../discovery/hash.ts";
import { parseAccept } from "../endpoints/negotiate.ts";
import type { Pause } from "../endpoints/request-time.ts";
import { COMMON_HEADERS, respondNoPage } from "../endpoints/respond.ts";
import type { ApiRequest, ApiResponse, HeaderList } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import type { ExtensionDocuments } from "./extension-documents.ts";
import type { OpenApiPublisher } from "./publisher.ts";

interface Cached {
  readonly types: readonly ResourceKind[];
  readonly hash: Promise<string>;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** How many documents are kept. The built-in ones are some thirty. */
const MAX_BODIES = 64;
/** Bytes of one that is kept. */
const MAX_BODY = 64 * 1024 * 1024;

export interface OpenApiOptions {
  readonly now: () => number;
  /** For work in slices. */
  readonly newPause: () => Pause;
  readonly extensions?: ExtensionDocuments;
}

const NO_EXTENSIONS: ExtensionDocuments = { generation: 0, places: () => new Map(), documents: () => [] };
const VERSION_2 = "/openapi/v2";

export class OpenApi {
  readonly #registry: Registry;
  readonly #publisher: OpenApiPublisher;
  readonly #now: () => number;
  readonly #newPause: OpenApiOptions["newPause"];
  readonly #extensions: ExtensionDocuments;
  readonly #hashes = new Map<string, Cached>();
  /** The documents of extension API servers that the present document of version 2 has. */
  #extensionGeneration = 0;
  /** By hash, the one asked for longest ago first. */
  readonly #bodies = new Map<string, Promise<Uint8Array>>();
  /** The hash of the version 2 document of all built-in kinds, by the first of them. */
  readonly #builtInHashes = new WeakMap<ResourceKind, { readonly count: number; readonly hash: Promise<string> }>();
  #version2Bytes: { readonly hash: string; readonly bytes: Promise<Uint8Array> } | undefined;
  #places: { readonly generation: number; readonly places: ReadonlyMap<string, readonly ResourceKind[]> } | undefined;
  #salt: Promise<string> | undefined;

  constructor(registry: Registry, publisher: OpenApiPublisher, options: OpenApiOptions) {
    const { now, newPause, extensions = NO_EXTENSIONS } = options;
    this.#newPause = newPause;
    this.#extensions = extensions;
    this.#registry = registry;
    this.#publisher = publisher;
    this.#now = now;
  }

  /** Undefined if the path is not one of these. */
  async serve(request: ApiRequest, info: RequestInfo): Promise<ApiResponse | undefined> {
    const { path } = info;
    if (path === VERSION_2) return this.#version2(request);
    if (path === "/openapi/v3") return this.#root();
    if (!path.startsWith("/openapi/")) return undefined;
    if (!path.startsWith("/openapi/v3/")) return respondNoPage();
    const types = this.#groupVersions().get(path.slice("/openapi/v3/".length));
    if (types === undefined) return { status: 404, headers: COMMON_HEADERS, body: "" };
    if (!accepts(request)) return { status: 406, headers: COMMON_HEADERS, body: "" };
    const hash = await this.#hash(path, types);
    const wanted = info.query.get("hash")?.[0] ?? "";
    if (wanted !== "" && wanted !== hash) {
      const location = ["Location", `${path}?hash=${hash}`] as const;
      return { status: 301, headers: [...COMMON_HEADERS, location, ["ETag", etag(hash)]], body: "" };
    }
    const caching = wanted === "" ? COMMON_HEADERS : this.#immutable();
    return answer(request, hash, caching, () => this.#body(hash, () => this.#v3Json(types)));
  }

  /** Both formats have the same hash. */
  async #version2(request: ApiRequest): Promise<ApiResponse> {
    const format = chooseFormat(request);
    if (format === undefined) return { status: 406, headers: [...COMMON_HEADERS, ["Vary", "Accept"]], body: "" };
    const types = this.#registry.all();
    const { generation } = this.#extensions;
    if (generation !== this.#extensionGeneration) this.#hashes.delete(VERSION_2);
    this.#extensionGeneration = generation;
    const hash = await this.#cached(VERSION_2, types, () => this.#hashOfAll(types));
    const documents = this.#extensions.documents();
    const make = (): Promise<Uint8Array> => this.#publisher.v2Json(types, this.#newPause(), documents);
    if (format === "json") return answer(request, hash, COMMON_HEADERS, () => this.#body(hash, make));
    return answer(request, hash, COMMON_HEADERS, () => this.#protobuf2(hash, types), PROTOBUF);
  }

  /** Nothing is made of custom resources for it: clients ask with the hash they know. */
  async #hashOfAll(types: readonly ResourceKind[]): Promise<string> {
    const builtIn = types.filter(({ customSchema }) => customSchema === undefined);
    const custom = types.filter(({ customSchema }) => customSchema !== undefined);
    const revisions = custom.map(revisionOf);
    for (const { group, version, document } of this.#extensions.documents()) {
      revisions.push(`${group}/${version} ${await sha512(canonicalJson(document))}`);
    }
    return this.#hashOfRevisions(await this.#builtInHash(builtIn), revisions);
  }

  #builtInHash(types: readonly ResourceKind[]): Promise<string> {
    const [first] = types;
    if (first === undefined) return Promise.resolve("");
    const known = this.#builtInHashes.get(first);
    if (known?.count === types.length) return known.hash;
    const hash = this.#publisher.v2Json(types, this.#newPause()).then(sha512);
    this.#builtInHashes.set(first, { count: types.length, hash });
    return hash;
  }

  /** Requests that come while it is made wait for the same. */
  #protobuf2(hash: string, types: readonly ResourceKind[]): Promise<Uint8Array> {
    if (this.#version2Bytes?.hash === hash) return this.#version2Bytes.bytes;
    const made = { hash, bytes: this.#publisher.v2Protobuf(types, this.#newPause(), this.#extensions.documents()) };
    this.#version2Bytes = made;
    made.bytes.catch(() => {
      if (this.#version2Bytes === made) this.#version2Bytes = undefined;
    });
    return made.bytes;
  }

  /** Upstream gives no media type, and Go takes the text for plain. */
  async #root(): Promise<ApiResponse> {
    const paths = objectOf({});
    const pause = this.#newPause();
    for (const [place, types] of this.#groupVersions()) {
      const hash = await this.#hash(`/openapi/v3/${place}`, types);
      paths[place] = objectOf({ serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` });
      await pause();
    }
    for (const [place, url] of this.#extensions.places()) paths[place] = objectOf({ serverRelativeURL: url });
    const body = canonicalJson(objectOf({ paths }));
    return { status: 200, headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]], body };
  }

  /** Kinds by place, such as `apis/apps/v1`, places in order. */
  #groupVersions(): ReadonlyMap<string, readonly ResourceKind[]> {
    const { generation } = this.#registry;
    if (this.#places?.generation !== generation) this.#places = { generation, places: this.#findGroupVersions() };
    return this.#places.places;
  }

  #findGroupVersions(): ReadonlyMap<string, readonly ResourceKind[]> {
    const places = new Map<string, ResourceKind[]>();
    for (const type of this.#registry.all()) {
      const place = type.group === "" ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
      const types = places.get(place);
      if (types === undefined) places.set(place, [type]);
      else types.push(type);
    }
    return new Map([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #hash(path: string, types: readonly ResourceKind[]): Promise<string> {
    return this.#cached(path, types, () => {
      const isCustom = types.every(({ customSchema }) => customSchema !== undefined);
      return isCustom
        ? this.#hashOfRevisions(path, types.map(revisionOf))
        : this.#hashOfBody(() => this.#v3Json(types));
    });
  }

  /** Kinds are immutable: a hash is current while its kinds are the same ones. */
  #cached(key: string, types: readonly ResourceKind[], make: () => Promise<string>): Promise<string> {
    const cached = this.#hashes.get(key);
    const isCurrent = cached?.types.length === types.length && cached.types.every((each, at) => each === types[at]);
    if (cached !== undefined && isCurrent) return cached.hash;
    const hash = make();
    this.#hashes.set(key, { types, hash });
    // What failed is tried again by the next that asks.
    hash.catch(() => this.#hashes.delete(key));
    return hash;
  }

  #v3Json(types: readonly ResourceKind[]): Promise<Uint8Array> {
    return this.#publisher.v3Json(types, this.#newPause());
  }

  async #hashOfBody(make: () => Promise<Uint8Array>): Promise<string> {
    const body = make();
    const hash = await sha512(await body);
    this.#keep(hash, body);
    return hash;
  }

  /** A server that makes other documents of the same definitions has another salt. */
  async #hashOfRevisions(path: string, revisions: readonly string[]): Promise<string> {
    this.#salt ??= sha512(this.#publisher.sample());
    return sha512([await this.#salt, path, ...revisions].join("\n"));
  }

  /** Requests that come while it is made wait for the same. */
  #body(hash: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const body = this.#bodies.get(hash) ?? make();
    this.#keep(hash, body);
    return body;
  }

  #keep(hash: string, body: Promise<Uint8Array>): void {
    this.#bodies.delete(hash);
    this.#bodies.set(hash, body);
    const drop = (): void => {
      if (this.#bodies.get(hash) === body) this.#bodies.delete(hash);
    };
    // A very large one is put together again from its pieces.
    body.then(({ length }) => length > MAX_BODY && drop(), drop);
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= MAX_BODIES) return;
      this.#bodies.delete(oldest);
    }
  }

  #immutable(): HeaderList {
    const expires = new Date(this.#now() + YEAR_MS).toUTCString();
    return [
      ["Cache-Control", "public, immutable"],
      ["Expires", expires],
    ];
  }
}

const PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** The second name is an older one, of a time before media types were looked at closely. */
const FORMATS: readonly (readonly [type: string, format: "json" | "protobuf"])[] = [
  ["application/json", "json"],
  ["application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "protobuf"],
  [PROTOBUF, "protobuf"],
];

/** The first form that the client's favourite clause takes. */
function chooseFormat(request: ApiRequest): "json" | "protobuf" | undefined {
  const header = request.header("accept") ?? "";
  for (const { type } of parseAccept(header === "" ? "*/*" : header)) {
    const [major, minor] = type.split("/");
    const found = FORMATS.find(([name]) => {
      const [itsMajor, itsMinor] = name.split("/");
      return (major === "*" || major === itsMajor) && (minor === "*" || minor === itsMinor);
    });
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Protobuf is not made of version 3: who accepts nothing else gets nothing. */
function accepts(request: ApiRequest): boolean {
  const header = request.header("accept") ?? "";
  const types = header.split(",").map((clause) => clause.split(";")[0]?.trim().toLowerCase() ?? "");
  const json = ["", "*/*", "application/*", "application/json"];
  return types.some((type) => json.includes(type));
}

function revisionOf({ group, version, plural, customSchema }: ResourceKind): string {
  return `${group}/${version}/${plural} ${customSchema?.revision}`;
}

function etag(hash: string): string {
  return `"${hash}"`;
}

async function answer(
  request: ApiRequest,
  hash: string,
  caching: HeaderList,
  body: () => Promise<Uint8Array>,
  type = "application/json",
): Promise<ApiResponse> {
  const headers: HeaderList = [...caching, ["Content-Type", type], ["ETag", etag(hash)], ["Vary", "Accept"]];
  const isKnown = request.header("if-none-match") === etag(hash);
  return isKnown ? { status: 304, headers, body: "" } : { status: 200, headers, body: await body() };
}
