/** Replication controllers. Follows ValidateReplicationController of core/validation. */
import { type FieldError, required } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, objectOf } from "../../object.ts";
import { notNegative } from "../checks.ts";
import { validateTemplate } from "../pod/pod.ts";
import { alwaysRestarted, labelsOf, mismatch } from "./templates.ts";

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");

export function validateController(controller: JsonObject): FieldError[] {
  const spec = objectOf(controller, "spec") ?? {};
  const selector = Object.entries(objectOf(spec, "selector") ?? {});
  return [
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...(selector.length === 0 ? [required(SPEC.child("selector"))] : []),
    ...(has(spec, "replicas") ? notNegative(spec, "replicas", SPEC) : [required(SPEC.child("replicas"))]),
    ...controlledTemplate(objectOf(spec, "template"), selector),
  ];
}

function controlledTemplate(
  template: JsonObject | undefined,
  selector: readonly (readonly [string, unknown])[],
): FieldError[] {
  if (template === undefined) return [required(TEMPLATE)];
  const labels = labelsOf(template);
  const isSelected = selector.every(([key, value]) => labels[key] === value);
  return [
    ...(isSelected ? [] : [mismatch(template, TEMPLATE)]),
    ...validateTemplate(template, TEMPLATE),
    ...alwaysRestarted(template, "ReplicationController", TEMPLATE),
  ];
}
