/** ResourceQuota: how much all objects of a namespace may use together. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, status, text } from "../../columns/column.ts";
import { objectOf, textOf } from "../../object.ts";
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from "../../validate/cluster/quota.ts";
import { defineKind } from "../kind.ts";

export const resourceQuota = defineKind("v1", "ResourceQuota", {
  ownsStatus: true,
  validate: validateQuota,
  validateUpdate: validateQuotaUpdate,
  validateStatusUpdate: validateQuotaStatus,
  columns: [
    NAME,
    text("Request", (quota) => quotaText(quota, (name) => !isLimit(name))),
    text("Limit", (quota) => quotaText(quota, isLimit)),
    AGE,
  ],
  returnsDeletedObject: true,
});

function isLimit(name: string): boolean {
  return name.startsWith("limits.");
}

function quotaText(quota: JsonObject, isShown: (name: string) => boolean): string {
  const [hard, used] = [objectOf(status(quota), "hard") ?? {}, objectOf(status(quota), "used") ?? {}];
  const names = Object.keys(hard).sort().filter(isShown);
  return names.map((name) => `${name}: ${textOf(used, name) || "0"}/${textOf(hard, name)}`).join(", ");
}
