/** Files of one volume that would replace one another. Follows pkg/api/pod/warnings.go. */

import type { JsonObject } from "../../value/json.ts";
import { trimRight } from "../../value/trim.ts";
import { has, objectOf, objectsOf, textOf } from "../object.ts";
import * as messages from "./messages.ts";
import { MAX_PAIRS, PathTree } from "./overlap.ts";

interface FilePath {
  readonly path: string;
  readonly source: string;
}

export function overlapWarnings(volumes: readonly JsonObject[]): string[] {
  return volumes.flatMap((volume) => {
    const name = textOf(volume, "name");
    const [configMap, secret] = [objectOf(volume, "configMap"), objectOf(volume, "secret")];
    const [downward, projected] = [objectOf(volume, "downwardAPI"), objectOf(volume, "projected")];
    return [
      ...overlapsOf(itemsOf(configMap), name, messages.named("ConfigMap", textOf(configMap, "name"))),
      ...overlapsOf(itemsOf(secret), name, messages.named("Secret", textOf(secret, "secretName"))),
      ...overlapsOf(itemsOf(downward), name, "DownwardAPI"),
      ...(projected === undefined ? [] : projectedWarnings(projected, name)),
    ];
  });
}

function itemsOf(source: JsonObject | undefined, shown = ""): FilePath[] {
  return objectsOf(source, "items").map((item) => ({ path: trimRight(textOf(item, "path"), "/"), source: shown }));
}

function overlapsOf(paths: readonly FilePath[], volume: string, source: string): string[] {
  const tree = new PathTree<FilePath>();
  const warnings: string[] = [];
  for (const path of paths) {
    const left = MAX_PAIRS - warnings.length;
    if (left === 0) break;
    if (path.path === "") continue;
    for (const other of tree.add(path.path, path, left))
      warnings.push(messages.overlapping(volume, source, `${shown(path)} with ${shown(other)}`));
  }
  return warnings;
}

function shown({ path, source }: FilePath): string {
  return messages.pathOf(path, source);
}

function projectedWarnings(projected: JsonObject, volume: string): string[] {
  const sources = objectsOf(projected, "sources");
  const empty = sources.filter((source) => Object.keys(source).length === 0);
  return [
    ...empty.map(() => messages.noSources(volume)),
    ...overlapsOf(sources.flatMap(projectedPaths), volume, "Projected"),
  ];
}

function projectedPaths(source: JsonObject): FilePath[] {
  const [configMap, secret] = [objectOf(source, "configMap"), objectOf(source, "secret")];
  const token = objectOf(source, "serviceAccountToken");
  if (has(configMap, "items")) return itemsOf(configMap, messages.named("ConfigMap", textOf(configMap, "name")));
  if (has(secret, "items")) return itemsOf(secret, messages.named("Secret", textOf(secret, "name")));
  if (has(objectOf(source, "downwardAPI"), "items")) return itemsOf(objectOf(source, "downwardAPI"), "DownwardAPI");
  if (token === undefined) return [];
  return [{ path: trimRight(textOf(token, "path"), "/"), source: "ServiceAccountToken" }];
}
