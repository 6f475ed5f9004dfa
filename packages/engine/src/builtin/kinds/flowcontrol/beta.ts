/** FlowSchema and PriorityLevelConfiguration in v1beta3, which was served up to 1.31. Objects are stored as v1. */
import type { JsonObject } from "../../../value/json.ts";
import { withMember } from "../../../value/rewrite.ts";
import type { Fillers } from "../../defaults/draft.ts";
import { defineKind, type HubConversion } from "../kind.ts";
import { flowSchema } from "./flow-schema.ts";
import { priorityLevel } from "./priority-level.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";

export const flowSchemaBeta = defineKind(`${GROUP}/v1beta3`, "FlowSchema", {
  ...flowSchema,
  defaults: asBeta(flowSchema.defaults),
  hub: hubOf("FlowSchema"),
  deprecation: deprecated("FlowSchema"),
});

export const priorityLevelBeta = defineKind(`${GROUP}/v1beta3`, "PriorityLevelConfiguration", {
  ...priorityLevel,
  defaults: asBeta(priorityLevel.defaults),
  hub: hubOf("PriorityLevelConfiguration"),
  deprecation: deprecated("PriorityLevelConfiguration"),
});

function asBeta(fillers: Fillers = {}): Fillers {
  return Object.fromEntries(Object.entries(fillers).map(([type, fill]) => [type.replace("v1.", "v1beta3."), fill]));
}

function hubOf(kind: string): HubConversion {
  const named = (version: string) => (object: JsonObject) => withMember(object, "apiVersion", `${GROUP}/${version}`);
  return { kind: { group: GROUP, version: "v1", kind }, toHub: named("v1"), fromHub: named("v1beta3") };
}

function deprecated(kind: string): string {
  return `${GROUP}/v1beta3 ${kind} is deprecated in v1.29+, unavailable in v1.32+; use ${GROUP}/v1 ${kind}`;
}
