/** What the cluster contains after a write of the log, as it was answered. */
import type { Subresource } from "@portcullis/engine/internal/review/kind";
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaOf, metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { answeredItems, collectionKeys } from "./collection.ts";
import { ABSENT, type Known, presentAs } from "./known-objects.ts";
import type { AuditEvent } from "./log/audit-event.ts";
import { JsonText } from "./log/json-text.ts";
import type { ReplayCluster } from "./replay-cluster.ts";
import { keyOfWrite, optionsOf, type WriteEvent } from "./write-event.ts";

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

function stillThere(known: Known | undefined): Known | undefined {
  return known?.state === "uncertain" ? known.unlessGone : undefined;
}

/** An apply of fields that the kind does not have fails before anything is stored. */
function isUntyped({ message }: AuditEvent): boolean {
  return message.startsWith("failed to create typed patch object");
}

function uncertain(why: string): Known {
  return { state: "uncertain", why };
}

function learn(write: WriteEvent, cluster: ReplayCluster, known: Known, name = write.ref.name): void {
  if (name === "") return;
  cluster.learn(keyOfWrite(write, name), write.ref.group, known, write.event.at);
}

function applyAccepted(write: WriteEvent, cluster: ReplayCluster, stored: readonly JsonObject[]): void {
  const { event, ref, target } = write;
  if (event.verb === "delete" && ref.subresource === "") {
    learn(write, cluster, afterDelete(write, cluster));
    return;
  }
  if (ref.subresource === "" || isWholeObject(write)) {
    const known = whole(write, stored);
    learn(write, cluster, known, ref.name || nameIn(known));
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

/** Whether nothing keeps an object that was marked: no finalizer, and no time that a pod is given. */
function isGone(object: JsonObject): boolean {
  const meta = metaOf(object);
  const seconds = meta["deletionGracePeriodSeconds"];
  const isWaiting = typeof seconds === "number" && seconds > 0;
  return textOf(meta["deletionTimestamp"]) !== "" && !isWaiting && !isHeld(object);
}

/** A namespace has finalizers in two places. */
function isHeld(object: JsonObject): boolean {
  const inSpec = object["kind"] === "Namespace" ? objectOf(object["spec"])["finalizers"] : undefined;
  return finalizersOf(object).length > 0 || (Array.isArray(inSpec) && inSpec.length > 0);
}

/** Finalizers and the time that a pod is given keep an object. */
function afterDelete(write: WriteEvent, cluster: ReplayCluster): Known {
  const { event, target } = write;
  const { response } = event;
  if (response?.isOfKind(target.type?.kind) === true) {
    const object = response.object() ?? {};
    return metaText(object, "deletionTimestamp") !== "" && !isGone(object) ? presentAs(response, true) : ABSENT;
  }
  if (response !== undefined) return ABSENT;
  const known = cluster.objects.get(keyOfWrite(write));
  const old = known?.state === "present" ? known.object.object() : undefined;
  const isRemoved = old !== undefined && !isHeld(old) && target.resource.resource !== "pods";
  return isRemoved ? ABSENT : uncertain("it was deleted, and the log does not say whether it is gone");
}

type Effect = (write: WriteEvent, cluster: ReplayCluster) => Known;

function present(write: WriteEvent, cluster: ReplayCluster): JsonObject | undefined {
  const known = cluster.objects.get(keyOfWrite(write));
  return known?.state === "present" ? known.object.object() : undefined;
}

const scaled: Effect = (write, cluster) => {
  const old = present(write, cluster);
  const scale = write.event.response?.object();
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

/** A refused deletion of a collection may have deleted some. */
function applyCollection(write: WriteEvent, cluster: ReplayCluster): void {
  const { event, recorded, ref } = write;
  if (!recorded.isAccepted && recorded.refusedBy === "before") return;
  const items = answeredItems(write);
  if (items !== undefined) {
    for (const item of items) learn(write, cluster, afterCollection(item, write), metaText(item, "name"));
    return;
  }
  const all = collectionKeys(write, cluster);
  const isSelective = write.query.has("fieldSelector");
  const keys = isSelective ? cluster.objects.keys(write.target.place, ref.namespace) : all;
  // If it was accepted, all that it covers are gone.
  const maySpare = !recorded.isAccepted || isSelective;
  for (const key of keys) {
    cluster.learn(key, ref.group, perhapsGone(maySpare ? cluster.objects.get(key) : undefined), event.at);
  }
}

/** Finalizers keep an object, which is then marked. Pods on a node, and dependents, may take some time. */
function afterCollection(item: JsonObject, write: WriteEvent): Known {
  if (isHeld(item)) return marked(item, write);
  const isSlow = textOf(objectOf(item["spec"])["nodeName"]) !== "" || mayHoldDependents(write);
  return isSlow ? uncertain("it was deleted with others, and may be waiting for its end") : ABSENT;
}

/** As it waits for its end. */
function marked(object: JsonObject, { event }: WriteEvent): Known {
  const time = new Date(event.at / 1000).toISOString().replace(/\.\d+Z$/, "Z");
  const deletionTimestamp = metaText(object, "deletionTimestamp") || time;
  const changed = withMeta(object, { deletionTimestamp, resourceVersion: undefined, managedFields: undefined });
  return presentAs(JsonText.of(changed), false);
}

/** The server may add a finalizer for dependents. */
function mayHoldDependents(write: WriteEvent): boolean {
  const options = optionsOf(write, "DELETE") ?? {};
  if (textOf(options["propagationPolicy"]) === "Background") return false;
  const isChosen = textOf(options["propagationPolicy"]) !== "" || options["orphanDependents"] !== undefined;
  return isChosen || ["jobs", "replicationcontrollers"].includes(write.ref.resource);
}

/** One that is still there is as it was, unless its deletion takes time. */
function perhapsGone(known: Known | undefined): Known {
  const before = known?.state === "uncertain" ? known.unlessGone : known?.state === "present" ? known : undefined;
  const object = before?.object.object();
  const isGoneAtOnce =
    object !== undefined && finalizersOf(object).length === 0 && textOf(objectOf(object["spec"])["nodeName"]) === "";
  const why = "a collection that it may belong to was deleted";
  return { state: "uncertain", why, unlessGone: isGoneAtOnce ? before : undefined };
}

/** A write that has begun, and of which no end is in the log. */
export function applyUnfinished(write: WriteEvent, cluster: ReplayCluster): void {
  if (write.isDryRun || write.target.isConnect) return;
  if (write.event.verb === "deletecollection") applyCollection(write, cluster);
  else learn(write, cluster, uncertain("a write of it has no end in the log"));
}
