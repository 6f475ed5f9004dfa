/** The rules of kinds that are judged beyond their metadata. Policies and bindings of admission are judged by `policy`. */
import type { FieldError } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf } from "../object.ts";
import { apiServiceName, validateApiService, validateApiServiceStatus } from "./api-service.ts";
import { validateCsr, validateCsrUpdate } from "./certificates.ts";
import {
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
} from "./cluster/classes.ts";
import { validateLimitRange } from "./cluster/limit-range.ts";
import { validateNamespace, validateNamespaceStatus } from "./cluster/namespace.ts";
import { validateNode, validateNodeUpdate } from "./cluster/node.ts";
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from "./cluster/quota.ts";
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from "./config.ts";
import { validateEvent, validateEventUpdate, validateNewEvent } from "./events.ts";
import { validateFlowSchema } from "./flowcontrol/flow-schema.ts";
import { validatePriorityLevel } from "./flowcontrol/priority-level.ts";
import { validateFlowStatus } from "./flowcontrol/status.ts";
import { validateLease } from "./lease.ts";
import {
  validateIpAddress,
  validateIpAddressUpdate,
  validateServiceCidr,
  validateServiceCidrUpdate,
} from "./networking/cidrs.ts";
import {
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  validateEndpoints,
  validateEndpointsUpdate,
} from "./networking/endpoints.ts";
import {
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressStatus,
  validateIngressUpdate,
  validateNewIngress,
} from "./networking/ingress.ts";
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from "./networking/network-policy.ts";
import { validateService } from "./networking/service.ts";
import { validateAddresses } from "./networking/service-addresses.ts";
import { validateServiceStatus, validateServiceUpdate } from "./networking/service-update.ts";
import { validatePod, validateTemplate } from "./pod/pod.ts";
import { validatePodStatus } from "./pod/status.ts";
import { validatePodUpdate } from "./pod/update.ts";
import {
  keptRoleRef,
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
} from "./rbac.ts";
import { validateResourceClaimStatus } from "./resource/claim-status.ts";
import {
  validateClaimTemplate,
  validateClaimTemplateUpdate,
  validateDeviceClass,
  validateResourceClaim,
  validateResourceClaimUpdate,
} from "./resource/claims.ts";
import { validateResourceSlice } from "./resource/slice.ts";
import { validateClaim, validateClaimStatus, validateClaimUpdate } from "./storage/claim.ts";
import {
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateCapacity,
  validateCapacityUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from "./storage/classes.ts";
import {
  validateAttachment,
  validateAttachmentUpdate,
  validateCsiNode,
  validateCsiNodeUpdate,
  validateDriver,
  validateDriverUpdate,
} from "./storage/csi.ts";
import { validateVolume, validateVolumeUpdate } from "./storage/persistent-volume.ts";
import {
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateDeploymentUpdate,
  validateNewRevision,
  validateReplicaSet,
  validateReplicaSetUpdate,
  validateRevisionUpdate,
} from "./workloads/apps.ts";
import { validateAutoscaler } from "./workloads/autoscaler.ts";
import { validateJob, validateJobUpdate } from "./workloads/batch.ts";
import { validateController } from "./workloads/controller.ts";
import { validateCronJob, validateNewCronJob } from "./workloads/cron-job.ts";
import { validateBudget, validateBudgetStatus } from "./workloads/disruption.ts";
import { validateJobStatus } from "./workloads/job-status.ts";
import {
  validateAutoscalerStatus,
  validateControllerStatus,
  validateDaemonSetStatus,
  validateDeploymentStatus,
  validateReplicaSetStatus,
  validateStatefulSetStatus,
} from "./workloads/replica-status.ts";
import { validateStatefulSet, validateStatefulSetUpdate } from "./workloads/stateful.ts";

export interface KindRules {
  readonly create: Create;
  readonly update: Update;
  /** Of a write to the status alone. */
  readonly status?: Update;
  /** What is looked at before everything else; where it is wrong, nothing else is told. */
  readonly first?: (object: JsonObject, old?: JsonObject) => FieldError[];
  /** Where the name depends on what else the object says. */
  readonly checkName?: (object: JsonObject) => NameCheck;
}

type Create = (object: JsonObject) => FieldError[];
type Update = (object: JsonObject, old: JsonObject) => FieldError[];

/** An update is judged like a create unless there is more to it. */
function rules(create: Create, update: Update = create, status?: Update): KindRules {
  return status === undefined ? { create, update } : { create, update, status };
}

const bindingRules = (create: Create): KindRules =>
  rules(create, (binding, old) => [...create(binding), ...keptRoleRef(binding, old)]);

const RULES: Readonly<Record<string, KindRules>> = {
  "certificates.k8s.io/CertificateSigningRequest": rules(validateCsr, (csr, old) => validateCsrUpdate(csr, old)),
  "/ConfigMap": rules(validateConfigMap, validateConfigMapUpdate),
  "/Secret": rules(validateSecret, validateSecretUpdate),
  "/Service": { ...rules(validateService, validateServiceUpdate, validateServiceStatus), first: validateAddresses },
  "/Endpoints": rules(validateEndpoints, validateEndpointsUpdate),
  "/Event": rules(validateEvent),
  "/LimitRange": rules(validateLimitRange),
  "/Namespace": rules(validateNamespace, validateNamespace, validateNamespaceStatus),
  "/Node": rules(
    validateNode,
    (node, old) => [...validateNode(node), ...validateNodeUpdate(node, old)],
    validateNodeUpdate,
  ),
  "/PersistentVolume": rules(validateVolume, (volume, old) => [
    ...validateVolume(volume),
    ...validateVolumeUpdate(volume, old),
  ]),
  "/PersistentVolumeClaim": rules(validateClaim, validateClaimUpdate, validateClaimStatus),
  "/Pod": rules(validatePod, validatePodUpdate, validatePodStatus),
  "/PodTemplate": rules((template) => validateTemplate(objectOf(template, "template") ?? {}, newPath("template"))),
  "/ReplicationController": rules(validateController, validateController, validateControllerStatus),
  "/ResourceQuota": rules(validateQuota, validateQuotaUpdate, validateQuotaStatus),
  "apiregistration.k8s.io/APIService": {
    ...rules(validateApiService, validateApiService, validateApiServiceStatus),
    checkName: apiServiceName,
  },
  "apps/ControllerRevision": rules(validateNewRevision, validateRevisionUpdate),
  "apps/Deployment": rules(validateDeployment, validateDeploymentUpdate, validateDeploymentStatus),
  "apps/ReplicaSet": rules(validateReplicaSet, validateReplicaSetUpdate, validateReplicaSetStatus),
  "apps/DaemonSet": rules(validateDaemonSet, validateDaemonSetUpdate, validateDaemonSetStatus),
  "apps/StatefulSet": rules(validateStatefulSet, validateStatefulSetUpdate, validateStatefulSetStatus),
  "batch/Job": rules(validateJob, validateJobUpdate, validateJobStatus),
  "batch/CronJob": rules(validateNewCronJob, validateCronJob),
  "autoscaling/HorizontalPodAutoscaler": rules(
    (scaler) => validateAutoscaler(scaler),
    validateAutoscaler,
    validateAutoscalerStatus,
  ),
  "coordination.k8s.io/Lease": rules(validateLease),
  "discovery.k8s.io/EndpointSlice": rules(validateEndpointSlice, validateEndpointSliceUpdate),
  "events.k8s.io/Event": rules(validateNewEvent, validateEventUpdate),
  "flowcontrol.apiserver.k8s.io/FlowSchema": rules(validateFlowSchema, validateFlowSchema, validateFlowStatus),
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": rules(
    validatePriorityLevel,
    validatePriorityLevel,
    validateFlowStatus,
  ),
  "networking.k8s.io/IPAddress": rules(validateIpAddress, validateIpAddressUpdate),
  "networking.k8s.io/Ingress": rules(validateNewIngress, validateIngressUpdate, validateIngressStatus),
  "networking.k8s.io/IngressClass": rules(validateIngressClass, validateIngressClassUpdate),
  "networking.k8s.io/NetworkPolicy": rules((policy) => validateNetworkPolicy(policy), validateNetworkPolicyUpdate),
  "networking.k8s.io/ServiceCIDR": rules(validateServiceCidr, validateServiceCidrUpdate),
  "node.k8s.io/RuntimeClass": rules(validateRuntimeClass, validateRuntimeClassUpdate),
  "policy/PodDisruptionBudget": rules(validateBudget, validateBudget, validateBudgetStatus),
  "rbac.authorization.k8s.io/Role": rules(validateRole),
  "rbac.authorization.k8s.io/ClusterRole": rules(validateClusterRole),
  "rbac.authorization.k8s.io/RoleBinding": bindingRules(validateRoleBinding),
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingRules(validateClusterRoleBinding),
  "resource.k8s.io/DeviceClass": rules((deviceClass) => validateDeviceClass(deviceClass), validateDeviceClass),
  "resource.k8s.io/ResourceClaim": rules(
    validateResourceClaim,
    validateResourceClaimUpdate,
    validateResourceClaimStatus,
  ),
  "resource.k8s.io/ResourceClaimTemplate": rules(validateClaimTemplate, validateClaimTemplateUpdate),
  "resource.k8s.io/ResourceSlice": rules((slice) => validateResourceSlice(slice), validateResourceSlice),
  "scheduling.k8s.io/PriorityClass": rules(validatePriorityClass, validatePriorityClassUpdate),
  "storage.k8s.io/CSIDriver": rules(validateDriver, validateDriverUpdate),
  "storage.k8s.io/CSINode": rules(validateCsiNode, validateCsiNodeUpdate),
  "storage.k8s.io/CSIStorageCapacity": rules(validateCapacity, validateCapacityUpdate),
  "storage.k8s.io/StorageClass": rules(validateStorageClass, validateStorageClassUpdate),
  "storage.k8s.io/VolumeAttachment": rules(validateAttachment, validateAttachmentUpdate, validateAttachmentUpdate),
  "storage.k8s.io/VolumeAttributesClass": rules(validateAttributesClass, validateAttributesClassUpdate),
};

export function rulesOf(group: string, kind: string): KindRules | undefined {
  return RULES[`${group}/${kind}`];
}
