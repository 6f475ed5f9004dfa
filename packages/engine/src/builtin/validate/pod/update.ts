/** What an update of a pod may change. Follows ValidatePodUpdate of core/validation. */
import { type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalDifference } from "../../internal/difference.ts";
import { internalJson, internalListJson } from "../../internal/internal.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { between } from "../messages.ts";
import { annotationsOf, validateAnnotationUpdates, validatePodAnnotations } from "./annotations.ts";
import { unspacedImage } from "./containers.ts";
import * as messages from "./messages.ts";
import { validatePodCommon } from "./pod.ts";
import { validateTolerations } from "./scheduling.ts";

const SPEC = newPath("spec");
const ANNOTATIONS = newPath("metadata", "annotations");

export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(pod, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const errors = [
    ...validatePodCommon(pod, spec),
    ...validateAnnotationUpdates(annotationsOf(pod), annotationsOf(old), ANNOTATIONS),
    ...validatePodAnnotations(annotationsOf(pod), spec, ANNOTATIONS),
  ];
  for (const key of ["containers", "initContainers"]) {
    if (objectsOf(spec, key).length !== objectsOf(before, key).length) {
      return [...errors, forbidden(SPEC.child(key), messages.fewerContainers())];
    }
    errors.push(...changedImages(spec, key));
  }
  const deadline = changedDeadline(spec, before);
  if (deadline.isFinal) return [...errors, ...deadline.errors];
  return [
    ...errors,
    ...deadline.errors,
    ...onlyAddedTolerations(spec, before),
    ...onlyRemovedGates(spec, before),
    ...(semanticEqual(spec, before) ? [] : keptSpec(spec, before)),
  ];
}

function changedImages(spec: JsonObject, key: string): FieldError[] {
  return objectsOf(spec, key).flatMap((container, index) => {
    const at = SPEC.child(key).index(index);
    return [
      ...(textOf(container, "image") === "" ? [required(at.child("image"))] : []),
      ...unspacedImage(container, at),
    ];
  });
}

interface DeadlineChange {
  readonly errors: readonly FieldError[];
  /** Nothing else is looked at. */
  readonly isFinal: boolean;
}

const MAX_INT32 = 2 ** 31 - 1;

function changedDeadline(spec: JsonObject, before: JsonObject): DeadlineChange {
  const key = "activeDeadlineSeconds";
  const at = SPEC.child(key);
  const [now, then] = [numberOf(spec, key), numberOf(before, key)];
  if (!has(spec, key)) {
    const errors = has(before, key) ? [invalid(at, null, messages.lostDeadline())] : [];
    return { errors, isFinal: false };
  }
  if (now < 0 || now > MAX_INT32) return { errors: [invalid(at, now, between(0, MAX_INT32))], isFinal: true };
  const isLater = has(before, key) && then < now;
  return isLater
    ? { errors: [invalid(at, now, messages.laterDeadline())], isFinal: true }
    : { errors: [], isFinal: false };
}

function onlyAddedTolerations(spec: JsonObject, before: JsonObject): FieldError[] {
  const now = new Set(objectsOf(spec, "tolerations").map((each) => canonicalJson(withoutSeconds(each))));
  const isKept = objectsOf(before, "tolerations").every((old) => now.has(canonicalJson(withoutSeconds(old))));
  return isKept
    ? validateTolerations(spec, SPEC)
    : [forbidden(SPEC.child("tolerations"), messages.changedToleration())];
}

function withoutSeconds({ tolerationSeconds: _, ...rest }: JsonObject): JsonValue {
  return isObject(rest) ? rest : null;
}

function onlyRemovedGates(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(objectsOf(before, "schedulingGates").map((gate) => textOf(gate, "name")));
  return objectsOf(spec, "schedulingGates").flatMap((gate, index) => {
    const name = textOf(gate, "name");
    const at = SPEC.child("schedulingGates").index(index).child("name");
    return known.has(name) ? [] : [forbidden(at, messages.newGate(name))];
  });
}

/** The new spec with everything that may change put back must be the old one. */
function keptSpec(spec: JsonObject, before: JsonObject): FieldError[] {
  const munged: JsonObject = { ...spec };
  for (const key of ["containers", "initContainers"]) munged[key] = withImages(spec, before, key);
  for (const key of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) putBack(munged, before, key);
  const grace = "terminationGracePeriodSeconds";
  if (numberOf(before, grace) < 0 && numberOf(munged, grace) === 1) putBack(munged, before, grace);
  const errors = objectsOf(before, "schedulingGates").length > 0 ? putBackPlace(munged, before) : [];
  if (semanticEqual(munged, before)) return errors;
  const diff = internalDifference("core.PodSpec", before, munged);
  return [...errors, forbidden(SPEC, messages.podUpdate(diff))];
}

function withImages(spec: JsonObject, before: JsonObject, key: string): JsonValue {
  const [now, old] = [objectsOf(spec, key), objectsOf(before, key)];
  // Upstream collects them in a list that is nil until then.
  if (now.length === 0) return null;
  return now.map((container, index) => {
    const { image: _, ...rest } = container;
    const image = old[index]?.["image"];
    return image === undefined ? rest : { ...rest, image };
  });
}

function putBack(spec: JsonObject, before: JsonObject, key: string): void {
  const value = before[key];
  if (value === undefined) delete spec[key];
  else spec[key] = value;
}

/** A pod that is not to be scheduled yet may get more restrictive node selectors. */
function putBackPlace(munged: JsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const [selector, oldSelector] = [objectOf(munged, "nodeSelector"), objectOf(before, "nodeSelector")];
  if (!semanticEqual(selector, oldSelector)) {
    const isLess = Object.entries(oldSelector ?? {}).some(([key, value]) => selector?.[key] !== value);
    if (isLess)
      errors.push(invalid(SPEC.child("nodeSelector"), selector ?? null, messages.onlyNodeSelectorAdditions()));
    putBack(munged, before, "nodeSelector");
  }
  const [affinity, oldAffinity] = [objectOf(munged, "affinity"), objectOf(before, "affinity")];
  const [node, oldNode] = [objectOf(affinity, "nodeAffinity"), objectOf(oldAffinity, "nodeAffinity")];
  if (semanticEqual(node, oldNode)) return errors;
  errors.push(...nodeAffinityGrows(node, oldNode, SPEC.child("affinity", "nodeAffinity")));
  const { nodeAffinity: _, ...others } = affinity ?? {};
  const isOnlyNode = oldAffinity === undefined && Object.keys(others).length === 0;
  if (isOnlyNode) delete munged["affinity"];
  else munged["affinity"] = oldNode === undefined ? others : { ...others, nodeAffinity: oldNode };
  return errors;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityGrows(
  node: JsonObject | undefined,
  oldNode: JsonObject | undefined,
  path: FieldPath,
): FieldError[] {
  const oldTerms = objectsOf(objectOf(oldNode, REQUIRED), "nodeSelectorTerms");
  const terms = objectsOf(objectOf(node, REQUIRED), "nodeSelectorTerms");
  const at = path.child(REQUIRED, "nodeSelectorTerms");
  if (oldTerms.length === 0) return [];
  if (terms.length !== oldTerms.length) {
    const shown = internalListJson("core.NodeSelectorTerm", terms.length === 0 ? undefined : terms);
    return [invalid(at, shown, messages.sameNodeTerms())];
  }
  return terms.flatMap((term, index) => {
    const isKept = ["matchExpressions", "matchFields"].every((key) => startsWith(term, oldTerms[index] ?? {}, key));
    const shown = internalJson("core.NodeSelectorTerm", term);
    return isKept ? [] : [invalid(at.index(index), shown, messages.onlyAdditions())];
  });
}

function startsWith(term: JsonObject, old: JsonObject, key: string): boolean {
  const [now, then] = [objectsOf(term, key), objectsOf(old, key)];
  const isAnything = ["matchExpressions", "matchFields"].every((each) => objectsOf(old, each).length === 0);
  if (isAnything) return now.length === 0;
  return then.every((each, index) => semanticEqual(each, now[index] ?? null));
}
