/**
 * The admission plugins of kube-apiserver 1.36, in their order, and which of them run.
 *
 * Follows kubernetes pkg/kubeapiserver/options/plugins.go and apiserver pkg/server/options/admission.go.
 */

/** Plugins that upstream has and that are off unless they are enabled. */
const OFF: ReadonlySet<string> = new Set(
  `
  AlwaysAdmit AlwaysDeny AlwaysPullImages DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration
  ImagePolicyWebhook LimitPodHardAntiAffinityTopology NamespaceAutoProvision NamespaceExists NodeRestriction
  OwnerReferencesPermissionEnforcement PodNodeSelector PodTolerationRestriction`
    .trim()
    .split(/\s+/),
);

/** Those of them that can be enabled here. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
]);

/** On upstream. Here they run if they are enabled, because most clients of this server have no service accounts. */
const ON_UPSTREAM: ReadonlySet<string> = new Set(["ServiceAccount"]);

/** Plugins that run unless they are disabled. */
const ON: ReadonlySet<string> = new Set(
  `
  NamespaceLifecycle LimitRanger DefaultStorageClass PersistentVolumeClaimResize DefaultTolerationSeconds
  MutatingAdmissionWebhook ValidatingAdmissionWebhook ResourceQuota StorageObjectInUseProtection PodGroupProtection
  Priority TaintNodesByCondition RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest
  CertificateSubjectRestriction DefaultIngressClass PodSecurity PodTopologyLabels MutatingAdmissionPolicy
  ValidatingAdmissionPolicy PodGroupWorkloadExists NodeDeclaredFeatureValidator JobValidation PodResizeValidator`
    .trim()
    .split(/\s+/),
);

export interface PluginSelection {
  readonly enable?: readonly string[] | undefined;
  readonly disable?: readonly string[] | undefined;
}

/** Whether a plugin runs; upstream does not know those that always do. Throws an Error with upstream's message for a selection that is not possible. */
export function selectPlugins({ enable = [], disable = [] }: PluginSelection): (name: string) => boolean {
  const problems = [
    ...enable
      .filter((name) => !isKnownPlugin(name))
      .map((name) => `enable-admission-plugins plugin "${name}" is unknown`),
    ...disable
      .filter((name) => !isKnownPlugin(name))
      .map((name) => `disable-admission-plugins plugin "${name}" is unknown`),
  ];
  const both = [...new Set(enable.filter((name) => disable.includes(name)))].sort();
  if (both.length > 0) {
    problems.push(`[${both.join(" ")}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  if (problems.length > 0) throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(", ")}]`);
  const missing = enable.find((name) => OFF.has(name) && !OPTIONAL.has(name));
  if (missing !== undefined) throw new Error(`the admission plugin "${missing}" is not supported`);
  return (name) => !isKnownPlugin(name) || (!disable.includes(name) && (ON.has(name) || enable.includes(name)));
}

/** Whether upstream has an admission plugin of that name. */
export function isKnownPlugin(name: string): boolean {
  return OFF.has(name) || ON.has(name) || ON_UPSTREAM.has(name);
}
