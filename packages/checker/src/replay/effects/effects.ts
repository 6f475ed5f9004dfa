/** What the cluster contains after a write of the log, as it was answered. */
import type { Subresource } from "@portcullis/engine/internal/review/kind";
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { ABSENT, type Known, onlyForm, presentAs } from "../known-objects.ts";
import type { AuditEvent } from "../log/audit-event.ts";
import { JsonText } from "../log/json-text.ts";
import type { ReplayCluster } from "../replay-cluster.ts";
import { keyOfWrite, type WriteEvent } from "../write-event.ts";
import { afterDelete, applyCollection, isGone, isHeld, marked } from "./deletion-effects.ts";
import { learn, uncertain } from "./learn.ts";

/** Writes whose end is not known, and answers that say little, leave the object uncertain. */
export function applyEffects(write: WriteEvent, cluster: ReplayCluster, stored: readonly JsonObject[]): void {
  const { event, recorded, isDryRun, target } = write;
  if (isDryRun || target.isConnect) return;
  if (event.verb === "deletecollection") applyCollection(write, cluster);
  else if (recorded.isAccepted) applyAccepted(write, cluster, stored);
  else if (event.code >= 500 && !isUntyped(event))
    learn(write, cluster, uncertain("a write of it failed, and may have had an effect"));
  else observeRefusal(write, cluster);
}

/** A refusal may show whether the object exists. */
function observeRefusal(write: WriteEvent, cluster: ReplayCluster): void {
  const { event, ref } = write;
  if (ref.name === "" || (event.code !== 404 && event.code !== 409)) return;
  const key = keyOfWrite(write);
  // What changed while the request ran may be older or newer than what it found.
  if (cluster.objects.since(key) >= event.received) return;
  const known = cluster.objects.get(key);
  const named = `${ref.resource}${ref.group && `.${ref.group}`} "${ref.name}"`;
  if (event.message === `${named} not found`) {
    if (known?.state !== "absent") learn(write, cluster, ABSENT);
  } else if (event.message === `${named} already exists` && known?.state !== "present") {
    learn(write, cluster, stillThere(known) ?? uncertain("the log does not have its content"));
  }
}

/** A read shows the object, or that there is none. */
export function applyObserved(write: WriteEvent, cluster: ReplayCluster): void {
  const { event, target } = write;
  if (event.code >= 400) observeRefusal(write, cluster);
  else if (
    event.response?.isOfKind(target.type?.kind) === true &&
    cluster.objects.since(keyOfWrite(write)) < event.received
  ) {
    learn(write, cluster, presentAs(event.response, true));
  }
}

function stillThere(known: Known | undefined): Known | undefined {
  return known?.state === "uncertain" ? known.unlessGone : undefined;
}

/** An apply of fields that the kind does not have fails before anything is stored. */
function isUntyped({ message }: AuditEvent): boolean {
  return message.startsWith("failed to create typed patch object");
}

function applyAccepted(write: WriteEvent, cluster: ReplayCluster, stored: readonly JsonObject[]): void {
  const { event, ref, target } = write;
  if (event.verb === "delete" && ref.subresource === "") {
    learn(write, cluster, afterDelete(write, cluster));
    return;
  }
  if (ref.subresource === "" || isWholeObject(write)) {
    const known = whole(write, stored);
    const name = ref.name || nameIn(known);
    if (name === "") doubtCreation(write, cluster, "an object was made whose name is not in the log");
    learn(write, cluster, known, name);
    return;
  }
  const effect = SUBRESOURCES[`${target.resource.resource}/${ref.subresource}`] ?? SUBRESOURCES[`*/${ref.subresource}`];
  if (effect !== undefined) learn(write, cluster, effect(write, cluster));
}

function nameIn(known: Known): string {
  return known.state === "present" ? metaText(known.object.object() ?? {}, "name") : "";
}

/** Answers to writes of most subresources show the whole object. */
function isWholeObject({ target }: WriteEvent): boolean {
  return target.kind !== undefined && target.kind.kind === target.type?.kind;
}

function whole({ event, target }: WriteEvent, stored: readonly JsonObject[]): Known {
  const { response } = event;
  if (response?.isOfKind(target.type?.kind) === true) {
    return response.mentions(DELETED) && isGone(response.object() ?? {}) ? ABSENT : presentAs(response, true);
  }
  const [first, ...others] = stored.map((object) => JsonText.of(withMeta(object, { resourceVersion: undefined })));
  if (first !== undefined) return { state: "present", object: first, isExact: false, resourceVersion: 0, others };
  return uncertain("the log does not have its content");
}

const DELETED = '"deletionTimestamp":';

type Effect = (write: WriteEvent, cluster: ReplayCluster) => Known;

function present(write: WriteEvent, cluster: ReplayCluster): JsonObject | undefined {
  return onlyForm(cluster.objects.get(keyOfWrite(write)));
}

const scaled: Effect = (write, cluster) => {
  const old = present(write, cluster);
  const scale = write.event.response?.object() ?? scaleAsked(write);
  const endpoint = write.target.type?.subresources.get("scale");
  if (old === undefined || scale === undefined || endpoint === undefined) return uncertain("it was scaled");
  const generation = metaOf(old)["generation"];
  const parent = scaledParent(endpoint, withMeta(scale, { resourceVersion: metaText(old, "resourceVersion") }), old);
  if (parent === undefined) return uncertain("it was scaled");
  const changed = withMeta(parent, {
    resourceVersion: metaText(scale, "resourceVersion"),
    // Another manager owns the replicas from now on.
    managedFields: undefined,
    ...(typeof generation === "number" && { generation: generation + 1 }),
  });
  return presentAs(JsonText.of(changed), false);
};

/** Without the answer, the request says how many replicas there are. */
function scaleAsked({ event, ref, target }: WriteEvent): JsonObject | undefined {
  const { replicas } = objectOf(event.request?.object()?.["spec"]);
  if (typeof replicas !== "number" || target.kind === undefined) return undefined;
  const { group, version, kind } = target.kind;
  const metadata = objectOf({ name: ref.name, namespace: ref.namespace });
  return objectOf({ kind, apiVersion: `${group}/${version}`, metadata, spec: objectOf({ replicas }) });
}

/** Undefined for a scale that no server would answer with. */
function scaledParent(endpoint: Subresource, scale: JsonObject, old: JsonObject): JsonObject | undefined {
  try {
    return endpoint.toParent(scale, old);
  } catch (problem) {
    if (problem instanceof StatusError) return undefined;
    throw problem;
  }
}

const bound: Effect = (write, cluster) => {
  const old = present(write, cluster);
  const node = textOf(objectOf(write.event.request?.object()?.["target"])["name"]);
  if (old === undefined || node === "") return uncertain("it was bound to a node");
  const spec = withMember(objectOf(old["spec"]), "nodeName", node);
  return presentAs(JsonText.of(withMeta(withMember(old, "spec", spec), { resourceVersion: undefined })), false);
};

const evicted: Effect = (write, cluster) => {
  const pod = present(write, cluster);
  if (pod !== undefined && isHeld(pod)) return marked(pod, write);
  const isPlaced = pod === undefined || textOf(objectOf(pod["spec"])["nodeName"]) !== "";
  return isPlaced ? uncertain("it was evicted, and the log does not say whether it is gone") : ABSENT;
};

const SUBRESOURCES: Readonly<Record<string, Effect>> = {
  "*/scale": scaled,
  "pods/binding": bound,
  "pods/eviction": evicted,
};

/** A write that has begun, and of which no end is in the log. */
export function applyUnfinished(write: WriteEvent, cluster: ReplayCluster): void {
  if (write.isDryRun || write.target.isConnect) return;
  if (write.event.verb === "deletecollection") applyCollection(write, cluster);
  else if (write.ref.name === "")
    doubtCreation(write, cluster, "an object was made by a write that has no end in the log");
  else learn(write, cluster, uncertain("a write of it has no end in the log"));
}

/** An object of which not even the name is known. */
function doubtCreation({ event, ref }: WriteEvent, cluster: ReplayCluster, why: string): void {
  const { group, version, resource, namespace } = ref;
  cluster.doubt({ group, version, resource, namespace }, { until: event.at, why, isCreation: true }, event.at);
}

/** A write of which a damaged line is left: it may have had any effect. */
export function applyDamaged(write: WriteEvent, cluster: ReplayCluster, { until, why }: DamagedWrite): void {
  const { event, ref, target, isDryRun } = write;
  const isRefused = event.code >= 400 && event.code < 500 && event.verb !== "deletecollection";
  if (isDryRun || target.isConnect || isRefused) return;
  const { group, version, resource, namespace } = ref;
  const name = ref.name === "" ? undefined : ref.name;
  const isCreation = event.verb === "create" && ref.subresource === "" && name === undefined;
  cluster.doubt({ group, version, resource, namespace, name }, { until, why, isCreation }, event.at);
}

export interface DamagedWrite {
  /** When it ended at the latest. */
  readonly until: number;
  readonly why: string;
}
