/**
 * OpenAPI documents: the list of group versions and one document for each. What stands in a document is the publisher's
 * business; without one they are empty but well formed.
 */
import type { JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import { sha512 } from "../discovery/hash.ts";
import type { ApiRequest, ApiResponse } from "../endpoints/exchange.ts";
import type { RequestInfo } from "../endpoints/request-info.ts";
import { respondNoPage } from "../endpoints/respond.ts";
import { objectOf } from "../registry/meta.ts";
import type { Registry } from "../registry/registry.ts";
import { apiVersionOf } from "../registry/resource-type.ts";

/** Makes the documents. Called again for a group version when the registry has changed. */
export interface OpenApiPublisher {
  v3(registry: Registry, group: string, version: string): JsonObject;
  v2(registry: Registry): JsonObject;
}

const INFO = objectOf({ title: "Kubernetes", version: "v1.36.0" });

export const emptyPublisher: OpenApiPublisher = {
  v3: () =>
    objectOf({ openapi: "3.0.0", info: INFO, paths: objectOf({}), components: objectOf({ schemas: objectOf({}) }) }),
  v2: () => objectOf({ swagger: "2.0", info: INFO, paths: objectOf({}), definitions: objectOf({}) }),
};

interface Document {
  readonly body: string;
  readonly hash: string;
}

export class OpenApi {
  readonly #registry: Registry;
  readonly #publisher: OpenApiPublisher;
  #documents = new Map<string, Promise<Document>>();
  #generation = -1;

  constructor(registry: Registry, publisher: OpenApiPublisher) {
    this.#registry = registry;
    this.#publisher = publisher;
  }

  /** Undefined where the path is not one of these. */
  async serve(request: ApiRequest, info: RequestInfo): Promise<ApiResponse | undefined> {
    const path = info.path.replace(/\/+$/, "");
    if (path === "/openapi/v2")
      return answer(request, await this.#document(path, () => this.#publisher.v2(this.#registry)));
    if (path === "/openapi/v3") return this.#root();
    const place = /^\/openapi\/v3\/(?:api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(path);
    if (place === null) return path.startsWith("/openapi/") ? respondNoPage() : undefined;
    const [group, version] = place[1] === undefined ? [place[2] ?? "", place[3] ?? ""] : ["", place[1]];
    if (!this.#versions().includes(apiVersionOf({ group, version }))) return respondNoPage();
    const document = await this.#groupVersion(group, version);
    const wanted = info.query.get("hash")?.[0];
    if (wanted === undefined || wanted === document.hash) return answer(request, document, wanted !== undefined);
    return { status: 301, headers: [["Location", `${path}?hash=${document.hash}`]], body: "" };
  }

  async #root(): Promise<ApiResponse> {
    const paths = objectOf({});
    for (const apiVersion of this.#versions()) {
      const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
      const { hash } = await this.#groupVersion(group, version);
      const key = group === "" ? `api/${version}` : `apis/${group}/${version}`;
      paths[key] = objectOf({ serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` });
    }
    const body = canonicalJson(objectOf({ paths }));
    return { status: 200, headers: [["Content-Type", "application/json"]], body };
  }

  #versions(): string[] {
    return [...new Set(this.#registry.all().map(apiVersionOf))].sort();
  }

  #groupVersion(group: string, version: string): Promise<Document> {
    return this.#document(`${group}/${version}`, () => this.#publisher.v3(this.#registry, group, version));
  }

  #document(key: string, make: () => JsonObject): Promise<Document> {
    if (this.#generation !== this.#registry.generation) {
      this.#documents = new Map();
      this.#generation = this.#registry.generation;
    }
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = finish(make());
      this.#documents.set(key, document);
    }
    return document;
  }
}

async function finish(json: JsonObject): Promise<Document> {
  const body = canonicalJson(json);
  return { body, hash: await sha512(body) };
}

function answer(request: ApiRequest, { body, hash }: Document, isImmutable = false): ApiResponse {
  const headers = [
    ["Content-Type", "application/json"],
    ["ETag", `"${hash}"`],
    ["Vary", "Accept"],
    ...(isImmutable ? ([["Cache-Control", "public, immutable"]] as const) : []),
  ] as const;
  const isKnown = request.header("if-none-match") === `"${hash}"`;
  return isKnown ? { status: 304, headers, body: "" } : { status: 200, headers, body };
}
