/** Pods and pod templates. Follows ValidatePodCreate of pkg/apis/core/validation. */
import { type FieldError, forbidden } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../../schema/object-meta.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, metaOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf } from "../checks.ts";
import { annotationsOf, validatePodAnnotations, validateProfilesAgree } from "./annotations.ts";
import { unspacedImage } from "./containers.ts";
import * as messages from "./messages.ts";
import { validatePodSpec } from "./spec.ts";

const SPEC = newPath("spec");
const ANNOTATIONS = newPath("metadata", "annotations");

export function validatePod(pod: JsonObject): FieldError[] {
  const spec = objectOf(pod, "spec") ?? {};
  const hasEphemeral = objectsOf(spec, "ephemeralContainers").length > 0;
  const isGated = textOf(spec, "nodeName") !== "" && objectsOf(spec, "schedulingGates").length > 0;
  return [
    ...validatePodCommon(pod, spec),
    ...(hasEphemeral ? [forbidden(SPEC.child("ephemeralContainers"), messages.notOnCreate())] : []),
    ...(isGated ? [forbidden(SPEC.child("nodeName"), messages.gatedNode())] : []),
    ...validateProfilesAgree(annotationsOf(pod), spec, SPEC),
  ];
}

/** Rules for new pods and for changed ones. */
export function validatePodCommon(pod: JsonObject, spec: JsonObject): FieldError[] {
  return [
    ...validatePodAnnotations(annotationsOf(pod), spec, ANNOTATIONS),
    ...validatePodSpec(spec, SPEC, { isTemplate: false, podName: textOf(metaOf(pod), "name") }),
    ...projectedTokens(spec),
    ...["containers", "initContainers"].flatMap((key) => eachOf(spec, key, SPEC, unspacedImage)),
  ];
}

/** Only where a pod itself is created; a template may get its account later. */
function projectedTokens(spec: JsonObject): FieldError[] {
  if (textOf(spec, "serviceAccountName") !== "") return [];
  return eachOf(spec, "volumes", SPEC, (volume, at) =>
    eachOf(objectOf(volume, "projected"), "sources", at.child("projected"), (source, place) =>
      has(source, "serviceAccountToken")
        ? [forbidden(place.child("serviceAccountToken"), messages.noServiceAccount())]
        : [],
    ),
  );
}

/** Upstream's paths leave out `metadata`. */
export function validateTemplate(template: JsonObject, path: FieldPath): FieldError[] {
  const [meta, spec] = [metaOf(template), objectOf(template, "spec") ?? {}];
  const hasEphemeral = objectsOf(spec, "ephemeralContainers").length > 0;
  const at = path.child("spec");
  return [
    ...validateLabels(meta["labels"], path.child("labels")),
    ...validateAnnotations(meta["annotations"], path.child("annotations")),
    ...validatePodAnnotations(annotationsOf(template), spec, path.child("annotations")),
    ...validatePodSpec(spec, at, { isTemplate: true, podName: "" }),
    ...validateProfilesAgree(annotationsOf(template), spec, at),
    ...(hasEphemeral ? [forbidden(at.child("ephemeralContainers"), messages.notInTemplate())] : []),
  ];
}
