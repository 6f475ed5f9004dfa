/** Mistakes that many kinds have in common: in names, metadata, selectors and pods. */

export const meta = (more = {}) => ({ name: "{{n}}", ...more });
export const pod = {
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
export const template = { metadata: { labels: { app: "x" } }, spec: pod };
export const core = (plural) => `/api/v1/namespaces/default/${plural}`;
export const cluster = (group, plural) => `/apis/${group}/${plural}`;
export const apis = (group, plural) => `/apis/${group}/namespaces/default/${plural}`;

/** Mistakes that any pod template can have; the paths are below the pod spec. */
export const podMistakes = {
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

export const below = (prefix, mistakes) =>
  Object.fromEntries(Object.entries(mistakes).map(([path, values]) => [`${prefix}.${path}`, values]));

export const selectorMistakes = {
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

export const metaMistakes = {
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
export const nameMistakes = {
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
