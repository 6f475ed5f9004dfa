/** What happens to an object on its way to storage, step by step. */

import type { Examined } from "@portcullis/checker/internal/check/checker";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { countChanges, diffLines } from "./line-diff.ts";
import type { Stage } from "./outcome.ts";

export function pipelineStages(given: JsonObject, { kind, outcome: { decoded }, stored }: Examined): Stage[] {
  if (decoded === undefined) return [];
  const pruned = kind.prune?.(given) ?? keptOf(given, decoded);
  const about = "Absent fields have their defaults, and values have their canonical form.";
  const stages = [
    stage("Pruned", "Unknown fields and nulls that are not allowed are removed.", given, pruned),
    stage("Defaulted", about, pruned, decoded),
  ];
  if (stored === undefined) return stages;
  return [
    ...stages,
    stage("Stored", "Validated and with server-set metadata, as it would be stored.", decoded, stored),
  ];
}

/** What is left of an object after decoding, without what decoding adds. */
function keptOf(given: JsonObject, decoded: JsonObject): JsonObject {
  const kept = newObject();
  for (const [key, value] of Object.entries(given)) {
    const after = decoded[key];
    if (after !== undefined) kept[key] = keptValue(value, after);
  }
  return kept;
}

function keptValue(given: JsonValue, decoded: JsonValue): JsonValue {
  if (isObject(given) && isObject(decoded)) return keptOf(given, decoded);
  if (!isArray(given) || !isArray(decoded) || given.length !== decoded.length) return given;
  return given.map((item, index) => keptValue(item, decoded[index] ?? null));
}

function stage(title: string, about: string, before: JsonObject, after: JsonObject): Stage {
  const lines = diffLines(yamlLines(before), yamlLines(inOrderOf(before, after)));
  return { title, about, lines, changes: countChanges(lines) };
}

/** The order of keys has no meaning, so it must not look like a change. */
function inOrderOf(before: JsonObject, after: JsonObject): JsonObject {
  const ordered = newObject();
  const keys = [...Object.keys(before).filter((key) => key in after), ...Object.keys(after)];
  for (const key of new Set(keys)) ordered[key] = orderedValue(before[key] ?? null, after[key] ?? null);
  return ordered;
}

function orderedValue(before: JsonValue, after: JsonValue): JsonValue {
  if (isObject(before) && isObject(after)) return inOrderOf(before, after);
  if (!isArray(before) || !isArray(after)) return after;
  return after.map((item, index) => orderedValue(before[index] ?? null, item));
}

export function yamlLines(object: JsonObject): string[] {
  return formatYaml([object]).trimEnd().split("\n");
}
