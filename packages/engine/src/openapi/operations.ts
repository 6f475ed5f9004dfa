/**
 * The operations of a resource, whatever the version of the document.
 *
 * Custom resources follow apiextensions pkg/controller/openapi/builder, all others apiserver pkg/endpoints/installer.go:
 * the two differ in media types, in the parameters of reads and collections, and in the deprecated paths of watches.
 */
import * as names from "./names.ts";
import {
  DELETE_COLLECTION_PARAMETERS,
  DELETE_PARAMETERS,
  GET_PARAMETERS,
  LIST_PARAMETERS,
  NAME,
  NAMESPACE,
  PATCH_PARAMETERS,
  type Parameter,
  PRETTY,
  WRITE_PARAMETERS,
} from "./parameters.ts";
import type { PublishedResource } from "./resource.ts";

export type Method = "get" | "put" | "post" | "delete" | "patch";

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly action: string | undefined;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  /** Names of schemas by status code. */
  readonly responses: readonly (readonly [code: string, schema: string])[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

export interface Body {
  readonly schema: string;
  readonly isRequired: boolean;
}

/** The name of the schema of a built-in kind. */
export type SchemaNamer = (group: string, version: string, kind: string) => string;

interface Place {
  readonly resource: PublishedResource;
  readonly path: string;
  /** "Scale" where it is one of a subresource. */
  readonly suffix: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly schema: string;
  readonly listSchema: string;
  readonly isItem: boolean;
  readonly patchTypes: readonly string[];
}

const TEXT_TYPES = ["application/json", "application/yaml"];
const BUILT_IN_TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const STREAM_TYPES = [
  ...BUILT_IN_TYPES,
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];

export function operationsOf(resource: PublishedResource, nameOf: SchemaNamer): Operation[] {
  const base = names.groupPath(resource.group, resource.version);
  const scope = resource.namespaced ? "/namespaces/{namespace}" : "";
  const collection = placeOf(resource, `${base}${scope}/${resource.plural}`, nameOf);
  const item: Place = { ...collection, path: `${collection.path}/{name}`, isItem: true };
  return [
    ...(resource.namespaced ? acrossNamespaces({ ...collection, path: `${base}/${resource.plural}` }) : []),
    ...collectionOperations(collection),
    ...itemOperations(item, resource.verbs),
    ...resource.subresources.flatMap((sub) => subresourceOperations(item, sub, nameOf)),
    ...(resource.custom === undefined ? watchOperations(collection, base, scope) : []),
  ];
}

function placeOf(resource: PublishedResource, path: string, nameOf: SchemaNamer): Place {
  const { group, version, kind, listKind, custom, patchTypes } = resource;
  const name = (each: string): string =>
    custom === undefined ? nameOf(group, version, each) : names.customName({ group, version, kind: each });
  return {
    resource,
    path,
    suffix: "",
    kind: { group, version, kind },
    patchTypes,
    schema: name(kind),
    listSchema: name(listKind),
    isItem: false,
  };
}

function acrossNamespaces(place: Place): Operation[] {
  if (!place.resource.verbs.includes("list")) return [];
  const { id, ...list } = listOperation(place);
  const rest = `${place.resource.kind}ForAllNamespaces`;
  return [{ ...list, id: idOf(place, "list", rest), parameters: withoutNamespace(list.parameters) }];
}

function withoutNamespace(parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter((each) => each !== NAMESPACE);
}

function collectionOperations(place: Place): Operation[] {
  const { verbs } = place.resource;
  return [
    ...(verbs.includes("list") ? [listOperation(place)] : []),
    ...(verbs.includes("create") ? [createOperation(place)] : []),
    ...(verbs.includes("deletecollection") ? [deleteCollectionOperation(place)] : []),
  ];
}

function itemOperations(place: Place, verbs: readonly string[]): Operation[] {
  return [
    ...(verbs.includes("get") ? [getOperation(place)] : []),
    ...(verbs.includes("update") ? [updateOperation(place)] : []),
    ...(verbs.includes("delete") ? [deleteOperation(place)] : []),
    ...(verbs.includes("patch") ? [patchOperation(place)] : []),
  ];
}

/** Subresources that connect to something are left out: they exchange no objects. */
function subresourceOperations(
  item: Place,
  sub: PublishedResource["subresources"][number],
  nameOf: SchemaNamer,
): Operation[] {
  if (/Options$/.test(sub.kind)) return [];
  const isOwn = sub.kind === item.resource.kind && sub.group === item.resource.group;
  const isCustom = item.resource.custom !== undefined;
  const place: Place = {
    ...item,
    path: `${item.path}/${sub.name}`,
    suffix: sub.name[0]?.toUpperCase() + sub.name.slice(1),
    // The builder for custom resources names the parent even where the body is a Scale.
    kind: isCustom ? item.kind : { group: sub.group, version: sub.version, kind: sub.kind },
    schema: isOwn ? item.schema : nameOf(sub.group, sub.version, sub.kind),
  };
  return [
    ...itemOperations(
      place,
      sub.verbs.filter((verb) => verb !== "delete"),
    ),
    ...(sub.verbs.includes("create") ? [createOperation(place)] : []),
  ];
}

function watchOperations(place: Place, base: string, scope: string): Operation[] {
  const { resource } = place;
  if (!resource.verbs.includes("watch")) return [];
  const all = { ...place, path: `${base}/watch/${resource.plural}` };
  const some = { ...place, path: `${base}/watch${scope}/${resource.plural}` };
  const one = { ...some, path: `${some.path}/{name}`, isItem: true };
  const own = scopedKind(place);
  return [
    ...(resource.namespaced ? [watchOperation(all, "watchlist", `${resource.kind}ListForAllNamespaces`)] : []),
    watchOperation(some, "watchlist", `${own}List`),
    watchOperation(one, "watch", own),
  ];
}

function watchOperation(place: Place, action: string, rest: string): Operation {
  const list = listOperation(place);
  const hasNamespace = place.path.includes("{namespace}");
  return {
    ...list,
    id: idOf(place, "watch", rest),
    action,
    parameters: hasNamespace ? list.parameters : withoutNamespace(list.parameters),
    responses: [["200", names.WATCH_EVENT]],
  };
}

function listOperation(place: Place): Operation {
  const produces = place.resource.custom === undefined ? STREAM_TYPES : TEXT_TYPES;
  const made = operation(place, ["get", "list", "list"], LIST_PARAMETERS, [["200", place.listSchema]]);
  return { ...made, produces };
}

function createOperation(place: Place): Operation {
  const codes = ["200", "201", "202"].map((code) => [code, place.schema] as const);
  const made = operation(place, ["post", "post", "create"], WRITE_PARAMETERS, codes);
  return { ...made, body: { schema: place.schema, isRequired: true } };
}

function deleteCollectionOperation(place: Place): Operation {
  const isCustom = place.resource.custom !== undefined;
  const parameters = isCustom ? LIST_PARAMETERS : DELETE_COLLECTION_PARAMETERS;
  const made = operation(place, ["delete", "deletecollection", "delete"], parameters, [["200", names.STATUS]]);
  const id = idOf(place, "delete", `Collection${scopedKind(place)}`);
  return { ...made, id, body: isCustom ? undefined : { schema: names.DELETE_OPTIONS, isRequired: false } };
}

function getOperation(place: Place): Operation {
  const parameters = place.resource.custom === undefined ? [] : GET_PARAMETERS;
  return operation(place, ["get", "get", "read"], parameters, [["200", place.schema]]);
}

function updateOperation(place: Place): Operation {
  const codes = ["200", "201"].map((code) => [code, place.schema] as const);
  const made = operation(place, ["put", "put", "replace"], WRITE_PARAMETERS, codes);
  return { ...made, body: { schema: place.schema, isRequired: true } };
}

function deleteOperation(place: Place): Operation {
  const answer = place.resource.returnsDeletedObject ? place.schema : names.STATUS;
  const codes = ["200", "202"].map((code) => [code, answer] as const);
  const made = operation(place, ["delete", "delete", "delete"], DELETE_PARAMETERS, codes);
  return { ...made, body: { schema: names.DELETE_OPTIONS, isRequired: false } };
}

function patchOperation(place: Place): Operation {
  const codes = place.resource.custom === undefined ? ["200", "201"] : ["200"];
  const responses = codes.map((code) => [code, place.schema] as const);
  const made = operation(place, ["patch", "patch", "patch"], PATCH_PARAMETERS, responses);
  return { ...made, body: { schema: names.PATCH, isRequired: true }, consumes: place.patchTypes };
}

/** `verb` starts the operation's id. */
function operation(
  place: Place,
  [method, action, verb]: readonly [method: Method, action: string, verb: string],
  parameters: readonly Parameter[],
  responses: Operation["responses"],
): Operation {
  const { resource, path, kind, isItem } = place;
  const isCustom = resource.custom !== undefined;
  const own = [PRETTY, ...(resource.namespaced ? [NAMESPACE] : []), ...(isItem ? [NAME] : [])];
  return {
    path,
    method,
    action,
    kind,
    responses,
    body: undefined,
    id: idOf(place, verb, scopedKind(place)),
    tag: names.tag(resource.group, resource.version),
    parameters: [...own, ...parameters],
    consumes: isCustom ? TEXT_TYPES : ["*/*"],
    produces: isCustom ? TEXT_TYPES : BUILT_IN_TYPES,
  };
}

function scopedKind({ resource, suffix }: Place): string {
  return `${resource.namespaced ? "Namespaced" : ""}${resource.kind}${suffix}`;
}

function idOf({ resource }: Place, verb: string, rest: string): string {
  return names.operationId(verb, resource.group, resource.version, rest);
}

/** What lists the resources of a built-in group version. */
export function resourceListOperation(group: string, version: string): Operation {
  return {
    path: `${names.groupPath(group, version)}/`,
    method: "get",
    id: names.operationId("get", group, version, "APIResources"),
    tag: names.tag(group, version),
    action: undefined,
    kind: undefined,
    parameters: [],
    body: undefined,
    responses: [["200", names.RESOURCE_LIST]],
    consumes: BUILT_IN_TYPES,
    produces: BUILT_IN_TYPES,
  };
}
