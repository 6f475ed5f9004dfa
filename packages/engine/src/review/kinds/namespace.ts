/**
 * Namespaces: created active with a finalizer in their specification, deleted by terminating first.
 *
 * Follows pkg/registry/core/namespace.
 */
import { type BuiltinResource, builtinResource } from "../../builtin/builtin.ts";
import { isArray, isObject, type JsonObject, newObject } from "../../value/json.ts";
import { metaOf, metaText, objectOf, textOf, withMeta } from "../../value/metadata.ts";
import { withMember } from "../../value/rewrite.ts";
import type { GroupVersionKind, ResourceKind, WriteContext } from "../kind.ts";
import { builtInKind } from "./built-in.ts";
import { type KindRules, sameKindSubresource } from "./built-in-strategy.ts";

const gvk: GroupVersionKind = { group: "", version: "v1", kind: "Namespace" };

export const NAMESPACE_PREFIX = "/registry/namespaces/";
const NAME_LABEL = "kubernetes.io/metadata.name";
const FINALIZER = "kubernetes";

export const DEFAULT_NAMESPACES: readonly string[] = ["default", "kube-node-lease", "kube-public", "kube-system"];

const resource = builtin();
const base = builtInKind(resource, {
  rules: { prepareUpdate: updateWithLabel },
  flags: { beginDelete, isFinished },
});

/** Only the finalizers of the specification change here. */
const finalizeRules: KindRules = {
  namespaced: false,
  prepareUpdate: (object, old) => withOld(object, old, "status"),
};

export const namespaceKind: ResourceKind = {
  ...base,
  subresources: new Map([
    ...base.subresources,
    ["finalize", { ...sameKindSubresource("finalize", gvk, finalizeRules, ["update"]), decodeTyped: resource.decode }],
  ]),
  fields: {
    has: (field) => field === "name" || base.fields.has(field),
    read: (object, field) => (field === "name" ? metaText(object, "name") : base.fields.read(object, field)),
  },
};

function builtin(): BuiltinResource {
  const found = builtinResource("", "v1", "namespaces");
  if (found === undefined) throw new Error("no built-in kind Namespace");
  return found;
}

function updateWithLabel(object: JsonObject, old: JsonObject, { system }: WriteContext): JsonObject {
  const context = { now: system.now, clusterIp: () => "", nodePort: () => 0 };
  return withNameLabel(resource.prepareUpdate(object, old, context));
}

export function phaseOf(object: JsonObject): string {
  const status = object["status"];
  return isObject(status) ? textOf(status["phase"]) : "";
}

/** A namespace as the server makes one. */
export function newNamespace(name: string, uid: string, now: string): JsonObject {
  const metadata = objectOf({ name, uid, creationTimestamp: now });
  const bare = objectOf({ apiVersion: "v1", kind: "Namespace", metadata });
  return withSpecFinalizer(withPhase(withNameLabel(bare), "Active"));
}

function withNameLabel(object: JsonObject): JsonObject {
  const name = metaText(object, "name");
  const labels = metaOf(object)["labels"];
  if (name === "") return object;
  return withMeta(object, { labels: withMember(isObject(labels) ? labels : newObject(), NAME_LABEL, name) });
}

function withPhase(object: JsonObject, phase: string): JsonObject {
  const status = isObject(object["status"]) ? object["status"] : newObject();
  return withMember(object, "status", withMember(status, "phase", phase));
}

function withSpecFinalizer(object: JsonObject): JsonObject {
  const spec = isObject(object["spec"]) ? object["spec"] : newObject();
  const finalizers = specFinalizers(object);
  return withMember(
    object,
    "spec",
    withMember(spec, "finalizers", finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER]),
  );
}

function specFinalizers(object: JsonObject): string[] {
  const spec = object["spec"];
  const finalizers = isObject(spec) ? spec["finalizers"] : undefined;
  return isArray(finalizers) ? finalizers.map(textOf) : [];
}

function withOld(object: JsonObject, old: JsonObject, part: "spec" | "status"): JsonObject {
  return withMember(object, part, old[part] ?? newObject());
}

function beginDelete(object: JsonObject, now: string): JsonObject | undefined {
  if (metaText(object, "deletionTimestamp") !== "") return isFinished(object) ? undefined : object;
  return withSpecFinalizer(withPhase(withMeta(object, { deletionTimestamp: now }), "Terminating"));
}

function isFinished(object: JsonObject): boolean {
  return specFinalizers(object).length === 0;
}

/** Whether its contents have to be deleted before it is. */
export function waitsForContents(object: JsonObject): boolean {
  return specFinalizers(object).includes(FINALIZER);
}

/** The namespace when its contents are gone. Others may have put finalizers of their own into its specification. */
export function withoutSpecFinalizer(object: JsonObject): JsonObject {
  const others = specFinalizers(object).filter((name) => name !== FINALIZER);
  return withMember(object, "spec", objectOf(others.length === 0 ? {} : { finalizers: others }));
}
