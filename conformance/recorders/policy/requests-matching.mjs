/** Operations, namespaces, kinds and versions that policies match, and several policies at once. */
import {
  binding,
  configMap,
  create,
  namespace,
  namespaces,
  policy,
  remove,
  rule,
  secrets,
  shown,
  update,
  widgetRule,
} from "./builders.mjs";
import { CHECK, checks } from "./requests-authorization.mjs";
import { FALSE } from "./requests-expressions.mjs";
import { paramMap, withParams } from "./requests-params.mjs";

const old = configMap({ a: "1", n: "1" });
const isDelete = "request.operation == 'DELETE'";
export const operations = [
  [
    "update",
    {
      validations: [
        {
          expression: "oldObject.data.a == object.data.a",
          messageExpression: "oldObject.data.a + ' to ' + object.data.a",
        },
      ],
    },
    update(old, configMap({ a: "2" })),
  ],
  ["update without change", { validations: [{ expression: "oldObject.data.a != object.data.a" }] }, update(old, old)],
  [
    "update options",
    shown("request.operation + request.options.kind + request.name"),
    update(old, configMap({ a: "2" })),
  ],
  [
    "update that drops the label is selected",
    { validations: [{ expression: "false", message: "still selected" }] },
    update(old, configMap({ a: "2" }, { labels: {} })),
  ],
  [
    "update that adds the label is selected",
    { validations: [{ expression: "false", message: "now selected" }] },
    update(configMap({ a: "2" }, { labels: {} }), old),
  ],
  ["update of neither", FALSE, update(configMap({ a: "2" }, { labels: {} }), configMap({ a: "3" }, { labels: {} }))],
  [
    "delete",
    shown("string(object == null) + oldObject.data.a + request.operation + request.name + request.options.kind"),
    remove(old),
  ],
  ["delete reads object", { validations: [{ expression: "object.data.a == '1'" }] }, remove(old)],
  [
    "delete guarded",
    { validations: [{ expression: `!(${isDelete}) || oldObject.data.a != '1'`, message: "kept" }] },
    remove(old),
  ],
  [
    "delete not among the operations",
    { match: { resourceRules: [rule({ operations: ["CREATE", "UPDATE"] })] }, ...FALSE },
    remove(old),
  ],
  [
    "delete collection",
    shown("oldObject.metadata.name + string(has(request.name)) + request.namespace"),
    remove(configMap({ a: "1" }, { namespace: "{{n}}" }), { collection: true }),
    { ownsNamespace: true },
  ],
  [
    "delete collection is not bound by names",
    { match: { resourceRules: [rule({ resourceNames: ["{{n}}"] })] }, ...FALSE },
    remove(configMap({ a: "1" }, { namespace: "{{n}}" }), { collection: true }),
    { ownsNamespace: true },
  ],
  ["delete by name is", { match: { resourceRules: [rule({ resourceNames: ["{{n}}"] })] }, ...FALSE }, remove(old)],
  [
    "generated name",
    { validations: [{ expression: "object.metadata.name == object.metadata.generateName", message: "differs" }] },
    create(configMap({}, { name: undefined, generateName: "{{n}}-" })),
  ],
  [
    "not a dry run",
    shown("string(request.dryRun) + string(has(request.options.dryRun))"),
    create(configMap(), { dryRun: false }),
  ],
  ["dry run", shown("string(request.dryRun) + request.options.dryRun.join(',')"), create()],
];

const aNamespace = (labels = { case: "{{n}}" }) => ({ ...create(namespace(labels)), ...namespaces });
const namespaceMatch = { resourceRules: [rule({ resources: ["namespaces"] })] };
export const namespaceCases = [
  ["create", { match: namespaceMatch, ...FALSE }, aNamespace()],
  [
    "namespaceObject is null",
    { match: namespaceMatch, ...shown("string(namespaceObject == null) + request.namespace + '/' + request.name") },
    aNamespace(),
  ],
  [
    "selector on its own labels",
    { match: { ...namespaceMatch, namespaceSelector: { matchLabels: { case: "{{n}}" } } }, ...FALSE },
    aNamespace(),
  ],
  [
    "selector on other labels",
    { match: { ...namespaceMatch, namespaceSelector: { matchLabels: { other: "{{n}}" } } }, ...FALSE },
    aNamespace(),
  ],
  [
    "scope Cluster",
    { match: { resourceRules: [rule({ resources: ["namespaces"], scope: "Cluster" })] }, ...FALSE },
    aNamespace(),
  ],
  [
    "scope Namespaced",
    { match: { resourceRules: [rule({ resources: ["namespaces"], scope: "Namespaced" })] }, ...FALSE },
    aNamespace(),
  ],
  [
    "namespaced params in its own namespace",
    { match: namespaceMatch, ...withParams, validations: [{ expression: "params.data.max == '3'" }] },
    aNamespace(),
    { bind: { paramRef: { name: "{{n}}-p", parameterNotFoundAction: "Deny" } } },
  ],
  [
    "namespaced params elsewhere",
    {
      match: namespaceMatch,
      ...withParams,
      validations: [{ expression: "params.data.max == '4'", messageExpression: "string(params.data.max)" }],
    },
    aNamespace(),
    {
      params: [paramMap()],
      bind: { paramRef: { name: "{{n}}-p", namespace: "default", parameterNotFoundAction: "Deny" } },
    },
  ],
];

const clusterRoleRequest = {
  operation: "CREATE",
  resource: { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" },
  kind: { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole" },
  object: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "{{n}}", labels: { case: "{{n}}" } },
    rules: [],
  },
};
const clusterMatch = {
  resourceRules: [rule({ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"] })],
};
export const clusterCases = [
  ["create", { match: clusterMatch, ...FALSE }, clusterRoleRequest],
  [
    "namespace absent",
    { match: clusterMatch, ...shown("string(has(request.namespace)) + string(namespaceObject == null)") },
    clusterRoleRequest,
  ],
  [
    "namespaced params need a namespace",
    { match: clusterMatch, ...withParams, validations: [{ expression: "params != null" }] },
    clusterRoleRequest,
    { bind: { paramRef: { name: "x", parameterNotFoundAction: "Allow" } } },
  ],
  [
    "namespace selector does not matter",
    { match: { ...clusterMatch, namespaceSelector: { matchLabels: { no: "such" } } }, ...FALSE },
    clusterRoleRequest,
  ],
  [
    "scope Cluster",
    { match: { resourceRules: [{ ...clusterMatch.resourceRules[0], scope: "Cluster" }] }, ...FALSE },
    clusterRoleRequest,
  ],
  [
    "scope Namespaced",
    { match: { resourceRules: [{ ...clusterMatch.resourceRules[0], scope: "Namespaced" }] }, ...FALSE },
    clusterRoleRequest,
  ],
];

/** The served versions, the version in the rule, the requested version. */
export const seen = shown(
  "object.apiVersion + ' ' + request.kind.version + request.resource.version + request.requestKind.version + request.requestResource.version",
);
export const equivalents = [
  ["same version", ["v1", "v2"], ["v1"], "v1", {}],
  ["other version", ["v1", "v2"], ["v2"], "v1", {}],
  ["other version, Exact", ["v1", "v2"], ["v2"], "v1", { matchPolicy: "Exact" }],
  ["both versions", ["v1", "v2"], ["v2", "v1"], "v1", {}],
  ["any version", ["v1", "v2"], ["*"], "v2", {}],
  ["neither version", ["v1", "v2"], ["v3"], "v2", {}],
  [
    "excluded in the other version",
    ["v1", "v2"],
    ["v1"],
    "v1",
    { excludeResourceRules: [widgetRule({ apiVersions: ["v2"] })] },
  ],
  [
    "excluded in the other version, Exact",
    ["v1", "v2"],
    ["v1"],
    "v1",
    { matchPolicy: "Exact", excludeResourceRules: [widgetRule({ apiVersions: ["v2"] })] },
  ],
  ["three versions", ["v1", "v2", "v3"], ["v3"], "v2", {}],
];

export const budget = [
  ["below", [checks(2)], undefined],
  ["three checks", [checks(3)], undefined],
  ["fourteen expressions of two checks", Array(14).fill(checks(2)), undefined],
  ["fifteen expressions of two checks", Array(15).fill(checks(2)), undefined],
  ["eighty expressions of one check", Array(29).fill(CHECK), undefined],
  ["messages spend the rest", Array(13).fill(checks(2)), "string(['a'].all(x, x == 'a'))"],
  [
    "messages run out",
    Array(14).fill(checks(2)),
    "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(d, a + b + c + d)))).size() > 0 ? 'x' : 'y'",
  ],
];

export const several = [
  { id: "several: unbound policy", policies: [policy(FALSE)], bindings: [], request: create() },
  { id: "several: binding without policy", policies: [], bindings: [binding()], request: create() },
  {
    id: "several: two bindings, one denies",
    policies: [policy(FALSE)],
    bindings: [binding({ validationActions: ["Warn"] }, "{{n}}-a"), binding({}, "{{n}}-b")],
    request: create(),
  },
  {
    id: "several: binding narrows by object",
    policies: [policy(FALSE)],
    bindings: [binding({ matchResources: { objectSelector: { matchLabels: { other: "x" } } } })],
    request: create(),
  },
  {
    id: "several: binding narrows by operation",
    policies: [policy(FALSE)],
    bindings: [binding({ matchResources: { resourceRules: [rule({ operations: ["DELETE"] })] } })],
    request: create(),
  },
  {
    id: "several: binding matches by rule",
    policies: [policy(FALSE)],
    bindings: [binding({ matchResources: { resourceRules: [rule({ operations: ["CREATE"] })] } })],
    request: create(),
  },
  {
    id: "several: binding excludes",
    policies: [policy(FALSE)],
    bindings: [binding({ matchResources: { excludeResourceRules: [rule()] } })],
    request: create(),
  },
  {
    id: "several: binding by namespace",
    policies: [policy(FALSE)],
    bindings: [
      binding({ matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } } }),
    ],
    request: create(),
  },
  {
    id: "several: binding by another namespace",
    policies: [policy(FALSE)],
    bindings: [
      binding({ matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "other" } } } }),
    ],
    request: create(),
  },
  {
    id: "several: passing policy beside a failing one",
    policies: [policy({ validations: [{ expression: "true" }] }, "{{n}}-a"), policy(FALSE, "{{n}}-b")],
    bindings: [binding({ policyName: "{{n}}-a" }, "{{n}}-a"), binding({ policyName: "{{n}}-b" }, "{{n}}-b")],
    request: create(),
  },
  {
    id: "several: warning beside a denial",
    policies: [policy({ validations: [{ expression: "false", message: "w" }] }, "{{n}}-a"), policy(FALSE, "{{n}}-b")],
    bindings: [
      binding({ policyName: "{{n}}-a", validationActions: ["Warn"] }, "{{n}}-a"),
      binding({ policyName: "{{n}}-b" }, "{{n}}-b"),
    ],
    request: create(),
  },
  {
    id: "several: annotations beside a denial",
    policies: [
      policy({
        ...FALSE,
        auditAnnotations: [
          { key: "k", valueExpression: "'v'" },
          { key: "l", valueExpression: "''" },
          { key: "m", valueExpression: "'w'" },
        ],
      }),
    ],
    bindings: [binding()],
    request: create(),
  },
  {
    id: "several: annotations of two bindings",
    policies: [policy({ auditAnnotations: [{ key: "k", valueExpression: "'v'" }] })],
    bindings: [binding({}, "{{n}}-a"), binding({ validationActions: ["Warn"] }, "{{n}}-b")],
    request: create(),
  },
  {
    id: "several: equal warnings once",
    policies: [
      policy({
        validations: [
          { expression: "false", message: "same" },
          { expression: "1 == 2", message: "same" },
        ],
      }),
    ],
    bindings: [binding({ validationActions: ["Warn"] })],
    request: create(),
  },
  {
    id: "several: secrets and config maps",
    policies: [policy({ match: { resourceRules: [rule({ resources: ["secrets"] })] }, ...FALSE })],
    bindings: [binding()],
    request: {
      ...create({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "{{n}}", namespace: "default", labels: { case: "{{n}}" } },
        type: "Opaque",
      }),
      ...secrets,
    },
  },
];

export const subresources = [
  ["status of a custom resource", ["widgets/status"], "status"],
  ["status is not the resource", ["widgets"], "status"],
  ["any subresource", ["widgets/*"], "status"],
  ["any resource's status", ["*/status"], "status"],
  ["everything", ["*/*"], "status"],
  ["all resources without subresources", ["*"], "status"],
  ["scale", ["widgets/scale"], "scale"],
];
