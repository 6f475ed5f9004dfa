/** Jobs. Follows pkg/apis/batch/validation. */
import { type FieldError, GoJson, invalid, notSupported, required, tooLong } from "../../../field/error.ts";
import { checkDnsLabel } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isSet, metaOf, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { allNotNegative, immutable } from "../checks.ts";
import { immutable as immutableText } from "../messages.ts";
import { domainPrefixedPath } from "../networking/ingress.ts";
import { validateTemplate } from "../pod/pod.ts";
import { isUsable, matches, selectorJson, validateSelector } from "../selector.ts";
import { validateFailurePolicy, validateSuccessPolicy } from "./job-policies.ts";
import * as messages from "./messages.ts";
import { labelsOf, mismatch } from "./templates.ts";

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");
const SELECTOR = SPEC.child("selector");

export function validateJob(job: JsonObject): FieldError[] {
  const spec = objectOf(job, "spec") ?? {};
  return [
    ...generatedSelector(job, spec),
    ...validateJobSpec(spec, SPEC),
    ...selectedPods(spec),
    ...indexedHostname(job, spec),
  ];
}

const UID_LABELS = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];

/** Pods of a job are found by labels that the server sets. */
function generatedSelector(job: JsonObject, spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "selector");
  if (isSet(spec, "manualSelector") || selector === undefined) return [];
  const [uid, name] = [textOf(metaOf(job), "uid"), textOf(metaOf(job), "name")];
  const expected: JsonObject = {};
  const pairs = UID_LABELS.flatMap((key, index): [string, string][] => [
    [key, uid],
    [NAME_LABELS[index] ?? "", name],
  ]);
  for (const [key, value] of pairs) expected[key] = value;
  const isGenerated = !isUsable(selector, SELECTOR) || matches(selector, expected);
  return [
    ...pairs.flatMap(([key, value]) => labelled(objectOf(spec, "template") ?? {}, key, value)),
    ...(isGenerated ? [] : [invalid(SELECTOR, selectorJson(selector), messages.selectorNotGenerated())]),
  ];
}

function labelled(template: JsonObject, key: string, value: string): FieldError[] {
  const labels = labelsOf(template);
  const at = TEMPLATE.child("metadata", "labels").key(key);
  if (!has(labels, key)) return [required(at, messages.labelMust(value))];
  return labels[key] === value ? [] : [invalid(at, labels, messages.labelMust(value))];
}

function selectedPods(spec: JsonObject): FieldError[] {
  const selector = objectOf(spec, "selector");
  const template = objectOf(spec, "template") ?? {};
  const isOdd = isUsable(selector, SELECTOR) && !matches(selector, labelsOf(template));
  return [
    ...(selector === undefined ? [required(SELECTOR)] : validateSelector(selector, SELECTOR)),
    ...(isOdd ? [mismatch(template, TEMPLATE)] : []),
  ];
}

/** Pods with an index are called after their job. */
function indexedHostname(job: JsonObject, spec: JsonObject): FieldError[] {
  const count = numberOf(spec, "completions");
  if (spec["completionMode"] !== "Indexed" || count <= 0) return [];
  const name = textOf(metaOf(job), "name");
  const longest = `${name}-${count - 1}`;
  if (checkDnsLabel(longest).length === 0) return [];
  return [invalid(newPath("metadata", "name"), name, messages.podHostname(longest))];
}

const NUMBERS = [
  ...["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"],
  "backoffLimitPerIndex",
];
const COMPLETION_MODES = ["NonIndexed", "Indexed"];
const MAX_MANAGED_BY = 63;

export function validateJobSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const mode = textOf(spec, "completionMode");
  const isMode = !has(spec, "completionMode") || COMPLETION_MODES.includes(mode);
  const manager = textOf(spec, "managedBy");
  const isAlone = has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex");
  return [
    ...allNotNegative(spec, NUMBERS, path),
    ...allNotNegative(spec, ["maxFailedIndexes"], path),
    ...(isAlone ? [required(path.child("backoffLimitPerIndex"), messages.withMaxFailed())] : []),
    ...(has(spec, "managedBy") ? domainPrefixedPath(manager, path.child("managedBy")) : []),
    ...(manager.length > MAX_MANAGED_BY ? [tooLong(path.child("managedBy"), MAX_MANAGED_BY)] : []),
    ...(isMode ? [] : [notSupported(path.child("completionMode"), mode, COMPLETION_MODES)]),
    ...(mode === "Indexed" ? indexedLimits(spec, path) : []),
    ...(mode === "NonIndexed" || mode === "" ? onlyIndexed(spec, path) : []),
    ...validateFailurePolicy(spec, path.child("podFailurePolicy")),
    ...successPolicy(spec, path.child("successPolicy")),
    ...replacementPolicy(spec, path.child("podReplacementPolicy")),
    ...validateTemplate(objectOf(spec, "template") ?? {}, path.child("template")),
    ...restartPolicy(spec, path.child("template", "spec", "restartPolicy")),
  ];
}

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const SOFT_LIMIT = 100_000;
const HIGH_LIMIT = 10_000;

function indexedLimits(spec: JsonObject, path: FieldPath): FieldError[] {
  const [count, failed, parallel] = [
    numberOf(spec, "completions"),
    numberOf(spec, "maxFailedIndexes"),
    numberOf(spec, "parallelism"),
  ];
  const [atFailed, atParallel] = [path.child("maxFailedIndexes"), path.child("parallelism")];
  const hasCount = has(spec, "completions");
  const errors: FieldError[] = [];
  if (!hasCount) errors.push(required(path.child("completions"), messages.indexedCompletions()));
  if (parallel > MAX_PARALLELISM)
    errors.push(invalid(atParallel, parallel, messages.indexedParallelism(MAX_PARALLELISM)));
  if (hasCount && has(spec, "maxFailedIndexes") && failed > count)
    errors.push(invalid(atFailed, failed, messages.atMostCompletions()));
  if (failed > MAX_FAILED_INDEXES) errors.push(invalid(atFailed, failed, messages.atMostNumber(MAX_FAILED_INDEXES)));
  if (count <= SOFT_LIMIT || !has(spec, "backoffLimitPerIndex")) return errors;
  if (!has(spec, "maxFailedIndexes")) errors.push(required(atFailed, messages.aboveSoftLimit(SOFT_LIMIT)));
  if (parallel > HIGH_LIMIT)
    errors.push(invalid(atParallel, parallel, messages.highCompletions(HIGH_LIMIT, SOFT_LIMIT)));
  if (failed > HIGH_LIMIT) errors.push(invalid(atFailed, failed, messages.highCompletions(HIGH_LIMIT, SOFT_LIMIT)));
  return errors;
}

function onlyIndexed(spec: JsonObject, path: FieldPath): FieldError[] {
  return ["backoffLimitPerIndex", "maxFailedIndexes"]
    .filter((key) => has(spec, key))
    .map((key) => invalid(path.child(key), numberOf(spec, key), messages.onlyIndexed()));
}

function successPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = objectOf(spec, "successPolicy");
  if (policy === undefined) return [];
  if (spec["completionMode"] === "Indexed") return validateSuccessPolicy(policy, numberOf(spec, "completions"), path);
  return [invalid(path, internalJson("batch.SuccessPolicy", policy), messages.onlyIndexed())];
}

function replacementPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, "podReplacementPolicy")) return [];
  const policy = textOf(spec, "podReplacementPolicy");
  const supported = has(spec, "podFailurePolicy") ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

function restartPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = textOf(objectOf(objectOf(spec, "template"), "spec"), "restartPolicy");
  if (policy === "Always" || policy === "") return [required(path, messages.jobRestartPolicy())];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(path, policy, ["OnFailure", "Never"])];
  const isOdd = has(spec, "podFailurePolicy") && policy !== "Never";
  return isOdd ? [invalid(path, policy, messages.neverWithPolicy())] : [];
}

export function validateJobUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(job, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  // Up to 1.36 the spec is validated with the job, and once more with the change.
  return [
    ...(since("1.37") ? [] : validateJob(job)),
    ...validateJobSpec(spec, SPEC),
    ...selectedPods(spec),
    ...keptCompletions(spec, before),
    ...keptStruct(spec, before, "selector", selectorJson(spec["selector"])),
    ...keptTemplate(spec, before, old),
    ...immutable(spec["completionMode"], before["completionMode"], SPEC.child("completionMode")),
    ...keptStruct(spec, before, "podFailurePolicy", pointerJson("batch.PodFailurePolicy", spec["podFailurePolicy"])),
    ...immutable(spec["backoffLimitPerIndex"], before["backoffLimitPerIndex"], SPEC.child("backoffLimitPerIndex")),
    ...immutable(spec["managedBy"], before["managedBy"], SPEC.child("managedBy")),
    ...keptStruct(spec, before, "successPolicy", pointerJson("batch.SuccessPolicy", spec["successPolicy"])),
    ...(since("1.37") ? indexedHostname(job, spec) : []),
  ];
}

function pointerJson(type: string, value: JsonObject[string] | undefined): GoJson {
  return value === undefined ? new GoJson("null") : internalJson(type, value);
}

function keptStruct(spec: JsonObject, before: JsonObject, key: string, shown: GoJson): FieldError[] {
  if (semanticEqual(spec[key], before[key])) return [];
  return [invalid(SPEC.child(key), shown, immutableText(), "immutable")];
}

function keptCompletions(spec: JsonObject, before: JsonObject): FieldError[] {
  const at = SPEC.child("completions");
  if (spec["completionMode"] !== "Indexed") return immutable(spec["completions"], before["completions"], at);
  const [count, old] = [spec["completions"], before["completions"]];
  if (count === undefined || count === old || count === spec["parallelism"]) return [];
  return [invalid(at, count, messages.changesWithParallelism())];
}

const PLACE = ["nodeSelector", "tolerations", "schedulingGates"];

/** Of a suspended job more of the template may change: where its pods run, and what they ask for. */
function keptTemplate(spec: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const template = objectOf(spec, "template") ?? {};
  const oldTemplate = objectOf(before, "template") ?? {};
  if (!isMutable(old)) {
    if (semanticEqual(template, oldTemplate)) return [];
    return [invalid(TEMPLATE, internalJson("core.PodTemplateSpec", template), immutableText(), "immutable")];
  }
  const pod = objectOf(template, "spec") ?? {};
  if (semanticEqual(comparablePod(pod, pod), comparablePod(objectOf(oldTemplate, "spec") ?? {}, pod))) return [];
  return [invalid(SPEC.child("template.spec"), internalJson("core.PodSpec", pod), immutableText(), "immutable")];
}

function isMutable(old: JsonObject): boolean {
  const status = objectOf(old, "status");
  const isStopped = objectsOf(status, "conditions").some(
    (condition) => condition["type"] === "Suspended" && condition["status"] === "True",
  );
  const isIdle = (!has(status, "startTime") || isStopped) && numberOf(status, "active") === 0;
  return isSet(objectOf(old, "spec"), "suspend") && isIdle;
}

/** `now` decides what is taken over from the new pod. */
function comparablePod(pod: JsonObject, now: JsonObject): JsonObject {
  const copy: JsonObject = { ...pod };
  for (const key of PLACE) delete copy[key];
  const { nodeAffinity: _, ...affinity } = objectOf(pod, "affinity") ?? {};
  if (Object.keys(affinity).length === 0) delete copy["affinity"];
  else copy["affinity"] = affinity;
  for (const key of ["containers", "initContainers"]) {
    const [list, others] = [objectsOf(pod, key), objectsOf(now, key)];
    if (list.length !== others.length) continue;
    copy[key] = list.map((container, index) => {
      const isSame = textOf(container, "name") === textOf(others[index], "name");
      const { resources: _resources, ...rest } = container;
      return isSame ? rest : container;
    });
  }
  return copy;
}
