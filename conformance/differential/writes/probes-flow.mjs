/** Flow control, service CIDRs and addresses, and API services. */
import { cluster, meta, metaMistakes, nameMistakes } from "./mistakes.mjs";

const FLOW = "flowcontrol.apiserver.k8s.io/v1";
const group = { kind: "Group", group: { name: "g" } };
const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["default"] };
const urlRule = { verbs: ["get"], nonResourceURLs: ["/x"] };
const condition = { type: "A", status: "True", lastTransitionTime: "2020-01-01T00:00:00Z", reason: "R", message: "m" };
const EVERYTHING = { resources: ["*"], verbs: ["*"], apiGroups: ["*"], namespaces: ["*"], clusterScope: true };

const flowSpec = {
  "spec.matchingPrecedence": [0, -1, 1, 10000, 10001, undefined],
  "spec.distinguisherMethod": [{}, { type: "Foo" }, { type: "ByUser" }, { type: "ByNamespace" }],
  "spec.priorityLevelConfiguration": [undefined, {}, { name: "Bad_" }, { name: "nowhere" }],
  "spec.rules": [
    [{}],
    [],
    [{ subjects: [group] }],
    [{ subjects: [], resourceRules: [resourceRule] }],
    [{ subjects: [group], nonResourceRules: [urlRule] }],
  ],
  "spec.rules.0.subjects.0": [
    {},
    { kind: "Foo" },
    { kind: "User" },
    { kind: "Group" },
    { kind: "ServiceAccount" },
    { kind: "User", user: {} },
    { kind: "User", user: { name: "u" } },
    { kind: "Group", group: {} },
    { kind: "ServiceAccount", serviceAccount: {} },
    { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "*" } },
    { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "a" } },
    { kind: "ServiceAccount", serviceAccount: { name: "Bad_", namespace: "Bad_" } },
    { kind: "User", user: { name: "u" }, group: { name: "g" }, serviceAccount: { name: "s", namespace: "n" } },
    { kind: "Group", user: { name: "u" }, group: { name: "g" }, serviceAccount: { name: "s", namespace: "n" } },
    {
      kind: "ServiceAccount",
      user: { name: "u" },
      group: { name: "g" },
      serviceAccount: { name: "s", namespace: "n" },
    },
  ],
  "spec.rules.0.resourceRules.0": [
    {},
    { ...resourceRule, verbs: ["foo"] },
    { ...resourceRule, verbs: ["get", "*"] },
    { ...resourceRule, verbs: ["*"] },
    { ...resourceRule, verbs: [] },
    { ...resourceRule, apiGroups: ["*", "a"] },
    { ...resourceRule, apiGroups: [] },
    { ...resourceRule, resources: ["*", "a"] },
    { ...resourceRule, resources: [] },
    { ...resourceRule, namespaces: ["*", "a"] },
    { ...resourceRule, namespaces: ["Bad_", ""] },
    { ...resourceRule, namespaces: [] },
    { ...resourceRule, namespaces: [], clusterScope: true },
  ],
  "spec.rules.0.nonResourceRules": [
    [{}],
    [{ verbs: ["foo"], nonResourceURLs: ["*", "/a"] }],
    [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    ...["", "/", "a", "/a b", "/a//b", "/a*", "/a/*", "/*/a/*", "/*"].map((url) => [
      { verbs: ["get"], nonResourceURLs: [url] },
    ]),
  ],
};

const level = (limited) => ({ type: "Limited", limited });
const queue = (queuing) => level({ limitResponse: { type: "Queue", queuing } });

const levelSpec = {
  spec: [
    undefined,
    {},
    { type: "Foo" },
    { type: "Exempt" },
    { type: "Exempt", exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } },
    { type: "Exempt", limited: {} },
    { type: "Limited" },
    { type: "Limited", exempt: {} },
    { type: "Limited", limited: {}, exempt: {} },
    level({ limitResponse: { type: "Foo" } }),
    level({ limitResponse: { type: "Queue" } }),
    level({ limitResponse: { type: "Reject", queuing: {} } }),
    level({ nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } }),
    level({ nominalConcurrencyShares: -1, limitResponse: { type: "Reject" } }),
    level({ lendablePercent: -1, limitResponse: { type: "Reject" } }),
    level({ lendablePercent: 101, limitResponse: { type: "Reject" } }),
    level({ borrowingLimitPercent: -1, limitResponse: { type: "Reject" } }),
    level({ borrowingLimitPercent: 300, limitResponse: { type: "Reject" } }),
    queue({}),
    queue({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
    queue({ queues: 10000001 }),
    queue({ queues: 2, handSize: 3 }),
    queue({ queues: 1024, handSize: 7 }),
    queue({ queues: 1024, handSize: 6 }),
  ],
};

const flowStatus = {
  "status.conditions": [
    [condition],
    [condition, condition],
    [{ ...condition, type: "" }],
    [{ ...condition, type: undefined }, condition],
  ],
  "metadata.labels": [{ a: "b" }, { "b d": "x" }],
};

const ip = (index) => `192.0.2.${index + 1}`;

export const flowProbes = [
  {
    path: cluster(FLOW, "flowschemas"),
    isShared: true,
    object: {
      apiVersion: FLOW,
      kind: "FlowSchema",
      metadata: meta(),
      spec: {
        priorityLevelConfiguration: { name: "exempt" },
        matchingPrecedence: 9999,
        rules: [{ subjects: [group], resourceRules: [resourceRule] }],
      },
    },
    mistakes: {
      ...metaMistakes,
      ...flowSpec,
      spec: [undefined, {}],
      "metadata.name": [...nameMistakes["metadata.name"], "exempt", "catch-all"],
    },
    changes: {
      ...metaMistakes,
      "spec.matchingPrecedence": [1, 500],
      "spec.rules.0.subjects": [[]],
      status: [{ conditions: [{}] }],
    },
    statuses: flowStatus,
  },
  {
    path: cluster(FLOW, "flowschemas"),
    object: {
      apiVersion: FLOW,
      kind: "FlowSchema",
      metadata: meta(),
      spec: {
        priorityLevelConfiguration: { name: "exempt" },
        matchingPrecedence: 1,
        rules: [
          {
            subjects: [{ kind: "Group", group: { name: "system:masters" } }],
            resourceRules: [EVERYTHING],
            nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
          },
        ],
      },
    },
    mistakes: { "metadata.name": ["exempt", "catch-all", "{{n}}-e"] },
  },
  {
    path: cluster(FLOW, "prioritylevelconfigurations"),
    object: {
      apiVersion: FLOW,
      kind: "PriorityLevelConfiguration",
      metadata: meta(),
      spec: level({ limitResponse: { type: "Reject" } }),
    },
    mistakes: {
      ...metaMistakes,
      ...levelSpec,
      "metadata.name": [...nameMistakes["metadata.name"], "exempt", "catch-all"],
      "metadata.annotations": [{ "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": "" }],
    },
    changes: { ...metaMistakes, "spec.type": ["Exempt", "Foo"], "spec.limited.nominalConcurrencyShares": [-1, 7] },
    statuses: flowStatus,
  },
  {
    path: cluster("networking.k8s.io/v1", "servicecidrs"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: meta(),
      spec: { cidrs: ["10.77.0.0/24"] },
    },
    mistakes: {
      ...metaMistakes,
      ...nameMistakes,
      spec: [undefined, {}],
      "spec.cidrs": [
        [],
        ["x"],
        ["10.78.0.1/24"],
        ["010.78.0.0/24"],
        ["10.78.0.0/024"],
        ["::ffff:10.78.0.0/120"],
        ["2001:DB8::/64"],
        ["2001:db8:0::/64"],
        ["10.78.0.0/24", "10.79.0.0/24"],
        ["2001:db8::/64", "2001:db9::/64"],
        ["10.78.0.0/24", "2001:db8::/64"],
        ["10.78.0.0/24", "x"],
        ["10.78.0.0/24", "10.79.0.0/24", "2001:db8::/64"],
      ],
      status: [{ conditions: [{}] }],
    },
    changes: {
      ...metaMistakes,
      "spec.cidrs": [
        ["10.78.0.0/24"],
        ["10.77.0.0/24", "2001:db8::/64"],
        ["10.77.0.0/24", "10.79.0.0/24"],
        ["10.78.0.0/24", "2001:db8::/64"],
        ["10.77.0.0/24", "x"],
        [],
        ["10.77.0.0/24", "2001:db8::/64", "x"],
      ],
    },
    statuses: {
      "status.conditions": [[condition], [{ type: "", status: "Foo" }], [condition, condition]],
      "metadata.labels": [{ a: "b" }],
    },
  },
  {
    path: cluster("networking.k8s.io/v1", "ipaddresses"),
    name: ip,
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "IPAddress",
      metadata: {},
      spec: { parentRef: { resource: "services", namespace: "default", name: "{{n}}" } },
    },
    mistakes: {
      ...metaMistakes,
      "metadata.name": [
        ...["x", "010.0.0.1", "::ffff:1.2.3.4", "fe80::1%eth0", "2001:DB8::5", "2001:db8:0::5", "1.2.3", "2001:db8::5"],
      ],
      spec: [undefined, {}],
      "spec.parentRef": [
        null,
        {},
        { resource: "services" },
        { name: "x" },
        { group: "Bad_", resource: "a/b", name: "..", namespace: "c%d" },
        { group: "a.b", resource: "c", name: "d" },
      ],
    },
    changes: {
      ...metaMistakes,
      "spec.parentRef": [null, { resource: "services", name: "other" }],
    },
  },
  {
    path: cluster("apiregistration.k8s.io/v1", "apiservices"),
    name: () => "v1.{{n}}.example.com",
    object: {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: {},
      spec: { group: "{{n}}.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 10 },
    },
    mistakes: {
      ...metaMistakes,
      "metadata.name": ["{{n}}", "a/b", ".."],
      "metadata.generateName": ["v1."],
      "metadata.finalizers": [["noslash"]],
      spec: [undefined, {}],
      "spec.group": ["", "Bad_"],
      "spec.version": ["", "1v", "v2"],
      "spec.groupPriorityMinimum": [0, -1, 20000, 20001],
      "spec.versionPriority": [0, 1000, 1001],
      "spec.caBundle": ["AAAA"],
      "spec.insecureSkipTLSVerify": [true],
      "spec.service": [
        {},
        { name: "s" },
        { name: "s", namespace: "n", port: 0 },
        { name: "s", namespace: "n", port: 70000 },
      ],
      status: [{ conditions: [{}] }],
    },
    changes: {
      ...metaMistakes,
      "spec.group": ["other.example.com"],
      "spec.versionPriority": [0, 20],
      "spec.service": [{}],
    },
    statuses: {
      "status.conditions": [[{ type: "A", status: "Foo" }], [{ type: "", status: "" }]],
    },
  },
];
