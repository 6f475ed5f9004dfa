/**
 * A write of the log reviewed again, for what the log does not show: the object that a refused request would have led to,
 * and what mutating policies make of it.
 */

import { defaultTolerations } from "@portcullis/engine/internal/admission/default-tolerations";
import { limitRanger } from "@portcullis/engine/internal/admission/limit-ranger";
import { mutatingPolicyAdmission } from "@portcullis/engine/internal/admission/mutating-policies";
import {
  defaultIngressClass,
  defaultStorageClass,
} from "@portcullis/engine/internal/admission/standard/default-classes";
import { storageProtection } from "@portcullis/engine/internal/admission/storage-protection";
import { attributesOf } from "@portcullis/engine/internal/admission/validating-policies";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { ALLOWED } from "@portcullis/engine/internal/review/authorizer";
import type { AdmissionPlugin, AdmissionRequest, ClusterView } from "@portcullis/engine/internal/review/cluster-view";
import type { Endpoint, ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { review } from "@portcullis/engine/internal/review/review";
import { trackedFields } from "@portcullis/engine/internal/review/tracked-fields";
import type { Write } from "@portcullis/engine/internal/review/write";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { recordedWebhooks } from "./recorded-webhooks.ts";
import type { ReplayCluster } from "./replay-cluster.ts";
import { optionsOf, type WriteEvent } from "./write-event.ts";

export interface Reconstruction {
  /** The request as validating admission sees it; undefined if it does not come that far. */
  readonly attributes: AdmissionAttributes | undefined;
  /** Why it is refused before: by the definition of its kind, or as a request that makes no sense. */
  readonly refusal: StatusError | undefined;
  /** Mutating policies that refuse it. */
  readonly deniedBy: readonly string[];
  /** As it would be stored. */
  readonly stored: JsonObject | undefined;
}

export interface Reviewer {
  readonly cluster: ReplayCluster;
  readonly version: KubernetesVersion;
  /** In force at the time of the request. */
  readonly mutating: PolicySet<MutatingPolicy>;
  readonly time: number;
  /** Whether it must be known who owns which field; an apply depends on it anyway. */
  readonly tracksFields: boolean;
}

/** How the body of a PATCH is meant; the log does not say. */
export type PatchType = "json" | "merge" | "strategic" | "apply";

const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export interface Reviewed {
  readonly write: WriteEvent;
  readonly type: ResourceKind;
  readonly body: JsonValue;
  /** Undefined if the object does not exist. */
  readonly live: JsonObject | undefined;
  /** For a PATCH. */
  readonly patchType?: PatchType | undefined;
  /** Whether the definition of the kind is asked, too. */
  readonly validates?: boolean | undefined;
}

/** Those of every API server that fill in fields, from what the cluster is known to contain. */
const DEFAULT_PLUGINS: readonly AdmissionPlugin[] = [
  onlyFills(limitRanger),
  defaultTolerations(),
  defaultStorageClass,
  storageProtection,
  defaultIngressClass,
];

/** What it refuses was refused when the request was recorded. */
function onlyFills({ name, mutate }: AdmissionPlugin): AdmissionPlugin {
  return { ...(name !== undefined && { name }), ...(mutate && { mutate }) };
}

export async function reconstruct(reviewed: Reviewed, reviewer: Reviewer): Promise<Reconstruction> {
  let seen: AdmissionRequest | undefined;
  const observer: AdmissionPlugin = {
    validate: async (request) => {
      seen = request;
    },
  };
  const { cluster, mutating, version } = reviewer;
  const policies = mutatingPolicyAdmission({ current: () => mutating }, { version });
  const webhooks = recordedWebhooks(reviewed.write.event.annotations, version);
  const plugins = [
    ...DEFAULT_PLUGINS,
    ...(mutating.hooks.length === 0 ? [] : [policies]),
    ...(webhooks === undefined ? [] : [webhooks]),
    observer,
  ];
  const isTracked = reviewer.tracksFields || reviewed.patchType === "apply";
  const view = viewOf(cluster, plugins, { time: reviewer.time, isTracked });
  const outcome = await review(writeOf(versioned(reviewed)), view);
  const attributes = seen && { ...attributesOf(seen, "validating"), resource: reviewed.write.target.resource };
  return { attributes, refusal: outcome.refusal, deniedBy: deniedBy(outcome), stored: outcome.object };
}

/**
 * An object that is not known exactly may have another uid and resourceVersion than the request. They did fit, or else the
 * request would have been refused for that.
 */
function versioned(reviewed: Reviewed): Reviewed {
  const { live, body, write } = reviewed;
  if (live === undefined) return reviewed;
  const resourceVersion = metaText(live, "resourceVersion") || "1";
  if (write.event.verb !== "update" || !isObject(body)) {
    return { ...reviewed, live: withMeta(live, { resourceVersion }) };
  }
  const uid = metaText(body, "uid") || metaText(live, "uid") || undefined;
  return { ...reviewed, live: withMeta(live, { resourceVersion, uid }), body: withMeta(body, { resourceVersion }) };
}

function deniedBy({ admission }: Outcome): string[] {
  return admission.flatMap((decision) =>
    decision.plugin === "MutatingAdmissionPolicy" && decision.verdict.error !== undefined
      ? decision.verdict.denials.map(({ policy }) => policy)
      : [],
  );
}

interface ViewOptions {
  readonly time: number;
  readonly isTracked: boolean;
}

/** As the request reads the cluster. Whether the user may create was decided when the request was recorded. */
function viewOf(
  cluster: ReplayCluster,
  plugins: readonly AdmissionPlugin[],
  { time, isTracked }: ViewOptions,
): ClusterView {
  const base = cluster.memory.withAdmission(plugins);
  const now = (): string => new Date(time / 1000).toISOString().replace(/\.\d+Z$/, "Z");
  const read = (place: string, namespace: string, name: string): JsonObject | undefined => {
    const known = cluster.objects.at({ place, namespace, name }, time);
    return known?.state === "present" ? known.object.object() : undefined;
  };
  return {
    kinds: base.kinds,
    system: base.system,
    admission: base.admission,
    fieldManager: isTracked ? trackedFields(now) : base.fieldManager,
    authorizer: async () => ALLOWED,
    get: async (kind, namespace, name) =>
      read(kind.storagePrefix, namespace, name) ?? (await base.get(kind, namespace, name)),
    list: async (kind, namespace) =>
      cluster.objects
        .keys(kind.storagePrefix, namespace === "" ? undefined : namespace)
        .map((key) => read(key.place, key.namespace, key.name))
        .filter((object) => object !== undefined),
  };
}

function writeOf({ write, type, body, live, patchType, validates = false }: Reviewed): Write {
  const { event, ref, target, query, isDryRun } = write;
  const endpoint: Endpoint = { type, subresource: type.subresources.get(target.subresource) };
  const base = {
    endpoint,
    namespace: type.namespaced ? ref.namespace : "",
    user: event.user,
    manager: query.get("fieldManager") || managerOf(event.userAgent),
    fieldValidation: "Ignore",
    isDryRun,
    continuesWhenInvalid: true,
    isAssumedValid: !validates,
  } as const;
  const readLive = async (): Promise<JsonObject | undefined> => live;
  const content = { body: { value: body, text: () => canonicalJson(body), strictErrors: [] } };
  switch (event.verb) {
    case "create":
      return { ...base, verb: "create", name: "", content, options: optionsOf(write, "CREATE") ?? {} };
    case "update":
      return {
        ...base,
        verb: "update",
        name: ref.name,
        content,
        options: optionsOf(write, "UPDATE") ?? {},
        live: readLive,
      };
    default: {
      const patch = encodeUtf8(canonicalJson(body));
      const options = Object.assign({}, optionsOf(write, "UPDATE"), { kind: "PatchOptions" });
      const force = query.get("force") === "true";
      const type = PATCH_TYPES[patchType ?? "merge"];
      return { ...base, verb: "patch", name: ref.name, patch, patchType: type, force, options, live: readLive };
    }
  }
}

/** As the API server derives it from the client's name. */
function managerOf(userAgent: string): string {
  return userAgent.split("/", 1)[0] ?? "";
}
