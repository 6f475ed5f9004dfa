/** What happens to an object on its way to storage, step by step. */

import type { Examined } from "@portcullis/checker/internal/check/checker";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { countChanges, diffLines } from "./line-diff.ts";
import type { Stage } from "./outcome.ts";

export function pipelineStages(given: JsonObject, { kind, outcome: { decoded }, stored }: Examined): Stage[] {
  if (decoded === undefined) return [];
  const pruned = kind.prune?.(given);
  const stages =
    pruned === undefined
      ? [stage("Decoded", "Unknown fields are removed, absent fields have their defaults.", given, decoded)]
      : [
          stage("Pruned", "Unknown fields and nulls that are not allowed are removed.", given, pruned),
          stage("Defaulted", "Absent fields have the schema's defaults.", pruned, decoded),
        ];
  if (stored === undefined) return stages;
  const about = "Validated and with server-set metadata, as it would be stored.";
  return [...stages, stage("Stored", about, decoded, stored)];
}

function stage(title: string, about: string, before: JsonObject, after: JsonObject): Stage {
  const lines = diffLines(yamlLines(before), yamlLines(after));
  return { title, about, lines, changes: countChanges(lines) };
}

export function yamlLines(object: JsonObject): string[] {
  return formatYaml([object]).trimEnd().split("\n");
}
