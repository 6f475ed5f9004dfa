/**
 * The cluster whose writes are recorded: namespaces, permissions, params and two sets of policies.
 *
 * The policies in force ignore dry runs. The policies to be tried see nothing else, and only warn: so each write is sent
 * as a dry run first, and its warnings name all policies that would refuse it.
 */
const GROUP = "admissionregistration.k8s.io/v1";
const RBAC = "rbac.authorization.k8s.io/v1";

export const NAMESPACES = { dev: { env: "dev" }, prod: { env: "prod", tier: "gold" }, plain: {} };

const meta = (name, rest = {}) => ({ metadata: { name, ...rest } });
const v1 = (kind, name, rest = {}, metadata = {}) => ({ apiVersion: "v1", kind, ...meta(name, metadata), ...rest });

export const namespaces = Object.entries(NAMESPACES).map(([name, labels]) => v1("Namespace", name, {}, { labels }));

const role = (name, rules) => ({ apiVersion: RBAC, kind: "ClusterRole", ...meta(name), rules });
const bind = (name, subject, namespace) => ({
  apiVersion: RBAC,
  kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
  ...meta(`${name}-${subject.name}`, namespace && { namespace }),
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  subjects: [subject],
});
const group = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name });
const user = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name });

export const permissions = [
  role("writer", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]),
  role("approver", [{ apiGroups: ["shop.example.com"], resources: ["widgets"], verbs: ["approve"] }]),
  bind("writer", group("devs")),
  bind("writer", group("ops")),
  bind("approver", user("bob"), "prod"),
  bind("writer", { kind: "ServiceAccount", name: "robot", namespace: "dev" }, "dev"),
];

const limits = (namespace, name, max, labels) => v1("ConfigMap", name, { data: { max } }, { namespace, labels });
export const params = [
  limits("dev", "limit", "5", { use: "limits" }),
  limits("prod", "limit", "8", { use: "limits" }),
  limits("plain", "other", "3", { use: "limits" }),
];

const rule = (groups, resources, operations, rest = {}) => ({
  apiGroups: groups,
  apiVersions: ["*"],
  resources,
  operations,
  ...rest,
});
const WRITES = ["CREATE", "UPDATE"];

/** Name, match rules, and the rest of the spec. `validations` may be texts. */
const POLICIES = [
  [
    "a-owner",
    [rule(["", "apps"], ["pods", "configmaps", "deployments"], WRITES)],
    [
      {
        expression: "has(object.metadata.labels) && 'owner' in object.metadata.labels",
        messageExpression: "object.kind + ' has no owner in ' + namespaceObject.metadata.name",
      },
    ],
    {},
    { matchResources: { namespaceSelector: { matchLabels: { env: "prod" } } } },
  ],
  [
    "b-limit",
    [rule(["apps"], ["deployments", "deployments/scale"], WRITES)],
    [
      {
        expression: "!has(object.spec.replicas) || object.spec.replicas <= int(params.data.max)",
        messageExpression: "string(object.spec.replicas) + ' above ' + params.data.max",
      },
    ],
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
    { paramRef: { name: "limit", parameterNotFoundAction: "Allow" } },
  ],
  [
    "c-all-limits",
    [rule(["apps"], ["deployments"], WRITES)],
    ["object.spec.replicas < int(params.data.max) * 2"],
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
    { paramRef: { selector: { matchLabels: { use: "limits" } }, parameterNotFoundAction: "Deny" } },
  ],
  [
    "d-keep",
    [rule([""], ["configmaps", "services"], ["UPDATE"])],
    [
      "object.metadata.?labels['kept'].orValue('') == oldObject.metadata.?labels['kept'].orValue('')",
      "object.kind != 'ConfigMap' || !has(oldObject.data) || !('tier' in oldObject.data) || object.?data.tier.orValue('') == oldObject.data.tier",
    ],
  ],
  [
    "e-protected",
    [rule(["*"], ["*"], ["DELETE"])],
    ["request.userInfo.username == 'carol'"],
    {},
    { matchResources: { objectSelector: { matchLabels: { protected: "true" } } } },
  ],
  [
    "f-colours",
    [rule(["shop.example.com"], ["widgets"], WRITES, { apiVersions: ["v1"] })],
    [
      "oldObject == null || object.spec.colour == oldObject.spec.colour || authorizer.group('shop.example.com').resource('widgets').namespace(request.namespace).check('approve').allowed()",
      "object.spec.size % 7 != 6",
    ],
  ],
  [
    "g-v2",
    [rule(["autoscaling"], ["horizontalpodautoscalers"], WRITES, { apiVersions: ["v2"] })],
    [
      "object.spec.maxReplicas < 12",
      "object.apiVersion == 'autoscaling/v2' && (!has(object.spec.metrics) || object.spec.metrics.size() < 2)",
    ],
  ],
  [
    "h-exact",
    [rule(["autoscaling"], ["horizontalpodautoscalers"], ["*"], { apiVersions: ["v1"] })],
    ["object == null || object.spec.maxReplicas != 9"],
    { matchConstraints: { matchPolicy: "Exact" } },
  ],
  [
    "i-images",
    [rule([""], ["pods", "pods/ephemeralcontainers"], WRITES), rule(["apps"], ["deployments"], WRITES)],
    ["variables.images.all(image, !image.endsWith(':latest'))"],
    {
      variables: [
        { name: "spec", expression: "object.kind == 'Pod' ? object.spec : object.spec.template.spec" },
        {
          name: "images",
          expression:
            "variables.spec.containers.map(c, c.image) + variables.spec.?ephemeralContainers.orValue([]).map(c, c.image)",
        },
      ],
    },
  ],
  [
    "j-subresources",
    [
      rule(
        ["*"],
        ["*/status", "*/scale", "*/eviction", "*/binding", "*/ephemeralcontainers", "*/resize", "*/token"],
        ["*"],
      ),
    ],
    [
      "request.userInfo.username != 'bob' || request.subResource in ['scale', 'status']",
      "request.resource.resource != 'services' || request.subResource != 'status' || request.name != 'web-1'",
    ],
  ],
  [
    "k-server-fields",
    [rule([""], ["configmaps"], WRITES)],
    [
      "object.metadata.?generation.orValue(0) == 0 && has(object.metadata.creationTimestamp)",
      "has(object.metadata.uid)",
      "oldObject == null || object.metadata.uid == oldObject.metadata.uid",
      "!has(object.metadata.managedFields) || object.metadata.managedFields.size() < 4",
    ],
  ],
  [
    "l-weight",
    [rule(["*"], ["*"], WRITES)],
    ["int(object.metadata.annotations['weight']) < 50"],
    {
      matchConditions: [
        {
          name: "weighed",
          expression: "object != null && has(object.metadata.annotations) && 'weight' in object.metadata.annotations",
        },
        { name: "not-robot", expression: "!request.userInfo.groups.exists(g, g.startsWith('system:serviceaccounts'))" },
      ],
    },
  ],
  ["m-ignored", [rule([""], ["configmaps"], WRITES)], ["int(object.data.count) < 10"], { failurePolicy: "Ignore" }],
  [
    "n-cluster",
    [rule(["*"], ["*"], ["*"], { scope: "Cluster" })],
    [
      "!request.name.endsWith('-x')",
      "request.operation == 'DELETE' || !has(object.metadata.labels) || !('frozen' in object.metadata.labels) || oldObject == null || object.metadata.labels == oldObject.metadata.?labels.orValue({})",
    ],
  ],
  [
    "o-options",
    [rule([""], ["configmaps", "pods"], ["*"])],
    [
      "request.operation != 'DELETE' || !has(request.options.gracePeriodSeconds) || request.options.gracePeriodSeconds != 7",
      "request.operation != 'CREATE' || !has(request.options.fieldManager) || request.options.fieldManager != 'evil'",
    ],
  ],
  [
    "p-names",
    [rule(["", "apps", "shop.example.com"], ["*"], ["CREATE"])],
    [
      "request.name == '' || request.name == object.metadata.name || !has(object.metadata.name)",
      "!has(object.metadata.generateName) || object.metadata.name.size() > 12 || object.metadata.name.startsWith('gen')",
      "request.namespace != 'dev' || !has(object.metadata.annotations) || !('ns' in object.metadata.annotations)",
    ],
  ],
  [
    "q-status",
    [rule(["shop.example.com"], ["widgets/status"], ["UPDATE"]), rule([""], ["pods/status"], ["UPDATE"])],
    [
      "!has(object.status) || !has(object.status.phase) || object.status.phase != 'Failed' || oldObject.?status.phase.orValue('') == 'Running'",
    ],
  ],
  [
    "r-kinds",
    [rule(["*"], ["*"], ["*"])],
    [
      "request.requestKind.kind == request.kind.kind || request.kind.group == 'autoscaling'",
      "request.resource.resource != 'gadgets' || object == null || object.spec.width * 2 != 14",
    ],
  ],
  [
    "s-secrets",
    [rule([""], ["secrets"], ["*"])],
    ["request.operation == 'DELETE' || !has(object.data) || !('open' in object.data)"],
  ],
  [
    "t-namespace",
    [rule([""], ["configmaps", "secrets", "services"], ["*"])],
    [
      "!has(namespaceObject.metadata.labels) || !('locked' in namespaceObject.metadata.labels) || request.userInfo.username == 'carol'",
    ],
  ],
];

function policyObjects([name, resourceRules, validations, spec = {}, binding = {}], prefix, dryRun, actions) {
  const { matchConstraints, matchConditions = [], ...rest } = spec;
  const only = {
    name: "dry-runs",
    expression: dryRun ? "request.?dryRun.orValue(false)" : "!request.?dryRun.orValue(false)",
  };
  return [
    {
      apiVersion: GROUP,
      kind: "ValidatingAdmissionPolicy",
      ...meta(`${prefix}${name}`),
      spec: {
        matchConstraints: { ...matchConstraints, resourceRules },
        matchConditions: [only, ...matchConditions],
        validations: validations.map((each) => (typeof each === "string" ? { expression: each } : each)),
        ...rest,
      },
    },
    {
      apiVersion: GROUP,
      kind: "ValidatingAdmissionPolicyBinding",
      ...meta(`${prefix}${name}`),
      spec: { policyName: `${prefix}${name}`, validationActions: actions, ...binding },
    },
  ];
}

/** All of them, as a server has them that warns about dry runs. */
export const tried = POLICIES.flatMap((each) => policyObjects(each, "try-", true, ["Warn", "Audit"]));

/** A few of them are in force for what is really written. */
const IN_FORCE = ["b-limit", "d-keep", "e-protected", "i-images", "n-cluster", "s-secrets", "t-namespace", "r-kinds"];
export const inForce = POLICIES.filter(([name]) => IN_FORCE.includes(name)).flatMap((each) =>
  policyObjects(each, "now-", false, ["Deny"]),
);

export const mutating = [
  {
    apiVersion: GROUP,
    kind: "MutatingAdmissionPolicy",
    ...meta("add-team"),
    spec: {
      reinvocationPolicy: "IfNeeded",
      matchConstraints: {
        resourceRules: [rule([""], ["configmaps"], ["CREATE"])],
        objectSelector: { matchLabels: { team: "unset" } },
      },
      mutations: [
        {
          patchType: "ApplyConfiguration",
          applyConfiguration: {
            expression: "Object{metadata: Object.metadata{labels: {'owner': request.userInfo.username}}}",
          },
        },
      ],
    },
  },
  { apiVersion: GROUP, kind: "MutatingAdmissionPolicyBinding", ...meta("add-team"), spec: { policyName: "add-team" } },
];

const printable = { type: "string", maxLength: 30 };
export const widgets = (sizeLimit) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  ...meta("widgets.shop.example.com"),
  spec: {
    group: "shop.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: ["v1", "v1beta1"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              required: ["size"],
              properties: {
                size: { type: "integer", maximum: sizeLimit },
                colour: { ...printable, default: "red" },
                parts: { type: "array", maxItems: 9, items: printable, "x-kubernetes-list-type": "set" },
              },
            },
            status: { type: "object", properties: { phase: printable, size: { type: "integer" } } },
          },
        },
      },
    })),
  },
});

export const gadgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  ...meta("gadgets.shop.example.com"),
  spec: {
    group: "shop.example.com",
    scope: "Cluster",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { spec: { type: "object", properties: { width: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};

/** Different levels, with and without stages and managed fields. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [
    { level: "None", users: ["admin", "system:apiserver"], verbs: ["get", "list", "watch"] },
    { level: "None", users: ["setup", "system:apiserver"] },
    { level: "Metadata", resources: [{ group: "", resources: ["secrets", "serviceaccounts/token"] }] },
    {
      level: "Request",
      resources: [{ group: "", resources: ["services", "serviceaccounts"] }],
      omitStages: ["RequestReceived"],
    },
    { level: "Request", namespaces: ["plain"] },
    { level: "RequestResponse", resources: [{ group: "apps" }], omitManagedFields: true },
    { level: "RequestResponse", omitStages: ["RequestReceived"] },
  ],
};
