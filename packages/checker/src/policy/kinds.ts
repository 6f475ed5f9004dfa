/**
 * The kinds that requests may be about: built-in kinds and the kinds of CRDs among the inputs.
 *
 * An unknown kind gets a resource name guessed from the kind, because policies can still match it.
 */
import { type BuiltinResource, builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { type CustomResourceDefinition, readDefinition } from "@portcullis/engine/internal/crd/definition";
import {
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from "@portcullis/engine/internal/policy/attributes";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import * as messages from "./messages.ts";

export interface ServedKind extends GroupVersionKind, GroupVersionResource {
  readonly namespaced: boolean;
  /** The kinds that subresources are written with, by subresource. */
  readonly subresources: ReadonlyMap<string, GroupVersionKind>;
  readonly builtin?: BuiltinResource;
  readonly custom?: () => CustomResource;
  /** The same for kinds with several equivalent forms. */
  readonly family: string;
  /** Conversion between the versions of a custom resource calls a webhook. */
  readonly convertsByWebhook?: boolean;
}

export interface KindCatalog {
  ofKind(kind: GroupVersionKind): ServedKind | undefined;
  ofResource(resource: GroupVersionResource): ServedKind | undefined;
  /** By `pods`, `deployments.apps`, `deployments.v1.apps`, or a short name. */
  byName(text: string): ServedKind | undefined;
  /** All forms of the same kind, the given one included. */
  familyOf(kind: ServedKind): readonly ServedKind[];
}

export function kindCatalog(objects: readonly JsonObject[], engine: EngineOptions): KindCatalog {
  const all = [...definedKinds(objects, engine), ...builtinResources().map(fromBuiltin)];
  const kinds = indexBy(all, (each) => `${each.group}/${each.version}/${each.kind}`);
  const resources = indexBy(all, (each) => `${each.group}/${each.version}/${each.resource}`);
  const families = groupFamilies(all);
  return {
    ofKind: ({ group, version, kind }) => kinds.get(`${group}/${version}/${kind}`),
    ofResource: ({ group, version, resource }) => resources.get(`${group}/${version}/${resource}`),
    byName: (text) => all.find((each) => namesOf(each).includes(text)),
    familyOf: (kind) => families.get(kind.family) ?? [kind],
  };
}

function groupFamilies(all: readonly ServedKind[]): Map<string, ServedKind[]> {
  const groups = new Map<string, ServedKind[]>();
  for (const each of all) groups.set(each.family, [...(groups.get(each.family) ?? []), each]);
  return groups;
}

/** The first entry of a key wins. */
function indexBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T> {
  return new Map([...items].reverse().map((item) => [keyOf(item), item]));
}

function namesOf({ group, version, resource, builtin }: ServedKind): string[] {
  const plain = [`${group}/${version}/${resource}`, group === "" ? `${version}/${resource}` : ""];
  const names = [resource, builtin?.singular ?? "", ...(builtin?.shortNames ?? [])].filter((name) => name !== "");
  if (group === "") return [...plain, ...names];
  return [...plain, ...names, ...names.flatMap((name) => [`${name}.${group}`, `${name}.${version}.${group}`])];
}

function fromBuiltin(builtin: BuiltinResource): ServedKind {
  const { group, version, kind, plural, namespaced, hub } = builtin;
  return {
    group,
    version,
    kind,
    resource: plural,
    namespaced,
    subresources: new Map(builtin.subresources.map(({ name, ...gvk }) => [name, gvk])),
    builtin,
    family: `${hub.group}/${hub.version}/${hub.kind}`,
  };
}

function definedKinds(objects: readonly JsonObject[], engine: EngineOptions): ServedKind[] {
  return definitionsIn(objects).flatMap((definition) => kindsOf(definition, engine));
}

/** The CRDs among the objects. */
export function definitionsIn(objects: readonly JsonObject[]): CustomResourceDefinition[] {
  return objects
    .filter(({ apiVersion, kind }) => kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1")
    .map((object) => readDefinition(decodeDefinition(object).value));
}

function kindsOf(definition: CustomResourceDefinition, engine: EngineOptions): ServedKind[] {
  const { group, names, scope, conversion } = definition;
  return definition.versions.map((version) => {
    const gvk = { group, version: version.name, kind: names.kind };
    const subresources = new Map<string, GroupVersionKind>();
    if (version.subresources?.status === true) subresources.set("status", gvk);
    if (version.subresources?.scale !== undefined) {
      subresources.set("scale", { group: "autoscaling", version: "v1", kind: "Scale" });
    }
    let compiled: CustomResource | undefined;
    return {
      ...gvk,
      resource: names.plural,
      namespaced: scope === "Namespaced",
      subresources,
      custom: () => {
        compiled ??= compileResource(definition, version, engine);
        return compiled;
      },
      family: `${group}/${names.plural}`,
      convertsByWebhook: conversion?.["strategy"] === "Webhook",
    };
  });
}

/** The guess that kubectl and the API machinery make without discovery. */
export function kindByConvention(gvk: GroupVersionKind, namespaced: boolean): ServedKind {
  const family = `${gvk.group}/${gvk.kind}`;
  return { ...gvk, resource: guessResource(gvk.kind), namespaced, subresources: new Map(), family };
}

function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

export function gvkOf(object: JsonObject): GroupVersionKind {
  const apiVersion = typeof object["apiVersion"] === "string" ? object["apiVersion"] : "";
  const kind = typeof object["kind"] === "string" ? object["kind"] : "";
  return { ...(parseGroupVersion(apiVersion) ?? { group: "", version: apiVersion }), kind };
}

/** A resource as the command line or a request file names it; a string is an error message. */
export function findResource(text: string, catalog: KindCatalog): GroupVersionResource | ServedKind | string {
  const known = catalog.byName(text);
  if (known !== undefined) return known;
  const parts = text.split("/");
  if (parts.length === 1) return messages.unknownResource(text);
  if (parts.length > 3 || parts.some((part, at) => part === "" && at > 0)) return messages.badResource(text);
  const [resource = "", version = "", group = ""] = parts.reverse();
  return { group, version, resource };
}
