/**
 * OpenAPI documents: the list of group versions and one document for each, and the older document of everything.
 *
 * A document is made when it is first asked for and kept until one of its kinds changes, so that one definition among
 * thousands costs one document. Clients keep documents by their hash: an old hash leads to the present one.
 */
import type { JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import { sha512 } from "../discovery/hash.ts";
import type { ApiRequest, ApiResponse, HeaderList } from "../endpoints/exchange.ts";
import type { RequestInfo } from "../endpoints/request-info.ts";
import { COMMON_HEADERS, respondNoPage } from "../endpoints/respond.ts";
import { objectOf } from "../registry/meta.ts";
import type { Registry } from "../registry/registry.ts";
import type { ResourceType } from "../registry/resource-type.ts";
import type { OpenApiPublisher } from "./publisher.ts";

interface Document {
  readonly body: string;
  readonly hash: string;
}

interface Cached {
  readonly types: readonly ResourceType[];
  readonly document: Promise<Document>;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

export class OpenApi {
  readonly #registry: Registry;
  readonly #publisher: OpenApiPublisher;
  readonly #now: () => number;
  readonly #documents = new Map<string, Cached>();

  constructor(registry: Registry, publisher: OpenApiPublisher, now: () => number) {
    this.#registry = registry;
    this.#publisher = publisher;
    this.#now = now;
  }

  /** Undefined where the path is not one of these. */
  async serve(request: ApiRequest, info: RequestInfo): Promise<ApiResponse | undefined> {
    const path = info.path.replace(/\/+$/, "");
    if (path === "/openapi/v2") return this.#version2(request);
    if (path === "/openapi/v3") return this.#root();
    if (!path.startsWith("/openapi/")) return undefined;
    const types = this.#groupVersions().get(path.slice("/openapi/v3/".length));
    if (types === undefined || !path.startsWith("/openapi/v3/")) return respondNoPage();
    if (!accepts(request)) return { status: 406, headers: COMMON_HEADERS, body: "" };
    const document = await this.#version3(path, types);
    const wanted = info.query.get("hash")?.[0] ?? "";
    if (wanted === "") return answer(request, document, COMMON_HEADERS);
    if (wanted === document.hash) return answer(request, document, this.#immutable());
    const location = ["Location", `${path}?hash=${document.hash}`] as const;
    return { status: 301, headers: [...COMMON_HEADERS, location, ["ETag", etag(document)]], body: "" };
  }

  async #version2(request: ApiRequest): Promise<ApiResponse> {
    if (!accepts(request)) return { status: 406, headers: COMMON_HEADERS, body: "" };
    const types = this.#registry.all();
    const document = await this.#document("/openapi/v2", types, () => this.#publisher.v2(types));
    return answer(request, document, COMMON_HEADERS);
  }

  /** Upstream gives no media type, and Go takes the text for plain. */
  async #root(): Promise<ApiResponse> {
    const paths = objectOf({});
    for (const [place, types] of this.#groupVersions()) {
      const { hash } = await this.#version3(`/openapi/v3/${place}`, types);
      paths[place] = objectOf({ serverRelativeURL: `/openapi/v3/${place}?hash=${hash}` });
    }
    const body = canonicalJson(objectOf({ paths }));
    return { status: 200, headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]], body };
  }

  /** Kinds by place, such as `apis/apps/v1`, places in order. */
  #groupVersions(): ReadonlyMap<string, readonly ResourceType[]> {
    const places = new Map<string, ResourceType[]>();
    for (const type of this.#registry.all()) {
      const place = type.group === "" ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
      const types = places.get(place);
      if (types === undefined) places.set(place, [type]);
      else types.push(type);
    }
    return new Map([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #version3(path: string, types: readonly ResourceType[]): Promise<Document> {
    return this.#document(path, types, () => this.#publisher.v3(types));
  }

  /** Kinds are immutable: a document is current while its kinds are the same ones. */
  #document(key: string, types: readonly ResourceType[], make: () => JsonObject): Promise<Document> {
    const cached = this.#documents.get(key);
    const isCurrent = cached?.types.length === types.length && cached.types.every((each, at) => each === types[at]);
    if (cached !== undefined && isCurrent) return cached.document;
    const document = finish(make());
    this.#documents.set(key, { types, document });
    return document;
  }

  #immutable(): HeaderList {
    const expires = new Date(this.#now() + YEAR_MS).toUTCString();
    return [
      ["Cache-Control", "public, immutable"],
      ["Expires", expires],
    ];
  }
}

async function finish(json: JsonObject): Promise<Document> {
  const body = canonicalJson(json);
  return { body, hash: await sha512(body) };
}

/** Protobuf is not made: who accepts nothing else gets nothing. */
function accepts(request: ApiRequest): boolean {
  const header = request.header("accept") ?? "";
  const types = header.split(",").map((clause) => clause.split(";")[0]?.trim().toLowerCase() ?? "");
  const json = ["", "*/*", "application/*", "application/json"];
  return types.some((type) => json.includes(type));
}

function etag({ hash }: Document): string {
  return `"${hash}"`;
}

function answer(request: ApiRequest, document: Document, caching: HeaderList): ApiResponse {
  const headers: HeaderList = [
    ...caching,
    ["Content-Type", "application/json"],
    ["ETag", etag(document)],
    ["Vary", "Accept"],
  ];
  const isKnown = request.header("if-none-match") === etag(document);
  return isKnown ? { status: 304, headers, body: "" } : { status: 200, headers, body: document.body };
}
