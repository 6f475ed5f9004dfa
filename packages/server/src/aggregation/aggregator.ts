/** Aggregation: which requests extension API servers answer, and what of them is shown beside this server's own. */
import type { ResolveService, ServiceAddressBook } from "../conversion/services.ts";
import type { ExtensionGroups, ExtensionVersion } from "../discovery/extension-groups.ts";
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ExtensionDocuments } from "../openapi/extension-documents.ts";
import type { ServerContext } from "../registry/context.ts";
import { ApiServices, type RemoteService } from "./api-services.ts";
import { Availability } from "./availability.ts";
import { type ProxiedRequest, proxy } from "./proxy.ts";
import { Publications, stale } from "./published.ts";
import { type CallExtension, ExtensionUnreachable } from "./transport.ts";

export interface AggregatorOptions {
  readonly call: CallExtension | undefined;
  readonly resolve: ResolveService;
  readonly book: ServiceAddressBook;
}

const noCalls: CallExtension = async () => {
  throw new ExtensionUnreachable("this server has no client for extension API servers");
};

export class Aggregator implements ExtensionGroups, ExtensionDocuments {
  readonly #services: ApiServices;
  readonly #publications: Publications;
  readonly #availability: Availability;
  readonly #transport: { readonly call: CallExtension; readonly resolve: ResolveService };

  constructor(server: ServerContext, { call = noCalls, resolve, book }: AggregatorOptions) {
    this.#transport = { call, resolve };
    this.#services = new ApiServices(server);
    this.#publications = new Publications(this.#transport);
    const onChecked = (remote: RemoteService): Promise<boolean> => this.#publications.refresh(remote);
    this.#availability = new Availability(server, this.#services, { call, resolve, book, onChecked });
  }

  /** Requests find extension API servers from now on. */
  async start(): Promise<void> {
    await this.#services.start();
    for (const key of this.#services.keys()) this.#readFirst(key);
    this.#services.onChange((key) => this.#readFirst(key));
  }

  /** Of several servers, one checks; each reads the documents. */
  #readFirst(key: string): void {
    const remote = this.#services.get(key);
    if (remote?.isAvailable === true && this.#publications.get(remote.name) === undefined) {
      void this.#publications.refresh(remote);
    }
  }

  /** Keeps conditions and documents up to date. */
  startChecks(): Promise<void> {
    return this.#availability.start();
  }

  settled(): Promise<void> {
    return this.#availability.settled();
  }

  close(): void {
    this.#availability.close();
  }

  /** Undefined if no extension API server answers the request. */
  answer(asked: ProxiedRequest): Promise<ApiResponse> | undefined {
    const remote = this.#remoteOf(asked.info);
    return remote && proxy(remote, asked, this.#transport);
  }

  #remoteOf({ path }: RequestInfo): RemoteService | undefined {
    const found = /^\/(?:openapi\/v3\/)?apis\/([^/]+)\/([^/]+)(?:\/|$)/.exec(path);
    if (found === null) return undefined;
    const remote = this.#services.find(found[1] ?? "", found[2] ?? "");
    const isDocument = path.startsWith("/openapi/");
    return isDocument && remote !== undefined && this.#publications.get(remote.name)?.openApi3 === undefined
      ? undefined
      : remote;
  }

  get generation(): number {
    return this.#services.generation + this.#publications.generation;
  }

  versions(): readonly ExtensionVersion[] {
    return this.#services.all().map((remote) => ({
      group: remote.group,
      version: remote.version,
      groupPriority: remote.groupPriority,
      versionPriority: remote.versionPriority,
      document: this.#publications.get(remote.name)?.discovery ?? stale(remote),
    }));
  }

  places(): ReadonlyMap<string, string> {
    const found = this.#services.all().flatMap(({ name, group, version }) => {
      const url = this.#publications.get(name)?.openApi3;
      return url === undefined ? [] : [[`apis/${group}/${version}`, url] as const];
    });
    return new Map(found);
  }

  documents() {
    return this.#services.all().flatMap(({ name, group, version }) => {
      const document = this.#publications.get(name)?.openApi2;
      return document === undefined ? [] : [{ group, version, document }];
    });
  }
}
