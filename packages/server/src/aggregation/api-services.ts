/**
 * The APIServices in the store. Those with a service are served by extension API servers.
 *
 * Follows kube-aggregator pkg/apiserver/apiserver.go.
 */
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import type { ServiceReference } from "../conversion/services.ts";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Entry } from "../storage/store.ts";

export const API_SERVICES = { group: "apiregistration.k8s.io", version: "v1", plural: "apiservices" } as const;

/** An APIService that is served by an extension API server. */
export interface RemoteService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly service: ServiceReference;
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
  readonly isAvailable: boolean;
  /** The whole object. */
  readonly object: JsonObject;
}

export class ApiServices {
  readonly #server: Pick<ServerContext, "followers" | "registry">;
  readonly #byKey = new Map<string, RemoteService>();
  readonly #listeners: ((key: string) => void)[] = [];
  /** Grows with every change of a service. */
  generation = 0;

  constructor(server: Pick<ServerContext, "followers" | "registry">) {
    this.#server = server;
  }

  async start(): Promise<void> {
    const { registry, followers } = this.#server;
    const type = registry.find(API_SERVICES.group, API_SERVICES.version, API_SERVICES.plural);
    if (type === undefined) return;
    const see = (key: string, entry: Entry | undefined): void => {
      const found = entry && readRemote(decodeEntry(entry, type));
      if (found === undefined && !this.#byKey.has(key)) return;
      if (found === undefined) this.#byKey.delete(key);
      else this.#byKey.set(key, found);
      this.generation++;
      for (const listener of this.#listeners) listener(key);
    };
    await followers.follow({ name: type.plural, prefix: type.storagePrefix, see });
  }

  onChange(listener: (key: string) => void): void {
    this.#listeners.push(listener);
  }

  get(key: string): RemoteService | undefined {
    return this.#byKey.get(key);
  }

  keys(): string[] {
    return [...this.#byKey.keys()];
  }

  /** In no particular order. */
  all(): RemoteService[] {
    return [...this.#byKey.values()];
  }

  /** Undefined if the server serves the version itself, or nobody does. */
  find(group: string, version: string): RemoteService | undefined {
    if (this.#byKey.size === 0) return undefined;
    return this.all().find((each) => each.group === group && each.version === version);
  }
}

function readRemote(object: JsonObject): RemoteService | undefined {
  const spec = memberOf(object, "spec");
  const service = spec["service"];
  const group = textOf(spec["group"]);
  if (!isObject(service) || group === "") return undefined;
  const bundle = decodeBase64(textOf(spec["caBundle"])).value;
  return {
    name: metaText(object, "name"),
    group,
    version: textOf(spec["version"]),
    groupPriority: Number(spec["groupPriorityMinimum"] ?? 0),
    versionPriority: Number(spec["versionPriority"] ?? 0),
    service: {
      name: textOf(service["name"]),
      namespace: textOf(service["namespace"]),
      port: Number(service["port"] ?? 443),
    },
    ca: bundle === undefined || bundle.length === 0 ? undefined : decodeUtf8(bundle),
    isInsecure: spec["insecureSkipTLSVerify"] === true,
    isAvailable: isAvailable(object),
    object,
  };
}

function isAvailable(object: JsonObject): boolean {
  const conditions = memberOf(object, "status")["conditions"];
  if (!isArray(conditions)) return false;
  return conditions.some((each) => isObject(each) && each["type"] === "Available" && each["status"] === "True");
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : Object.create(null);
}
