/**
 * What extension API servers publish: discovery and OpenAPI documents, as they were when last read.
 *
 * Follows kube-aggregator pkg/apiserver/handler_discovery.go and pkg/controllers/openapi.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { RemoteService } from "./api-services.ts";
import { type FetchOptions, fetchDocument } from "./fetch.ts";

export interface Publication {
  /** The version in aggregated discovery. */
  readonly discovery: JsonObject;
  /** The document of version 2. */
  readonly openApi2: JsonObject | undefined;
  /** Where the document of version 3 is, with its hash. */
  readonly openApi3: string | undefined;
}

export class Publications {
  readonly #options: FetchOptions;
  readonly #byName = new Map<string, Publication>();
  /** Grows with every change. */
  generation = 0;

  constructor(options: FetchOptions) {
    this.#options = options;
  }

  get(name: string): Publication | undefined {
    return this.#byName.get(name);
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }

  /**
   * Whether the server is available does not matter. OpenAPI documents that cannot be read stay as they were. Resolves
   * to whether discovery could be read.
   */
  async refresh(remote: RemoteService): Promise<boolean> {
    const before = this.#byName.get(remote.name);
    const [discovery, openApi2, openApi3] = await Promise.all([
      this.#discovery(remote).catch(() => stale(remote)),
      this.#openApi2(remote).catch(() => before?.openApi2),
      this.#openApi3(remote).catch(() => before?.openApi3),
    ]);
    const publication = { discovery, openApi2, openApi3 };
    const isRead = discovery["freshness"] === "Current";
    if (before !== undefined && isSame(before, publication)) return isRead;
    this.#byName.set(remote.name, publication);
    this.generation++;
    return isRead;
  }

  async #discovery(remote: RemoteService): Promise<JsonObject> {
    const { group, version } = remote;
    const { object, contentType } = await fetchDocument(remote, { target: "/apis", accept: AGGREGATED }, this.#options);
    if (contentType.includes("as=APIGroupDiscoveryList")) {
      const listed = objectsOf(object?.["items"]).find((each) => memberOf(each, "metadata")["name"] === group);
      const found = objectsOf(listed?.["versions"]).find((each) => each["version"] === version);
      return withMember(withKinds(found ?? objectOf({ version })), "freshness", "Current");
    }
    const target = `/apis/${group}/${version}`;
    const plain = await fetchDocument(remote, { target, accept: "application/json" }, this.#options);
    if (plain.status !== 200) return stale(remote);
    return objectOf({ version, resources: toAggregated(objectsOf(plain.object?.["resources"])), freshness: "Current" });
  }

  async #openApi2(remote: RemoteService): Promise<JsonObject | undefined> {
    const document = { target: "/openapi/v2", accept: "application/json" };
    const { status, object } = await fetchDocument(remote, document, this.#options);
    return status === 200 ? object : undefined;
  }

  async #openApi3(remote: RemoteService): Promise<string | undefined> {
    const document = { target: "/openapi/v3", accept: "application/json" };
    const { status, object } = await fetchDocument(remote, document, this.#options);
    const place = object && memberOf(memberOf(object, "paths"), `apis/${remote.group}/${remote.version}`);
    const url = textOf(place?.["serverRelativeURL"]);
    return status === 200 && url !== "" ? url : undefined;
  }
}

const PARAMETERS = "as=APIGroupDiscoveryList";
const AGGREGATED = `application/json;g=apidiscovery.k8s.io;v=v2;${PARAMETERS},application/json;g=apidiscovery.k8s.io;v=v2beta1;${PARAMETERS}`;

/** Old clients need the kind of each resource, be it empty. */
function withKinds(version: JsonObject): JsonObject {
  const resources = objectsOf(version["resources"]).map((resource) => {
    const subresources = objectsOf(resource["subresources"]).map(withKind);
    const named = withKind(resource);
    return subresources.length === 0 ? named : withMember(named, "subresources", subresources);
  });
  return resources.length === 0 ? version : withMember(version, "resources", resources);
}

function withKind(resource: JsonObject): JsonObject {
  return isObject(resource["responseKind"]) ? resource : withMember(resource, "responseKind", kindOf(newObject()));
}

/** Before the first answer, and where the server does not know its own version. */
export function stale({ version }: Pick<RemoteService, "version">): JsonObject {
  return objectOf({ version, freshness: "Stale" });
}

function isSame(a: Publication, b: Publication): boolean {
  return (
    a.openApi3 === b.openApi3 &&
    canonicalJson(a.discovery) === canonicalJson(b.discovery) &&
    canonicalJson(a.openApi2 ?? null) === canonicalJson(b.openApi2 ?? null)
  );
}

/** Resources of an APIResourceList, subresources below their resource. */
function toAggregated(rows: readonly JsonObject[]): JsonObject[] {
  const main = rows.filter((row) => !textOf(row["name"]).includes("/"));
  return main.map((row) => {
    const name = textOf(row["name"]);
    const below = rows.filter((each) => textOf(each["name"]).startsWith(`${name}/`));
    const subresources = below.map((each) =>
      objectOf({
        subresource: textOf(each["name"]).slice(name.length + 1),
        responseKind: kindOf(each),
        verbs: each["verbs"],
      }),
    );
    return objectOf({
      resource: name,
      responseKind: kindOf(row),
      scope: row["namespaced"] === true ? "Namespaced" : "Cluster",
      singularResource: textOf(row["singularName"]),
      verbs: row["verbs"],
      shortNames: row["shortNames"],
      categories: row["categories"],
      subresources: subresources.length === 0 ? undefined : subresources,
    });
  });
}

function kindOf(row: JsonObject): JsonObject {
  return objectOf({ group: textOf(row["group"]), version: textOf(row["version"]), kind: textOf(row["kind"]) });
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter((each) => isObject(each)) : [];
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : Object.create(null);
}
