/** Defaults of the smaller groups. Follows pkg/apis/<group>/v1/defaults.go. */
import { isArray, newObject } from "../../value/json.ts";
import { objectOf, textOf } from "../object.ts";
import { coreFillers } from "./core.ts";
import { type Draft, type Fillers, fill, fillZero, inner } from "./draft.ts";
import { appsFillers, autoscalingFillers, batchFillers } from "./workloads.ts";

const RBAC = "rbac.authorization.k8s.io";

const rbacFillers: Fillers = {
  "v1.RoleBinding": (binding) => fillZero(inner(binding, "roleRef"), "apiGroup", RBAC),
  "v1.ClusterRoleBinding": (binding) => fillZero(inner(binding, "roleRef"), "apiGroup", RBAC),
  "v1.Subject": (subject) => {
    if (subject["kind"] === "User" || subject["kind"] === "Group") fillZero(subject, "apiGroup", RBAC);
  },
};

const admissionFillers: Fillers = {
  "v1.ValidatingWebhook": fillWebhook,
  "v1.MutatingWebhook": (webhook) => {
    fillWebhook(webhook);
    fill(webhook, "reinvocationPolicy", "Never");
  },
  "v1.RuleWithOperations": (rule) => fill(rule, "scope", "*"),
  "v1.NamedRuleWithOperations": (rule) => fill(rule, "scope", "*"),
  "v1.ServiceReference": (service) => fill(service, "port", 443),
  "v1.ValidatingAdmissionPolicySpec": (spec) => fill(spec, "failurePolicy", "Fail"),
  "v1.MutatingAdmissionPolicySpec": (spec) => fill(spec, "failurePolicy", "Fail"),
  "v1.MatchResources": fillMatch,
};

function fillWebhook(webhook: Draft): void {
  fill(webhook, "failurePolicy", "Fail");
  fillMatch(webhook);
  fill(webhook, "timeoutSeconds", 10);
}

function fillMatch(draft: Draft): void {
  fill(draft, "matchPolicy", "Equivalent");
  fill(draft, "namespaceSelector", newObject());
  fill(draft, "objectSelector", newObject());
}

const networkingFillers: Fillers = {
  "v1.NetworkPolicyPort": (port) => fill(port, "protocol", "TCP"),
  "v1.NetworkPolicy": (policy) => {
    const spec = inner(policy, "spec");
    if (!isArray(spec["policyTypes"]))
      spec["policyTypes"] = isArray(spec["egress"]) ? ["Ingress", "Egress"] : ["Ingress"];
  },
  "v1.IngressClass": (ingressClass) => {
    const parameters = objectOf(inner(ingressClass, "spec"), "parameters");
    if (parameters !== undefined) fill(parameters, "scope", "Cluster");
  },
};

const storageFillers: Fillers = {
  "v1.HostPathVolumeSource": (source) => fill(source, "type", ""),
  "v1.StorageClass": (storageClass) => {
    fill(storageClass, "reclaimPolicy", "Delete");
    fill(storageClass, "volumeBindingMode", "Immediate");
  },
  "v1.CSIDriver": (driver) => {
    const spec = inner(driver, "spec");
    fill(spec, "attachRequired", true);
    for (const key of ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"])
      fill(spec, key, false);
    fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (!isArray(spec["volumeLifecycleModes"])) spec["volumeLifecycleModes"] = ["Persistent"];
  },
};

const flowcontrolFillers: Fillers = {
  "v1.FlowSchemaSpec": (spec) => fillZero(spec, "matchingPrecedence", 1000),
  "v1.ExemptPriorityLevelConfiguration": (level) => {
    fill(level, "nominalConcurrencyShares", 0);
    fill(level, "lendablePercent", 0);
  },
  "v1.LimitedPriorityLevelConfiguration": (level) => {
    fill(level, "nominalConcurrencyShares", 30);
    fill(level, "lendablePercent", 0);
  },
  "v1.QueuingConfiguration": (queuing) => {
    fillZero(queuing, "handSize", 8);
    fillZero(queuing, "queues", 64);
    fillZero(queuing, "queueLengthLimit", 50);
  },
};

const resourceFillers: Fillers = {
  "v1.ExactDeviceRequest": fillDeviceRequest,
  "v1.DeviceSubRequest": fillDeviceRequest,
};

function fillDeviceRequest(request: Draft): void {
  fillZero(request, "allocationMode", "ExactCount");
  if (textOf(request, "allocationMode") === "ExactCount") fillZero(request, "count", 1);
}

/** By group of the kind that is defaulted. */
export const fillersOfGroup: Readonly<Record<string, Fillers>> = {
  "": coreFillers,
  apps: appsFillers,
  batch: batchFillers,
  autoscaling: autoscalingFillers,
  [RBAC]: rbacFillers,
  "admissionregistration.k8s.io": admissionFillers,
  "networking.k8s.io": networkingFillers,
  "storage.k8s.io": storageFillers,
  "flowcontrol.apiserver.k8s.io": flowcontrolFillers,
  "resource.k8s.io": resourceFillers,
  "apiregistration.k8s.io": { "v1.ServiceReference": (service) => fill(service, "port", 443) },
  "discovery.k8s.io": {
    "v1.EndpointPort": (port) => {
      fill(port, "name", "");
      fill(port, "protocol", "TCP");
    },
  },
  "scheduling.k8s.io": {
    "v1.PriorityClass": (priorityClass) => fill(priorityClass, "preemptionPolicy", "PreemptLowerPriority"),
  },
};
