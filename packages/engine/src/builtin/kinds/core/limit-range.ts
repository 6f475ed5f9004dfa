/** LimitRange: limits and defaults for the resources of one namespace. */
import { CREATED, NAME } from "../../columns/column.ts";
import { type Draft, fillMap, fillZero, inner } from "../../defaults/draft.ts";
import { metaOf, textOf } from "../../object.ts";
import { validateLimitRange } from "../../validate/cluster/limit-range.ts";
import { defineKind } from "../kind.ts";

export const limitRange = defineKind("v1", "LimitRange", {
  defaults: { "v1.LimitRangeItem": fillLimits },
  metadata: { update: "whole" },
  prepareCreate: nameAfterUid,
  validate: validateLimitRange,
  columns: [NAME, CREATED],
  createOnUpdate: true,
});

function fillLimits(item: Draft): void {
  if (item["type"] !== "Container") return;
  fillMap(item, "default", item["max"]);
  fillMap(item, "defaultRequest", item["default"]);
  fillMap(item, "defaultRequest", item["min"]);
}

function nameAfterUid(draft: Draft): void {
  fillZero(inner(draft, "metadata"), "name", textOf(metaOf(draft), "uid"));
}
