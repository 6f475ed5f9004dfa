/** The kinds that are written to, and a valid object of each. */
const group = "{{g}}";

const specSchema = {
  type: "object",
  properties: {
    replicas: { type: "integer", format: "int32" },
    text: { type: "string" },
    flag: { type: "boolean" },
    ratio: { type: "number" },
    either: { "x-kubernetes-int-or-string": true },
    nothing: { type: "string", nullable: true },
    preset: { type: "string", default: "p" },
    tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    ports: {
      type: "array",
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          port: { type: "integer" },
          protocol: { type: "string", default: "TCP" },
        },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    steps: {
      type: "array",
      items: {
        type: "object",
        properties: { run: { type: "string" }, env: { type: "object", additionalProperties: { type: "string" } } },
      },
    },
    options: {
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
    },
    open: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { x: { type: "integer" } } } },
    },
    inner: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
    },
  },
};
const statusSchema = {
  type: "object",
  properties: { replicas: { type: "integer" }, selector: { type: "string" }, phase: { type: "string" } },
};

function definition(plural, kind, schema, more = {}) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
          ...more,
        },
      ],
    },
  };
}

const closed = { type: "object", properties: { spec: specSchema, status: statusSchema } };

export const definitions = [
  definition("closeds", "Closed", closed),
  definition("opens", "Open", { ...closed, "x-kubernetes-preserve-unknown-fields": true }),
  definition("halves", "Half", {
    type: "object",
    properties: { spec: { ...specSchema, "x-kubernetes-preserve-unknown-fields": true }, status: statusSchema },
  }),
];

const customSpec = {
  replicas: 2,
  text: "t",
  flag: true,
  tags: ["a", "b"],
  ports: [
    { name: "http", port: 80 },
    { name: "dns", port: 53, protocol: "UDP" },
  ],
  steps: [{ run: "x", env: { A: "1" } }, { run: "y" }],
  options: { one: { a: "x", b: 1 }, two: { b: 2 } },
  open: { any: { thing: 1 }, known: { x: 1 } },
  inner: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "in", labels: { k: "v" } }, spec: { a: "b" } },
};

function custom(plural, kind) {
  return {
    name: plural,
    path: `/apis/${group}/v1/namespaces/default/${plural}`,
    isCustom: true,
    subresources: ["", "", "", "status", "scale"],
    object: {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: "{{n}}", labels: { app: "x" }, annotations: { a1: "foo" } },
      spec: customSpec,
    },
  };
}

const podSpec = {
  containers: [
    {
      name: "a",
      image: "i:1",
      env: [
        { name: "X", value: "1" },
        { name: "Y", value: "2" },
      ],
      ports: [{ containerPort: 80, name: "http" }, { containerPort: 443 }],
      args: ["p", "q"],
      resources: { limits: { cpu: "1", memory: "1Gi" } },
      volumeMounts: [{ name: "v", mountPath: "/v" }],
    },
    { name: "b", image: "j:1", livenessProbe: { httpGet: { path: "/", port: 80 } } },
  ],
  volumes: [
    { name: "v", emptyDir: {} },
    { name: "u", configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
  ],
  tolerations: [{ key: "k", operator: "Exists" }],
  nodeSelector: { disk: "ssd" },
};

export const kinds = [
  custom("closeds", "Closed"),
  custom("opens", "Open"),
  custom("halves", "Half"),
  {
    name: "configmaps",
    path: "/api/v1/namespaces/default/configmaps",
    subresources: [""],
    object: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "{{n}}", labels: { l: "1" }, annotations: { x: "y" }, finalizers: ["a.example.com/f"] },
      data: { a: "1", b: "2", 10: "x", 9: "y" },
      binaryData: { c: "AAEC" },
    },
  },
  {
    name: "deployments",
    path: "/apis/apps/v1/namespaces/default/deployments",
    subresources: ["", "", "", "status", "scale"],
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "{{n}}", labels: { app: "x" } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "x" } },
        template: { metadata: { labels: { app: "x" } }, spec: podSpec },
      },
    },
  },
  {
    name: "services",
    path: "/api/v1/namespaces/default/services",
    subresources: ["", "", "status"],
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "{{n}}", labels: { app: "x" } },
      spec: {
        clusterIP: "None",
        selector: { app: "x" },
        ports: [
          { name: "http", port: 80, targetPort: "web" },
          { name: "dns", port: 53, protocol: "UDP" },
        ],
      },
    },
  },
  {
    name: "secrets",
    path: "/api/v1/namespaces/default/secrets",
    subresources: [""],
    object: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "{{n}}", ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u1" }] },
      type: "Opaque",
      data: { a: "AAEC" },
      stringData: { s: "t" },
    },
  },
  {
    name: "leases",
    path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    subresources: [""],
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "{{n}}" },
      spec: { holderIdentity: "h", leaseDurationSeconds: 10, renewTime: "2020-01-02T03:04:05.678901Z" },
    },
  },
  {
    name: "roles",
    path: "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    subresources: [""],
    object: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "{{n}}" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }],
    },
  },
];

export function scaleOf(kind) {
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "{{n}}", namespace: "default" },
    spec: { replicas: 3 },
    ...(kind.isCustom && {}),
  };
}
