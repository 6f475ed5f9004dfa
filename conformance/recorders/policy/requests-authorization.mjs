export const CHECK = "authorizer.path('/a').check('get').allowed()";
export const checks = (count) => Array.from({ length: count }, () => CHECK).join(" && ");
const role = (rules, over = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name: "{{n}}", namespace: "default" },
  rules,
  ...over,
});
const roleBinding = (subjects, over = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "{{n}}", namespace: "default" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "{{n}}" },
  subjects,
  ...over,
});
const clusterRole = (rules, over = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "{{n}}" },
  rules,
  ...over,
});
const clusterRoleBinding = (subjects, over = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "{{n}}" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{{n}}" },
  subjects,
  ...over,
});
export const user = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name });
export const group = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name });
const serviceAccount = (namespace, name) => ({ kind: "ServiceAccount", namespace, name });
const core = (resources, verbs, over = {}) => ({ apiGroups: [""], resources, verbs, ...over });
const asAlice = { user: { name: "{{n}}-alice", groups: ["{{n}}-devs"] } };
/** Without this alice could not send the request at all. */
export const mayWrite = [
  { ...clusterRole([core(["configmaps"], ["create"])]), metadata: { name: "{{n}}-write" } },
  {
    ...clusterRoleBinding([user("{{n}}-alice")]),
    metadata: { name: "{{n}}-write" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{{n}}-write" },
  },
];

/** The user, the roles, the question. */
export const authorization = [
  ["admin may everything", {}, [], "authorizer.group('x').resource('y').check('z')"],
  ["alice may nothing", asAlice, [], "authorizer.group('x').resource('y').check('z')"],
  [
    "role by user",
    asAlice,
    [role([core(["secrets"], ["list"])]), roleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').namespace('default').check('list')",
  ],
  [
    "role by group",
    asAlice,
    [role([core(["secrets"], ["list"])]), roleBinding([group("{{n}}-devs")])],
    "authorizer.group('').resource('secrets').namespace('default').check('list')",
  ],
  [
    "role of another namespace",
    asAlice,
    [role([core(["secrets"], ["list"])]), roleBinding([group("{{n}}-devs")])],
    "authorizer.group('').resource('secrets').namespace('kube-system').check('list')",
  ],
  [
    "role without namespace asked",
    asAlice,
    [role([core(["secrets"], ["list"])]), roleBinding([group("{{n}}-devs")])],
    "authorizer.group('').resource('secrets').check('list')",
  ],
  [
    "cluster role bound in a namespace",
    asAlice,
    [
      clusterRole([core(["secrets"], ["list"])]),
      roleBinding([user("{{n}}-alice")], {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{{n}}" },
      }),
    ],
    "authorizer.group('').resource('secrets').namespace('default').check('list')",
  ],
  [
    "cluster role",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').namespace('anything').check('list')",
  ],
  [
    "cluster role by group",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([group("{{n}}-devs")])],
    "authorizer.group('').resource('secrets').check('list')",
  ],
  [
    "authenticated group",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x"], verbs: ["watch"] }]),
      clusterRoleBinding([group("system:authenticated")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').check('watch')",
  ],
  [
    "another verb",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').check('get')",
  ],
  [
    "any verb",
    asAlice,
    [clusterRole([core(["events"], ["*"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('events').check('anything')",
  ],
  [
    "another group",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('apps').resource('secrets').check('list')",
  ],
  [
    "any group",
    asAlice,
    [
      clusterRole([{ apiGroups: ["*"], resources: ["gizmos"], verbs: ["list"] }]),
      clusterRoleBinding([user("{{n}}-alice")]),
    ],
    "authorizer.group('whatever').resource('gizmos').check('list')",
  ],
  [
    "any resource",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["*"], verbs: ["list"] }]),
      clusterRoleBinding([user("{{n}}-alice")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').subresource('y').check('list')",
  ],
  [
    "subresource",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x/y"], verbs: ["list"] }]),
      clusterRoleBinding([user("{{n}}-alice")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').subresource('y').check('list')",
  ],
  [
    "subresource without",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x"], verbs: ["list"] }]),
      clusterRoleBinding([user("{{n}}-alice")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').subresource('y').check('list')",
  ],
  [
    "any resource with a subresource",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["*/y"], verbs: ["list"] }]),
      clusterRoleBinding([user("{{n}}-alice")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').subresource('y').check('list')",
  ],
  [
    "resource name",
    asAlice,
    [clusterRole([core(["secrets"], ["get"], { resourceNames: ["s"] })]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').name('s').check('get')",
  ],
  [
    "another resource name",
    asAlice,
    [clusterRole([core(["secrets"], ["get"], { resourceNames: ["s"] })]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').name('t').check('get')",
  ],
  [
    "resource name not asked",
    asAlice,
    [clusterRole([core(["secrets"], ["get"], { resourceNames: ["s"] })]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').check('get')",
  ],
  [
    "path",
    asAlice,
    [clusterRole([{ nonResourceURLs: ["/{{n}}"], verbs: ["get"] }]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.path('/{{n}}').check('get')",
  ],
  [
    "path below",
    asAlice,
    [clusterRole([{ nonResourceURLs: ["/{{n}}"], verbs: ["get"] }]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.path('/{{n}}/x').check('get')",
  ],
  [
    "path by prefix",
    asAlice,
    [clusterRole([{ nonResourceURLs: ["/{{n}}/*"], verbs: ["get"] }]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.path('/{{n}}/x').check('get')",
  ],
  [
    "path at the prefix",
    asAlice,
    [clusterRole([{ nonResourceURLs: ["/{{n}}/*"], verbs: ["get"] }]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.path('/{{n}}').check('get')",
  ],
  [
    "service account",
    {},
    [clusterRole([core(["secrets"], ["get"])]), clusterRoleBinding([serviceAccount("default", "{{n}}")])],
    "authorizer.serviceAccount('default', '{{n}}').group('').resource('secrets').check('get')",
  ],
  [
    "service account of another namespace",
    {},
    [clusterRole([core(["secrets"], ["get"])]), clusterRoleBinding([serviceAccount("kube-system", "{{n}}")])],
    "authorizer.serviceAccount('default', '{{n}}').group('').resource('secrets').check('get')",
  ],
  [
    "service account by group",
    {},
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x"], verbs: ["get"] }]),
      clusterRoleBinding([group("system:serviceaccounts:default")]),
    ],
    "authorizer.serviceAccount('default', '{{n}}').group('{{n}}.io').resource('x').check('get')",
  ],
  [
    "service account of all",
    {},
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x"], verbs: ["get"] }]),
      clusterRoleBinding([group("system:serviceaccounts")]),
    ],
    "authorizer.serviceAccount('default', '{{n}}').group('{{n}}.io').resource('x').check('get')",
  ],
  [
    "second subject",
    asAlice,
    [
      clusterRole([{ apiGroups: ["{{n}}.io"], resources: ["x"], verbs: ["get"] }]),
      clusterRoleBinding([user("bob"), user("{{n}}-alice")]),
    ],
    "authorizer.group('{{n}}.io').resource('x').check('get')",
  ],
  [
    "missing role",
    asAlice,
    [
      {
        ...clusterRoleBinding([user("{{n}}-alice")]),
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{{n}}-missing" },
      },
    ],
    "authorizer.group('{{n}}.io').resource('x').check('get')",
  ],
  [
    "missing namespaced role",
    asAlice,
    [roleBinding([user("{{n}}-alice")])],
    "authorizer.group('{{n}}.io').resource('x').namespace('default').check('get')",
  ],
  [
    "request resource",
    asAlice,
    [clusterRole([core(["configmaps"], ["frob"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.requestResource.check('frob')",
  ],
  ["request resource not", asAlice, [], "authorizer.requestResource.check('frobnicate')"],
  [
    "label selector",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').labelSelector('a=b').check('list')",
  ],
  [
    "field selector",
    asAlice,
    [clusterRole([core(["secrets"], ["list"])]), clusterRoleBinding([user("{{n}}-alice")])],
    "authorizer.group('').resource('secrets').fieldSelector('metadata.name=b').check('list')",
  ],
];
