/** What the cluster serves, for policies: where the objects of a kind are, and in which versions. */
import type { GroupVersionKind, GroupVersionResource } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import type { ClusterClient } from "./client.ts";

export interface ServedResource {
  readonly path: string;
  readonly namespaced: boolean;
}

/** How long a definition may serve a new version before we know. */
const LIFETIME_MS = 30_000;

/** Served under two groups although the objects are the same. */
const TWINS: Readonly<Record<string, string>> = { "/events": "events.k8s.io", "events.k8s.io/events": "" };

export class Discovery {
  readonly #client: ClusterClient;
  readonly #now: () => number;
  readonly #families = new Map<string, { readonly at: number; readonly found: Promise<GroupVersionResource[]> }>();

  constructor(client: ClusterClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** Undefined if no such kind is served. */
  async resolve({ group, version, kind }: GroupVersionKind): Promise<ServedResource | undefined> {
    const base = basePath(group, version);
    const served = (await this.#resources(base)).find((each) => each["kind"] === kind && !isSubresource(each));
    if (served === undefined) return undefined;
    return { path: `${base}/${textOf(served["name"])}`, namespaced: served["namespaced"] === true };
  }

  /** Undefined if no such resource is served. */
  async kindOf({ group, version, resource }: GroupVersionResource): Promise<GroupVersionKind | undefined> {
    const served = (await this.#resources(basePath(group, version))).find(({ name }) => name === resource);
    return served === undefined ? undefined : { group, version, kind: textOf(served["kind"]) };
  }

  /** The resources that serve the same objects, in all versions. */
  async family({ group, resource }: GroupVersionResource): Promise<readonly GroupVersionResource[]> {
    const key = `${group}/${resource}`;
    const known = this.#families.get(key);
    if (known !== undefined && this.#now() - known.at < LIFETIME_MS) return known.found;
    const twin = TWINS[key];
    const groups = twin === undefined ? [group] : [group, twin];
    const found = Promise.all(groups.map((each) => this.#versions(each, resource))).then((all) => all.flat());
    this.#families.set(key, { at: this.#now(), found });
    found.catch(() => this.#families.delete(key));
    return found;
  }

  async #versions(group: string, resource: string): Promise<GroupVersionResource[]> {
    const versions = group === "" ? ["v1"] : await this.#groupVersions(group);
    const served = await Promise.all(
      versions.map(async (version) => {
        const resources = await this.#resources(basePath(group, version));
        return resources.some(({ name }) => name === resource) ? [{ group, version, resource }] : [];
      }),
    );
    return served.flat();
  }

  async #groupVersions(group: string): Promise<string[]> {
    const found = objectOf(await this.#client.get(`/apis/${group}`));
    return objectsOf(found["versions"]).map(({ version }) => textOf(version));
  }

  async #resources(base: string): Promise<JsonObject[]> {
    return objectsOf((await this.#client.get(base))?.["resources"]);
  }
}

export function basePath(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function isSubresource({ name }: JsonObject): boolean {
  return textOf(name).includes("/");
}
