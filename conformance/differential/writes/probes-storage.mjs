/** Storage objects with typical mistakes. */
import { apis, cluster, core, meta, nameMistakes } from "./mistakes.mjs";

const secret = { name: "s", namespace: "default" };

export const storageProbes = [
  {
    path: "/api/v1/persistentvolumes",
    object: {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: meta(),
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: { driver: "d.example.com", volumeHandle: "h" },
        storageClassName: "none",
      },
    },
    mistakes: {
      ...nameMistakes,
      "spec.capacity": [undefined, {}, { storage: "0" }, { storage: "-1" }, { storage: "1Gi", cpu: "1" }],
      "spec.accessModes": [[], ["Foo"], ["ReadWriteOncePod", "ReadWriteOnce"]],
      "spec.persistentVolumeReclaimPolicy": ["Foo", "Recycle", "Delete"],
      "spec.volumeMode": ["Foo", "Block"],
      "spec.storageClassName": ["Bad_"],
      "spec.volumeAttributesClassName": ["", "a", "Bad_"],
      "spec.mountOptions": [["ro"]],
      "spec.nodeAffinity": [
        {},
        { required: {} },
        { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Foo" }] }] } },
        {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }] }],
          },
        },
      ],
      "spec.csi": [
        {},
        undefined,
        { driver: "Bad Driver", volumeHandle: "h" },
        { driver: "a".repeat(64), volumeHandle: "h" },
        { driver: "d", volumeHandle: "h", nodePublishSecretRef: { name: "s" } },
        { driver: "d", volumeHandle: "h", controllerExpandSecretRef: { name: "Bad_", namespace: "Bad_" } },
      ],
      "spec.hostPath": [{ path: "/x" }],
      spec: [
        undefined,
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a/../b" } },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          hostPath: { path: "/" },
          persistentVolumeReclaimPolicy: "Recycle",
        },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], local: { path: "/x" } },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], local: { path: "" } },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], nfs: { server: "", path: "rel" } },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          iscsi: { targetPortal: "p", iqn: "x", lun: 300 },
        },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          iscsi: { targetPortal: "p", iqn: "iqn.2001-04.com.example:a", lun: 1, chapAuthSession: true },
        },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], fc: {} },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], fc: { targetWWNs: ["a"] } },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], rbd: { monitors: [], image: "" } },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], cephfs: { monitors: ["m"] } },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" },
        },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          flexVolume: { driver: "", options: { "a.k8s.io/b": "c" } },
        },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], azureFile: { secretName: "", shareName: "" } },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          azureDisk: { diskName: "d", diskURI: "x", kind: "Foo", cachingMode: "Foo" },
        },
        {
          capacity: { storage: "1" },
          accessModes: ["ReadWriteOnce"],
          storageos: { volumeName: "A_", secretRef: { name: "s" } },
        },
        { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], quobyte: { registry: "r", volume: "" } },
      ],
    },
    changes: {
      "spec.csi.volumeHandle": ["other"],
      "spec.csi.controllerExpandSecretRef": [secret],
      "spec.capacity": [{ storage: "2Gi" }],
      "spec.volumeMode": ["Block"],
      "spec.accessModes": [[]],
      "spec.nodeAffinity": [
        { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] } },
      ],
      "spec.persistentVolumeReclaimPolicy": ["Delete"],
    },
    statuses: { "status.phase": ["Bound"], "spec.capacity": [{ storage: "9Gi" }] },
  },
  {
    path: core("persistentvolumeclaims"),
    object: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: meta(),
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "c" },
    },
    mistakes: {
      "spec.resources": [{ requests: { storage: "1.5" } }, { requests: { cpu: "1" } }, { limits: { storage: "1" } }],
      "spec.selector": [{ matchLabels: { "b d": "x" } }, { matchExpressions: [{ key: "a", operator: "Foo" }] }],
      "spec.dataSource": [
        { kind: "PersistentVolumeClaim", name: "p" },
        { kind: "PersistentVolumeClaim", name: "" },
        { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
        { apiGroup: "x.y", kind: "Z", name: "s" },
      ],
      "spec.dataSourceRef": [
        { kind: "X", name: "" },
        { apiGroup: "x.y", kind: "Z", name: "s" },
        { apiGroup: "Bad_", kind: "Z", name: "s" },
        { apiGroup: "x.y", kind: "Z", name: "s", namespace: "n" },
      ],
      "spec.volumeAttributesClassName": ["", "Bad_"],
      "spec.volumeName": ["Bad_"],
      "metadata.annotations": [{ "volume.beta.kubernetes.io/storage-class": "x" }],
    },
    changes: {
      "spec.resources": [{ requests: { storage: "2Gi" } }, { requests: { storage: "1Mi" } }],
      "spec.storageClassName": ["d", undefined],
      "spec.volumeName": ["v"],
      "spec.volumeMode": ["Block"],
      "metadata.annotations": [{ "volume.beta.kubernetes.io/storage-class": "x" }],
    },
    statuses: {
      "status.phase": ["Bound"],
      "status.capacity": [{ storage: "-1" }, { storage: "1Gi" }],
      "status.allocatedResourceStatuses": [
        { storage: "Foo" },
        { storage: "NodeResizePending" },
        { cpu: "NodeResizePending" },
      ],
      "status.allocatedResources": [{ storage: "-1" }, { cpu: "1" }],
    },
  },
  {
    path: cluster("storage.k8s.io/v1", "storageclasses"),
    object: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: meta(), provisioner: "A.b/C" },
    mistakes: {
      ...nameMistakes,
      allowedTopologies: [
        [{ matchLabelExpressions: [{ key: "z", values: [] }] }],
        [{ matchLabelExpressions: [{ key: "b d", values: ["a", "a"] }] }],
        [
          {
            matchLabelExpressions: [
              { key: "z", values: ["a"] },
              { key: "z", values: ["b"] },
            ],
          },
        ],
        [
          { matchLabelExpressions: [{ key: "z", values: ["a"] }] },
          { matchLabelExpressions: [{ key: "z", values: ["a"] }] },
        ],
        [{ matchLabelExpressions: [{ key: "beta.kubernetes.io/os", values: ["a"] }] }],
      ],
      mountOptions: [["a"]],
      allowVolumeExpansion: [true],
      reclaimPolicy: ["", "Retain"],
    },
    changes: {
      parameters: [{ a: "b" }],
      reclaimPolicy: ["Retain"],
      volumeBindingMode: ["WaitForFirstConsumer"],
      allowVolumeExpansion: [true],
      "metadata.labels": [{ "b d": "x" }],
    },
  },
  {
    path: cluster("storage.k8s.io/v1", "csidrivers"),
    object: { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: meta(), spec: { attachRequired: true } },
    mistakes: {
      ...nameMistakes,
      spec: [undefined, {}],
      "spec.fsGroupPolicy": ["Foo", "None"],
      "spec.volumeLifecycleModes": [["Foo"], ["Ephemeral", "Persistent"]],
      "spec.tokenRequests": [
        [{ audience: "a" }],
        [{ audience: "a" }, { audience: "a" }],
        [{ audience: "a", expirationSeconds: 1 }],
        [{ audience: "a", expirationSeconds: 99999999999 }],
      ],
      "spec.serviceAccountTokenInSecrets": [true],
      "spec.nodeAllocatableUpdatePeriodSeconds": [1, 10],
      "spec.preventPodSchedulingIfMissing": [true],
    },
    changes: {
      "spec.attachRequired": [false],
      "spec.volumeLifecycleModes": [["Ephemeral"]],
      "spec.podInfoOnMount": [true],
      "spec.tokenRequests": [[{ audience: "a" }]],
    },
  },
  {
    path: cluster("storage.k8s.io/v1", "csinodes"),
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: meta(),
      spec: { drivers: [{ name: "d.x", nodeID: "n", topologyKeys: ["a.b/c"] }] },
    },
    mistakes: {
      "spec.drivers": [
        [{ name: "", nodeID: "" }],
        [
          { name: "d", nodeID: "n" },
          { name: "d", nodeID: "n" },
        ],
        [{ name: "d", nodeID: "x".repeat(257) }],
        [{ name: "d", nodeID: "n", topologyKeys: ["", "b d"] }],
        [{ name: "d", nodeID: "n", topologyKeys: ["a", "a"] }],
        [{ name: "d", nodeID: "n", allocatable: { count: -1 } }],
      ],
      spec: [undefined],
    },
    changes: {
      "spec.drivers.0.nodeID": ["o"],
      "spec.drivers.0.allocatable": [{ count: 3 }],
      "spec.drivers": [[{ name: "e", nodeID: "n" }]],
    },
  },
  {
    path: cluster("storage.k8s.io/v1", "volumeattachments"),
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttachment",
      metadata: meta(),
      spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "v" } },
    },
    mistakes: {
      "spec.attacher": ["", "Bad_Name", "a".repeat(64)],
      "spec.nodeName": ["", "Bad_"],
      "spec.source": [
        {},
        undefined,
        { persistentVolumeName: "" },
        { persistentVolumeName: "Bad_" },
        { persistentVolumeName: "v", inlineVolumeSpec: { accessModes: ["ReadWriteOnce"] } },
        { inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1" } } },
        {
          inlineVolumeSpec: {
            accessModes: ["ReadWriteOnce"],
            csi: { driver: "d", volumeHandle: "h" },
            storageClassName: "x",
          },
        },
        { inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], csi: { driver: "d", volumeHandle: "h" } } },
      ],
    },
    changes: { "spec.nodeName": ["m"], "metadata.labels": [{ a: "b" }] },
    statuses: {
      "status.attached": [true],
      "status.attachError": [{ message: "x".repeat(1025) }, { errorCode: -1 }],
      "spec.nodeName": ["m"],
    },
  },
  {
    path: cluster("storage.k8s.io/v1", "volumeattributesclasses"),
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttributesClass",
      metadata: meta(),
      driverName: "a.b",
      parameters: { a: "b" },
    },
    mistakes: { driverName: ["", "Bad Name"], parameters: [undefined, {}, { "": "x" }] },
    changes: { driverName: ["c.d"], parameters: [{ a: "c" }] },
  },
  {
    path: apis("storage.k8s.io/v1", "csistoragecapacities"),
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIStorageCapacity",
      metadata: meta(),
      storageClassName: "c",
      nodeTopology: { matchLabels: { a: "b" } },
      capacity: "1Gi",
    },
    mistakes: {
      storageClassName: ["", "Bad_"],
      capacity: ["-1"],
      nodeTopology: [
        { matchExpressions: [{ key: "a", operator: "Foo" }] },
        { matchLabels: { "beta.kubernetes.io/os": "x" } },
      ],
    },
    changes: { storageClassName: ["d"], nodeTopology: [{}], capacity: ["2Gi"] },
  },
];
