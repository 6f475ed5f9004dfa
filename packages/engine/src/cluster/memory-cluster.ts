/**
 * A small cluster in memory, made of manifests: what reviews read where there is no API server.
 *
 * It takes nothing for missing that a real cluster may have: every namespace exists, and a class that a pod names is
 * looked at only if it is among the manifests. Limits and quotas among the manifests are not enforced: nothing says that
 * they are there before the other objects.
 */
import { podSecurityAdmission } from "../admission/pod-security.ts";
import { priority } from "../admission/priority.ts";
import { runtimeClassAdmission } from "../admission/runtime-class.ts";
import type { PodSecurityConfiguration } from "../podsecurity/configuration.ts";
import { isFullyPrivileged, LABEL_PREFIX } from "../podsecurity/level.ts";
import { ALLOWED, type Authorizer } from "../review/authorizer.ts";
import type { AdmissionPlugin, AdmissionRequest, ClusterView } from "../review/cluster-view.ts";
import { untracked } from "../review/field-manager.ts";
import { apiVersionOf, type ResourceKind, type WriteContext } from "../review/kind.ts";
import { namespaceKind, newNamespace } from "../review/kinds/namespace.ts";
import type { SystemFields } from "../review/system.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { metaText, textOf, withMeta } from "../value/metadata.ts";
import { objectLabels } from "../value/read.ts";
import { canonicalJson } from "../value/text.ts";
import { addressAllocator } from "./address-allocator.ts";
import { type MemoryKindOptions, MemoryKinds } from "./memory-kinds.ts";

/** Version, gates, admission and rights of a `MemoryCluster`. */
export interface MemoryClusterOptions extends Pick<MemoryKindOptions, "engine" | "findCrd"> {
  /** Beside those that every API server has. */
  readonly admission?: readonly AdmissionPlugin[];
  readonly authorizer?: Authorizer;
  readonly system?: SystemFields;
  /** Enforces Pod Security by the labels of the namespaces among the objects, and these defaults. */
  readonly podSecurity?: PodSecurityConfiguration | undefined;
}

/** Without a clock and random numbers every new object has the same uid, time and name. */
export const FIXED_SYSTEM: SystemFields = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  now: () => "1970-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};

export const DEFAULT_NAMESPACE = "default";

/**
 * A cluster made of the given objects, for reviews without a server: kinds from its CRDs, namespaces, parameters, and
 * addresses and ports that are handed out once.
 * @example
 * const engine = { version: SERVER_VERSION, gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true } };
 * const cluster = new MemoryCluster([], { engine });
 * cluster.kinds.findKind("v1", "Pod")?.plural; // "pods"
 */
export class MemoryCluster implements ClusterView {
  readonly kinds: MemoryKinds;
  readonly system: SystemFields;
  readonly admission: readonly AdmissionPlugin[];
  readonly setsPluginValues = true;
  readonly fieldManager = untracked;
  readonly authorizer: Authorizer;
  readonly #objects = new Map<string, JsonObject[]>();
  readonly #stored = new WeakMap<JsonObject, JsonObject>();

  constructor(objects: readonly JsonObject[], options: MemoryClusterOptions) {
    const crds = objects.filter((object) => object["kind"] === "CustomResourceDefinition" && isObject(object["spec"]));
    const { engine, findCrd } = options;
    this.kinds = new MemoryKinds(crds, { engine, findCrd, addresses: addressAllocator() });
    this.system = options.system ?? FIXED_SYSTEM;
    this.authorizer = options.authorizer ?? (async () => ALLOWED);
    for (const object of objects) this.#add(object);
    this.admission = [...this.#builtInAdmission(), ...this.#podSecurity(options), ...(options.admission ?? [])];
  }

  async get(kind: ResourceKind, namespace: string, name: string): Promise<JsonObject | undefined> {
    const found = (await this.list(kind, namespace)).find((object) => metaText(object, "name") === name);
    return found === undefined && kind.storagePrefix === namespaceKind.storagePrefix
      ? this.#plainNamespace(name)
      : found;
  }

  async list(kind: ResourceKind, namespace: string): Promise<readonly JsonObject[]> {
    const all = this.#objects.get(kind.storagePrefix) ?? [];
    const stored = all.map((object) => this.#storedAs(object, kind));
    return namespace === "" ? stored : stored.filter((object) => metaText(object, "namespace") === namespace);
  }

  /** The same cluster with other plugins behind those that every API server has. */
  withAdmission(plugins: readonly AdmissionPlugin[]): ClusterView {
    const { kinds, system, fieldManager, authorizer, setsPluginValues } = this;
    const get: ClusterView["get"] = (kind, namespace, name) => this.get(kind, namespace, name);
    const list: ClusterView["list"] = (kind, namespace) => this.list(kind, namespace);
    const admission = [...this.admission, ...plugins];
    return { kinds, system, fieldManager, authorizer, setsPluginValues, get, list, admission };
  }

  /** An object as the cluster would have it, in the version of the kind. A text says why it cannot be one. */
  assumeStored(object: JsonObject, kind: ResourceKind): JsonObject | string {
    const body = { value: object, text: () => canonicalJson(object), strictErrors: [] };
    const draft = kind.strategy.decode(body, { trackUnknown: false });
    if (draft.error !== undefined) return draft.error;
    const namespace = metaText(draft.object, "namespace") || DEFAULT_NAMESPACE;
    const stored = kind.strategy.assumeStored(draft.object, this.#writeContext(kind.namespaced ? namespace : ""));
    return withMeta(stored, { resourceVersion: metaText(stored, "resourceVersion") || "1" });
  }

  #add(object: JsonObject): void {
    const kind = this.kinds.findKind(textOf(object["apiVersion"]), textOf(object["kind"]));
    if (kind === undefined) return;
    const known = this.#objects.get(kind.storagePrefix);
    if (known === undefined) this.#objects.set(kind.storagePrefix, [object]);
    else known.push(object);
  }

  #storedAs(object: JsonObject, kind: ResourceKind): JsonObject {
    const known = this.#stored.get(object);
    if (known !== undefined && known["apiVersion"] === apiVersionOf(kind)) return known;
    const own = this.kinds.findKind(textOf(object["apiVersion"]), textOf(object["kind"])) ?? kind;
    const stored = this.assumeStored(object, own);
    if (typeof stored === "string") return object;
    const shown = own === kind ? stored : kind.strategy.read(own.strategy.write(stored));
    this.#stored.set(object, shown);
    return shown;
  }

  #plainNamespace(name: string): JsonObject {
    return newNamespace(name, this.system.uid(), this.system.now());
  }

  /** Plugins that read other objects take part where such objects are among the manifests. */
  #builtInAdmission(): readonly AdmissionPlugin[] {
    const has = (prefix: string): boolean => (this.#objects.get(prefix)?.length ?? 0) > 0;
    return [
      ...(has("/registry/priorityclasses/") ? [onlyKnown(priority, isKnownPriority)] : []),
      ...(has("/registry/runtimeclasses/") ? [onlyKnown(runtimeClassAdmission, isKnownRuntime)] : []),
    ];
  }

  /** Without labels and defaults it has nothing to do. */
  #podSecurity({ podSecurity, engine }: MemoryClusterOptions): readonly AdmissionPlugin[] {
    if (podSecurity === undefined) return [];
    const namespaces = this.#objects.get(namespaceKind.storagePrefix) ?? [];
    const isUsed = !isFullyPrivileged(podSecurity.defaults) || namespaces.some(hasPodSecurityLabel);
    return isUsed ? [podSecurityAdmission({ version: engine.version, configuration: podSecurity })] : [];
  }

  #writeContext(namespace: string): WriteContext {
    const { system } = this;
    const user = { name: "", uid: "", groups: [], extra: new Map() };
    return { namespace, fieldValidation: "Ignore", system, user, warn: () => {}, refuse: () => {} };
  }
}

function hasPodSecurityLabel(namespace: JsonObject): boolean {
  return Object.keys(objectLabels(namespace)).some((label) => label.startsWith(LABEL_PREFIX));
}

type IsKnown = (request: AdmissionRequest) => Promise<boolean>;

/** The plugin, where the class that the object names is there to be looked at. */
function onlyKnown({ name, mutate, validate }: AdmissionPlugin, isKnown: IsKnown): AdmissionPlugin {
  return {
    ...(name !== undefined && { name }),
    ...(mutate && {
      mutate: async (request, reinvocation) =>
        (await isKnown(request)) ? mutate(request, reinvocation) : request.object,
    }),
    ...(validate && {
      validate: async (request) => {
        if (await isKnown(request)) await validate(request);
      },
    }),
  };
}

const isKnownPriority: IsKnown = async (request) => {
  if (request.endpoint.type.plural !== "pods") return false;
  return isThere(request, { group: "scheduling.k8s.io", plural: "priorityclasses", field: "priorityClassName" });
};

const isKnownRuntime: IsKnown = (request) =>
  isThere(request, { group: "node.k8s.io", plural: "runtimeclasses", field: "runtimeClassName" });

interface Reference {
  readonly group: string;
  readonly plural: string;
  /** Of the pod's specification. */
  readonly field: string;
}

async function isThere({ cluster, object }: AdmissionRequest, { group, plural, field }: Reference): Promise<boolean> {
  const spec = object?.["spec"];
  const name = isObject(spec) ? textOf(spec[field]) : "";
  const kind = cluster.kinds.find(group, "v1", plural);
  return name !== "" && kind !== undefined && (await cluster.get(kind, "", name)) !== undefined;
}
