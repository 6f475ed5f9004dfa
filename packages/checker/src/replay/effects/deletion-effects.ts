/** What is left of objects that were deleted: finalizers and the time that a pod is given keep an object. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { finalizersOf, metaOf, metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { ABSENT, type Known, onlyForm, presentAs } from "../known-objects.ts";
import { JsonText } from "../log/json-text.ts";
import type { ReplayCluster } from "../replay-cluster.ts";
import { keyOfWrite, optionsOf, type WriteEvent } from "../write-event.ts";
import { answeredItems, collectionKeys } from "./collection.ts";
import { learn, uncertain } from "./learn.ts";

/** Whether nothing keeps an object that was marked: no finalizer, and no time that a pod is given. */
export function isGone(object: JsonObject): boolean {
  const meta = metaOf(object);
  const seconds = meta["deletionGracePeriodSeconds"];
  const isWaiting = typeof seconds === "number" && seconds > 0;
  return textOf(meta["deletionTimestamp"]) !== "" && !isWaiting && !isHeld(object);
}

/** A namespace has finalizers in two places. */
export function isHeld(object: JsonObject): boolean {
  const inSpec = object["kind"] === "Namespace" ? objectOf(object["spec"])["finalizers"] : undefined;
  return finalizersOf(object).length > 0 || (Array.isArray(inSpec) && inSpec.length > 0);
}

/** Finalizers and the time that a pod is given keep an object. */
export function afterDelete(write: WriteEvent, cluster: ReplayCluster): Known {
  const { event, target } = write;
  const { response } = event;
  if (response?.isOfKind(target.type?.kind) === true) {
    const object = response.object() ?? {};
    return metaText(object, "deletionTimestamp") !== "" && !isGone(object) ? presentAs(response, true) : ABSENT;
  }
  if (response !== undefined) return ABSENT;
  const old = onlyForm(cluster.objects.get(keyOfWrite(write)));
  if (old !== undefined && isHeld(old)) return marked(old, write);
  const isRemoved = old !== undefined && target.resource.resource !== "pods" && !mayHoldDependents(write);
  return isRemoved ? ABSENT : uncertain("it was deleted, and the log does not say whether it is gone");
}

/** A refused deletion of a collection may have deleted some. */
export function applyCollection(write: WriteEvent, cluster: ReplayCluster): void {
  const { event, recorded, ref } = write;
  if (!recorded.isAccepted && recorded.refusedBy === "before") return;
  const items = answeredItems(write);
  if (items !== undefined) {
    for (const item of items) learn(write, cluster, afterCollection(item, write), metaText(item, "name"));
    return;
  }
  const { keys, isExact } = collectionKeys(write, cluster);
  for (const key of keys) {
    const known = cluster.objects.get(key);
    const object = recorded.isAccepted && isExact ? onlyForm(known) : undefined;
    cluster.learn(key, ref.group, object === undefined ? perhapsGone(known) : afterCollection(object, write), event.at);
  }
}

/** Finalizers keep an object, which is then marked. Pods on a node, and dependents, may take some time. */
function afterCollection(item: JsonObject, write: WriteEvent): Known {
  if (isHeld(item)) return marked(item, write);
  const isSlow = textOf(objectOf(item["spec"])["nodeName"]) !== "" || mayHoldDependents(write);
  return isSlow ? uncertain("it was deleted with others, and may be waiting for its end") : ABSENT;
}

/** As it waits for its end. */
export function marked(object: JsonObject, { event }: WriteEvent): Known {
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
