/**
 * OpenAPI documents: the list of group versions and one document for each, and the older document of everything.
 *
 * A document is made when it is asked for and kept until one of its kinds changes. Clients keep documents by their hash: an
 * old hash leads to the present one. The hash of a document of custom resources is that of their definitions, so that the
 * list of thousands of documents makes none of them.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { openApiV2Protobuf } from "@portcullis/engine/internal/openapi/protobuf";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { isObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { sha512 } from "../discovery/hash.ts";
import { parseAccept } from "../endpoints/negotiate.ts";
import { COMMON_HEADERS, respondNoPage } from "../endpoints/respond.ts";
import type { ApiRequest, ApiResponse, HeaderList } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import type { ExtensionDocuments } from "./extension-documents.ts";
import type { OpenApiPublisher, Pause } from "./publisher.ts";

interface Cached {
  readonly types: readonly ResourceKind[];
  readonly hash: Promise<string>;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** How many documents are kept. The built-in ones are some thirty. */
const MAX_BODIES = 64;

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
  readonly #bodies = new Map<string, string>();
  #version2Bytes: { readonly hash: string; readonly bytes: Uint8Array } | undefined;
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
    return answer(request, hash, caching, () => this.#body(hash, () => this.#v3Text(types)));
  }

  /**
   * Both formats have the hash of the JSON. Protobuf is built on the first request and cached until the document
   * changes.
   */
  async #version2(request: ApiRequest): Promise<ApiResponse> {
    const format = chooseFormat(request);
    if (format === undefined) return { status: 406, headers: [...COMMON_HEADERS, ["Vary", "Accept"]], body: "" };
    const types = this.#registry.all();
    const { generation } = this.#extensions;
    if (generation !== this.#extensionGeneration) this.#hashes.delete(VERSION_2);
    this.#extensionGeneration = generation;
    const documents = this.#extensions.documents();
    const make = (): Promise<string> => this.#publisher.v2Text(types, this.#newPause(), documents);
    const hash = await this.#cached(VERSION_2, types, () => this.#hashOfBody(make));
    const body = (): Promise<string> => this.#body(hash, make);
    if (format === "json") return answer(request, hash, COMMON_HEADERS, body);
    return answer(request, hash, COMMON_HEADERS, () => this.#protobuf2(hash, body), PROTOBUF);
  }

  async #protobuf2(hash: string, text: () => Promise<string>): Promise<Uint8Array> {
    if (this.#version2Bytes?.hash === hash) return this.#version2Bytes.bytes;
    const bytes = toProtobuf(await text());
    this.#version2Bytes = { hash, bytes };
    return bytes;
  }

  /** Upstream gives no media type, and Go takes the text for plain. */
  async #root(): Promise<ApiResponse> {
    const paths = objectOf({});
    for (const [place, types] of this.#groupVersions()) {
      const hash = await this.#hash(`/openapi/v3/${place}`, types);
      paths[place] = objectOf({ serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` });
    }
    for (const [place, url] of this.#extensions.places()) paths[place] = objectOf({ serverRelativeURL: url });
    const body = canonicalJson(objectOf({ paths }));
    return { status: 200, headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]], body };
  }

  /** Kinds by place, such as `apis/apps/v1`, places in order. */
  #groupVersions(): ReadonlyMap<string, readonly ResourceKind[]> {
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
      const revisions = types.map(({ customSchema, plural }) => customSchema && `${plural} ${customSchema.revision}`);
      const isCustom = revisions.every((revision) => revision !== undefined);
      return isCustom ? this.#hashOfRevisions(path, revisions) : this.#hashOfBody(() => this.#v3Text(types));
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

  #v3Text(types: readonly ResourceKind[]): Promise<string> {
    return this.#publisher.v3Text(types, this.#newPause());
  }

  async #hashOfBody(make: () => Promise<string>): Promise<string> {
    const body = await make();
    const hash = await sha512(body);
    this.#keep(hash, body);
    return hash;
  }

  /** A server that makes other documents of the same definitions has another salt. */
  async #hashOfRevisions(path: string, revisions: readonly string[]): Promise<string> {
    this.#salt ??= sha512(this.#publisher.sample());
    return sha512([await this.#salt, path, ...revisions].join("\n"));
  }

  async #body(hash: string, make: () => Promise<string>): Promise<string> {
    const body = this.#bodies.get(hash) ?? (await make());
    this.#keep(hash, body);
    return body;
  }

  #keep(hash: string, body: string): void {
    this.#bodies.delete(hash);
    this.#bodies.set(hash, body);
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

function toProtobuf(text: string): Uint8Array {
  const document = decodeJson(text);
  if (document.error !== undefined || !isObject(document.value)) throw new Error("an OpenAPI document is not JSON");
  return openApiV2Protobuf(document.value);
}

/** Protobuf is not made of version 3: who accepts nothing else gets nothing. */
function accepts(request: ApiRequest): boolean {
  const header = request.header("accept") ?? "";
  const types = header.split(",").map((clause) => clause.split(";")[0]?.trim().toLowerCase() ?? "");
  const json = ["", "*/*", "application/*", "application/json"];
  return types.some((type) => json.includes(type));
}

function etag(hash: string): string {
  return `"${hash}"`;
}

async function answer(
  request: ApiRequest,
  hash: string,
  caching: HeaderList,
  body: () => Promise<string | Uint8Array>,
  type = "application/json",
): Promise<ApiResponse> {
  const headers: HeaderList = [...caching, ["Content-Type", type], ["ETag", etag(hash)], ["Vary", "Accept"]];
  const isKnown = request.header("if-none-match") === etag(hash);
  return isKnown ? { status: 304, headers, body: "" } : { status: 200, headers, body: await body() };
}
