/** The parameters a binding refers to. Follows CollectParams of apiserver pkg/admission/plugin/policy/generic. */
import type { Result } from "@portcullis/gostd/result";
import { compareStrings } from "@portcullis/gostd/utf8";
import { fromStructured, matchesLabels } from "../selector/labels.ts";
import type { JsonObject } from "../value/json.ts";
import { objectLabels, objectOf, textOf } from "../value/read.ts";
import { copyObject } from "../value/rewrite.ts";
import { formatKind, type GroupVersionKind, parseGroupVersion } from "./attributes.ts";
import type { ParamRef } from "./binding.ts";
import * as messages from "./messages.ts";
import type { ParamKind } from "./policy.ts";

/** Finds the objects that policies name as parameters. */
export interface ParamSource {
  /** Undefined if no such kind is served. */
  find(kind: GroupVersionKind): ParamResource | undefined;
}

/** The stored objects of a kind that parameters come from. */
export interface ParamResource {
  readonly namespaced: boolean;
  /** True while the objects are not known yet. */
  readonly pending?: boolean;
  /** The namespace is "" for kinds without. */
  get(namespace: string, name: string): JsonObject | undefined;
  list(namespace: string): readonly JsonObject[];
}

/** A cluster without any parameters. */
export const NO_PARAMS: ParamSource = { find: () => undefined };

export interface FoundParams {
  readonly resource: ParamResource | undefined;
  readonly error: string | undefined;
}

/** Where a policy's params are to be found; an error where no such kind is served. */
export function findParamResource(
  { paramKind }: { readonly paramKind?: ParamKind | undefined },
  source: ParamSource,
): FoundParams {
  const groupVersion = paramKind && parseGroupVersion(paramKind.apiVersion);
  if (paramKind === undefined || groupVersion === undefined) return { resource: undefined, error: undefined };
  const kind = { ...groupVersion, kind: paramKind.kind };
  const resource = source.find(kind);
  return { resource, error: resource === undefined ? messages.paramKindNotFound(formatKind(kind)) : undefined };
}

/** Undefined among the results stands for null: the policy has no params, or the binding names none. */
export function collectParams(
  paramKind: ParamKind | undefined,
  resource: ParamResource | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
): Result<readonly (JsonObject | undefined)[]> {
  if (paramKind === undefined || paramRef === undefined) return { value: [undefined] };
  if (resource === undefined) return { error: messages.paramKindNotSynced(formatParamKind(paramKind)) };
  const namespace = resource.namespaced ? paramRef.namespace || requestNamespace : "";
  if (resource.namespaced && namespace === "") return { error: messages.paramNamespaceNeeded() };
  if (resource.pending === true) return { error: messages.paramKindNotSynced(formatParamKind(paramKind)) };
  if (!resource.namespaced && paramRef.namespace !== "") return { error: messages.paramNamespaceForbidden() };
  const found = findParams(resource, paramRef, namespace);
  if (found.error !== undefined) return found;
  if (found.value.length === 0 && paramRef.parameterNotFoundAction === "Deny") return { error: messages.noParams() };
  return { value: found.value.map((param) => withTypeMeta(param, paramKind)) };
}

function findParams(resource: ParamResource, paramRef: ParamRef, namespace: string): Result<readonly JsonObject[]> {
  const { name, selector } = paramRef;
  if (name !== "") {
    if (selector !== undefined) return { error: messages.nameAndSelectorExclude() };
    const param = resource.get(namespace, name);
    return { value: param === undefined ? [] : [param] };
  }
  if (selector === undefined) return { error: messages.nameOrSelectorNeeded() };
  const parsed = fromStructured(selector);
  if (parsed.error !== undefined) return parsed;
  const requirements = parsed.value ?? [];
  const selected = resource.list(namespace).filter((param) => matchesLabels(requirements, objectLabels(param)));
  return { value: selected.sort(byName) };
}

// Upstream goes through them in the order of a Go map.
function byName(left: JsonObject, right: JsonObject): number {
  return compareStrings(nameOf(left), nameOf(right));
}

export function nameOf(object: JsonObject): string {
  return textOf(objectOf(object["metadata"])["name"]);
}

/** Built-in kinds come without kind and apiVersion from the server's own memory; expressions may read them. */
function withTypeMeta(param: JsonObject, { apiVersion, kind }: ParamKind): JsonObject {
  if (param["kind"] !== undefined || param["apiVersion"] !== undefined) return param;
  const typed = copyObject(param);
  typed["apiVersion"] = apiVersion;
  typed["kind"] = kind;
  return typed;
}

function formatParamKind({ apiVersion, kind }: ParamKind): string {
  return `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
}

/** What names a parameter. */
export function paramName(param: JsonObject): { readonly namespace: string; readonly name: string } {
  return { namespace: textOf(objectOf(param["metadata"])["namespace"]), name: nameOf(param) };
}
