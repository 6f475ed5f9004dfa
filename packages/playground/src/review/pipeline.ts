/** What becomes of an object on its way to storage, step by step. */
import { coerceResource, decodeResource } from "@portcullis/engine/pipeline/coerce";
import type { CustomResource } from "@portcullis/engine/pipeline/custom-resource";
import type { JsonObject } from "@portcullis/engine/value/json";
import { formatYaml } from "portcullis/output/yaml";
import { countChanges, diffLines } from "./line-diff.ts";
import type { Stage } from "./outcome.ts";

/** `stored` is the object as it would be written, where nothing refused it. */
export function pipelineStages(given: JsonObject, resource: CustomResource, stored: JsonObject | undefined): Stage[] {
  const pruned = coerceResource(given, resource);
  const defaulted = decodeResource(given, resource);
  if (pruned.error !== undefined || defaulted.error !== undefined) return [];
  const stages = [
    stage("Pruned", "Unknown fields and nulls that are not allowed are removed.", given, pruned.object),
    stage("Defaulted", "Absent fields have the schema's defaults.", pruned.object, defaulted.object),
  ];
  if (stored === undefined) return stages;
  const about = "Validated and with server-set metadata, as it would be stored.";
  return [...stages, stage("Stored", about, defaulted.object, stored)];
}

function stage(title: string, about: string, before: JsonObject, after: JsonObject): Stage {
  const lines = diffLines(yamlLines(before), yamlLines(after));
  return { title, about, lines, changes: countChanges(lines) };
}

export function yamlLines(object: JsonObject): string[] {
  return formatYaml([object]).trimEnd().split("\n");
}
