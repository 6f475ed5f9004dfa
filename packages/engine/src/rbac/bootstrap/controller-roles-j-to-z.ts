/** Cluster roles of controllers, without the prefix `system:controller:`, from j to z. Facts from kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.30 to 1.37. */
import type { RoleData } from "./role-data.ts";

export const CONTROLLERS_J_TO_Z: readonly RoleData[] = [
  {
    name: "job-controller",
    rules: [
      "get list patch update watch|batch|jobs",
      "update|batch|jobs/status",
      "update|batch|jobs/finalizers",
      "create delete list patch watch|core|pods",
      "create patch update|core events.k8s.io|events",
      "[-36 WorkloadWithJob] create get list watch|scheduling.k8s.io|podgroups workloads",
      "[37- WorkloadWithJob] create get list patch update watch|scheduling.k8s.io|podgroups workloads",
    ],
  },
  {
    name: "kube-apiserver-serving-clustertrustbundle-publisher",
    when: "ClusterTrustBundle",
    rules: [
      "attest|certificates.k8s.io|signers|kubernetes.io/kube-apiserver-serving",
      "create delete list update watch|certificates.k8s.io|clustertrustbundles",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "legacy-service-account-token-cleaner",
    rules: ["get|core|configmaps|kube-apiserver-legacy-service-account-token-tracking", "delete patch|core|secrets"],
  },
  {
    name: "namespace-controller",
    rules: [
      "delete get list watch|core|namespaces",
      "update|core|namespaces/finalize namespaces/status",
      "[-31] delete deletecollection get list|*|*",
      "[32-] delete deletecollection get list watch|*|*",
    ],
  },
  {
    name: "node-controller",
    rules: [
      "[-31] delete get list patch update|core|nodes",
      "[32-] delete get list patch update watch|core|nodes",
      "patch update|core|nodes/status",
      "patch update|core|pods/status",
      "[-30] delete list|core|pods",
      "[31-31] delete get list|core|pods",
      "[32-] delete get list watch|core|pods",
      "[37-] get list watch|coordination.k8s.io|leases",
      "create patch update|core events.k8s.io|events",
      "[-30] get|core|pods",
    ],
  },
  {
    name: "persistent-volume-binder",
    rules: [
      "create delete get list update watch|core|persistentvolumes",
      "update|core|persistentvolumes/status",
      "get list update watch|core|persistentvolumeclaims",
      "update|core|persistentvolumeclaims/status",
      "create delete get list watch|core|pods",
      "get list watch|storage.k8s.io|storageclasses",
      "[-31] create delete get update|core|endpoints",
      "[-31] create delete get|core|services",
      "[-31] get|core|secrets",
      "[-31] get list|core|nodes",
      "[32-] list watch|core|nodes",
      "create patch update|core events.k8s.io|events",
      "watch|core|events",
      "[32-35] get|core|services",
    ],
  },
  {
    name: "pod-garbage-collector",
    rules: [
      "delete list watch|core|pods",
      "[-31] get list|core|nodes",
      "[32-] get list watch|core|nodes",
      "patch|core|pods/status",
    ],
  },
  {
    name: "podcertificaterequestcleaner",
    when: "PodCertificateRequest",
    rules: ["delete get list watch|certificates.k8s.io|podcertificaterequests"],
  },
  {
    name: "pv-protection-controller",
    rules: ["get list update watch|core|persistentvolumes", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "pvc-protection-controller",
    rules: [
      "get list update watch|core|persistentvolumeclaims",
      "[36-] update|core|persistentvolumeclaims/status",
      "get list watch|core|pods",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "replicaset-controller",
    rules: [
      "get list update watch|apps extensions|replicasets",
      "update|apps extensions|replicasets/status",
      "update|apps extensions|replicasets/finalizers",
      "create delete list patch watch|core|pods",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "replication-controller",
    rules: [
      "get list update watch|core|replicationcontrollers",
      "update|core|replicationcontrollers/status",
      "update|core|replicationcontrollers/finalizers",
      "create delete list patch watch|core|pods",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "resource-claim-controller",
    when: "DynamicResourceAllocation",
    rules: [
      "get list watch|core|pods",
      "update|core|pods/finalizers",
      "create delete get list watch|resource.k8s.io|resourceclaims",
      "patch update|resource.k8s.io|resourceclaims resourceclaims/status",
      "patch update|core|pods/status",
      "create patch update|core events.k8s.io|events",
      "[DRAWorkloadResourceClaims] get list watch|scheduling.k8s.io|podgroups",
      "[DRAWorkloadResourceClaims] patch update|scheduling.k8s.io|podgroups/status",
      "[DRAResourceClaimGranularStatusAuthorization] patch update|resource.k8s.io|resourceclaims/binding",
    ],
  },
  {
    name: "resourcequota-controller",
    rules: ["list watch|*|*", "update|core|resourcequotas/status", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "root-ca-cert-publisher",
    rules: ["create update|core|configmaps", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "route-controller",
    rules: ["list watch|core|nodes", "patch|core|nodes/status", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "selinux-warning-controller",
    when: "SELinuxChangePolicy",
    rules: [
      "create patch update|core events.k8s.io|events",
      "get list watch|core|persistentvolumes",
      "get list watch|core|persistentvolumeclaims",
      "get list watch|core|pods",
      "get list watch|storage.k8s.io|csidrivers",
    ],
  },
  {
    name: "service-account-controller",
    rules: ["create|core|serviceaccounts", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "service-cidrs-controller",
    when: "MultiCIDRServiceAllocator",
    rules: [
      "get list patch update watch|networking.k8s.io|servicecidrs",
      "patch update|networking.k8s.io|servicecidrs/finalizers",
      "patch update|networking.k8s.io|servicecidrs/status",
      "get list watch|networking.k8s.io|ipaddresses",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "service-controller",
    rules: [
      "get list watch|core|services",
      "patch update|core|services/status",
      "list watch|core|nodes",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "statefulset-controller",
    rules: [
      "list watch|core|pods",
      "get list watch|apps|statefulsets",
      "update|apps|statefulsets/status",
      "update|apps|statefulsets/finalizers",
      "create delete get patch update|core|pods",
      "create delete get list patch update watch|apps|controllerrevisions",
      "create get list watch|core|persistentvolumeclaims",
      "delete update|core|persistentvolumeclaims",
      "update|core|pods/finalizers",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "storage-version-migrator-controller",
    when: "StorageVersionMigrator",
    rules: [
      "[-35] create list patch watch|*|*",
      "[36-36] create list patch|*|*",
      "[37-] list patch|*|*",
      "[36-] get|apiextensions.k8s.io|customresourcedefinitions",
      "[36-] patch|apiextensions.k8s.io|customresourcedefinitions/status",
      "update|storagemigration.k8s.io|storageversionmigrations/status",
    ],
  },
  {
    name: "ttl-after-finished-controller",
    rules: ["delete get list watch|batch|jobs", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "ttl-controller",
    rules: ["list patch update watch|core|nodes", "create patch update|core events.k8s.io|events"],
  },
  {
    name: "validatingadmissionpolicy-status-controller",
    rules: [
      "get list watch|admissionregistration.k8s.io|validatingadmissionpolicies",
      "get patch update|admissionregistration.k8s.io|validatingadmissionpolicies/status",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "volumeattributesclass-protection-controller",
    when: "VolumeAttributesClass",
    rules: [
      "get list watch|core|persistentvolumeclaims",
      "get list watch|core|persistentvolumes",
      "get list update watch|storage.k8s.io|volumeattributesclasses",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "resourcepoolstatusrequest-controller",
    when: "DRAResourcePoolStatus",
    rules: [
      "delete get list watch|resource.k8s.io|resourcepoolstatusrequests",
      "patch update|resource.k8s.io|resourcepoolstatusrequests/status",
      "get list watch|resource.k8s.io|resourceslices",
      "get list watch|resource.k8s.io|resourceclaims",
      "[37-] get list watch|resource.k8s.io|devicetaintrules",
      "create patch update|core events.k8s.io|events",
    ],
  },
  {
    name: "podgroup-protection-controller",
    when: "GenericWorkload",
    rules: ["get list update watch|scheduling.k8s.io|podgroups", "get list watch|core|pods"],
  },
  {
    name: "storage-version-garbage-collector",
    when: "StorageVersionAPI",
    rules: [
      "get list watch|coordination.k8s.io|leases",
      "delete get list patch update watch|internal.apiserver.k8s.io|storageversions",
      "get patch update|internal.apiserver.k8s.io|storageversions/status",
    ],
  },
];
