/**
 * Namespaces: created active with a finalizer in their specification, deleted by terminating first.
 *
 * Follows pkg/registry/core/namespace.
 */
import { checkDnsLabel, maskTrailingDash } from "@portcullis/engine/field/names";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import { namespaceColumns } from "../endpoints/columns.ts";
import { builtInStrategy, type KindRules, sameKindSubresource } from "./built-in.ts";
import { metaOf, metaText, objectOf, textOf, withMeta } from "./meta.ts";
import type { GroupVersionKind, ResourceType, SelectableFields } from "./resource-type.ts";

const gvk: GroupVersionKind = { group: "", version: "v1", kind: "Namespace" };

export const NAMESPACE_PREFIX = "/registry/namespaces/";
export const NAME_LABEL = "kubernetes.io/metadata.name";
export const FINALIZER = "kubernetes";

export const DEFAULT_NAMESPACES: readonly string[] = ["default", "kube-node-lease", "kube-public", "kube-system"];

const rules: KindRules = {
  namespaced: false,
  checkName: (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name),
  prepareCreate: (object) => withSpecFinalizer(withPhase(withNameLabel(object), "Active")),
  prepareUpdate: (object, old) => withOld(withOld(withNameLabel(object), old, "spec"), old, "status"),
};

const statusRules: KindRules = { ...rules, prepareUpdate: (object, old) => withOld(object, old, "spec") };
const finalizeRules: KindRules = { ...rules, prepareUpdate: (object, old) => withOld(object, old, "status") };

const phaseField: SelectableFields = {
  has: (field) => field === "status.phase" || field === "name",
  read: (object, field) => (field === "name" ? metaText(object, "name") : phaseOf(object)),
};

export const namespaceType: ResourceType = {
  ...gvk,
  listKind: "NamespaceList",
  plural: "namespaces",
  singular: "namespace",
  shortNames: ["ns"],
  categories: [],
  namespaced: false,
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  storagePrefix: NAMESPACE_PREFIX,
  isCustom: false,
  itemsNameKind: false,
  patchTypes: ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"],
  strategy: builtInStrategy(gvk, rules, { returnsDeletedObject: true, beginDelete, isFinished }),
  subresources: new Map([
    ["status", sameKindSubresource("status", gvk, statusRules)],
    ["finalize", sameKindSubresource("finalize", gvk, finalizeRules, ["update"])],
  ]),
  columns: namespaceColumns,
  fields: phaseField,
  warning: undefined,
};

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
  return withMember(object, "status", objectOf({ phase }));
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

/** The namespace with nothing left to wait for. */
export function withoutSpecFinalizer(object: JsonObject): JsonObject {
  return withMember(object, "spec", newObject());
}
