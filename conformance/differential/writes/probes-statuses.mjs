/** Statuses and further changes of kinds from other files. */
import { apis, core, meta, pod, template } from "./mistakes.mjs";

const counters = (...keys) => Object.fromEntries(keys.map((key) => [`status.${key}`, [-1, 5]]));
const REPLICAS = ["replicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const selected = { selector: { matchLabels: { app: "x" } }, template };

export const statusProbes = [
  {
    path: core("pods"),
    object: { apiVersion: "v1", kind: "Pod", metadata: meta({ labels: { app: "x" } }), spec: pod },
    mistakes: {
      "metadata.annotations": [
        { "kubernetes.io/config.mirror": "x" },
        { "controller.kubernetes.io/pod-deletion-cost": "x" },
        { "controller.kubernetes.io/pod-deletion-cost": "01" },
        { "seccomp.security.alpha.kubernetes.io/pod": "foo" },
        { "seccomp.security.alpha.kubernetes.io/pod": "localhost//x" },
        { "container.apparmor.security.beta.kubernetes.io/zz": "unconfined" },
        { "container.apparmor.security.beta.kubernetes.io/a": "foo" },
      ],
      "metadata.generateName": ["{{n}}-g-"],
      "spec.containers.0.envFrom": [[{ configMapRef: { name: "a-" } }], [{ prefix: "a=", secretRef: { name: "x" } }]],
      "spec.containers.0.env": [
        [
          { name: "A", value: "1" },
          { name: "A", value: "2" },
        ],
        [
          { name: "A", value: "1" },
          { name: "A", value: "$(A)2" },
        ],
        [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "3" } } }],
        [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } } }],
        [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }],
        [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.x['a']" } } }],
        [{ name: "A", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" } } }],
        [{ name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "a b" } } }],
        [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "p", key: "k" } } }],
        [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "z", path: "../p", key: "" } } }],
      ],
      "spec.containers.0.volumeMounts": [
        [{ name: "v", mountPath: "/a", subPath: "a", subPathExpr: "b" }],
        [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }],
        [{ name: "v", mountPath: "/a", mountPropagation: "Foo" }],
        [{ name: "v", mountPath: "/a", recursiveReadOnly: "Enabled" }],
        [{ name: "v", mountPath: "/a", readOnly: true, recursiveReadOnly: "Foo" }],
      ],
      "spec.containers.0.resources": [
        { limits: { "hugepages-2Mi": "3Mi" } },
        { limits: { "hugepages-2Mi": "4Mi" } },
        { limits: { memory: "1500m" } },
        { limits: { "x.y/z": "1" }, requests: { "x.y/z": "2" } },
        { claims: [{ name: "" }] },
      ],
      "spec.containers.0.resizePolicy": [
        [
          { resourceName: "cpu", restartPolicy: "NotRequired" },
          { resourceName: "cpu", restartPolicy: "NotRequired" },
        ],
      ],
      "spec.containers.0.restartPolicyRules": [
        [{ action: "Restart" }],
        [{ action: "Foo", exitCodes: { operator: "In", values: [1] } }],
      ],
      "spec.containers.0.ports": [
        [
          { containerPort: 80, name: "a" },
          { containerPort: 80, name: "b" },
        ],
        [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 80, hostPort: 81 },
        ],
      ],
      "spec.containers.0.lifecycle": [
        { preStop: { sleep: { seconds: 100 } } },
        { stopSignal: "SIGTERM" },
        { postStart: { httpGet: { path: "/", port: 1, httpHeaders: [{ name: "a b" }] } } },
      ],
      "spec.containers.0.securityContext": [
        { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" } },
        { seccompProfile: { type: "Localhost" } },
        { seccompProfile: {} },
        { appArmorProfile: { type: "Localhost", localhostProfile: " x" } },
        { appArmorProfile: { type: "Unconfined", localhostProfile: "x" } },
        { procMount: "Unmasked" },
        { windowsOptions: { runAsUserName: "a\\b\\c" } },
        { windowsOptions: { runAsUserName: "a*b", gmsaCredentialSpec: "" } },
        { windowsOptions: { hostProcess: true } },
      ],
      "spec.securityContext": [
        { seccompProfile: { type: "Localhost", localhostProfile: "../x" } },
        { seLinuxChangePolicy: "Foo" },
        { sysctls: [{ name: "net.x", value: "1" }] },
        { windowsOptions: { hostProcess: true } },
      ],
      "spec.os": [{ name: "" }, { name: "linux" }],
      "spec.hostUsers": [false],
      "spec.hostnameOverride": ["a.b", "Bad_", "a".repeat(65)],
      "spec.resources": [
        { requests: { cpu: "1m" } },
        { limits: { foo: "1" } },
        { limits: { cpu: "10" }, requests: { cpu: "10" } },
      ],
      "spec.nodeSelector": [{ "beta.kubernetes.io/os": "linux" }],
      "spec.volumes.0": [
        {
          name: "v",
          secret: {
            secretName: "s",
            items: [
              { key: "a", path: "x" },
              { key: "b", path: "x/y" },
            ],
          },
        },
        {
          name: "v",
          projected: {
            sources: [
              { secret: { name: "s", items: [{ key: "a", path: "x" }] } },
              { configMap: { name: "c", items: [{ key: "a", path: "x" }] } },
            ],
          },
        },
        { name: "v", projected: { sources: [{ clusterTrustBundle: { path: "x" } }] } },
        { name: "v", ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["Foo"], resources: {} } } } },
        {
          name: "v",
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { name: "x" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
            },
          },
        },
        { name: "v", csi: { driver: "d", nodePublishSecretRef: { name: "Bad_" } } },
        { name: "v", image: { reference: "x", pullPolicy: "Foo" } },
        { name: "v", downwardAPI: { items: [{ path: "..a", resourceFieldRef: { resource: "limits.cpu" } }] } },
        { name: "v", glusterfs: { endpoints: "e", path: "p" } },
        { name: "v", fc: { targetWWNs: ["a"], wwids: ["b"], lun: 1 } },
        { name: "v", portworxVolume: {} },
        { name: "v", gcePersistentDisk: { pdName: "", partition: 300 } },
      ],
      "spec.topologySpreadConstraints": [
        [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", matchLabelKeys: ["a"] }],
        [
          {
            maxSkew: 1,
            topologyKey: "z",
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: {},
            matchLabelKeys: ["b d"],
          },
        ],
      ],
      "spec.affinity": [
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: "x", operator: "In", values: ["a"] }] }],
            },
          },
        },
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "x", operator: "In", values: ["a b"] }] }],
            },
          },
        },
        {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: "x", operator: "In", values: ["a b"] }] } },
            ],
          },
        },
        {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z", matchLabelKeys: ["a"] }],
          },
        },
        {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "z", labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] },
            ],
          },
        },
      ],
      "spec.tolerations": [[{ key: "a", operator: "Gt", value: "1" }]],
      "spec.dnsConfig": [
        { nameservers: ["010.0.0.1"] },
        { nameservers: ["::ffff:1.2.3.4"] },
        { nameservers: ["2001:DB8::1"] },
      ],
      "spec.hostAliases": [
        [
          { ip: "1.1.1.1", hostnames: ["a"] },
          { ip: "1.1.1.1", hostnames: ["b"] },
        ],
      ],
      "spec.schedulingGates": [[{ name: "a" }]],
    },
    changes: {
      "spec.activeDeadlineSeconds": [-1],
      "spec.schedulingGates": [[{ name: "a" }]],
      "spec.volumes": [[]],
      "metadata.annotations": [
        { "kubernetes.io/config.mirror": "x" },
        { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" },
      ],
      "spec.tolerations": [[{ key: "a", operator: "Foo" }]],
      "spec.priorityClassName": ["x"],
    },
    statuses: {
      "status.phase": ["Running"],
      "status.podIPs": [[{ ip: "x" }], [{ ip: "1.2.3.4" }, { ip: "1.2.3.5" }], [{ ip: "1.2.3.4" }]],
      "status.hostIPs": [[{ ip: "1.2.3.4" }]],
      "status.qosClass": ["Guaranteed"],
      "status.conditions": [
        [{ type: "Bad Type", status: "True" }],
        [{ type: "Ready", status: "True", observedGeneration: -1 }],
      ],
      "status.nominatedNodeName": ["Bad_", "n"],
      "status.observedGeneration": [-1],
      "spec.nodeName": ["n"],
      "metadata.labels": [{ a: "b" }],
    },
  },
  {
    path: apis("apps/v1", "deployments"),
    object: { apiVersion: "apps/v1", kind: "Deployment", metadata: meta(), spec: selected },
    mistakes: { "metadata.generateName": ["{{n}}-g-"] },
    changes: {
      "spec.strategy": [{ type: "Recreate" }],
      "metadata.annotations": [{ a: "b" }],
      "spec.template.spec.nodeSelector": [{ "beta.kubernetes.io/os": "x" }],
    },
    statuses: {
      ...counters(...REPLICAS, "updatedReplicas", "unavailableReplicas", "collisionCount"),
      "spec.replicas": [9],
      "metadata.labels": [{ a: "b" }],
    },
  },
  {
    path: apis("apps/v1", "replicasets"),
    object: { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: meta(), spec: selected },
    mistakes: {},
    changes: { "spec.replicas": [-1, 2] },
    statuses: counters(...REPLICAS, "fullyLabeledReplicas"),
  },
  {
    path: apis("apps/v1", "daemonsets"),
    object: { apiVersion: "apps/v1", kind: "DaemonSet", metadata: meta(), spec: selected },
    mistakes: {
      "spec.updateStrategy": [{ rollingUpdate: { maxUnavailable: "150%" } }],
      "metadata.generateName": ["{{n}}-g-"],
    },
    changes: { "spec.template.spec.containers.0.image": ["j", ""], "spec.minReadySeconds": [4] },
    statuses: counters(
      "currentNumberScheduled",
      "numberReady",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "collisionCount",
    ),
  },
  {
    path: apis("apps/v1", "statefulsets"),
    object: { apiVersion: "apps/v1", kind: "StatefulSet", metadata: meta(), spec: { ...selected, serviceName: "s" } },
    mistakes: {
      "spec.volumeClaimTemplates": [
        [
          {
            metadata: { name: "d" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
          },
        ],
        [{ metadata: { name: "d" }, spec: { accessModes: ["Foo"] } }],
      ],
      "spec.updateStrategy": [{ type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } }],
      "spec.template.spec.hostname": ["Bad_"],
    },
    changes: { "spec.revisionHistoryLimit": [-1], "spec.template.spec.containers.0.image": [""] },
    statuses: counters(...REPLICAS, "currentReplicas", "updatedReplicas"),
  },
  {
    path: core("replicationcontrollers"),
    object: {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: meta(),
      spec: { selector: { app: "x" }, template },
    },
    mistakes: { "spec.selector": [undefined, {}], "spec.template.spec.activeDeadlineSeconds": [5] },
    changes: { "spec.selector": [{ app: "y" }], "spec.replicas": [-1] },
    statuses: counters(...REPLICAS, "fullyLabeledReplicas"),
  },
  {
    path: apis("batch/v1", "jobs"),
    object: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: meta(),
      spec: {
        completionMode: "Indexed",
        completions: 3,
        parallelism: 2,
        template: { spec: { ...pod, restartPolicy: "Never" } },
      },
    },
    mistakes: {
      "spec.completions": [undefined, 200000],
      "spec.parallelism": [200000],
      "spec.backoffLimitPerIndex": [-1, 1],
      "spec.maxFailedIndexes": [5],
      "spec.successPolicy": [
        {},
        { rules: [{}] },
        { rules: [{ succeededIndexes: "0-1" }] },
        { rules: [{ succeededIndexes: "2-1" }] },
        { rules: [{ succeededIndexes: "0,0" }] },
        { rules: [{ succeededIndexes: "x" }] },
        { rules: [{ succeededIndexes: "9" }] },
        { rules: [{ succeededIndexes: "0-1-2" }] },
        { rules: [{ succeededCount: 9 }] },
        { rules: [{ succeededCount: 2, succeededIndexes: "0" }] },
        { rules: [{ succeededCount: -1 }] },
      ],
      "spec.podFailurePolicy": [
        { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }] },
        { rules: [{ action: "FailJob", onExitCodes: { operator: "Foo", values: [2, 1, 1], containerName: "zz" } }] },
        { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [] } }] },
        {
          rules: [
            {
              action: "FailJob",
              onExitCodes: { operator: "In", values: [1] },
              onPodConditions: [{ type: "A", status: "Foo" }],
            },
          ],
        },
        { rules: [{ action: "Ignore", onPodConditions: [{ type: "A" }] }] },
      ],
      "spec.podReplacementPolicy": ["Failed"],
      "spec.managedBy": ["a.b/c", "Bad_/c", "a.b/c d", "kubernetes.io/job-controller"],
      "spec.template.spec.restartPolicy": ["Foo"],
    },
    changes: {},
    statuses: {
      "status.active": [-1, 1],
      "status.conditions": [[{ type: "Complete", status: "True" }]],
      "status.startTime": ["2020-01-01T00:00:00Z"],
    },
  },
  {
    path: apis("batch/v1", "cronjobs"),
    object: {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: meta(),
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: "Never" } } } },
      },
    },
    mistakes: {
      "spec.schedule": [
        "TZ=UTC x",
        "0 0 31 2 *",
        "@reboot",
        "* * * * * *",
        "1-0 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/x * * * *",
        "a * * * *",
      ],
      "spec.timeZone": ["../x", "-a", "UTC", "local"],
      "spec.jobTemplate.spec.selector": [{ matchLabels: { a: "b" } }],
      "spec.suspend": [true],
    },
    changes: { "spec.timeZone": ["Foo/Bar", "UTC"], "spec.schedule": ["TZ=UTC * * * * *", ""], "spec.suspend": [true] },
    statuses: { "status.lastScheduleTime": ["2020-01-01T00:00:00Z"], "spec.suspend": [true] },
  },
  {
    path: apis("policy/v1", "poddisruptionbudgets"),
    object: {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: meta(),
      spec: { minAvailable: 1, selector: {} },
    },
    mistakes: { spec: [undefined, {}], "metadata.labels": [{ "b d": "x" }], "spec.minAvailable": ["1%%", "", 0] },
    changes: { "spec.minAvailable": [2, -1], "spec.maxUnavailable": [1] },
    statuses: {
      ...counters("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
      "status.conditions": [
        [{ type: "A", status: "Foo", reason: "", lastTransitionTime: null }],
        [{ type: "A", status: "True", reason: "b d", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" }],
      ],
    },
  },
];
