/** Policies of other languages that contain CEL, as policies of Kubernetes. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { convertGatekeeper, isConstraint, isConstraintTemplate } from "./gatekeeper.ts";
import { convertKyverno, isKyvernoException, isKyvernoPolicy } from "./kyverno.ts";
import type { Conversion } from "./objects.ts";

export function isOtherLanguage(object: JsonObject): boolean {
  return isKyvernoPolicy(object) || isConstraintTemplate(object);
}

/** Other objects stay. Exceptions become conditions of the policies that they belong to, constraints their params. */
export function convertLanguages(objects: readonly JsonObject[]): Conversion {
  if (!objects.some(isOtherLanguage)) return { objects, losses: [] };
  const kyverno = convertKyverno(objects.filter(isKyvernoPolicy), objects.filter(isKyvernoException));
  const gatekeeper = convertGatekeeper(objects.filter(isConstraintTemplate), objects.filter(isConstraint));
  const others = objects.filter((each) => !isOtherLanguage(each) && !isKyvernoException(each));
  return {
    objects: [...kyverno.objects, ...gatekeeper.objects, ...others],
    losses: [...kyverno.losses, ...gatekeeper.losses],
  };
}
