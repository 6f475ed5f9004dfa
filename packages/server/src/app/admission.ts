/** The admission plugins of the server, in upstream's order. */

import { defaultTolerations } from "@portcullis/engine/internal/admission/default-tolerations";
import { limitRanger } from "@portcullis/engine/internal/admission/limit-ranger";
import { mutatingPolicyAdmission } from "@portcullis/engine/internal/admission/mutating-policies";
import { namespaceLifecycle } from "@portcullis/engine/internal/admission/namespace-lifecycle";
import { eventRateLimit } from "@portcullis/engine/internal/admission/optional/event-rate-limit";
import { namespaceAutoProvision, namespaceExists } from "@portcullis/engine/internal/admission/optional/namespaces";
import { nodeRestriction } from "@portcullis/engine/internal/admission/optional/node-restriction";
import { ownerReferencesPermissionEnforcement } from "@portcullis/engine/internal/admission/optional/owner-permissions";
import {
  extendedResourceToleration,
  limitPodHardAntiAffinityTopology,
  podNodeSelector,
} from "@portcullis/engine/internal/admission/optional/pods";
import { serviceAccountAdmission } from "@portcullis/engine/internal/admission/optional/service-account";
import { podTolerationRestriction } from "@portcullis/engine/internal/admission/optional/tolerations";
import {
  alwaysDeny,
  alwaysPullImages,
  denyServiceExternalIps,
} from "@portcullis/engine/internal/admission/optional-plugins";
import { podSecurityAdmission } from "@portcullis/engine/internal/admission/pod-security";
import { policyWriterCheck } from "@portcullis/engine/internal/admission/policy-writer";
import { priority } from "@portcullis/engine/internal/admission/priority";
import { resourceQuotaAdmission } from "@portcullis/engine/internal/admission/resource-quota";
import { runtimeClassAdmission } from "@portcullis/engine/internal/admission/runtime-class";
import { claimResize } from "@portcullis/engine/internal/admission/standard/claim-resize";
import {
  defaultIngressClass,
  defaultStorageClass,
} from "@portcullis/engine/internal/admission/standard/default-classes";
import { taintNodesByCondition } from "@portcullis/engine/internal/admission/standard/node-taints";
import { podResizeValidator } from "@portcullis/engine/internal/admission/standard/pod-resize";
import { denyPrivileged } from "@portcullis/engine/internal/admission/standard/privileged";
import { podTopologyLabels } from "@portcullis/engine/internal/admission/standard/topology-labels";
import { storageProtection } from "@portcullis/engine/internal/admission/storage-protection";
import { policyAdmission } from "@portcullis/engine/internal/admission/validating-policies";
import { mutatingWebhookAdmission, validatingWebhookAdmission } from "@portcullis/engine/internal/admission/webhooks";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type { AdmissionPlugin } from "@portcullis/engine/internal/review/cluster-view";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { asServer, minorOf } from "@portcullis/engine/internal/value/server-version";
import { definitionUpgradeCheck } from "../admission/crd-upgrade.ts";
import type { Security } from "../auth/security.ts";
import { certificateAdmission, trustBundleAdmission } from "../certificates/admission.ts";
import type { ServerMetrics } from "../observe/server-metrics.ts";
import type { PolicyCatalog } from "../policy/catalog.ts";
import type { WebhookCatalog } from "../webhooks/catalog.ts";
import type { AppOptions } from "./options.ts";
import { selectPlugins } from "./plugin-names.ts";

export interface AdmissionParts {
  readonly options: AppOptions;
  readonly engine: EngineOptions;
  readonly metrics: ServerMetrics;
  readonly security: Security;
  readonly policies: PolicyCatalog;
  readonly mutatingPolicies: PolicyCatalog<MutatingPolicy>;
  readonly mutatingWebhooks: WebhookCatalog;
  readonly validatingWebhooks: WebhookCatalog;
  /** Stores what a quota has used. */
  readonly storeQuotaUsed: (quota: JsonObject, used: JsonObject) => Promise<void>;
  readonly createNamespace: (name: string) => Promise<void>;
  readonly webhooks: {
    readonly mutating: Parameters<typeof mutatingWebhookAdmission>[1];
    readonly validating: Parameters<typeof validatingWebhookAdmission>[1];
  };
}

export function admissionPlugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { options, engine, metrics, security, policies, mutatingPolicies } = parts;
  const { mutatingWebhooks, validatingWebhooks, webhooks } = parts;
  const { version } = engine;
  const { now, featureGates } = options;
  const isGateOn = (gate: string): boolean => asServer({ version, featureGates }, () => isEnabled(gate));
  const isOn = selectPlugins(options.admissionPlugins ?? {});
  const all = [
    ...(options.allowsPrivileged === false ? [denyPrivileged] : []),
    namespaceAutoProvision(parts.createNamespace),
    namespaceLifecycle,
    namespaceExists,
    limitPodHardAntiAffinityTopology,
    limitRanger,
    serviceAccountAdmission(pause),
    nodeRestriction(isGateOn),
    taintNodesByCondition,
    alwaysPullImages,
    podSecurityAdmission({
      version,
      configuration: options.podSecurity,
      now,
      observe: metrics.podSecurity.observe,
    }),
    podNodeSelector(options.nodeSelectors),
    priority,
    defaultTolerations(options.tolerationSeconds),
    podTolerationRestriction(options.podTolerations ?? { default: [], whitelist: [] }),
    eventRateLimit(options.eventLimits ?? [], now),
    extendedResourceToleration,
    defaultStorageClass,
    storageProtection,
    ownerReferencesPermissionEnforcement,
    claimResize,
    runtimeClassAdmission,
    defaultIngressClass,
    denyServiceExternalIps,
    ...(isGateOn("PodTopologyLabelsAdmission") ? [podTopologyLabels] : []),
    ...(minorOf(version) >= PODS_FIT_SINCE ? [podResizeValidator] : []),
    ...(options.definitionUpgrades === undefined
      ? []
      : [definitionUpgradeCheck(options.definitionUpgrades, engine, options.now)]),
    ...(options.admission ?? []),
    mutatingPolicyAdmission(mutatingPolicies, { version }),
    mutatingWebhookAdmission(mutatingWebhooks, webhooks.mutating),
    policyWriterCheck({ validating: policies, mutating: mutatingPolicies }),
    policyAdmission(policies, { version, observe: options.observePolicies }),
    validatingWebhookAdmission(validatingWebhooks, webhooks.validating),
    security.admission,
    ...certificateAdmission,
    ...(isGateOn("ClusterTrustBundle") ? [trustBundleAdmission] : []),
    resourceQuotaAdmission({ storeUsed: parts.storeQuotaUsed, limited: options.limitedResources }),
    alwaysDeny,
  ];
  return all.filter(({ name }) => name === undefined || isOn(name));
}

/** The minor version that added the check of resized pods. */
const PODS_FIT_SINCE = 36;
const PAUSE_MS = 150;

/** Until a controller may have caught up. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
