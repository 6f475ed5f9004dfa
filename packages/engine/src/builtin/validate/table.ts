/** The rules of kinds that are judged beyond their metadata. Policies and bindings of admission are judged by `policy`. */
import type { FieldError } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf } from "../object.ts";
import { validateCronJob, validateJob, validateJobUpdate, validateNewCronJob } from "./batch.ts";
import { validateCsr, validateCsrUpdate } from "./certificates.ts";
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from "./config.ts";
import { validateEndpointSlice, validateEndpointSliceUpdate, validateEndpoints } from "./network.ts";
import { validateAutoscaler, validateEvent, validateLease, validateNewEvent } from "./others.ts";
import { validatePod, validatePodUpdate, validateTemplate } from "./pod.ts";
import {
  keptRoleRef,
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
} from "./rbac.ts";
import { validateAddresses, validateService, validateServiceUpdate } from "./service.ts";
import {
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateDeploymentUpdate,
  validateReplicaSet,
  validateReplicaSetUpdate,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from "./workloads.ts";

export interface KindRules {
  readonly create: (object: JsonObject) => FieldError[];
  readonly update: (object: JsonObject, old: JsonObject) => FieldError[];
  /** What is looked at before everything else; where it is wrong, nothing else is told. */
  readonly first?: (object: JsonObject) => FieldError[];
}

type Create = KindRules["create"];

/** An update is judged like a create unless there is more to it. */
function rules(create: Create, update: KindRules["update"] = create): KindRules {
  return { create, update };
}

const bindingRules = (create: Create): KindRules =>
  rules(create, (binding, old) => [...create(binding), ...keptRoleRef(binding, old)]);

const RULES: Readonly<Record<string, KindRules>> = {
  "/ConfigMap": rules(validateConfigMap, validateConfigMapUpdate),
  "/Secret": rules(validateSecret, validateSecretUpdate),
  "/Service": { ...rules(validateService, validateServiceUpdate), first: validateAddresses },
  "/Endpoints": rules(validateEndpoints),
  "/Event": rules(validateEvent),
  "/Pod": rules(validatePod, validatePodUpdate),
  "/PodTemplate": rules((template) => validateTemplate(objectOf(template, "template") ?? {}, newPath("template"))),
  "apps/Deployment": rules(validateDeployment, validateDeploymentUpdate),
  "apps/ReplicaSet": rules(validateReplicaSet, validateReplicaSetUpdate),
  "apps/DaemonSet": rules(validateDaemonSet, validateDaemonSetUpdate),
  "apps/StatefulSet": rules(validateStatefulSet, validateStatefulSetUpdate),
  "batch/Job": rules(validateJob, validateJobUpdate),
  "batch/CronJob": rules(validateNewCronJob, validateCronJob),
  "autoscaling/HorizontalPodAutoscaler": rules(validateAutoscaler),
  "certificates.k8s.io/CertificateSigningRequest": rules(validateCsr, validateCsrUpdate),
  "coordination.k8s.io/Lease": rules(validateLease),
  "discovery.k8s.io/EndpointSlice": rules(validateEndpointSlice, validateEndpointSliceUpdate),
  "events.k8s.io/Event": rules(validateNewEvent),
  "rbac.authorization.k8s.io/Role": rules(validateRole),
  "rbac.authorization.k8s.io/ClusterRole": rules(validateClusterRole),
  "rbac.authorization.k8s.io/RoleBinding": bindingRules(validateRoleBinding),
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingRules(validateClusterRoleBinding),
};

export function rulesOf(group: string, kind: string): KindRules | undefined {
  return RULES[`${group}/${kind}`];
}
