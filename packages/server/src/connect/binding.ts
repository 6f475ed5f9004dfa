/** `pods/binding` and `bindings`: assigns a pod to a node. Follows BindingREST of pkg/registry/core/pod/storage. */
import { notSupported, required } from "@portcullis/engine/internal/field/error";
import { formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { newPath } from "@portcullis/engine/internal/field/path";
import type { AnswerContext, ResourceKind } from "@portcullis/engine/internal/review/kind";
import { badRequest, bareError, conflict, notFound } from "@portcullis/engine/internal/status/error";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, objectOf, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { changeStored } from "../registry/stored.ts";
import type { Store } from "../storage/store.ts";
import * as messages from "./messages.ts";
import { withPodCondition } from "./pod-condition.ts";

const TARGET = newPath("target");

export interface PodStore {
  readonly store: Store;
  readonly pods: ResourceKind;
}

/** `name` is that of the pod. */
export async function bindPod(binding: JsonObject, name: string, context: AnswerContext, { store, pods }: PodStore) {
  if (metaText(binding, "name") !== name) throw badRequest(messages.otherName("Binding"));
  const target = isObject(binding["target"]) ? binding["target"] : newObject();
  checkTarget(target);
  await context.admit(binding);
  const key = keyOf(pods, context.namespace, name);
  const entry = await store.get(key);
  if (entry === undefined) throw notFound({ group: "", resource: "pods" }, name);
  checkPod(decodeEntry(entry, pods), binding);
  if (!context.isDryRun) {
    await changeStored(store, key, pods, (pod) => {
      checkPod(pod, binding);
      return bound(pod, binding, textOf(target["name"]), context.system.now());
    });
  }
  return successStatus();
}

export function successStatus(): JsonObject {
  return objectOf({ kind: "Status", apiVersion: "v1", metadata: newObject(), status: "Success", code: 201 });
}

function checkTarget(target: JsonObject): void {
  const [kind, name] = [textOf(target["kind"]), textOf(target["name"])];
  const errors = [
    ...(kind === "" || kind === "Node" ? [] : [notSupported(TARGET.child("kind"), kind, ["Node", "<empty>"])]),
    ...(name === "" ? [required(TARGET.child("name"))] : []),
  ];
  if (errors.length > 0) throw bareError(formatFieldErrors(errors));
}

function checkPod(pod: JsonObject, binding: JsonObject): void {
  const name = metaText(pod, "name");
  const refuse = (problem: string): Error => conflict({ group: "", resource: "pods/binding" }, name, problem);
  const [uid, version] = [metaText(binding, "uid"), metaText(binding, "resourceVersion")];
  if (uid !== "" && uid !== metaText(pod, "uid")) throw refuse(messages.bindingUid(uid, metaText(pod, "uid")));
  if (version !== "" && version !== metaText(pod, "resourceVersion")) {
    throw refuse(messages.bindingVersion(version, metaText(pod, "resourceVersion")));
  }
  const spec = isObject(pod["spec"]) ? pod["spec"] : newObject();
  if (metaText(pod, "deletionTimestamp") !== "") throw refuse(messages.podInDeletion(name));
  if (textOf(spec["nodeName"]) !== "") throw refuse(messages.podAssigned(name, textOf(spec["nodeName"])));
  if (isArray(spec["schedulingGates"]) && spec["schedulingGates"].length > 0) throw refuse(messages.podGated(name));
}

function bound(pod: JsonObject, binding: JsonObject, node: string, now: string): JsonObject {
  const spec = isObject(pod["spec"]) ? pod["spec"] : newObject();
  const [labels, annotations] = [merged(pod, binding, "labels"), merged(pod, binding, "annotations")];
  const placed = withMember(withMeta(pod, { labels, annotations }), "spec", withMember(spec, "nodeName", node));
  return withPodCondition(placed, { type: "PodScheduled", status: "True" }, now);
}

function merged(pod: JsonObject, binding: JsonObject, key: string): JsonObject | undefined {
  const [before, added] = [metaOf(pod)[key], metaOf(binding)[key]];
  if (!isObject(added)) return isObject(before) ? before : undefined;
  return objectOf({ ...(isObject(before) ? before : {}), ...added });
}
