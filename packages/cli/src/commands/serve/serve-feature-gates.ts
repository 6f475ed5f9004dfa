/**
 * `--feature-gates` of kube-apiserver: which gates there are, and those that change something here.
 *
 * The names are those of kube-apiserver 1.36. Follows component-base featuregate in what is refused.
 */

import { parseBool } from "@portcullis/gostd/strconv";
import type { ServerOptions } from "@portcullis/server";

const OURS = ["CRDValidationRatcheting", "CRDPropertyNameSchemas", "ManifestBasedAdmissionControlConfig"] as const;

export interface ReadGates {
  readonly gates: NonNullable<ServerOptions["gates"]>;
  /** Gates that were named and have no effect. */
  readonly ignored: readonly string[];
}

/** Pairs such as `A=true`. Throws an Error with upstream's message. */
export function readFeatureGates(pairs: readonly string[]): ReadGates {
  const given = new Map(pairs.filter((pair) => pair.trim() !== "").map(readPair));
  const gates = Object.fromEntries(OURS.flatMap((name) => entryOf(given, name)));
  return { gates, ignored: [...given.keys()].filter((name) => !OURS.some((ours) => ours === name)) };
}

function entryOf(given: ReadonlyMap<string, boolean>, name: string): [string, boolean][] {
  const value = given.get(name);
  return value === undefined ? [] : [[name, value]];
}

/** The component may be named: `kube:A=true`. */
function readPair(pair: string): [name: string, value: boolean] {
  const [, name = "", value] = /^(?:kube:)?([^=]*)(?:=([\s\S]*))?$/.exec(pair.trim()) ?? [];
  if (value === undefined) throw new Error(`missing bool value for ${name}`);
  if (!GATES.has(name)) throw new Error(`unrecognized feature gate: ${name}`);
  const parsed = parseBool(value.trim());
  if (parsed.error !== undefined) throw new Error(`invalid value of ${name}=${value.trim()}, err: ${parsed.error}`);
  return [name, parsed.value];
}

const GATES: ReadonlySet<string> = new Set(
  `
  APIResponseCompression APIServerIdentity APIServerTracing APIServingWithRoutine AggregatedDiscoveryRemoveBetaType
  AllAlpha AllBeta AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
  AllowOverwriteTerminationGracePeriodSeconds AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
  AllowUnsafeMalformedObjectDeletion AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AtomicFIFO
  AuthorizeNodeWithSelectors AuthorizePodWebsocketUpgradeCreatePermission AuthorizeWithSelectors BtreeWatchCache
  CBORServingAndStorage CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
  CRDObservedGenerationTracking CRDPropertyNameSchemas CRDValidationRatcheting CRIListStreaming
  CSIServiceAccountTokenSecrets CSIVolumeHealth ChangeContainerStatusOnKubeletRestart
  ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ClientsAllowCBOR ClientsAllowTLSCacheGC
  ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook
  ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode
  ConsistentListFromCache ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContainerStopSignals
  ContextualLogging ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection
  CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod CustomResourceFieldSelectors DRAAdminAccess
  DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAExtendedResource
  DRAListTypeAttributes DRANodeAllocatableResources DRAPartitionableDevices DRAPrioritizedList
  DRAResourceClaimDeviceStatus DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus
  DRASchedulerFilterTimeout DRAWorkloadResourceClaims DeclarativeValidation DeclarativeValidationBeta
  DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency
  DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion DynamicResourceAllocation
  EnvFiles EventedPLEG ExecProbeTimeout ExtendWebSocketsToKubelet ExternalServiceAccountTokenSigner GangScheduling
  GenericWorkload GitRepoVolumeDriver GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority
  HPAConfigurableTolerance HPAScaleToZero HostnameOverride ImageMaximumGCAge ImageVolume ImageVolumeWithDigest
  InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScaling
  InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory
  InPlacePodVerticalScalingInitContainers JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy
  JobSuccessPolicy KMSv1 KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
  KubeletFineGrainedAuthz KubeletInUserNamespace KubeletPSI KubeletPodResourcesDynamicResources
  KubeletPodResourcesGet KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly
  KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders KubeletTracing ListFromCacheSnapshot
  LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions
  LoggingStableOptions ManifestBasedAdmissionControlConfig MatchLabelKeysInPodAffinity
  MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet
  MemoryQoS MultiCIDRServiceAllocator MutableCSINodeAllocatableCount MutablePVNodeAffinity
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy
  NFTablesProxyMode NativeHistograms NodeDeclaredFeatures NodeInclusionPolicyInPodTopologySpread NodeLogQuery
  NodeSwap NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching OrderedNamespaceDeletion
  PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest
  PodDeletionCost PodLevelResourceManagers PodLevelResources PodLifecycleSleepAction
  PodLifecycleSleepActionAllowZero PodLogsQuerySplitStreams PodObservedGenerationTracking
  PodReadyToStartContainersCondition PodSchedulingReadiness PodTopologyLabelsAdmission PodsAPI PortForwardWebsockets
  PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType QOSReserved
  RecoverVolumeExpansionFailure RecursiveReadOnlyMounts ReduceDefaultCrashLoopBackOffDecay
  RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation
  ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
  ResilientWatchCacheInitialization ResourceHealthStatus ResourceHealthStatusMessage
  RestartAllContainersOnContainerExits RetryGenerateName RotateKubeletServerCertificate RuntimeClassInImageCriApi
  SELinuxChangePolicy SELinuxMount SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerAsyncPreemption
  SchedulerPopFromBackoffQ SchedulerQueueingHints SeparateCacheWatchRPC SeparateTaintEvictionController
  ServiceAccountNodeAudienceRestriction ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
  ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping
  ShardedListAndWatch SidecarContainers SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet
  StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
  StatefulSetSemanticRevisionComparison StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI
  StorageVersionHash StorageVersionMigrator StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
  StrictIPCIDRValidation StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector
  StructuredAuthenticationConfigurationJWKSMetrics SupplementalGroupsPolicy TaintTolerationComparisonOperators
  TokenRequestServiceAccountUIDValidation TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions
  TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions TranslateStreamCloseWebsocketRequests
  UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO
  UserNamespacesHostNetworkSupport UserNamespacesSupport VolumeAttributesClass VolumeLimitScaling
  WatchCacheInitializationPostStartHook WatchList WatchListClient WinDSR WinOverlay WindowsCPUAndMemoryAffinity
  WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadAwarePreemption WorkloadWithJob`
    .trim()
    .split(/\s+/),
);
