/**
 * Typical mistakes in objects of built-in kinds: each is one object of its kind with one thing changed, created, or put in the
 * place of the right one. `undefined` removes a member.
 */
const meta = (more = {}) => ({ name: "{{n}}", ...more });
const pod = {
  containers: [
    {
      name: "a",
      image: "i:1",
      ports: [{ containerPort: 80, name: "http" }],
      env: [{ name: "X", value: "1" }],
      volumeMounts: [{ name: "v", mountPath: "/v" }],
      resources: { limits: { cpu: "1" }, requests: { cpu: "500m" } },
    },
  ],
  volumes: [{ name: "v", emptyDir: {} }],
};
const template = { metadata: { labels: { app: "x" } }, spec: pod };
const core = (plural) => `/api/v1/namespaces/default/${plural}`;
const apis = (group, plural) => `/apis/${group}/namespaces/default/${plural}`;

/** Mistakes that any pod template can have; the paths are below the pod spec. */
const podMistakes = {
  containers: [[], undefined],
  "containers.0.name": ["", "Bad_Name", "a".repeat(64), undefined],
  "containers.0.image": ["", undefined, " i"],
  "containers.0.imagePullPolicy": ["Sometimes", "Always"],
  "containers.0.ports.0.containerPort": [0, 70000, -1],
  "containers.0.ports.0.protocol": ["HTTP", "UDP"],
  "containers.0.ports.0.name": ["Bad_Port", "this-name-is-too-long", "123"],
  "containers.0.ports.0.hostPort": [70000],
  "containers.0.ports.0.hostIP": ["x"],
  "containers.0.env.0.name": ["", "A B", "A=B"],
  "containers.0.env.0": [
    { name: "X", value: "1", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "X", valueFrom: {} },
    { name: "X", valueFrom: { fieldRef: { fieldPath: "spec.foo" } } },
    { name: "X", valueFrom: { configMapKeyRef: { name: "c" } } },
    { name: "X", valueFrom: { secretKeyRef: { name: "", key: "k" } } },
    { name: "X", valueFrom: { resourceFieldRef: { resource: "limits.foo" } } },
  ],
  "containers.0.envFrom": [
    [{}],
    [{ configMapRef: { name: "" } }],
    [{ prefix: "a b", configMapRef: { name: "c" } }],
    [{ configMapRef: { name: "c" }, secretRef: { name: "s" } }],
  ],
  "containers.0.volumeMounts.0.name": ["missing", ""],
  "containers.0.volumeMounts.0.mountPath": ["", "a:b"],
  "containers.0.volumeMounts.0.subPath": ["/abs", "../up"],
  "containers.0.volumeMounts": [
    [
      { name: "v", mountPath: "/v" },
      { name: "v", mountPath: "/v" },
    ],
  ],
  "containers.0.resources": [
    { limits: { cpu: "1" }, requests: { cpu: "2" } },
    { limits: { "a/b": "500m" } },
    { limits: { foo: "1" } },
    { requests: { memory: "-1" } },
    { limits: { "x.y/z": "1" }, requests: { "x.y/z": "2" } },
    { limits: { "Bad Name": "1" } },
    { requests: { "x.y/z": "1" } },
    { claims: [{ name: "c" }] },
  ],
  "containers.0.livenessProbe": [
    {},
    { httpGet: { path: "/", port: 0 } },
    { httpGet: { port: "http" }, tcpSocket: { port: 1 } },
    { httpGet: { port: 80, scheme: "FTP" } },
    { exec: {} },
    { exec: { command: ["a"] }, periodSeconds: -1 },
    { exec: { command: ["a"] }, successThreshold: 2 },
    { grpc: { port: 0 } },
    { exec: { command: ["a"] }, terminationGracePeriodSeconds: 0 },
  ],
  "containers.0.readinessProbe": [
    { exec: { command: ["a"] }, terminationGracePeriodSeconds: 5 },
    { tcpSocket: { port: "toolongaportname-x" } },
  ],
  "containers.0.startupProbe": [{ exec: { command: ["a"] }, successThreshold: 3 }],
  "containers.0.lifecycle": [
    { postStart: {} },
    { preStop: { exec: {} } },
    { preStop: { sleep: { seconds: -1 } } },
    { preStop: { httpGet: { port: 80 }, exec: { command: ["x"] } } },
  ],
  "containers.0.terminationMessagePolicy": ["Never"],
  "containers.0.securityContext": [
    { runAsUser: -1 },
    { privileged: true, allowPrivilegeEscalation: false },
    { capabilities: { add: ["CAP_SYS_ADMIN"] }, allowPrivilegeEscalation: false },
    { seccompProfile: { type: "Foo" } },
    { seccompProfile: { type: "Localhost" } },
    { procMount: "Foo" },
    { appArmorProfile: { type: "Foo" } },
  ],
  "containers.0.workingDir": ["rel"],
  "containers.0.restartPolicy": ["Always", "Foo"],
  "containers.0.volumeDevices": [[{ name: "v", devicePath: "/d" }]],
  "containers.0.resizePolicy": [
    [{ resourceName: "foo", restartPolicy: "NotRequired" }],
    [{ resourceName: "cpu", restartPolicy: "Foo" }],
  ],
  "containers.1": [
    { name: "a", image: "j" },
    {
      name: "b",
      image: "j",
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80 },
      ],
    },
  ],
  initContainers: [
    [{ name: "a", image: "j" }],
    [{ name: "i", image: "j", livenessProbe: { exec: { command: ["x"] } } }],
    [{ name: "i", image: "j", restartPolicy: "Always" }],
    [{ name: "", image: "" }],
    [{ name: "i", image: "j", lifecycle: { preStop: { exec: { command: ["x"] } } } }],
  ],
  ephemeralContainers: [[{ name: "e", image: "x" }]],
  "volumes.0.name": ["", "Bad_Name"],
  "volumes.0": [
    { name: "v" },
    { name: "v", emptyDir: {}, hostPath: { path: "/x" } },
    { name: "v", emptyDir: { sizeLimit: "-1" } },
    { name: "v", hostPath: { path: "" } },
    { name: "v", hostPath: { path: "/x", type: "Foo" } },
    { name: "v", hostPath: { path: "/a/../b" } },
    { name: "v", configMap: {} },
    { name: "v", secret: {} },
    { name: "v", configMap: { name: "c", items: [{ key: "k" }] } },
    { name: "v", configMap: { name: "c", items: [{ key: "", path: "../x" }] } },
    { name: "v", configMap: { name: "c", defaultMode: 4096 } },
    { name: "v", persistentVolumeClaim: {} },
    { name: "v", nfs: { server: "", path: "rel" } },
    { name: "v", projected: { sources: [{}] } },
    { name: "v", projected: { sources: [{ serviceAccountToken: { path: "", expirationSeconds: 1 } }] } },
    { name: "v", downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "status.phase" } }] } },
    { name: "v", csi: { driver: "" } },
    { name: "v", image: {} },
    { name: "v", ephemeral: {} },
    { name: "v", iscsi: {} },
    { name: "v", gitRepo: { repository: "" } },
  ],
  "volumes.1": [{ name: "v", emptyDir: {} }],
  restartPolicy: ["Never", "OnFailure", "Foo"],
  dnsPolicy: ["Foo", "None"],
  dnsConfig: [
    { nameservers: ["x"] },
    { nameservers: ["1.1.1.1", "1.1.1.1", "1.1.1.1", "1.1.1.1"] },
    { searches: ["a_b.-"] },
    { options: [{}] },
  ],
  terminationGracePeriodSeconds: [-1],
  activeDeadlineSeconds: [0, -5, 5],
  nodeSelector: [{ "Bad Key": "x" }, { a: "b c" }],
  serviceAccountName: ["Bad_Name"],
  hostname: ["Bad_Name"],
  subdomain: ["Bad_Name"],
  setHostnameAsFQDN: [true],
  priority: [5],
  priorityClassName: ["Bad_Name"],
  schedulerName: [""],
  tolerations: [
    [{ operator: "Foo" }],
    [{ key: "k", operator: "Exists", value: "v" }],
    [{ key: "", operator: "Equal" }],
    [{ key: "k", effect: "Foo" }],
    [{ key: "k", effect: "NoSchedule", tolerationSeconds: 5 }],
    [{ key: "b d" }],
  ],
  hostAliases: [[{ ip: "x", hostnames: ["a"] }], [{ ip: "1.1.1.1", hostnames: ["A_"] }]],
  imagePullSecrets: [[{ name: "" }]],
  hostNetwork: [true],
  hostPID: [true],
  shareProcessNamespace: [true],
  securityContext: [
    { runAsUser: -1 },
    { sysctls: [{ name: "bad name", value: "" }] },
    {
      sysctls: [
        { name: "a.b", value: "1" },
        { name: "a.b", value: "1" },
      ],
    },
    { fsGroupChangePolicy: "Foo" },
    { supplementalGroups: [-1] },
    { windowsOptions: { runAsUserName: "" } },
    { supplementalGroupsPolicy: "Foo" },
  ],
  affinity: [
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Foo" }] }],
        },
      },
    },
    { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] } },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "" }] } },
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 200, podAffinityTerm: { topologyKey: "a" } }],
      },
    },
    {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "z", labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
        ],
      },
    },
  ],
  topologySpreadConstraints: [
    [{ maxSkew: 0, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" }],
    [{ maxSkew: 1, topologyKey: "", whenUnsatisfiable: "Foo" }],
    [
      { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
      { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
    ],
    [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }],
    [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", nodeTaintsPolicy: "Foo" }],
  ],
  readinessGates: [[{ conditionType: "Bad Type" }]],
  overhead: [{ cpu: "-1" }],
  preemptionPolicy: ["Foo"],
  runtimeClassName: ["Bad_Name"],
  os: [{ name: "plan9" }, { name: "windows" }],
  schedulingGates: [[{ name: "" }], [{ name: "a.b/c" }, { name: "a.b/c" }]],
  resourceClaims: [[{ name: "c" }], [{ name: "c", resourceClaimName: "x", resourceClaimTemplateName: "y" }]],
  enableServiceLinks: [false],
};

const below = (prefix, mistakes) =>
  Object.fromEntries(Object.entries(mistakes).map(([path, values]) => [`${prefix}.${path}`, values]));

const selectorMistakes = {
  "spec.selector": [
    undefined,
    {},
    { matchLabels: { app: "y" } },
    { matchExpressions: [{ key: "app", operator: "Foo" }] },
    { matchExpressions: [{ key: "app", operator: "In" }] },
    { matchExpressions: [{ key: "app", operator: "Exists", values: ["a"] }] },
    { matchLabels: { "Bad Key": "x" } },
    { matchLabels: { app: "b d" } },
  ],
  "spec.template.metadata.labels": [undefined, { app: "y" }, { app: "b d" }],
  "spec.template.metadata.annotations": [{ "Bad Key": "x" }],
};

const metaMistakes = {
  "metadata.labels": [{ "Bad Key": "x" }, { a: "b d" }, { "a/b/c": "x" }, { [`${"a".repeat(64)}`]: "x" }],
  "metadata.annotations": [{ "Bad Key": "x" }],
  "metadata.finalizers": [["noslash"], ["a/b"], ["Bad Name/x"]],
  "metadata.ownerReferences": [
    [{ apiVersion: "v1", kind: "Pod", name: "x" }],
    [
      { apiVersion: "v1", kind: "Pod", name: "x", uid: "1", controller: true },
      { apiVersion: "v1", kind: "Pod", name: "y", uid: "2", controller: true },
    ],
    [{ apiVersion: "v1", kind: "Event", name: "x", uid: "1" }],
  ],
  "metadata.generateName": ["Bad_"],
  "metadata.namespace": ["other"],
};
const nameMistakes = {
  "metadata.name": [
    "{{n}}_B",
    "{{n}}.x",
    "-{{n}}",
    "{{n}}/x",
    undefined,
    `{{n}}${"a".repeat(260)}`,
    `{{n}}${"a".repeat(60)}`,
  ],
};

export const probes = [
  {
    path: core("configmaps"),
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: meta(), data: { a: "1" }, binaryData: { b: "AA==" } },
    mistakes: {
      ...metaMistakes,
      ...nameMistakes,
      data: [{ "a b": "x" }, { "": "x" }, { b: "x" }, { "..": "x" }, { [`${"a".repeat(254)}`]: "x" }],
      binaryData: [{ a: "AA==" }, { "x/y": "AA==" }],
    },
    changes: { ...metaMistakes, immutable: [true] },
    held: {
      immutable: true,
      changes: {
        data: [{ a: "2" }],
        binaryData: [undefined],
        immutable: [undefined, false],
        "metadata.labels": [{ a: "b" }],
      },
    },
  },
  {
    path: core("secrets"),
    object: { apiVersion: "v1", kind: "Secret", metadata: meta(), type: "Opaque", data: { a: "AA==" } },
    mistakes: {
      ...nameMistakes,
      type: [
        "kubernetes.io/tls",
        "kubernetes.io/dockerconfigjson",
        "kubernetes.io/dockercfg",
        "kubernetes.io/basic-auth",
        "kubernetes.io/ssh-auth",
        "kubernetes.io/service-account-token",
        "bootstrap.kubernetes.io/token",
        "my/own",
      ],
      data: [{ "a b": "AA==" }, { ".dockerconfigjson": "AA==" }],
      "metadata.annotations": [{ "kubernetes.io/service-account.name": "" }],
    },
    changes: { type: ["kubernetes.io/tls", "x/y"], immutable: [true] },
    held: { immutable: true, changes: { data: [{ a: "AAA=" }], immutable: [false] } },
  },
  {
    path: core("secrets"),
    object: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: meta(),
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": "e30=" },
    },
    mistakes: { data: [{}, { ".dockerconfigjson": "AA==" }] },
    changes: {},
  },
  {
    path: core("secrets"),
    object: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: meta(),
      type: "kubernetes.io/basic-auth",
      data: { username: "AA==" },
    },
    mistakes: { data: [{}, { password: "AA==" }] },
    changes: {},
  },
  {
    path: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { clusterIP: "None", selector: { app: "x" }, ports: [{ name: "http", port: 80, targetPort: "web" }] },
    },
    mistakes: {
      ...nameMistakes,
      "spec.ports": [
        [],
        undefined,
        [{ port: 80 }, { port: 81 }],
        [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
        [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      ],
      "spec.ports.0.port": [0, 70000, -1],
      "spec.ports.0.protocol": ["HTTP", "SCTP"],
      "spec.ports.0.targetPort": [0, 70000, "Bad_", "toolongportnameforsure"],
      "spec.ports.0.name": ["Bad_"],
      "spec.ports.0.nodePort": [30000, 80],
      "spec.ports.0.appProtocol": ["a b"],
      "spec.type": ["Foo", "NodePort", "LoadBalancer", "ExternalName"],
      "spec.sessionAffinity": ["Foo", "ClientIP"],
      "spec.sessionAffinityConfig": [{ clientIP: { timeoutSeconds: 0 } }],
      "spec.clusterIP": ["x", "1.2.3", "", "300.1.1.1"],
      "spec.clusterIPs": [["None", "10.0.0.1"], ["10.0.0.5"]],
      "spec.externalIPs": [["x"], ["127.0.0.1"], ["0.0.0.0"]],
      "spec.selector": [{ "Bad Key": "x" }],
      "spec.externalTrafficPolicy": ["Local", "Foo"],
      "spec.internalTrafficPolicy": ["Foo"],
      "spec.ipFamilies": [["IPv5"], ["IPv4", "IPv4"], ["IPv6"]],
      "spec.ipFamilyPolicy": ["Foo", "RequireDualStack"],
      "spec.loadBalancerSourceRanges": [["x"]],
      "spec.loadBalancerClass": ["a"],
      "spec.externalName": ["x"],
      "spec.healthCheckNodePort": [1],
      "spec.publishNotReadyAddresses": [true],
      "spec.trafficDistribution": ["Foo", "PreferClose"],
      "spec.allocateLoadBalancerNodePorts": [true],
    },
    changes: {
      "spec.clusterIP": ["10.0.0.9"],
      "spec.type": ["NodePort"],
      "spec.ports.0.port": [0],
      "spec.selector": [undefined],
    },
  },
  {
    path: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    },
    mistakes: {
      "spec.loadBalancerSourceRanges": [["x"], ["10.0.0.0/8"], ["10.0.0.1/8"]],
      "spec.loadBalancerClass": ["a", "a.b/c", "A B"],
      "spec.externalTrafficPolicy": ["Local", "Foo"],
      "spec.clusterIP": ["None"],
      "spec.ports": [[{ port: 10250 }]],
      "spec.sessionAffinity": ["ClientIP"],
      "spec.sessionAffinityConfig": [{ clientIP: { timeoutSeconds: 0 } }],
    },
    changes: {},
  },
  {
    path: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { type: "ExternalName", externalName: "a.b" },
    },
    mistakes: {
      "spec.externalName": ["", undefined, "A_B", "a.b."],
      "spec.clusterIP": ["None", "10.0.0.3"],
      "spec.ports": [[{ port: 0 }]],
    },
    changes: {},
  },
  {
    path: core("serviceaccounts"),
    object: { apiVersion: "v1", kind: "ServiceAccount", metadata: meta(), secrets: [{ name: "s" }] },
    mistakes: { ...metaMistakes, ...nameMistakes, imagePullSecrets: [[{ name: "" }]] },
    changes: metaMistakes,
  },
  {
    path: core("pods"),
    object: { apiVersion: "v1", kind: "Pod", metadata: meta({ labels: { app: "x" } }), spec: pod },
    mistakes: { ...metaMistakes, ...nameMistakes, ...below("spec", podMistakes) },
    changes: {
      "spec.containers.0.image": ["i:2", ""],
      "spec.containers.0.name": ["z"],
      "spec.containers": [[...pod.containers, { name: "b", image: "j" }]],
      "spec.nodeSelector": [{ a: "b" }],
      "spec.tolerations": [[{ operator: "Exists" }]],
      "spec.activeDeadlineSeconds": [10],
      "spec.restartPolicy": ["Never"],
      "spec.terminationGracePeriodSeconds": [1],
      "spec.hostNetwork": [true],
      "spec.containers.0.env": [[]],
      "spec.containers.0.resources": [{}],
      "metadata.labels": [{ a: "b" }],
    },
  },
  {
    path: core("podtemplates"),
    object: { apiVersion: "v1", kind: "PodTemplate", metadata: meta(), template },
    mistakes: {
      ...nameMistakes,
      template: [undefined],
      "template.spec.containers": [[]],
      "template.metadata.labels": [{ a: "b d" }],
      "template.spec.restartPolicy": ["Foo"],
    },
    changes: {},
  },
  {
    path: core("replicationcontrollers"),
    object: {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: meta(),
      spec: { replicas: 1, selector: { app: "x" }, template },
    },
    mistakes: {
      ...nameMistakes,
      "spec.replicas": [-1],
      "spec.selector": [{ app: "y" }, {}],
      "spec.template": [undefined],
      "spec.minReadySeconds": [-1],
      "spec.template.spec.restartPolicy": ["Never"],
    },
    changes: {},
  },
  {
    path: core("endpoints"),
    object: {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: meta(),
      subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 80 }] }],
    },
    mistakes: {
      "subsets.0.addresses.0.ip": ["x", "127.0.0.1", "169.254.0.1"],
      "subsets.0.addresses": [[]],
      "subsets.0.ports.0.port": [0, 70000],
      "subsets.0.ports.0.protocol": ["X"],
      "subsets.0.ports": [[{ port: 80 }, { port: 81 }]],
      "subsets.0.addresses.0.hostname": ["A_"],
    },
    changes: {},
  },
  {
    path: core("resourcequotas"),
    object: { apiVersion: "v1", kind: "ResourceQuota", metadata: meta(), spec: { hard: { pods: "1" } } },
    mistakes: {
      "spec.hard": [{ "Bad Name": "1" }, { pods: "-1" }, { cpu: "x" }, { pods: "1.5" }],
      "spec.scopes": [["Foo"], ["BestEffort", "NotBestEffort"]],
    },
    changes: { "spec.scopes": [["BestEffort"]] },
  },
  {
    path: core("limitranges"),
    object: {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: meta(),
      spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { cpu: "1" } }] },
    },
    mistakes: {
      "spec.limits.0.type": ["", "Foo"],
      "spec.limits.0.min": [{ cpu: "3" }],
      "spec.limits.0.default": [{ cpu: "5" }],
      "spec.limits.0.maxLimitRequestRatio": [{ cpu: "0.5" }],
      "spec.limits": [[{ type: "Pod", default: { cpu: "1" } }], [{ type: "PersistentVolumeClaim" }]],
    },
    changes: {},
  },
  {
    path: core("persistentvolumeclaims"),
    object: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: meta(),
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
    mistakes: {
      "spec.accessModes": [[], ["Foo"], ["ReadWriteOncePod", "ReadWriteOnce"]],
      "spec.resources": [{}, { requests: { storage: "0" } }, { requests: { storage: "-1" } }],
      "spec.volumeMode": ["Foo"],
      "spec.storageClassName": ["Bad_"],
      "spec.dataSource": [{ kind: "X", name: "" }],
    },
    changes: { "spec.accessModes": [["ReadOnlyMany"]], "spec.volumeName": ["x"] },
  },
  {
    path: "/api/v1/namespaces",
    isCluster: true,
    object: { apiVersion: "v1", kind: "Namespace", metadata: meta() },
    mistakes: {
      "metadata.name": ["{{n}}.x", "{{n}}_B"],
      "spec.finalizers": [["x"]],
      "metadata.labels": [{ a: "b d" }],
    },
    changes: {},
  },
  {
    path: "/api/v1/nodes",
    isCluster: true,
    object: { apiVersion: "v1", kind: "Node", metadata: meta(), spec: { podCIDR: "10.0.0.0/24" } },
    mistakes: {
      "metadata.name": ["{{n}}_B"],
      "spec.taints": [
        [{ key: "", effect: "NoSchedule" }],
        [{ key: "a", effect: "Foo" }],
        [
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule" },
        ],
      ],
      "spec.podCIDR": ["x"],
    },
    changes: { "spec.podCIDR": ["10.1.0.0/24"] },
  },
  {
    path: core("events"),
    object: {
      apiVersion: "v1",
      kind: "Event",
      metadata: meta(),
      involvedObject: { kind: "Pod", namespace: "default", name: "p" },
      reason: "r",
      message: "m",
      type: "Normal",
    },
    mistakes: {
      involvedObject: [undefined, { kind: "Pod", namespace: "other", name: "p" }, { kind: "Node", name: "n" }],
      type: ["Foo", ""],
      reason: [""],
      firstTimestamp: ["x"],
      eventTime: ["2020-01-01T00:00:00.000000Z"],
      reportingComponent: ["a b"],
    },
    changes: { reason: ["other"] },
  },
  {
    path: apis("events.k8s.io/v1", "events"),
    object: {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: meta(),
      regarding: { kind: "Pod", namespace: "default", name: "p" },
      reason: "r",
      note: "n",
      type: "Normal",
      action: "a",
      eventTime: "2020-01-01T00:00:00.000000Z",
      reportingController: "a.b/c",
      reportingInstance: "i",
    },
    mistakes: {
      eventTime: [undefined],
      action: ["", "x".repeat(129)],
      reportingController: ["", "a b"],
      reportingInstance: [""],
      reason: ["", "x".repeat(129)],
      note: ["x".repeat(1025)],
      type: ["Foo"],
      regarding: [{ kind: "Pod", namespace: "other", name: "p" }],
      "metadata.namespace": ["other"],
    },
    changes: {},
  },
  {
    path: apis("apps/v1", "deployments"),
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(),
      spec: { replicas: 1, selector: { matchLabels: { app: "x" } }, template },
    },
    mistakes: {
      ...nameMistakes,
      ...selectorMistakes,
      ...below("spec.template.spec", podMistakes),
      "spec.replicas": [-1],
      "spec.minReadySeconds": [-1, 700],
      "spec.progressDeadlineSeconds": [0, -1],
      "spec.revisionHistoryLimit": [-1],
      "spec.strategy": [
        { type: "Foo" },
        { type: "Recreate", rollingUpdate: {} },
        { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: "x" } },
        { rollingUpdate: { maxUnavailable: "150%" } },
        { rollingUpdate: { maxSurge: -1 } },
        { rollingUpdate: { maxSurge: "0%", maxUnavailable: "0%" } },
      ],
      "spec.template": [undefined],
      spec: [undefined],
    },
    changes: {
      "spec.selector": [{ matchLabels: { app: "y" } }],
      "spec.replicas": [5, -1],
      "spec.template.spec.containers.0.image": ["i:2", ""],
    },
  },
  {
    path: apis("apps/v1", "replicasets"),
    object: {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: meta(),
      spec: { replicas: 1, selector: { matchLabels: { app: "x" } }, template },
    },
    mistakes: {
      ...nameMistakes,
      ...selectorMistakes,
      "spec.replicas": [-1],
      "spec.minReadySeconds": [-1],
      "spec.template": [undefined],
      "spec.template.spec.restartPolicy": ["Never"],
    },
    changes: { "spec.selector": [{ matchLabels: { app: "y" } }] },
  },
  {
    path: apis("apps/v1", "daemonsets"),
    object: {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: meta(),
      spec: { selector: { matchLabels: { app: "x" } }, template },
    },
    mistakes: {
      ...selectorMistakes,
      "spec.updateStrategy": [
        { type: "Foo" },
        { type: "OnDelete" },
        { rollingUpdate: { maxUnavailable: 0 } },
        { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        { rollingUpdate: { maxUnavailable: "x" } },
      ],
      "spec.revisionHistoryLimit": [-1],
      "spec.template.spec.restartPolicy": ["Never"],
      "spec.template.spec.activeDeadlineSeconds": [5],
      "spec.minReadySeconds": [-1],
    },
    changes: { "spec.selector": [{ matchLabels: { app: "y" } }] },
  },
  {
    path: apis("apps/v1", "statefulsets"),
    object: {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: meta(),
      spec: { replicas: 1, serviceName: "s", selector: { matchLabels: { app: "x" } }, template },
    },
    mistakes: {
      ...selectorMistakes,
      "spec.replicas": [-1],
      "spec.serviceName": ["", "Bad_"],
      "spec.podManagementPolicy": ["Foo"],
      "spec.updateStrategy": [
        { type: "Foo" },
        { type: "OnDelete", rollingUpdate: { partition: 1 } },
        { rollingUpdate: { partition: -1 } },
        { rollingUpdate: { maxUnavailable: 0 } },
      ],
      "spec.revisionHistoryLimit": [-1],
      "spec.ordinals": [{ start: -1 }],
      "spec.persistentVolumeClaimRetentionPolicy": [{ whenDeleted: "Foo" }],
      "spec.template.spec.restartPolicy": ["Never"],
      "spec.minReadySeconds": [-1],
    },
    changes: {
      "spec.serviceName": ["t"],
      "spec.selector": [{ matchLabels: { app: "y" } }],
      "spec.podManagementPolicy": ["Parallel"],
      "spec.replicas": [3],
    },
  },
  {
    path: apis("batch/v1", "jobs"),
    object: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: meta(),
      spec: { template: { spec: { ...pod, restartPolicy: "Never" } } },
    },
    mistakes: {
      ...nameMistakes,
      "spec.template.spec.restartPolicy": ["Always", "OnFailure", undefined],
      "spec.parallelism": [-1],
      "spec.completions": [-1],
      "spec.backoffLimit": [-1],
      "spec.activeDeadlineSeconds": [-1, 0],
      "spec.ttlSecondsAfterFinished": [-1],
      "spec.completionMode": ["Foo", "Indexed"],
      "spec.selector": [{ matchLabels: { app: "x" } }],
      "spec.manualSelector": [true],
      "spec.suspend": [true],
      "spec.podFailurePolicy": [
        { rules: [{}] },
        { rules: [{ action: "Foo", onExitCodes: { operator: "In", values: [1] } }] },
        { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [0] } }] },
        { rules: [{ action: "FailJob", onPodConditions: [{ type: "" }] }] },
      ],
      "spec.podReplacementPolicy": ["Foo"],
      "spec.backoffLimitPerIndex": [1],
      "spec.maxFailedIndexes": [1],
      "spec.successPolicy": [{ rules: [{ succeededCount: 1 }] }],
      "spec.managedBy": ["a"],
      "spec.template.metadata.labels": [{ "controller-uid": "x" }],
    },
    changes: {
      "spec.parallelism": [2],
      "spec.completions": [5],
      "spec.template.spec.containers.0.image": ["j"],
      "spec.selector": [{ matchLabels: { a: "b" } }],
      "spec.backoffLimit": [2],
      "spec.completionMode": ["Indexed"],
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
      "metadata.name": [`{{n}}${"a".repeat(50)}`],
      "spec.schedule": ["", "x", "* * * *", "60 * * * *", "@daily", "TZ=UTC * * * * *", "@every 1h", "*/0 * * * *"],
      "spec.concurrencyPolicy": ["Foo"],
      "spec.startingDeadlineSeconds": [-1],
      "spec.successfulJobsHistoryLimit": [-1],
      "spec.failedJobsHistoryLimit": [-1],
      "spec.timeZone": ["", "Foo/Bar", "Europe/Berlin", "Local"],
      "spec.jobTemplate.spec.template.spec.restartPolicy": ["Always"],
      "spec.jobTemplate.spec.manualSelector": [true],
    },
    changes: { "spec.schedule": ["x"] },
  },
  {
    path: apis("coordination.k8s.io/v1", "leases"),
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: meta(),
      spec: { holderIdentity: "h", leaseDurationSeconds: 10 },
    },
    mistakes: {
      ...metaMistakes,
      ...nameMistakes,
      "spec.leaseDurationSeconds": [0, -1],
      "spec.leaseTransitions": [-1],
      "spec.holderIdentity": [""],
      "spec.strategy": ["Foo"],
      "spec.preferredHolder": ["x"],
      "spec.renewTime": ["x"],
    },
    changes: { "spec.leaseDurationSeconds": [0] },
  },
  {
    path: apis("rbac.authorization.k8s.io/v1", "roles"),
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: meta(),
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    },
    mistakes: {
      ...metaMistakes,
      "metadata.name": ["a/b", "..", "{{n}}:x"],
      "rules.0.verbs": [[], undefined],
      "rules.0.apiGroups": [[]],
      "rules.0.resources": [[]],
      "rules.0.nonResourceURLs": [["/x"]],
      rules: [[{ verbs: ["get"] }], [{ nonResourceURLs: ["/x"], verbs: ["get"] }]],
    },
    changes: { ...metaMistakes, "rules.0.verbs": [[]] },
  },
  {
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    isCluster: true,
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: meta(),
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    },
    mistakes: {
      rules: [
        [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
        [{ nonResourceURLs: ["/x"], resources: ["a"], verbs: ["get"] }],
        [{ verbs: [] }],
      ],
      aggregationRule: [{}, { clusterRoleSelectors: [{ matchLabels: { "b d": "x" } }] }],
    },
    changes: {},
  },
  {
    path: apis("rbac.authorization.k8s.io/v1", "rolebindings"),
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: meta(),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s", namespace: "default" }],
    },
    mistakes: {
      "roleRef.kind": ["Foo", "ClusterRole"],
      "roleRef.name": ["", "a/b"],
      "roleRef.apiGroup": ["", "x"],
      roleRef: [undefined],
      "subjects.0": [
        { kind: "Foo", name: "x" },
        { kind: "User", name: "" },
        { kind: "User", name: "u", apiGroup: "x" },
        { kind: "ServiceAccount", name: "s" },
        { kind: "ServiceAccount", name: "Bad_", namespace: "default" },
        { kind: "Group", name: "g", apiGroup: "" },
      ],
    },
    changes: { "roleRef.name": ["other"], "subjects.0.name": [""] },
  },
  {
    path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    isCluster: true,
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: meta(),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s", namespace: "default" }],
    },
    mistakes: { "roleRef.kind": ["Role"], "subjects.0": [{ kind: "ServiceAccount", name: "s" }] },
    changes: { "roleRef.name": ["other"] },
  },
  ...["Validating", "Mutating"].map((which) => ({
    path: `/apis/admissionregistration.k8s.io/v1/${which.toLowerCase()}webhookconfigurations`,
    isCluster: true,
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${which}WebhookConfiguration`,
      metadata: meta(),
      webhooks: [
        {
          name: "a.b.c",
          clientConfig: { url: "https://x.example.com/y" },
          rules: [{ apiGroups: ["zz"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["zz"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          failurePolicy: "Ignore",
        },
      ],
    },
    mistakes: {
      "metadata.name": ["{{n}}_B"],
      "webhooks.0.name": ["", "a", "a.b", "A_.b.c"],
      "webhooks.0.clientConfig": [
        {},
        undefined,
        { url: "http://x" },
        { url: "https://u@x" },
        { url: "https://x?a=b" },
        { url: "https://x#f" },
        { url: "::" },
        { url: "https:///x" },
        { service: { name: "", namespace: "" } },
        { service: { name: "s", namespace: "n", path: "x" } },
        { service: { name: "s", namespace: "n", path: "//" } },
        { service: { name: "s", namespace: "n", port: 0 } },
        { service: { name: "s", namespace: "n", port: 70000 } },
        { url: "https://x", service: { name: "s", namespace: "n" } },
        { url: "https://x", caBundle: "AAAA" },
      ],
      "webhooks.0.rules": [[], [{}]],
      "webhooks.0.rules.0.operations": [["FOO"], ["*", "CREATE"], [], ["CONNECT"], ["CREATE", "FOO"], undefined],
      "webhooks.0.rules.0.apiGroups": [[], ["*", "a"], undefined],
      "webhooks.0.rules.0.apiVersions": [[], ["*", "a"], [""]],
      "webhooks.0.rules.0.resources": [
        [],
        [""],
        ["*", "a"],
        ["*/*", "a"],
        ["a/*", "a/b"],
        ["*/b", "a/b"],
        ["*/*", "*"],
      ],
      "webhooks.0.rules.0.scope": ["Foo", "Cluster"],
      "webhooks.0.sideEffects": ["Some", "Foo", undefined, "NoneOnDryRun"],
      "webhooks.0.admissionReviewVersions": [[], undefined, ["v2"], ["v1", "v1"], ["Bad_"], ["v1beta1", "x"]],
      "webhooks.0.failurePolicy": ["Foo"],
      "webhooks.0.matchPolicy": ["Foo"],
      "webhooks.0.timeoutSeconds": [0, 31, -1],
      "webhooks.0.reinvocationPolicy": ["Foo", "IfNeeded"],
      "webhooks.0.namespaceSelector": [
        { matchExpressions: [{ key: "a", operator: "Foo" }] },
        { matchLabels: { "b d": "x" } },
      ],
      "webhooks.0.objectSelector": [{ matchExpressions: [{ key: "a", operator: "In" }] }],
      "webhooks.0.matchConditions": [
        [{ name: "", expression: "true" }],
        [{ name: "a", expression: "" }],
        [{ name: "a", expression: "1" }],
        [{ name: "a", expression: "object.x ==" }],
        [
          { name: "a", expression: "true" },
          { name: "a", expression: "true" },
        ],
        [{ name: "b d", expression: "true" }],
      ],
      "webhooks.1": [
        { name: "a.b.c", clientConfig: { url: "https://x" }, sideEffects: "None", admissionReviewVersions: ["v1"] },
      ],
    },
    changes: {
      "webhooks.0.sideEffects": ["Some"],
      "webhooks.0.admissionReviewVersions": [["v2"]],
      "webhooks.0.rules.0.operations": [["FOO"]],
    },
  })),
  {
    path: apis("discovery.k8s.io/v1", "endpointslices"),
    object: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: meta(),
      addressType: "IPv4",
      endpoints: [{ addresses: ["1.2.3.4"] }],
      ports: [{ port: 80 }],
    },
    mistakes: {
      addressType: ["Foo", "", "IPv6", "FQDN"],
      "endpoints.0.addresses": [[], ["x"], ["127.0.0.1"]],
      "ports.0.port": [0],
      "ports.0.protocol": ["X"],
      "endpoints.0.hostname": ["A_"],
      "endpoints.0.nodeName": ["A_"],
    },
    changes: { addressType: ["IPv6"] },
  },
  {
    path: apis("policy/v1", "poddisruptionbudgets"),
    object: {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: meta(),
      spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } },
    },
    mistakes: {
      "spec.maxUnavailable": [1],
      "spec.minAvailable": [-1, "x", "150%"],
      "spec.selector": [{ matchExpressions: [{ key: "a", operator: "Foo" }] }],
      "spec.unhealthyPodEvictionPolicy": ["Foo"],
    },
    changes: {},
  },
  {
    path: apis("networking.k8s.io/v1", "networkpolicies"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: meta(),
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
    },
    mistakes: {
      "spec.ingress.0.ports.0": [{ port: 0 }, { port: 80, endPort: 70 }, { protocol: "X" }, { endPort: 80 }],
      "spec.ingress.0.from": [
        [{}],
        [{ ipBlock: { cidr: "x" } }],
        [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/8"] } }],
      ],
      "spec.policyTypes": [["Foo"], ["Ingress", "Egress", "Ingress"]],
      "spec.podSelector": [{ matchLabels: { "b d": "x" } }],
    },
    changes: {},
  },
  {
    path: apis("networking.k8s.io/v1", "ingresses"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: meta(),
      spec: {
        rules: [
          {
            host: "a.b",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
    mistakes: {
      spec: [{}],
      "spec.rules.0.host": ["A_", "1.2.3.4", "*.a.b"],
      "spec.rules.0.http.paths": [[]],
      "spec.rules.0.http.paths.0": [
        { path: "x", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } },
        { path: "/", backend: { service: { name: "s", port: { number: 80 } } } },
        { path: "/", pathType: "Foo", backend: { service: { name: "s", port: { number: 80 } } } },
        { path: "/", pathType: "Exact", backend: {} },
        { path: "/", pathType: "Exact", backend: { service: { name: "s", port: {} } } },
        { path: "/", pathType: "Exact", backend: { service: { name: "", port: { number: 0, name: "x" } } } },
      ],
      "spec.tls": [[{ hosts: ["A_"] }]],
      "spec.ingressClassName": ["Bad_"],
    },
    changes: {},
  },
  {
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    isCluster: true,
    object: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: meta(), value: 5 },
    mistakes: { value: [1000000001], preemptionPolicy: ["Foo"], "metadata.name": ["system-{{n}}"] },
    changes: { value: [6] },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    isCluster: true,
    object: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: meta(), provisioner: "a.b/c" },
    mistakes: {
      provisioner: ["", "a b"],
      reclaimPolicy: ["Foo"],
      volumeBindingMode: ["Foo"],
      parameters: [{ "": "x" }],
    },
    changes: { provisioner: ["x.y/z"] },
  },
  {
    path: apis("autoscaling/v2", "horizontalpodautoscalers"),
    object: {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: meta(),
      spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
    },
    mistakes: {
      "spec.maxReplicas": [0, -1],
      "spec.minReplicas": [0, 5],
      "spec.scaleTargetRef": [
        { kind: "", name: "" },
        { kind: "A/B", name: "x" },
      ],
      "spec.metrics": [
        [{ type: "Foo" }],
        [{ type: "Resource" }],
        [{ type: "Resource", resource: { name: "", target: { type: "Utilization" } } }],
      ],
    },
    changes: {},
  },
];

/** One case for each mistake. */
export function casesOf({ path, object, mistakes, changes, held }) {
  const kind = object.kind;
  const get = { method: "GET", path: `${path}/{{n}}` };
  const put = (base, changed, label) => ({
    name: `${kind}: ${label}`,
    setup: [{ method: "POST", path, body: base }],
    steps: [{ method: "PUT", path: `${path}/{{n}}`, raw: JSON.stringify(withVersion(changed)) }, get],
  });
  const create = (body, label) => ({
    name: `${kind}: ${label}`,
    setup: [],
    steps: [{ method: "POST", path, body }, get],
  });
  const frozen = { ...object, immutable: true };
  return [
    ...each(mistakes).map(([at, value]) => create(changed(object, at, value), `create ${at} ${show(value)}`)),
    ...each(changes).map(([at, value]) => put(object, changed(object, at, value), `update ${at} ${show(value)}`)),
    ...each(held?.changes ?? {}).map(([at, value]) =>
      put(frozen, changed(frozen, at, value), `immutable ${at} ${show(value)}`),
    ),
  ];
}

function each(mistakes) {
  return Object.entries(mistakes).flatMap(([at, list]) => list.map((value) => [at, value]));
}

function withVersion(object) {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "{{rv}}" } };
}

function changed(object, at, value) {
  const copy = structuredClone(object);
  const parts = at.split(".");
  const last = parts.pop();
  const target = parts.reduce((inner, part) => (inner[part] ??= {}), copy);
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

function show(value) {
  return (JSON.stringify(value) ?? "absent").slice(0, 90);
}
