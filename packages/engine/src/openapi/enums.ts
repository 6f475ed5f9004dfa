/**
 * The values that fields of built-in kinds may have, where their Go type is an enumeration. Collected from the types of
 * each version (`+enum` of k8s.io/api).
 */
import { since } from "../value/server-version.ts";

/**
 * The values of a field, sorted; undefined if it may have others.
 * @example enumOf("io.k8s.api.core.v1.TypedLocalObjectReference", "kind"); // undefined
 */
export function enumOf(schema: string, field: string): readonly string[] | undefined {
  table ??= new Map(ENUMS.flatMap(([values, fields]) => fields.split(" ").map((each) => [each, values] as const)));
  if (!schema.startsWith(PREFIX)) return undefined;
  const values = table.get(`${schema.slice(PREFIX.length)}.${field}`);
  return values?.split(" ").flatMap((each) => (isKnown(each) ? [withoutBounds(each)] : []));
}

const PREFIX = "io.k8s.api.";
let table: ReadonlyMap<string, string> | undefined;

const withoutBounds = (text: string): string => text.replace(/\[.*/, "");

/** Versions in brackets: `[35-]` from 1.35 on, `[-30]` up to 1.30. */
function isKnown(text: string): boolean {
  const [, first = "", last = ""] = /\[(\d*)-(\d*)\]$/.exec(text) ?? [];
  const isBefore = first !== "" && !since(`1.${Number(first)}`);
  const isAfter = last !== "" && since(`1.${Number(last) + 1}`);
  return !isBefore && !isAfter;
}

/** Values, separated by spaces, and the fields that have them. An empty value comes first. */
// biome-ignore format: a table
const ENUMS: readonly (readonly [values: string, fields: string])[] = [
  [" BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket", "core.v1.HostPathVolumeSource.type"],
  [" IPv4 IPv6", "core.v1.ServiceSpec.ipFamilies"],
  ["* CONNECT CREATE DELETE UPDATE", "admissionregistration.v1.NamedRuleWithOperations.operations admissionregistration.v1.RuleWithOperations.operations"],
  ["* Cluster Namespaced", "admissionregistration.v1.NamedRuleWithOperations.scope admissionregistration.v1.RuleWithOperations.scope"],
  ["* NodePrepareResources NodeUnprepareResources", "resource.v1.DeviceRequestAllocationResult.skipNodeOperations resource.v1.ResourceSliceSpec.skipNodeOperations"],
  ["Active Terminating", "core.v1.NamespaceStatus.phase"],
  ["All ExactCount", "resource.v1.DeviceSubRequest.allocationMode resource.v1.ExactDeviceRequest.allocationMode"],
  ["Allow Forbid Replace", "batch.v1.CronJobSpec.concurrencyPolicy"],
  ["Always IfNotPresent Never", "core.v1.Container.imagePullPolicy core.v1.EphemeralContainer.imagePullPolicy core.v1.ImageVolumeSource.pullPolicy"],
  ["Always Never OnFailure", "core.v1.PodSpec.restartPolicy"],
  ["Always OnRootMismatch", "core.v1.PodSecurityContext.fsGroupChangePolicy"],
  ["AlwaysAllow IfHealthyBudget", "policy.v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy"],
  ["ApplyConfiguration JSONPatch", "admissionregistration.v1.Mutation.patchType"],
  ["Audit Deny Warn", "admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions"],
  ["Available Bound Failed Pending Released", "core.v1.PersistentVolumeStatus.phase"],
  ["BestEffort Burstable Guaranteed", "core.v1.PodStatus.qosClass"],
  ["BestEffort CrossNamespacePodAffinity NotBestEffort NotTerminating PriorityClass Terminating VolumeAttributesClass[33-]", "core.v1.ResourceQuotaSpec.scopes core.v1.ScopedResourceSelectorRequirement.scopeName"],
  ["Bidirectional HostToContainer None", "core.v1.VolumeMount.mountPropagation"],
  ["Block Filesystem", "core.v1.PersistentVolumeClaimSpec.volumeMode core.v1.PersistentVolumeSpec.volumeMode storage.v1.StorageHealthCondition.volumeMode"],
  ["Bound Lost Pending", "core.v1.PersistentVolumeClaimStatus.phase"],
  ["ClientIP None", "core.v1.ServiceSpec.sessionAffinity"],
  ["Cluster Local", "core.v1.ServiceSpec.externalTrafficPolicy core.v1.ServiceSpec.internalTrafficPolicy"],
  ["ClusterFirst ClusterFirstWithHostNet Default None", "core.v1.PodSpec.dnsPolicy"],
  ["ClusterIP ExternalName LoadBalancer NodePort", "core.v1.ServiceSpec.type"],
  ["ContainerResource External Object Pods Resource", "autoscaling.v1.MetricSpec.type autoscaling.v1.MetricStatus.type"],
  ["ControllerResizeFailed[-30] ControllerResizeInProgress ControllerResizeInfeasible[31-] NodeResizeFailed[-30] NodeResizeInProgress NodeResizeInfeasible[31-] NodeResizePending", "core.v1.PersistentVolumeClaimStatus.allocatedResourceStatuses"],
  ["Count FailIndex FailJob Ignore", "batch.v1.PodFailurePolicyRule.action"],
  ["DataLoss Degraded Inaccessible", "core.v1.VolumeHealthCondition.status"],
  ["Dedicated Managed Shared", "core.v1.AzureDiskVolumeSource.kind"],
  ["Default Unmasked", "core.v1.SecurityContext.procMount"],
  ["Delete Recycle Retain", "core.v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy storage.v1.StorageClass.reclaimPolicy"],
  ["DoNotSchedule ScheduleAnyway", "core.v1.TopologySpreadConstraint.whenUnsatisfiable"],
  ["DoesNotExist Exists Gt In Lt NotIn", "core.v1.NodeSelectorRequirement.operator"],
  ["DoesNotExist Exists In NotIn", "core.v1.ScopedResourceSelectorRequirement.operator"],
  ["Egress Ingress", "networking.v1.NetworkPolicySpec.policyTypes"],
  ["Equal Exists", "resource.v1.DeviceToleration.operator"],
  ["Equal Exists Gt[35-] Lt[35-]", "core.v1.Toleration.operator"],
  ["Equivalent Exact", "admissionregistration.v1.MatchResources.matchPolicy admissionregistration.v1.MutatingWebhook.matchPolicy admissionregistration.v1.ValidatingWebhook.matchPolicy"],
  ["Exact ImplementationSpecific Prefix", "networking.v1.HTTPIngressPath.pathType"],
  ["FQDN IPv4 IPv6", "discovery.v1.EndpointSlice.addressType"],
  ["Fail Ignore", "admissionregistration.v1.MutatingAdmissionPolicySpec.failurePolicy admissionregistration.v1.MutatingWebhook.failurePolicy admissionregistration.v1.ValidatingAdmissionPolicySpec.failurePolicy admissionregistration.v1.ValidatingWebhook.failurePolicy"],
  ["Failed Pending Running Succeeded Unknown", "core.v1.PodStatus.phase"],
  ["Failed TerminatingOrFailed", "batch.v1.JobSpec.podReplacementPolicy"],
  ["FallbackToLogsOnError File", "core.v1.Container.terminationMessagePolicy core.v1.EphemeralContainer.terminationMessagePolicy"],
  ["FieldValueDuplicate FieldValueForbidden FieldValueInvalid FieldValueRequired", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule.reason"],
  ["FromClaim FromClass", "resource.v1.DeviceAllocationConfiguration.source"],
  ["HTTP HTTPS", "core.v1.HTTPGetAction.scheme"],
  ["HTTP1 HTTP2", "core.v1.HTTPGetAction.protocol"],
  ["Honor Ignore", "core.v1.TopologySpreadConstraint.nodeAffinityPolicy core.v1.TopologySpreadConstraint.nodeTaintsPolicy"],
  ["IfNeeded Never", "admissionregistration.v1.MutatingAdmissionPolicySpec.reinvocationPolicy admissionregistration.v1.MutatingWebhook.reinvocationPolicy"],
  ["Immediate WaitForFirstConsumer", "storage.v1.StorageClass.volumeBindingMode"],
  ["In NotIn", "batch.v1.PodFailurePolicyOnExitCodesRequirement.operator"],
  ["InProgress Infeasible Pending", "core.v1.ModifyVolumeStatus.status"],
  ["Indexed NonIndexed", "batch.v1.JobSpec.completionMode"],
  ["Localhost RuntimeDefault Unconfined", "core.v1.AppArmorProfile.type core.v1.SeccompProfile.type"],
  ["Merge Strict", "core.v1.PodSecurityContext.supplementalGroupsPolicy"],
  ["Never PreemptLowerPriority", "core.v1.PodSpec.preemptionPolicy scheduling.v1.PriorityClass.preemptionPolicy scheduling.v1alpha3.CompositePodGroupSpec.preemptionPolicy scheduling.v1alpha3.CompositePodGroupTemplate.preemptionPolicy scheduling.v1alpha3.PodGroupSpec.preemptionPolicy scheduling.v1alpha3.PodGroupTemplate.preemptionPolicy"],
  ["NoExecute NoSchedule None[35-]", "resource.v1.DeviceTaint.effect resource.v1.DeviceToleration.effect"],
  ["NoExecute NoSchedule PreferNoSchedule", "core.v1.Taint.effect core.v1.Toleration.effect"],
  ["None NoneOnDryRun Some Unknown", "admissionregistration.v1.MutatingWebhook.sideEffects admissionregistration.v1.ValidatingWebhook.sideEffects"],
  ["None ReadOnly ReadWrite", "core.v1.AzureDiskVolumeSource.cachingMode"],
  ["OnDelete Recreate[37-] RollingUpdate", "apps.v1.StatefulSetUpdateStrategy.type"],
  ["OnDelete RollingUpdate", "apps.v1.DaemonSetUpdateStrategy.type"],
  ["OrderedReady Parallel", "apps.v1.StatefulSetSpec.podManagementPolicy"],
  ["Pending Running Terminated", "core.v1.NodeStatus.phase"],
  ["Plaintext TLS", "core.v1.GRPCAction.mode"],
  ["PreferDualStack RequireDualStack SingleStack", "core.v1.ServiceSpec.ipFamilyPolicy"],
  ["ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod", "core.v1.PersistentVolumeClaimSpec.accessModes core.v1.PersistentVolumeClaimStatus.accessModes core.v1.PersistentVolumeSpec.accessModes storage.v1.StorageHealthCondition.accessMode"],
  ["Recreate RollingUpdate", "apps.v1.DeploymentStrategy.type"],
  ["SCTP TCP UDP", "core.v1.ContainerPort.protocol core.v1.EndpointPort.protocol core.v1.PortStatus.protocol core.v1.ServicePort.protocol discovery.v1.EndpointPort.protocol networking.v1.IngressPortStatus.protocol networking.v1.NetworkPolicyPort.protocol"],
  ["SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMAX-1 SIGRTMAX-10 SIGRTMAX-11 SIGRTMAX-12 SIGRTMAX-13 SIGRTMAX-14 SIGRTMAX-2 SIGRTMAX-3 SIGRTMAX-4 SIGRTMAX-5 SIGRTMAX-6 SIGRTMAX-7 SIGRTMAX-8 SIGRTMAX-9 SIGRTMIN SIGRTMIN+1 SIGRTMIN+10 SIGRTMIN+11 SIGRTMIN+12 SIGRTMIN+13 SIGRTMIN+14 SIGRTMIN+15 SIGRTMIN+2 SIGRTMIN+3 SIGRTMIN+4 SIGRTMIN+5 SIGRTMIN+6 SIGRTMIN+7 SIGRTMIN+8 SIGRTMIN+9 SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ", "core.v1.ContainerStatus.stopSignal core.v1.Lifecycle.stopSignal"],
  ["StorageDegraded StorageUnreachable", "storage.v1.StorageHealthCondition.status"],
  ["any cert sign client auth code signing content commitment crl sign data encipherment decipher only digital signature email protection encipher only ipsec end system ipsec tunnel ipsec user key agreement key encipherment microsoft sgc netscape sgc ocsp signing s/mime server auth signing timestamping", "certificates.v1.CertificateSigningRequestSpec.usages"],
];
