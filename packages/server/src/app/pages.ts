/** Requests that are not for resources: health, version, metrics, discovery, OpenAPI and the keys of tokens. */

import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { asServer } from "@portcullis/engine/internal/value/server-version";
import { trimRight } from "@portcullis/engine/internal/value/trim";
import type { Security } from "../auth/security.ts";
import type { TokenDocument } from "../auth/token-authority.ts";
import { respondComponentPage } from "../discovery/component-pages.ts";
import type { ExtensionGroups } from "../discovery/extension-groups.ts";
import { allPaths, type IndexParts, respondIndex } from "../discovery/index-page.ts";
import { Discovery } from "../discovery/serve.ts";
import { versionDocument } from "../discovery/version.ts";
import { respondHealth } from "../endpoints/health.ts";
import * as messages from "../endpoints/messages.ts";
import { checkMediaTypes } from "../endpoints/negotiate.ts";
import { respondProfile } from "../endpoints/profile.ts";
import type { Pause, RequestTime } from "../endpoints/request-time.ts";
import { COMMON_HEADERS, encode, PLAIN, respondNoPage, respondObject } from "../endpoints/respond.ts";
import { generic } from "../endpoints/routes.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { healthFamilies, otherFamilies } from "../observe/health-metrics.ts";
import type { OpenApi } from "../openapi/serve.ts";
import type { ServerContext } from "../registry/context.ts";
import type { AppOptions } from "./options.ts";

export interface PageParts {
  readonly options: AppOptions;
  readonly version: KubernetesVersion;
  readonly security: Security;
  /** What extension API servers serve. */
  readonly extensions: ExtensionGroups;
  readonly openapi: OpenApi;
  /** For work in slices. */
  readonly newPause: () => Pause;
  readonly isStopping: () => boolean;
  readonly metrics: () => Promise<string>;
}

export class Pages {
  readonly #server: ServerContext;
  readonly #parts: PageParts;
  readonly #discovery: Discovery;

  constructor(server: ServerContext, parts: PageParts) {
    this.#server = server;
    this.#parts = parts;
    this.#discovery = new Discovery(server.registry, {
      newPause: parts.newPause,
      extensions: parts.extensions,
      servesBeta: !this.#asServer(isBetaRemoved),
    });
  }

  async handle(request: ApiRequest, info: RequestInfo, time: RequestTime): Promise<ApiResponse> {
    const { options, security, version, openapi, extensions, isStopping, metrics } = this.#parts;
    const path = trimRight(info.path, "/");
    if (path === "/version") {
      if (info.verb !== "get") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
      checkMediaTypes(request, ["application/json"]);
      return respondObject(200, versionDocument(version), { ...PLAIN, isPretty: true });
    }
    if (path === "/metrics") return respondMetrics(otherFamilies(await metrics()));
    if (path === "/metrics/slis") return respondMetrics(healthFamilies(await metrics()));
    const document = security.authority.document(path);
    if (document !== undefined) return respondTokenDocument(request, document);
    const { store, followers, registry } = this.#server;
    const { health } = this.#server.metrics;
    const checked = health.checked.bind(health);
    const index = { registry, extensions, hasTokens: options.tokenKey !== undefined };
    return (
      this.#asServer(() => respondIndex(info.path, index) ?? this.#componentPage(request, info, index)) ??
      (await respondHealth(info, { store, followers, isStopping, checked })) ??
      (await respondProfile(info, options.recordProfile, time.left() / 1000)) ??
      (await openapi.serve(request, info)) ??
      (await this.#discovery.serve(request, info)) ??
      respondNoPage()
    );
  }

  #componentPage(request: ApiRequest, info: RequestInfo, index: IndexParts): ApiResponse | undefined {
    const { version, options } = this.#parts;
    const now = options.now() / 1000;
    return respondComponentPage(request, info, () => ({
      version,
      now,
      start: options.processUsage?.().start ?? now,
      paths: () => allPaths(index),
      flags: options.flags ?? NO_FLAGS,
    }));
  }

  #asServer<T>(make: () => T): T {
    const { version, options } = this.#parts;
    return asServer({ version, featureGates: options.featureGates }, make);
  }
}

const NO_FLAGS: ReadonlyMap<string, string> = new Map();

/** Clients may cache the keys for checking tokens for an hour. */
function respondTokenDocument({ method }: ApiRequest, { type, value }: TokenDocument): ApiResponse {
  if (method !== "GET") throw generic(405, "MethodNotAllowed", messages.methodNotAllowed());
  const headers = [["Cache-Control", "public, max-age=3600"] as const, ["Content-Type", type] as const];
  return { status: 200, headers, body: encode(value, PLAIN).trimEnd() };
}

/** The content type includes the version of the format. */
function respondMetrics(body: string): ApiResponse {
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"]],
    body,
  };
}

const isBetaRemoved = (): boolean => isEnabled("AggregatedDiscoveryRemoveBetaType");
