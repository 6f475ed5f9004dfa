/** What is said about objects that are accepted, by kind. */
import { checkDnsLabel } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { hasKey, type JsonObject } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { networkPolicyWarnings } from "../validate/networking/network-policy.ts";
import * as messages from "./messages.ts";
import { balancerWarnings, endpointsWarnings, newSliceWarnings, serviceWarnings, sliceWarnings } from "./networking.ts";
import { nodeWarnings, runtimeClassWarnings } from "./nodes.ts";
import { goneVolumes, podStatusWarnings, podWarnings } from "./pod.ts";
import {
  capacityWarnings,
  claimSpecWarnings,
  claimWarnings,
  driverWarnings,
  storageClassWarnings,
  volumeWarnings,
} from "./storage.ts";
import { secretWarnings } from "./tls.ts";

export interface KindWarnings {
  readonly create?: (object: JsonObject) => string[];
  readonly update?: (object: JsonObject, old: JsonObject) => string[];
  readonly status?: (object: JsonObject) => string[];
}

const SPEC = newPath("spec");
const TEMPLATE = SPEC.child("template");

/** The same, whatever is done. */
function always(warn: (object: JsonObject) => string[]): KindWarnings {
  return { create: warn, update: warn };
}

/** Makers of pods: their names become part of others, and their templates are looked at when they change. */
function ofTemplates(warn: (object: JsonObject) => string[], isNamed = true): KindWarnings {
  return {
    create: (object) => [...(isNamed ? nameWarnings(object) : []), ...warn(object)],
    update: (object, old) => (isNewGeneration(object, old) ? warn(object) : []),
  };
}

function nameWarnings(object: JsonObject): string[] {
  const problems = checkDnsLabel(textOf(metaOf(object), "name"));
  return problems.length === 0 ? [] : [messages.ownerName(problems)];
}

function isNewGeneration(object: JsonObject, old: JsonObject): boolean {
  return numberOf(metaOf(object), "generation") !== numberOf(metaOf(old), "generation");
}

function templateWarnings(object: JsonObject): string[] {
  const template = objectOf(objectOf(object, "spec"), "template");
  return template === undefined ? [] : podWarnings(template, TEMPLATE);
}

const MANY_COMPLETIONS = 100_000;
const MANY_PODS = 10_000;

function jobWarnings(spec: JsonObject | undefined, path: FieldPath): string[] {
  const isLarge =
    textOf(spec, "completionMode") === "Indexed" &&
    numberOf(spec, "completions") > MANY_COMPLETIONS &&
    numberOf(spec, "parallelism") > MANY_PODS;
  return [
    ...(isLarge ? [messages.about(path, messages.manyIndexes())] : []),
    ...podWarnings(objectOf(spec, "template") ?? {}, path.child("template")),
  ];
}

const jobs = ofTemplates((job) => jobWarnings(objectOf(job, "spec"), SPEC));
const cronJobs = ofTemplates((job) => {
  const template = objectOf(objectOf(objectOf(job, "spec"), "jobTemplate"), "spec");
  return jobWarnings(template, SPEC.child("jobTemplate", "spec"));
});

function statefulWarnings(set: JsonObject, isUpdate: boolean): string[] {
  const spec = objectOf(set, "spec");
  const path = SPEC.child("volumeClaimTemplates");
  return [
    ...objectsOf(spec, "volumeClaimTemplates").flatMap((claim, index) => {
      const at = isUpdate ? path.index(index).child("Spec") : path.index(index);
      return claimSpecWarnings(objectOf(claim, "spec") ?? {}, at);
    }),
    ...(numberOf(spec, "revisionHistoryLimit") < 0 ? [messages.endlessHistory()] : []),
  ];
}

const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

function accountWarnings(account: JsonObject, old?: JsonObject): string[] {
  const isSet = (object: JsonObject): boolean => hasKey(objectOf(metaOf(object), "annotations") ?? {}, MOUNTABLE);
  const isNew = isSet(account) && (old === undefined || !isSet(old));
  return isNew ? [messages.mountableSecrets(newPath("metadata", "annotations").key(MOUNTABLE))] : [];
}

const INGRESS_CLASS = "kubernetes.io/ingress.class";

function ingressWarnings(ingress: JsonObject): string[] {
  const isOld = has(objectOf(metaOf(ingress), "annotations"), INGRESS_CLASS);
  return isOld && !has(objectOf(ingress, "spec"), "ingressClassName") ? [messages.ingressClass()] : [];
}

function sliceDriverWarnings(slice: JsonObject): string[] {
  const driver = textOf(objectOf(slice, "spec"), "driver");
  return driver === driver.toLowerCase() ? [] : [messages.upperCaseDriver(driver)];
}

const WARNINGS: Readonly<Record<string, KindWarnings>> = {
  "/Endpoints": always(endpointsWarnings),
  "/Node": always(nodeWarnings),
  "/PersistentVolume": always((volume) =>
    volumeWarnings(volume, goneVolumes(objectOf(volume, "spec") ?? {}, SPEC, ["flocker", "quobyte"])),
  ),
  "/PersistentVolumeClaim": always(claimWarnings),
  "/Pod": {
    create: (pod) => {
      const problems = checkDnsLabel(textOf(metaOf(pod), "name"));
      return [...(problems.length === 0 ? [] : [messages.podName(problems)]), ...podWarnings(pod)];
    },
    status: podStatusWarnings,
  },
  "/PodTemplate": ofTemplates((object) => podWarnings(objectOf(object, "template") ?? {}, newPath("template")), false),
  "/ReplicationController": {
    ...ofTemplates(templateWarnings),
    // Upstream looks at the template that was there before.
    update: (controller, old) => (isNewGeneration(controller, old) ? templateWarnings(old) : []),
  },
  "/Secret": always(secretWarnings),
  "/Service": { ...always(serviceWarnings), status: balancerWarnings },
  "/ServiceAccount": { create: (account) => accountWarnings(account), update: accountWarnings },
  "apps/DaemonSet": ofTemplates(templateWarnings, false),
  "apps/Deployment": ofTemplates(templateWarnings),
  "apps/ReplicaSet": ofTemplates(templateWarnings),
  "apps/StatefulSet": {
    create: (set) => [...templateWarnings(set), ...statefulWarnings(set, false)],
    update: (set, old) => [...(isNewGeneration(set, old) ? templateWarnings(set) : []), ...statefulWarnings(set, true)],
  },
  "batch/Job": jobs,
  "batch/CronJob": {
    ...cronJobs,
    update: (job, old) => [
      ...(cronJobs.update?.(job, old) ?? []),
      ...(textOf(objectOf(job, "spec"), "schedule").includes("TZ") ? [messages.zoneInSchedule()] : []),
    ],
  },
  "discovery.k8s.io/EndpointSlice": { create: newSliceWarnings, update: sliceWarnings },
  "networking.k8s.io/Ingress": { create: ingressWarnings, status: balancerWarnings },
  "networking.k8s.io/NetworkPolicy": always(networkPolicyWarnings),
  "node.k8s.io/RuntimeClass": always(runtimeClassWarnings),
  "resource.k8s.io/ResourceSlice": always(sliceDriverWarnings),
  "storage.k8s.io/CSIDriver": { create: (driver) => driverWarnings(driver), update: driverWarnings },
  "storage.k8s.io/CSIStorageCapacity": always(capacityWarnings),
  "storage.k8s.io/StorageClass": always(storageClassWarnings),
};

export function warningsOf(group: string, kind: string): KindWarnings | undefined {
  return WARNINGS[`${group}/${kind}`];
}
