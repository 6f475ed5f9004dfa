/**
 * All built-in kinds.
 *
 * The keys come from the generated list: a kind that is missing here, misspelt or put under another key does not compile.
 */

import type { JsonObject } from "../../value/json.ts";
import { deprecationOf, earlyVersionOf, stableVersionOf } from "../early-versions.ts";
import type { KindKey } from "../resources.ts";
import { mutatingPolicy, validatingPolicy } from "./admissionregistration/policies.ts";
import { mutatingPolicyBinding, validatingPolicyBinding } from "./admissionregistration/policy-bindings.ts";
import { mutatingWebhooks, validatingWebhooks } from "./admissionregistration/webhooks.ts";
import { customResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
import { apiService } from "./apiregistration/api-service.ts";
import { controllerRevision } from "./apps/controller-revision.ts";
import { daemonSet } from "./apps/daemon-set.ts";
import { deployment } from "./apps/deployment.ts";
import { replicaSet } from "./apps/replica-set.ts";
import { statefulSet } from "./apps/stateful-set.ts";
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJob } from "./batch/cron-job.ts";
import { job } from "./batch/job.ts";
import { certificateSigningRequest } from "./certificates/certificate-signing-request.ts";
import { clusterTrustBundle } from "./certificates/cluster-trust-bundle.ts";
import { podCertificateRequest } from "./certificates/pod-certificate-request.ts";
import { lease } from "./coordination/lease.ts";
import { componentStatus } from "./core/component-status.ts";
import { configMap } from "./core/config-map.ts";
import { endpoints } from "./core/endpoints.ts";
import { limitRange } from "./core/limit-range.ts";
import { namespace } from "./core/namespace.ts";
import { node } from "./core/node.ts";
import { persistentVolume } from "./core/persistent-volume.ts";
import { persistentVolumeClaim } from "./core/persistent-volume-claim.ts";
import { pod } from "./core/pod.ts";
import { podTemplate } from "./core/pod-template.ts";
import { replicationController } from "./core/replication-controller.ts";
import { resourceQuota } from "./core/resource-quota.ts";
import { secret } from "./core/secret.ts";
import { service } from "./core/service.ts";
import { serviceAccount } from "./core/service-account.ts";
import { endpointSlice } from "./discovery/endpoint-slice.ts";
import { coreEvent, event } from "./events/event.ts";
import { flowSchemaBeta, priorityLevelBeta } from "./flowcontrol/beta.ts";
import { flowSchema } from "./flowcontrol/flow-schema.ts";
import { priorityLevel } from "./flowcontrol/priority-level.ts";
import { type BuiltinKind, definePlainKinds } from "./kind.ts";
import { ingress } from "./networking/ingress.ts";
import { ingressClass } from "./networking/ingress-class.ts";
import { ipAddress } from "./networking/ip-address.ts";
import { networkPolicy } from "./networking/network-policy.ts";
import { serviceCidr } from "./networking/service-cidr.ts";
import { runtimeClass } from "./node/runtime-class.ts";
import { podDisruptionBudget } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBinding, roleBinding } from "./rbac/role-bindings.ts";
import { clusterRole, role } from "./rbac/roles.ts";
import { deviceClass } from "./resource/device-class.ts";
import { deviceTaintRule } from "./resource/device-taint-rule.ts";
import { resourceClaim } from "./resource/resource-claim.ts";
import { resourceClaimTemplate } from "./resource/resource-claim-template.ts";
import { resourceSlice } from "./resource/resource-slice.ts";
import { priorityClass } from "./scheduling/priority-class.ts";
import { csiDriver } from "./storage/csi-driver.ts";
import { csiNode } from "./storage/csi-node.ts";
import { csiStorageCapacity } from "./storage/csi-storage-capacity.ts";
import { storageClass } from "./storage/storage-class.ts";
import { volumeAttachment } from "./storage/volume-attachment.ts";
import { volumeAttributesClass } from "./storage/volume-attributes-class.ts";
import { storageVersionMigration } from "./storagemigration/storage-version-migration.ts";

const KINDS = {
  // Without rules of their own: reviews are answered, not stored.
  ...definePlainKinds(
    "v1/Binding",
    "authentication.k8s.io/v1/SelfSubjectReview",
    "authentication.k8s.io/v1/TokenReview",
    "authorization.k8s.io/v1/LocalSubjectAccessReview",
    "authorization.k8s.io/v1/SelfSubjectAccessReview",
    "authorization.k8s.io/v1/SelfSubjectRulesReview",
    "authorization.k8s.io/v1/SubjectAccessReview",
  ),
  "v1/ComponentStatus": componentStatus,
  "v1/ConfigMap": configMap,
  "v1/Endpoints": endpoints,
  "v1/Event": coreEvent,
  "v1/LimitRange": limitRange,
  "v1/Namespace": namespace,
  "v1/Node": node,
  "v1/PersistentVolume": persistentVolume,
  "v1/PersistentVolumeClaim": persistentVolumeClaim,
  "v1/Pod": pod,
  "v1/PodTemplate": podTemplate,
  "v1/ReplicationController": replicationController,
  "v1/ResourceQuota": resourceQuota,
  "v1/Secret": secret,
  "v1/Service": service,
  "v1/ServiceAccount": serviceAccount,
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": mutatingPolicy,
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": mutatingPolicyBinding,
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": mutatingWebhooks,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": validatingPolicy,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": validatingPolicyBinding,
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": validatingWebhooks,
  "apiextensions.k8s.io/v1/CustomResourceDefinition": customResourceDefinition,
  "apiregistration.k8s.io/v1/APIService": apiService,
  "apps/v1/ControllerRevision": controllerRevision,
  "apps/v1/DaemonSet": daemonSet,
  "apps/v1/Deployment": deployment,
  "apps/v1/ReplicaSet": replicaSet,
  "apps/v1/StatefulSet": statefulSet,
  "autoscaling/v1/HorizontalPodAutoscaler": horizontalPodAutoscalerV1,
  "autoscaling/v2/HorizontalPodAutoscaler": horizontalPodAutoscaler,
  "batch/v1/CronJob": cronJob,
  "batch/v1/Job": job,
  "certificates.k8s.io/v1/CertificateSigningRequest": certificateSigningRequest,
  "certificates.k8s.io/v1/ClusterTrustBundle": clusterTrustBundle,
  "certificates.k8s.io/v1/PodCertificateRequest": podCertificateRequest,
  "coordination.k8s.io/v1/Lease": lease,
  "discovery.k8s.io/v1/EndpointSlice": endpointSlice,
  "events.k8s.io/v1/Event": event,
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": flowSchema,
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": priorityLevel,
  "flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema": flowSchemaBeta,
  "flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration": priorityLevelBeta,
  "networking.k8s.io/v1/IPAddress": ipAddress,
  "networking.k8s.io/v1/Ingress": ingress,
  "networking.k8s.io/v1/IngressClass": ingressClass,
  "networking.k8s.io/v1/NetworkPolicy": networkPolicy,
  "networking.k8s.io/v1/ServiceCIDR": serviceCidr,
  "node.k8s.io/v1/RuntimeClass": runtimeClass,
  "policy/v1/PodDisruptionBudget": podDisruptionBudget,
  "rbac.authorization.k8s.io/v1/ClusterRole": clusterRole,
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": clusterRoleBinding,
  "rbac.authorization.k8s.io/v1/Role": role,
  "rbac.authorization.k8s.io/v1/RoleBinding": roleBinding,
  "resource.k8s.io/v1/DeviceClass": deviceClass,
  "resource.k8s.io/v1/DeviceTaintRule": deviceTaintRule,
  "resource.k8s.io/v1/ResourceClaim": resourceClaim,
  "resource.k8s.io/v1/ResourceClaimTemplate": resourceClaimTemplate,
  "resource.k8s.io/v1/ResourceSlice": resourceSlice,
  "scheduling.k8s.io/v1/PriorityClass": priorityClass,
  "storage.k8s.io/v1/CSIDriver": csiDriver,
  "storage.k8s.io/v1/CSINode": csiNode,
  "storage.k8s.io/v1/CSIStorageCapacity": csiStorageCapacity,
  "storage.k8s.io/v1/StorageClass": storageClass,
  "storage.k8s.io/v1/VolumeAttachment": volumeAttachment,
  "storage.k8s.io/v1/VolumeAttributesClass": volumeAttributesClass,
  "storagemigration.k8s.io/v1/StorageVersionMigration": storageVersionMigration,
} satisfies { readonly [Key in KindKey]: BuiltinKind<Key> };

const byKey: ReadonlyMap<string, BuiltinKind> = new Map(Object.entries(KINDS));

export function builtinKind(group: string, version: string, kind: string): BuiltinKind | undefined {
  return (
    byKey.get(group === "" ? `${version}/${kind}` : `${group}/${version}/${kind}`) ?? earlyKind(group, version, kind)
  );
}

/** The stable kind under another name, stored in the stable version. */
function earlyKind(group: string, version: string, kind: string): BuiltinKind | undefined {
  const early = earlyVersionOf(group, version, kind);
  const stable = early && stableVersionOf(group, version, kind);
  const rules = stable && byKey.get(`${group}/${stable}/${kind}`);
  if (early === undefined || stable === undefined || !rules) return undefined;
  const same = (object: JsonObject): JsonObject => object;
  return {
    ...rules,
    hub: { kind: { group, version: stable, kind }, toHub: same, fromHub: same },
    deprecation: deprecationOf(early, kind),
    deprecatedSince: `1.${early.deprecated}`,
  };
}

let filled: ReadonlySet<string> | undefined;

/** The Go types that have defaults in any kind. */
export function filledTypes(): ReadonlySet<string> {
  filled ??= new Set(Object.values(KINDS).flatMap(({ defaults }: BuiltinKind) => Object.keys(defaults ?? {})));
  return filled;
}
