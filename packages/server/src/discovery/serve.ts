/** Serves discovery requests. */

import { PROTOBUF_MEDIA_TYPE } from "@portcullis/engine/internal/codec/media-type";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { notAcceptable } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { trimRight } from "@portcullis/engine/internal/value/trim";
import * as messages from "../endpoints/messages.ts";
import { checkMediaTypes, choose, MEDIA_TYPES, type Output } from "../endpoints/negotiate.ts";
import type { Pause } from "../endpoints/request-time.ts";
import { COMMON_HEADERS, respondNoPage, respondObject } from "../endpoints/respond.ts";
import { generic } from "../endpoints/routes.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import { AggregatedDiscovery, type AggregatedVersion } from "./aggregated.ts";
import { coreVersions, groupDocument, groupList, resourceList } from "./documents.ts";
import { type ExtensionGroups, NO_EXTENSION_GROUPS } from "./extension-groups.ts";
import { storageVersionHash } from "./hash.ts";
import { discoveryProtobuf } from "./protobuf.ts";

const AGGREGATED = { group: "apidiscovery.k8s.io", kind: "APIGroupDiscoveryList" };

export interface DiscoveryOptions {
  /** For work in slices. */
  readonly newPause: () => Pause;
  readonly extensions?: ExtensionGroups;
  /** Whether aggregated documents are also served as `v2beta1`. */
  readonly servesBeta: boolean;
}

export class Discovery {
  readonly #registry: Registry;
  readonly #extensions: ExtensionGroups;
  readonly #hashes = new WeakMap<ResourceKind, string>();
  readonly #aggregated: AggregatedDiscovery;
  readonly #versions: readonly AggregatedVersion[];

  constructor(registry: Registry, { newPause, extensions = NO_EXTENSION_GROUPS, servesBeta }: DiscoveryOptions) {
    this.#registry = registry;
    this.#extensions = extensions;
    this.#versions = servesBeta ? ["v2", "v2beta1"] : ["v2"];
    this.#aggregated = new AggregatedDiscovery(registry, newPause, extensions);
  }

  /** Undefined if the path is not one of discovery's. */
  async serve(request: ApiRequest, info: RequestInfo): Promise<ApiResponse | undefined> {
    const [root, group, version, ...rest] = trimRight(info.path.replace(/^\//, ""), "/").split("/");
    if ((root !== "api" && root !== "apis") || rest.length > 0) return undefined;
    const isCore = root === "api";
    if (group === undefined) return this.#root(request, info, isCore);
    const isRouted = isCore || (version !== undefined && this.#isBuiltIn(group));
    const document = await this.#document(isCore, group, version);
    if (isRouted && document !== undefined) checkRoute(request);
    if (document !== undefined)
      return respondDocument(
        document,
        acceptable(request, info, () => false),
      );
    if (isCore || (group !== "" && this.#isBuiltIn(group))) throw generic(404, "NotFound", messages.resourceNotFound());
    return respondNoPage();
  }

  async #document(isCore: boolean, first: string, second: string | undefined): Promise<JsonObject | undefined> {
    if (isCore) return second === undefined ? this.#resources("", first) : undefined;
    // A version of CRDs in a built-in group is listed, but not reached.
    const isHidden = second !== undefined && this.#isBuiltIn(first) && !this.#registry.isBuiltInVersion(first, second);
    if (isHidden) return undefined;
    return second === undefined
      ? groupDocument(this.#registry, first, this.#extensions.versions())
      : this.#resources(first, second);
  }

  async #resources(group: string, version: string): Promise<JsonObject | undefined> {
    for (const type of this.#registry.ofGroup(group)) {
      if (type.version === version && !this.#hashes.has(type)) this.#hashes.set(type, await storageVersionHash(type));
    }
    return resourceList(this.#registry, group, version, (type) => this.#hashes.get(type) ?? "");
  }

  #isBuiltIn(group: string): boolean {
    return this.#registry.isBuiltIn(group);
  }

  async #root(request: ApiRequest, info: RequestInfo, isCore: boolean): Promise<ApiResponse> {
    if (isCore) checkRoute(request);
    const output = acceptable(request, info, ({ group, version, kind }) => {
      return group === AGGREGATED.group && this.#served(version) !== undefined && kind === AGGREGATED.kind;
    });
    const version = this.#served(output.convert?.version ?? "");
    if (version !== undefined) return this.#respondAggregated(request, isCore, output, version);
    const document = isCore
      ? coreVersions(request.header("host") ?? "")
      : groupList(this.#registry, this.#extensions.versions());
    return respondDocument(document, output);
  }

  #served(version: string): AggregatedVersion | undefined {
    return this.#versions.find((each) => each === version);
  }

  /** All forms have the hash of the JSON of v2. */
  async #respondAggregated(
    request: ApiRequest,
    isCore: boolean,
    { format }: Output,
    version: AggregatedVersion,
  ): Promise<ApiResponse> {
    const { json, etag } = await this.#aggregated.json(isCore);
    const headers = [
      ["Cache-Control", "public"],
      ["Vary", "Accept"],
      ["ETag", `"${etag}"`],
    ] as const;
    if (request.header("if-none-match") === `"${etag}"`) return { status: 304, headers, body: "" };
    const isProtobuf = format === "protobuf";
    const type = `${isProtobuf ? PROTOBUF_MEDIA_TYPE : "application/json"};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const body = isProtobuf ? await this.#aggregated.protobuf(isCore, version) : asVersion(json, version);
    return { status: 200, headers: [...headers, ["Content-Type", type]], body };
  }
}

/** Names in the document have no quotes, so that its own version is found first. */
function asVersion(json: string, version: AggregatedVersion): string {
  return version === "v2" ? json : json.replace('"apidiscovery.k8s.io/v2"', `"apidiscovery.k8s.io/${version}"`);
}

function respondDocument(document: JsonObject, output: Output): ApiResponse {
  if (output.format !== "protobuf") return respondObject(200, document, output);
  const type = ["Content-Type", PROTOBUF_MEDIA_TYPE] as const;
  return { status: 200, headers: [...COMMON_HEADERS, type], body: discoveryProtobuf(document) };
}

/** Documents of built-in kinds have a route, which takes one method; the others are distinguished only by path. */
function checkRoute(request: ApiRequest): void {
  if (request.method !== "GET") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
  checkMediaTypes(request, MEDIA_TYPES);
}

function acceptable(request: ApiRequest, info: RequestInfo, allows: Parameters<typeof choose>[2]): Output {
  const output = choose(request, info, allows, () => true);
  if (output === undefined) throw notAcceptable(MEDIA_TYPES);
  return output;
}
