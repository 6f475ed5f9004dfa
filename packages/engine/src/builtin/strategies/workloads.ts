/** What the server sets in jobs, daemon sets and the like. */
import { deepEqual } from "../../value/equal.ts";
import { hasKey, type JsonObject, newObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { has, isSet, metaOf, objectOf, textOf } from "../object.ts";

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** A number that v1 shows as an annotation. */
export function prepareDaemonSet(set: Draft): void {
  inner(inner(set, "metadata"), "annotations")[TEMPLATE_GENERATION] = "1";
}

export function prepareDaemonSetUpdate(set: Draft, old: JsonObject): void {
  const before = Number(textOf(objectOf(metaOf(old), "annotations"), TEMPLATE_GENERATION) || "0");
  const [template, oldTemplate] = [objectOf(set, "spec")?.["template"], objectOf(old, "spec")?.["template"]];
  const isChanged = !deepEqual(template ?? null, oldTemplate ?? null);
  inner(inner(set, "metadata"), "annotations")[TEMPLATE_GENERATION] = String(isChanged ? before + 1 : before);
}

export function keepTemplateGeneration(set: Draft, old: JsonObject): void {
  const before = textOf(objectOf(metaOf(old), "annotations"), TEMPLATE_GENERATION) || "0";
  inner(inner(set, "metadata"), "annotations")[TEMPLATE_GENERATION] = before;
}

/** The feature is off. */
export function dropMaxUnavailable(set: Draft, old: JsonObject | undefined): void {
  const rolling = rollingOf(set);
  if (rolling !== undefined && !has(rollingOf(old), "maxUnavailable")) delete rolling["maxUnavailable"];
}

function rollingOf(set: JsonObject | undefined): JsonObject | undefined {
  return objectOf(objectOf(objectOf(set, "spec"), "updateStrategy"), "rollingUpdate");
}

const UID_LABEL = "batch.kubernetes.io/controller-uid";

/** Pods of a job are told by labels made from its name and uid, unless the user selects them. */
export function prepareJob(job: Draft): void {
  const spec = inner(job, "spec");
  if (isSet(spec, "manualSelector")) return;
  const uid = textOf(metaOf(job), "uid");
  const name = textOf(metaOf(job), "name");
  const template = inner(spec, "template");
  const labels = inner(inner(template, "metadata"), "labels");
  const generated = {
    [UID_LABEL]: uid,
    "controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "job-name": name,
  };
  // What the user set stays, and is refused where it is something else.
  for (const [key, value] of Object.entries(generated)) if (!hasKey(labels, key)) labels[key] = value;
  const selector = inner(inner(spec, "selector"), "matchLabels");
  if (!hasKey(selector, UID_LABEL)) selector[UID_LABEL] = uid;
  shareLabels(job, labels);
}

/** Upstream's defaults let a job without labels share those of its template, and both see what is added later. */
function shareLabels(job: Draft, labels: Draft): void {
  const own = objectOf(metaOf(job), "labels");
  if (own === undefined || Object.keys(own).length === 0 || !isSubset(own, labels)) return;
  const copy = newObject();
  for (const key of Object.keys(labels)) copy[key] = labels[key] ?? "";
  inner(job, "metadata")["labels"] = copy;
}

function isSubset(part: JsonObject, whole: JsonObject): boolean {
  return Object.entries(part).every(([key, value]) => whole[key] === value);
}
