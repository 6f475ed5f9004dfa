/** The strategies of all kinds, by `group/Kind`. Kinds that are not listed are taken as they are decoded. */
import { formatIp } from "@portcullis/gostd/net";
import { checkDnsLabel, checkPathSegment, maskTrailingDash } from "../../field/names.ts";
import { nilPath } from "../../field/path.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import { type JsonObject, newObject } from "../../value/json.ts";
import { type Draft, fillZero, inner } from "../defaults/draft.ts";
import { has, objectFrom, objectOf, objectsOf, textOf } from "../object.ts";
import { legacyIp, parseIpSloppy } from "../validate/addresses.ts";
import * as messages from "../validate/messages.ts";
import { keepCsrSpec } from "./certificates.ts";
import { prepareClaim, prepareClaimUpdate } from "./claims.ts";
import { prepareClaimStatus, prepareSlice } from "./devices.ts";
import { preparePod, preparePodStatus, preparePodUpdate } from "./pod.ts";
import { prepareSecretUpdate } from "./secret.ts";
import { prepareService, prepareServiceUpdate } from "./service.ts";
import { type PrepareContext, SPEC, type Strategy, strategy, subdomainName } from "./strategy.ts";
import {
  addFinalizer,
  dropTopology,
  prepareNamespace,
  prepareNode,
  prepareNodeUpdate,
  prepareVolume,
  prepareVolumeStatus,
} from "./system.ts";
import {
  dropMaxUnavailable,
  keepTemplateGeneration,
  prepareDaemonSet,
  prepareDaemonSetUpdate,
  prepareJob,
} from "./workloads.ts";

const labelName: NameCheck = (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name);
/** Upstream counts the same and calls it otherwise; what a name is generated from is not looked at. */
const longName: NameCheck = (name, isPrefix) =>
  isPrefix ? [] : subdomainName(name, isPrefix).map((problem) => problem.replace(/characters$/, "bytes"));
const segmentName: NameCheck = checkPathSegment;
/** The name is the address itself, written the one canonical way. */
const addressName: NameCheck = (name) => {
  const problems = legacyIp(name, nilPath).map(({ detail }) => detail);
  const address = parseIpSloppy(name);
  if (problems.length > 0 || address === undefined) return problems;
  const canonical = formatIp(address);
  return canonical === name ? [] : [messages.canonicalIp(canonical)];
};

const status = { ownsStatus: true };
const counted = { ownsStatus: true, generation: SPEC };
/** Writes of the status leave the metadata as it is. */
const statusAlone = { prepareStatusUpdate: keepMeta };
const templated = { podSpec: ["spec", "template", "spec"] };
const conditional = { unconditionalUpdate: false };
const returned = { returnsDeletedObject: true };
const upsert = { createOnUpdate: true };
const rbac = { checkName: segmentName, createOnUpdate: true };

/** Coordinated leader election is off, and its fields with it; those that are there may change. */
function dropElection(lease: Draft, old?: JsonObject): void {
  const [spec, before] = [inner(lease, "spec"), objectOf(old, "spec")];
  for (const key of ["strategy", "preferredHolder"]) if (!has(before, key)) delete spec[key];
}

function dropPrevention(driver: Draft, old?: JsonObject): void {
  const key = "preventPodSchedulingIfMissing";
  if (!has(objectOf(old, "spec"), key)) delete inner(driver, "spec")[key];
}

/** Of a secret only the name is kept. */
function cleanSecrets(account: Draft): void {
  const secrets = objectsOf(account, "secrets");
  if (secrets.length > 0) account["secrets"] = secrets.map(({ name }) => objectFrom({ name }));
}

/** What the server itself serves is there at once. */
function prepareApiService(service: Draft, { now }: PrepareContext): void {
  if (has(objectOf(service, "spec"), "service")) return;
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: now(),
    reason: "Local",
    message: "Local APIServices are always available",
  };
  inner(service, "status")["conditions"] = [objectFrom(available)];
}

/** Their webhooks are a member of the root. */
const webhooks = strategy({ ...conditional, generation: { members: ["webhooks"] } });

const STRATEGIES: Readonly<Record<string, Strategy>> = {
  "/ConfigMap": strategy(),
  "/Secret": strategy({ prepareUpdate: prepareSecretUpdate }),
  "/ServiceAccount": strategy({ ...returned, prepareCreate: cleanSecrets, prepareUpdate: cleanSecrets }),
  "/Namespace": strategy({
    checkName: labelName,
    ownsStatus: true,
    ...returned,
    prepareCreate: prepareNamespace,
    prepareUpdate: (draft, old) => {
      const finalizers = objectOf(old, "spec")?.["finalizers"];
      if (finalizers !== undefined) inner(draft, "spec")["finalizers"] = finalizers;
    },
  }),
  "/Service": strategy({
    checkName: labelName,
    ownsStatus: true,
    ...returned,
    ...upsert,
    prepareCreate: prepareService,
    prepareUpdate: prepareServiceUpdate,
  }),
  "/Endpoints": strategy(upsert),
  "/Event": strategy({ ...upsert, checkName: segmentName }),
  "/Pod": strategy({
    ...counted,
    podSpec: ["spec"],
    ...returned,
    prepareCreate: preparePod,
    prepareUpdate: preparePodUpdate,
    prepareStatusUpdate: preparePodStatus,
  }),
  "/PodTemplate": strategy({ ...returned, generation: { members: ["template"] }, podSpec: ["template", "spec"] }),
  "/ReplicationController": strategy({ ...counted, ...templated, checkName: longName }),
  "/ResourceQuota": strategy({ ...status, ...returned }),
  // One without a name is called after itself.
  "/LimitRange": strategy({
    ...upsert,
    prepareCreate: (draft) => fillZero(inner(draft, "metadata"), "name", textOf(objectOf(draft, "metadata"), "uid")),
  }),
  "/PersistentVolumeClaim": strategy({
    ...status,
    ...returned,
    prepareCreate: prepareClaim,
    prepareUpdate: prepareClaimUpdate,
  }),
  "/PersistentVolume": strategy({
    ...status,
    ...returned,
    prepareCreate: prepareVolume,
    prepareStatusUpdate: prepareVolumeStatus,
  }),
  "/Node": strategy({ prepareCreate: prepareNode, prepareUpdate: prepareNodeUpdate }),
  "apps/Deployment": strategy({
    ownsStatus: true,
    ...templated,
    generation: { members: ["spec"], metadata: ["annotations"] },
    prepareStatusUpdate: (draft, old) => {
      const labels = objectOf(objectOf(old, "metadata"), "labels");
      if (labels === undefined) delete inner(draft, "metadata")["labels"];
      else inner(draft, "metadata")["labels"] = labels;
    },
  }),
  "apps/ReplicaSet": strategy({ ...counted, ...templated }),
  "apps/StatefulSet": strategy({
    ...counted,
    ...templated,
    checkName: labelName,
    prepareCreate: (draft) => dropMaxUnavailable(draft, undefined),
    prepareUpdate: dropMaxUnavailable,
  }),
  "apps/DaemonSet": strategy({
    ...counted,
    ...templated,
    prepareCreate: prepareDaemonSet,
    prepareUpdate: prepareDaemonSetUpdate,
    prepareStatusUpdate: keepTemplateGeneration,
  }),
  "apps/ControllerRevision": strategy(),
  "batch/Job": strategy({ ...counted, ...templated, prepareCreate: prepareJob }),
  "batch/CronJob": strategy({ ...counted, podSpec: ["spec", "jobTemplate", "spec", "template", "spec"] }),
  "coordination.k8s.io/Lease": strategy({
    ...conditional,
    ...upsert,
    prepareCreate: (lease) => dropElection(lease),
    prepareUpdate: dropElection,
  }),
  "discovery.k8s.io/EndpointSlice": strategy({
    generation: { members: ["addressType", "endpoints", "ports"], metadata: ["labels"] },
    prepareCreate: dropTopology,
    prepareUpdate: dropTopology,
  }),
  "events.k8s.io/Event": strategy(upsert),
  "rbac.authorization.k8s.io/Role": strategy(rbac),
  "rbac.authorization.k8s.io/ClusterRole": strategy(rbac),
  "rbac.authorization.k8s.io/RoleBinding": strategy(rbac),
  "rbac.authorization.k8s.io/ClusterRoleBinding": strategy(rbac),
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": strategy({ ...conditional, ...counted, ...statusAlone }),
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": strategy({ ...conditional, generation: SPEC }),
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": strategy({ ...conditional, generation: SPEC }),
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": strategy({ ...conditional, generation: SPEC }),
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks,
  "apiregistration.k8s.io/APIService": strategy({
    ...conditional,
    ...status,
    ...statusAlone,
    checkName: segmentName,
    prepareCreate: prepareApiService,
  }),
  "autoscaling/HorizontalPodAutoscaler": strategy(status),
  "certificates.k8s.io/CertificateSigningRequest": strategy({
    ...status,
    checkName: () => [],
    prepareUpdate: keepCsrSpec,
  }),
  "flowcontrol.apiserver.k8s.io/FlowSchema": strategy({ ...counted, ...statusAlone }),
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": strategy({ ...counted, ...statusAlone }),
  "networking.k8s.io/IPAddress": strategy({ checkName: addressName }),
  "networking.k8s.io/Ingress": strategy(counted),
  "networking.k8s.io/IngressClass": strategy({ generation: SPEC }),
  "networking.k8s.io/NetworkPolicy": strategy({ generation: SPEC }),
  "networking.k8s.io/ServiceCIDR": strategy({ ...status, ...statusAlone }),
  "node.k8s.io/RuntimeClass": strategy({ ...conditional, ...upsert }),
  "policy/PodDisruptionBudget": strategy({ ...conditional, ...counted, checkName: segmentName }),
  "resource.k8s.io/DeviceClass": strategy({ ...returned, generation: SPEC, checkName: longName }),
  "resource.k8s.io/ResourceClaim": strategy({
    ...returned,
    ...status,
    prepareStatusUpdate: (draft, old) => {
      keepMeta(draft, old);
      prepareClaimStatus(draft, old);
    },
  }),
  "resource.k8s.io/ResourceClaimTemplate": strategy(returned),
  "resource.k8s.io/ResourceSlice": strategy({
    ...returned,
    generation: SPEC,
    prepareCreate: prepareSlice,
    prepareUpdate: (draft, _old, context) => prepareSlice(draft, context),
  }),
  "scheduling.k8s.io/PriorityClass": strategy({ generation: { members: [] } }),
  "storage.k8s.io/CSIDriver": strategy({
    ...conditional,
    ...returned,
    generation: SPEC,
    startsUncounted: true,
    prepareCreate: (draft) => dropPrevention(draft),
    prepareUpdate: dropPrevention,
  }),
  "storage.k8s.io/CSINode": strategy({ ...conditional, ...returned }),
  "storage.k8s.io/CSIStorageCapacity": strategy(conditional),
  "storage.k8s.io/StorageClass": strategy(returned),
  "storage.k8s.io/VolumeAttachment": strategy({ ...conditional, ...returned, ...status, ...statusAlone }),
  "storage.k8s.io/VolumeAttributesClass": strategy({
    ...returned,
    prepareCreate: (draft) => addFinalizer(draft, "kubernetes.io/vac-protection"),
  }),
};

const OTHER = strategy();

export function strategyOf(group: string, kind: string): Strategy {
  return STRATEGIES[`${group}/${kind}`] ?? OTHER;
}

const KEPT_META = ["labels", "annotations", "finalizers", "ownerReferences"];

function keepMeta(draft: Draft, old: JsonObject): void {
  const [meta, before] = [inner(draft, "metadata"), objectOf(old, "metadata") ?? newObject()];
  for (const key of KEPT_META) {
    const value = before[key];
    if (value === undefined) delete meta[key];
    else meta[key] = value;
  }
}
