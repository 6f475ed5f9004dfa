/** Manifests whose verdict depends on all steps of a write, with the answer of kube-apiserver v1.36. */

export interface VerdictCase {
  readonly name: string;
  readonly manifest: string;
  /** The start of each error; none where the object is created. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const LONG_NAME = "a".repeat(62);

export const verdictCases: readonly VerdictCase[] = [
  {
    name: "a NodePort Service with several ports gets distinct node ports",
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: NodePort, selector: {app: web},
      ports: [{name: http, port: 80}, {name: https, port: 443}, {name: metrics, port: 9090}]}}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a LoadBalancer Service with several ports gets distinct node ports",
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: edge}, spec: {type: LoadBalancer, selector: {app: edge},
      ports: [{name: http, port: 80}, {name: https, port: 443}]}}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a ClusterRole loses the namespace that it names",
    manifest: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader, namespace: team},
      rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a StorageClass loses the namespace that it names",
    manifest: `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, namespace: team},
      provisioner: disks.example.com}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a SubjectAccessReview has no name",
    manifest: `{apiVersion: authorization.k8s.io/v1, kind: SubjectAccessReview, spec: {user: jane,
      resourceAttributes: {verb: get, resource: pods, namespace: default}}}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a TokenReview has no name",
    manifest: "{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: abc}}",
    errors: [],
    warnings: [],
  },
  {
    name: "a long generateName is cut before the suffix is added",
    manifest: `{apiVersion: v1, kind: ConfigMap, metadata: {generateName: ${LONG_NAME}}}`,
    errors: [],
    warnings: [],
  },
  {
    name: "a webhook configuration is validated",
    manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: hooks},
      webhooks: [{name: short, clientConfig: {url: "http://hooks.example.com"}, sideEffects: Some,
      admissionReviewVersions: [v2], timeoutSeconds: 60, rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]}]}`,
    errors: [
      "webhooks[0].name: Invalid value",
      "webhooks[0].sideEffects: Unsupported value",
      "webhooks[0].timeoutSeconds: Invalid value",
      "webhooks[0].clientConfig.url: Invalid value",
      "webhooks[0].admissionReviewVersions: Invalid value",
    ],
    warnings: [],
  },
  {
    name: "Endpoints are deprecated",
    manifest: `{apiVersion: v1, kind: Endpoints, metadata: {name: db}, subsets: [{addresses: [{ip: 10.1.2.3}], ports: [{port: 5432}]}]}`,
    errors: [],
    warnings: ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  },
  {
    name: "external addresses of a Service earn a warning",
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: old}, spec: {ports: [{port: 80}], externalIPs: [192.0.2.7]}}`,
    errors: [],
    warnings: ["spec.externalIPs"],
  },
  {
    name: "a node selector with a beta label, repeated variables and an old annotation earn warnings",
    manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: app}, spec: {selector: {matchLabels: {app: app}},
      template: {metadata: {labels: {app: app}, annotations: {scheduler.alpha.kubernetes.io/critical-pod: ""}},
      spec: {nodeSelector: {beta.kubernetes.io/os: linux}, containers: [{name: c, image: "app:1",
      env: [{name: MODE, value: a}, {name: MODE, value: b}]}]}}}}`,
    errors: [],
    warnings: [
      "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14",
      "spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+",
      'spec.template.spec.containers[0].env[1]: hides previous definition of "MODE"',
    ],
  },
];
