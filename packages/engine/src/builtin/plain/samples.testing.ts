/** Plain objects that use every field that plain checks know, for tests that edit them. */

const META = `metadata: {name: app, namespace: shop, labels: {app: web, app.kubernetes.io/name: web, example.com/tier: ""},
  annotations: {example.com/note: "a b", checksum: abc}}`;

const POD = `
  automountServiceAccountToken: false
  serviceAccountName: web.app
  dnsPolicy: ClusterFirst
  schedulerName: default-scheduler
  terminationGracePeriodSeconds: 30
  imagePullSecrets: [{name: registry}, {name: other}]
  nodeSelector: {kubernetes.io/os: linux, disk: fast}
  securityContext: {fsGroup: 2, fsGroupChangePolicy: OnRootMismatch, runAsGroup: 3, runAsNonRoot: true, runAsUser: 1000,
    seccompProfile: {type: RuntimeDefault}, supplementalGroups: [1, 2]}
  tolerations: [{key: example.com/a, operator: Equal, value: b, effect: NoSchedule}, {key: c, operator: Exists}]
  initContainers: [{name: init, image: "busybox:1", command: [sh, -c, "true"], volumeMounts: [{name: data, mountPath: /data}]}]
  containers:
  - name: main
    image: registry.example.com/web:1
    imagePullPolicy: IfNotPresent
    command: [run]
    args: ["--listen", ""]
    workingDir: /srv
    stdin: false
    tty: true
    terminationMessagePath: /log
    terminationMessagePolicy: File
    env: [{name: A, value: b}, {name: NAME, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}},
      {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k.1, optional: true}}},
      {name: CONFIG, valueFrom: {configMapKeyRef: {name: c, key: k}}}]
    envFrom: [{configMapRef: {name: c}}, {secretRef: {name: s, optional: false}}]
    ports: [{name: http, containerPort: 8080, protocol: TCP}, {name: dns, containerPort: 8080, protocol: UDP}]
    livenessProbe: {httpGet: {path: /, port: http, scheme: HTTP}, initialDelaySeconds: 5, successThreshold: 1}
    startupProbe: {exec: {command: [ready]}, failureThreshold: 3}
    readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 10, timeoutSeconds: 2, successThreshold: 2}
    resources: {limits: {cpu: 500m, memory: 256Mi, ephemeral-storage: 1Gi}, requests: {cpu: "0", memory: 128Mi}}
    volumeMounts: [{name: config, mountPath: /etc/app, readOnly: true, subPath: a.yaml}, {name: tmp, mountPath: /tmp}]
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, readOnlyRootFilesystem: true,
      runAsGroup: 1, runAsNonRoot: true, runAsUser: 5, seccompProfile: {type: Unconfined}}
  - {name: side, image: side, ports: [{containerPort: 9090}], resources: {requests: {cpu: 1, memory: 1000}}}
  volumes:
  - {name: config, configMap: {name: c, defaultMode: 420, optional: true, items: [{key: a, path: a.yaml}, {key: b, path: b}]}}
  - {name: secret, secret: {secretName: s, defaultMode: 256, items: [{key: a, path: a}]}}
  - {name: tmp, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  - {name: cache, emptyDir: {}}
`.replace('cpu: "0", ', "cpu: 100m, ");

const DATA = "  - {name: data, persistentVolumeClaim: {claimName: data, readOnly: true}}\n";

const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, " ".repeat(by));

const template = (spec: string, by: number): string =>
  indent(`template:\n  metadata: {labels: {app: web, a: b}, annotations: {note: x}}\n  spec:${indent(spec, 2)}`, by);

const SELECTOR = "selector: {matchLabels: {app: web}}";

const JOB = `parallelism: 2, completions: 3, backoffLimit: 1, activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 5`
  .split(", ")
  .join("\n");

/** The fields of pods are the same for all kinds. */
const SMALL_POD = "\n  containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /data}]}]\n";

const jobSpec = (by: number): string =>
  `${indent(JOB, by)}\n${template(`${SMALL_POD}  volumes:\n${DATA}  restartPolicy: Never\n`, by)}`;

/** YAML. */
export const PLAIN_SAMPLES: readonly string[] = [
  `apiVersion: apps/v1\nkind: Deployment\n${META}\nspec:\n  ${SELECTOR}\n  replicas: 3\n  paused: true\n  minReadySeconds: 5
  progressDeadlineSeconds: 700\n  revisionHistoryLimit: 2\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}}
${template(`${POD}${DATA}  restartPolicy: Always\n`, 2)}`,
  `apiVersion: apps/v1\nkind: Deployment\n${META}\nspec:\n  ${SELECTOR}\n  strategy: {type: Recreate}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}`,
  `apiVersion: apps/v1\nkind: DaemonSet\n${META}\nspec:\n  ${SELECTOR}\n  updateStrategy: {type: OnDelete}\n  minReadySeconds: 5
${template(`${SMALL_POD}  volumes:\n${DATA}`, 2)}`,
  `apiVersion: apps/v1\nkind: StatefulSet\n${META}\nspec:\n  ${SELECTOR}\n  serviceName: web\n  replicas: 2\n  podManagementPolicy: Parallel
  updateStrategy: {type: RollingUpdate}\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce],
    volumeMode: Filesystem, storageClassName: fast, resources: {requests: {storage: 10Gi}}}}]\n${template(SMALL_POD, 2)}`,
  `apiVersion: batch/v1\nkind: Job\n${META}\nspec:\n${jobSpec(2)}`,
  `apiVersion: batch/v1\nkind: CronJob\n${META}\nspec:\n  schedule: "*/5 1 1 12 6"\n  suspend: false\n  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 60\n  failedJobsHistoryLimit: 1\n  successfulJobsHistoryLimit: 0\n  jobTemplate:\n    metadata: {labels: {a: b}}\n    spec:\n${jobSpec(6)}`,
  `apiVersion: v1\nkind: PersistentVolumeClaim\n${META}\nspec: {accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: fast,
  volumeMode: Block, resources: {requests: {storage: 5G}}}`,
  `apiVersion: v1\nkind: Service\n${META}\nspec: {type: ClusterIP, sessionAffinity: None, selector: {app: web, app.kubernetes.io/name: web},
  ports: [{name: http, port: 80, targetPort: http, protocol: TCP}, {name: dns, port: 80, targetPort: 53, protocol: UDP}]}`,
  `apiVersion: v1\nkind: Service\n${META}\nspec: {ports: [{port: 80}]}`,
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${META}\nspec: {ingressClassName: nginx, tls: [{hosts: [web.example.com], secretName: tls}],
  rules: [{host: web.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}},
    {path: /a.b/c_d/, pathType: Exact, backend: {service: {name: web, port: {name: http}}}}]}}]}`,
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${META}\nspec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress, Egress],
  ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}, podSelector: {}}], ports: [{protocol: TCP, port: 8080}, {port: http}]}, {}],
  egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.3.4/32]}}, {podSelector: {}}]}]}`,
  `apiVersion: v1\nkind: ConfigMap\n${META}\nimmutable: true\ndata: {a.yaml: "x: 1", LEVEL: info, _x: ""}`.replace(
    ', _x: ""',
    "",
  ),
  `apiVersion: v1\nkind: Secret\n${META}\ntype: Opaque\nimmutable: false\ndata: {a: YQ==, b: YWI=, c: YWJj, d: ""}\nstringData: {e: f}`,
  `apiVersion: v1\nkind: ServiceAccount\n${META}\nautomountServiceAccountToken: false`,
  `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n${META}\nspec: {minReplicas: 1, maxReplicas: 4,
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}},
    {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}]}`,
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${META}\nspec: {minAvailable: 50%, unhealthyPodEvictionPolicy: AlwaysAllow, ${SELECTOR}}`,
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${META}\nspec: {maxUnavailable: 1, ${SELECTOR}}`,
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n${META}\nrules: [{apiGroups: [""], resources: [pods], resourceNames: [a], verbs: [get]},
  {apiGroups: [apps], resources: ["*"], verbs: ["*"]}]`,
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]`,
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n${META}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: web, namespace: shop}, {apiGroup: rbac.authorization.k8s.io, kind: User, name: jane@example.com},
  {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:masters"}]`,
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: readers}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, name: web, namespace: shop}]`,
];
