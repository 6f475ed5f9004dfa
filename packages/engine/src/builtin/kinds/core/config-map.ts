/** ConfigMap: texts and bytes by key. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, memberCount, NAME, text } from "../../columns/column.ts";
import { validateConfigMap, validateConfigMapUpdate } from "../../validate/config.ts";
import { defineKind } from "../kind.ts";

export const configMap = defineKind("v1", "ConfigMap", {
  metadata: { update: "both" },
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
  columns: [NAME, text("Data", keyCount), AGE],
});

function keyCount(map: JsonObject): number {
  return memberCount(map, "data") + memberCount(map, "binaryData");
}
