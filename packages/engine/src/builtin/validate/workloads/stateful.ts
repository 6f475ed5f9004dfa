/** Stateful sets. Follows ValidateStatefulSet of pkg/apis/apps/validation. */

import { type FieldError, forbidden, invalid, notSupported, required } from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../../schema/object-meta.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, metaOf, objectFrom, objectOf, objectsOf, textOf } from "../../object.ts";
import { atMost100Percent, immutable, intOrPercent, isZeroAmount, labelName, notNegative } from "../checks.ts";
import { intOrString } from "../go-values.ts";
import { annotationsOf, validatePodAnnotations } from "../pod/annotations.ts";
import { validateTemplate } from "../pod/pod.ts";
import { isEmptySelector, isUsable, matches, selectorJson } from "../selector.ts";
import { validateClaimSpec } from "../storage/claim.ts";
import { requiredSelector } from "./apps.ts";
import * as messages from "./messages.ts";
import { alwaysRestarted, labelsOf, mismatch } from "./templates.ts";

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");
const SELECTOR = SPEC.child("selector");
const RETENTION = "persistentVolumeClaimRetentionPolicy";
const RETENTIONS = ["Retain", "Delete"];

export function validateStatefulSet(set: JsonObject): FieldError[] {
  return validateSpec(objectOf(set, "spec") ?? {}, STRICT);
}

interface StatefulOptions {
  /** What cannot change is not validated again. */
  readonly isUpdate: boolean;
  /** A template that was wrong before is not validated again either. */
  readonly keepsTemplate: boolean;
}

const STRICT: StatefulOptions = { isUpdate: false, keepsTemplate: false };

function validateSpec(spec: JsonObject, { isUpdate, keepsTemplate }: StatefulOptions): FieldError[] {
  const ordinals = objectOf(spec, "ordinals") ?? {};
  const service = textOf(spec, "serviceName");
  return [
    ...managementPolicy(spec),
    ...updateStrategy(objectOf(spec, "updateStrategy") ?? {}),
    ...retention(objectOf(spec, RETENTION)),
    ...(isUpdate || !since("1.34") ? [] : objectsOf(spec, "volumeClaimTemplates")).flatMap((claim, index) =>
      validateClaimSpec(objectOf(claim, "spec") ?? {}, SPEC.child("volumeClaimTemplates").index(index).child("spec")),
    ),
    ...notNegative(spec, "replicas", SPEC),
    ...notNegative(spec, "minReadySeconds", SPEC),
    ...notNegative(ordinals, "start", SPEC.child("ordinals")),
    ...(isUpdate || service === "" || !since("1.33") ? [] : labelName(service, SPEC.child("serviceName"))),
    ...requiredSelector(spec, "statefulset"),
    ...selectedTemplate(spec, keepsTemplate),
    ...alwaysRestarted(objectOf(spec, "template") ?? {}, "StatefulSet", TEMPLATE),
  ];
}

function managementPolicy(spec: JsonObject): FieldError[] {
  const policy = textOf(spec, "podManagementPolicy");
  const at = SPEC.child("podManagementPolicy");
  if (policy === "") return [required(at)];
  return policy === "OrderedReady" || policy === "Parallel"
    ? []
    : [invalid(at, policy, messages.badManagementPolicy())];
}

function updateStrategy(strategy: JsonObject): FieldError[] {
  const rolling = objectOf(strategy, "rollingUpdate");
  const path = SPEC.child("updateStrategy");
  switch (textOf(strategy, "type")) {
    case "":
      return [required(path)];
    case "OnDelete": {
      const shown = internalJson("apps.RollingUpdateStatefulSetStrategy", rolling);
      return rolling === undefined ? [] : [invalid(path.child("rollingUpdate"), shown, messages.onlyRolling())];
    }
    case "RollingUpdate":
      return rolling === undefined ? [] : rollingUpdate(rolling, path.child("rollingUpdate"));
    default:
      return [invalid(path, internalJson("apps.StatefulSetUpdateStrategy", strategy), messages.badStatefulStrategy())];
  }
}

function rollingUpdate(rolling: JsonObject, path: FieldPath): FieldError[] {
  const errors = notNegative(rolling, "partition", path);
  const value = rolling["maxUnavailable"];
  if (value === undefined) return errors;
  const at = path.child("maxUnavailable");
  return [
    ...errors,
    ...intOrPercent(value, at),
    ...(isZeroAmount(value) ? [invalid(at, intOrString(value), messages.notZero())] : []),
    ...atMost100Percent(value, at),
  ];
}

function retention(policy: JsonObject | undefined): FieldError[] {
  if (policy === undefined) return [];
  return ["whenDeleted", "whenScaled"].flatMap((key) => {
    const when = textOf(policy, key);
    return RETENTIONS.includes(when) ? [] : [notSupported(SPEC.child(RETENTION, key), when, RETENTIONS)];
  });
}

/** For a selector that cannot be read upstream gives no reason. */
function selectedTemplate(spec: JsonObject, keepsTemplate: boolean): FieldError[] {
  const selector = objectOf(spec, "selector");
  if (!isUsable(selector, SELECTOR)) return [invalid(SELECTOR, selectorJson(selector), "")];
  const template = objectOf(spec, "template") ?? {};
  const [meta, annotations] = [metaOf(template), annotationsOf(template)];
  const isSelected = isEmptySelector(selector) || matches(selector, labelsOf(template));
  // Labels and annotations are validated once more.
  return [
    ...(isSelected ? [] : [mismatch(template, TEMPLATE)]),
    ...(keepsTemplate || !since("1.34") ? [] : validateTemplate(withClaims(template, spec), TEMPLATE)),
    ...validateLabels(meta["labels"], TEMPLATE.child("labels")),
    ...validateAnnotations(meta["annotations"], TEMPLATE.child("annotations")),
    ...validatePodAnnotations(annotations, objectOf(template, "spec") ?? {}, TEMPLATE.child("annotations")),
  ];
}

/** The template as its pods will be: with a volume for each claim, and names of their own. */
function withClaims(template: JsonObject, spec: JsonObject): JsonObject {
  const pod = objectOf(template, "spec") ?? {};
  if (!since("1.34")) return template;
  const claims = objectsOf(spec, "volumeClaimTemplates").map((claim) => textOf(metaOf(claim), "name"));
  if (claims.length === 0 && !has(pod, "subdomain") && !has(pod, "hostname")) return template;
  const { subdomain: _subdomain, hostname: _hostname, ...rest } = pod;
  const names = new Set(claims);
  const volumes = [
    ...[...names].map((name) => objectFrom({ name, persistentVolumeClaim: objectFrom({ claimName: name }) })),
    ...objectsOf(pod, "volumes").filter((volume) => !names.has(textOf(volume, "name"))),
  ];
  return { ...template, spec: { ...rest, volumes } };
}

const CHANGEABLE = new Set(["replicas", "ordinals", "template", "updateStrategy", RETENTION, "minReadySeconds"]);
const canChange = (key: string): boolean => CHANGEABLE.has(key) || (key === "revisionHistoryLimit" && since("1.33"));

const KEPT = ["selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy"];

/** Since 1.37 each field that may not change is named. */
function keptFields(spec: JsonObject, before: JsonObject): FieldError[] {
  return KEPT.flatMap((key) => immutable(spec[key], before[key], SPEC.child(key)));
}

export function validateStatefulSetUpdate(set: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(set, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const keys = new Set([...Object.keys(spec), ...Object.keys(before)]);
  const isKept = [...keys].every((key) => canChange(key) || semanticEqual(spec[key], before[key]));
  const keepsTemplate = since("1.34") && validateSpec(before, { isUpdate: true, keepsTemplate: false }).length > 0;
  return [
    ...validateSpec(spec, { isUpdate: true, keepsTemplate }),
    ...(since("1.37") ? keptFields(spec, before) : isKept ? [] : [forbidden(SPEC, messages.statefulUpdate())]),
  ];
}
