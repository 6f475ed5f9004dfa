/**
 * Names in documents: of schemas, operations and tags.
 *
 * Follows apiserver pkg/endpoints/openapi. The parts of a name are joined in camel case wherever a character is not
 * allowed in an identifier.
 */
import type { OpenApiVersion } from "./resource.ts";

/** `example.com`, `v1`, `Widget` is com.example.v1.Widget. */
export function customName({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return [...group.split(".").reverse(), version, kind].join(".");
}

/** k8s.io/api/apps/v1 is io.k8s.api.apps.v1. */
export function packageName(path: string): string {
  const [host = "", ...rest] = path.split("/");
  return [...host.split(".").reverse(), ...rest].join(".");
}

export const META_V1 = "io.k8s.apimachinery.pkg.apis.meta.v1";
export const OBJECT_META = `${META_V1}.ObjectMeta`;
export const LIST_META = `${META_V1}.ListMeta`;
export const STATUS = `${META_V1}.Status`;
export const PATCH = `${META_V1}.Patch`;
export const DELETE_OPTIONS = `${META_V1}.DeleteOptions`;
export const WATCH_EVENT = `${META_V1}.WatchEvent`;
export const RESOURCE = `${META_V1}.APIResource`;
export const RESOURCE_LIST = `${META_V1}.APIResourceList`;

export function reference(name: string, version: OpenApiVersion): string {
  return `${version === 2 ? "#/definitions/" : "#/components/schemas/"}${name}`;
}

export function groupPath(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** `verb` comes first, then the group version, then the rest: listAppsV1NamespacedDeployment. */
export function operationId(verb: string, group: string, version: string, rest: string): string {
  return verb + identifier(shortGroup(group), true) + identifier(version, true) + identifier(rest, true);
}

export function tag(group: string, version: string): string {
  return `${identifier(shortGroup(group), false)}_${identifier(version, false)}`;
}

function shortGroup(group: string): string {
  return group === "" ? "core" : group.replace(/\.k8s\.io$/, "");
}

function identifier(text: string, capitalizeFirst: boolean): string {
  let [made, capitalize] = ["", capitalizeFirst];
  [...text].forEach((letter, index) => {
    const isPart = /[\p{L}_]/u.test(letter) || (index > 0 && /\p{Nd}/u.test(letter));
    if (isPart) made += capitalize ? letter.toUpperCase() : letter;
    capitalize = !isPart;
  });
  return made;
}
