/** Small requests that are slow because of what is stored: roles, policies, quotas, flow schemas, schemas and defaults. */
import type { Client, Json } from "../app/app.testing.ts";
import { create, type HostileRequest, NAMESPACE, object, type Preparation } from "./hostile-requests.testing.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";
const CONFIG_MAPS = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

async function store(api: Client, path: string, body: Json): Promise<void> {
  const made = await api.post(path, body);
  if (made.code !== 201 && made.code !== 409) throw new Error(`${path}: ${made.text.slice(0, 500)}`);
}

const namespaceOf = (name: string): string => `/api/v1/namespaces/${name}`;

async function makeNamespace(api: Client, name: string, labels: Json = {}): Promise<void> {
  await store(api, "/api/v1/namespaces", { metadata: { name, labels } });
}

/** Alice has one role with 10,000 rules, and 200 bindings to it. */
const makeRights: Preparation = async (api) => {
  await makeNamespace(api, "rights");
  const rules = range(10_000).map((i) => ({ apiGroups: ["a"], resources: [`r${i}`], verbs: ["get"] }));
  await store(api, `${RBAC}/clusterroles`, { metadata: { name: "rights" }, rules });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "rights" };
  const subjects = [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }];
  for (const i of range(200))
    await store(api, `${RBAC}/namespaces/rights/rolebindings`, { metadata: { name: `b${i}` }, roleRef, subjects });
  await api.app.settled();
};

/** 150 roles with 150 rules each that one role collects. */
const makeAggregated: Preparation = async (api) => {
  const matchLabels = { collected: "yes" };
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
  await store(api, `${RBAC}/clusterroles`, { metadata: { name: "collecting" }, aggregationRule, rules: [] });
  for (const i of range(150)) {
    const rules = range(150).map((j) => ({ apiGroups: ["a"], resources: [`r${i}-${j}`], verbs: ["get"] }));
    await store(api, `${RBAC}/clusterroles`, { metadata: { name: `part-${i}`, labels: matchLabels }, rules });
  }
  await api.app.settled();
};

/** A flow schema as large as may be stored, before all others. */
const makeFlows: Preparation = async (api) => {
  const subjects = [{ kind: "User", user: { name: "nobody" } }];
  const resourceRules = [{ verbs: ["get"], apiGroups: ["a"], resources: ["b"], namespaces: ["*"] }];
  const rules = range(6_000).map(() => ({ subjects, resourceRules }));
  const spec = { priorityLevelConfiguration: { name: "global-default" }, matchingPrecedence: 2, rules };
  await store(api, `${FLOW}/flowschemas`, { metadata: { name: "long" }, spec });
  await api.app.settled();
};

/** As many queues as validation allows. */
const QUEUES = {
  type: "Limited",
  limited: {
    nominalConcurrencyShares: 1,
    limitResponse: { type: "Queue", queuing: { queues: 10_000_000, handSize: 2, queueLengthLimit: 50 } },
  },
};

const makeQueues: Preparation = async (api) => {
  await store(api, `${FLOW}/prioritylevelconfigurations`, { metadata: { name: "queues" }, spec: QUEUES });
  const rules = [
    {
      subjects: [{ kind: "User", user: { name: "alice" } }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true }],
    },
  ];
  const spec = {
    priorityLevelConfiguration: { name: "queues" },
    matchingPrecedence: 3,
    distinguisherMethod: { type: "ByUser" },
    rules,
  };
  await store(api, `${FLOW}/flowschemas`, { metadata: { name: "queues" }, spec });
  await api.app.settled();
};

const makeBudgets: Preparation = async (api) => {
  await makeNamespace(api, "budgets");
  const labels = { app: "a" };
  const spec = { containers: [{ name: "c", image: "i" }] };
  await store(api, `${namespaceOf("budgets")}/serviceaccounts`, { metadata: { name: "default" } });
  await store(api, `${namespaceOf("budgets")}/pods`, { metadata: { name: "p", labels }, spec });
  const values = range(2_000).map((i) => `v${i}`);
  for (const i of range(300)) {
    const selector = { matchExpressions: [{ key: "app", operator: "NotIn", values }] };
    const budget = { metadata: { name: `b${i}` }, spec: { minAvailable: 1, selector } };
    await store(api, "/apis/policy/v1/namespaces/budgets/poddisruptionbudgets", budget);
  }
  await api.app.settled();
};

const webhookBase = {
  clientConfig: { url: "https://127.0.0.1:1/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  failurePolicy: "Ignore",
};

const makeConditions: Preparation = async (api) => {
  await makeNamespace(api, "conditions", { conditions: "yes" });
  const namespaceSelector = { matchLabels: { conditions: "yes" } };
  const list = `[${range(50).join(",")}]`;
  const expression = `!${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  const webhooks = range(200).map((j) => ({
    ...webhookBase,
    name: `w${j}.example.com`,
    rules: [CONFIG_MAPS],
    namespaceSelector,
    matchConditions: [{ name: "c", expression: `${expression} && ${j} > -1` }],
  }));
  await store(api, `${ADMISSION}/validatingwebhookconfigurations`, { metadata: { name: "conditions" }, webhooks });
  await api.app.settled();
};

interface PolicySpec {
  readonly [field: string]: unknown;
}

/** A policy for the config maps of one namespace, which has its name. */
const policed =
  (name: string, spec: PolicySpec, others: (api: Client) => Promise<void> = async () => {}): Preparation =>
  async (api) => {
    await makeNamespace(api, name, { policed: name });
    const matchConstraints = {
      namespaceSelector: { matchLabels: { policed: name } },
      resourceRules: [{ ...CONFIG_MAPS, operations: ["CREATE", "UPDATE"] }],
    };
    await store(api, `${ADMISSION}/validatingadmissionpolicies`, {
      metadata: { name },
      spec: { matchConstraints, ...spec },
    });
    const binding = { policyName: name, validationActions: ["Deny"], ...(spec["paramKind"] ? PARAMS : {}) };
    await store(api, `${ADMISSION}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding });
    await others(api);
    await api.app.settled();
  };

const PARAMS = { paramRef: { namespace: "params", selector: {}, parameterNotFoundAction: "Deny" } };

/** `[[[0, 0], [0, 0]], …]`, made of as many lists as there are levels. */
const doubled = (levels: number, seed: string): string =>
  range(levels).reduce((text, i) => `${text}.map(x${i}, [x${i}, x${i}])`, `[${seed}]`);

/** 4,000 keys: less than what another thread takes over. */
const smallMap = (): string => `"data":${JSON.stringify(Object.fromEntries(range(3_000).map((i) => [`k${i}`, "v"])))}`;

const LOOP = `[${range(60).join(",")}]`;

const underPolicy = (what: string, name: string, spec: PolicySpec, others?: (api: Client) => Promise<void>) => ({
  ...create(
    `${namespaceOf(name)}/configmaps`,
    `a small object under a policy: ${what}`,
    () => object("v1", "ConfigMap", smallMap()),
    policed(name, spec, others),
  ),
});

const validating = (expression: string): PolicySpec => ({ validations: [{ expression }] });

const mutating =
  (name: string, expression: string): Preparation =>
  async (api) => {
    await makeNamespace(api, name, { mutated: name });
    const matchConstraints = {
      namespaceSelector: { matchLabels: { mutated: name } },
      resourceRules: [{ ...CONFIG_MAPS, operations: ["CREATE", "UPDATE"] }],
    };
    const mutations = [{ patchType: "JSONPatch", jsonPatch: { expression } }];
    const spec = { matchConstraints, mutations, reinvocationPolicy: "Never", failurePolicy: "Fail" };
    await store(api, `${ADMISSION}/mutatingadmissionpolicies`, { metadata: { name }, spec });
    await store(api, `${ADMISSION}/mutatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name },
    });
    await api.app.settled();
  };

const underMutation = (what: string, name: string, expression: string): HostileRequest =>
  create(
    `${namespaceOf(name)}/configmaps`,
    `a small object under a mutating policy: ${what}`,
    () => object("v1", "ConfigMap", smallMap()),
    mutating(name, expression),
  );

const makeParams = async (api: Client): Promise<void> => {
  await makeNamespace(api, "params");
  for (const i of range(2_000))
    await store(api, `${namespaceOf("params")}/configmaps`, { metadata: { name: `p${i}` } });
};

// biome-ignore format: a table
export const stateRequests: readonly HostileRequest[] = [
  { name: "GET by a user with 200 bindings to 10,000 rules", needs: makeRights, method: "GET", path: `${namespaceOf("rights")}/configmaps`, headers: { "impersonate-user": "alice" } },
  { name: "SelfSubjectRulesReview of 200 bindings to 10,000 rules", needs: makeRights, method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", headers: { "impersonate-user": "alice" }, body: () => '{"spec":{"namespace":"rights"}}' },
  { name: "SelfSubjectAccessReview of 200 bindings to 10,000 rules", needs: makeRights, method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", headers: { "impersonate-user": "alice" }, body: () => '{"spec":{"resourceAttributes":{"namespace":"rights","verb":"get","resource":"none"}}}' },
  { name: "a change of a role that another one collects with 150 others", needs: makeAggregated, method: "PATCH", path: `${RBAC}/clusterroles/part-1`, type: "application/merge-patch+json", body: () => '{"rules":[{"apiGroups":["b"],"resources":["c"],"verbs":["get"]}]}' },
  { name: "an escalation check against 10,000 rules", needs: makeRights, method: "POST", path: `${RBAC}/clusterroles?dryRun=All`, headers: { "impersonate-user": "alice" }, body: () => JSON.stringify({ metadata: { name: "copy" }, rules: range(500).map((i) => ({ apiGroups: ["a"], resources: [`r${i}`], verbs: ["get"] })) }) },
  { name: "a GET behind a flow schema of 6,000 rules", needs: makeFlows, method: "GET", path: `${NAMESPACE}/configmaps`, headers: { "impersonate-user": "bob" } },
  { name: "a priority level with ten million queues", method: "POST", path: `${FLOW}/prioritylevelconfigurations?dryRun=All`, body: () => JSON.stringify({ metadata: { name: "q" }, spec: QUEUES }) },
  { name: "a GET at a priority level with ten million queues", needs: makeQueues, method: "GET", path: `${NAMESPACE}/configmaps`, headers: { "impersonate-user": "alice" } },
  { name: "an eviction of a pod with 300 budgets", needs: makeBudgets, method: "POST", path: `${namespaceOf("budgets")}/pods/p/eviction?dryRun=All`, body: () => JSON.stringify({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } }) },
  create(`${namespaceOf("conditions")}/configmaps`, "a small object and 200 webhooks whose conditions take long", () => object("v1", "ConfigMap", '"data":{"a":"b"}'), makeConditions),
  underPolicy("equal lists of 40 levels", "levels", validating(`${doubled(40, "0")} == ${doubled(40, "0")}`)),
  underPolicy("lists of 40 levels among others", "among", validating(`${doubled(40, "0")} in [${doubled(40, "0")}]`)),
  underPolicy("a text of lists of 40 levels", "levelstext", validating(`'%s'.format([${doubled(40, "0")}]) != ''`)),
  underPolicy("a flat list of 40 levels", "flat", validating(`${doubled(40, "0")}.flatten(50).size() > 0`)),
  underPolicy("equal variables of 40 levels", "variables", { variables: range(41).flatMap((i) => ["a", "b"].map((name) => ({ name: `${name}${i}`, expression: i === 0 ? "[1]" : `[variables.${name}${i - 1}, variables.${name}${i - 1}]` }))), validations: [{ expression: "variables.a40 == variables.b40" }] }),
  underPolicy("variables whose texts double", "texts", { variables: range(40).map((i) => ({ name: `v${i}`, expression: i === 0 ? "'ab'" : `'%s%s%s%s'.format([variables.v${i - 1}, variables.v${i - 1}, variables.v${i - 1}, variables.v${i - 1}])` })), validations: [{ expression: "variables.v39.size() > 1" }] }),
  underPolicy("replacements that grow", "growing", { variables: range(12).map((i) => ({ name: `v${i}`, expression: i === 0 ? "'a'" : `variables.v${i - 1}.replace('a', '${"a".repeat(200)}')` })), validations: [{ expression: "variables.v11.size() > 1" }] }),
  underPolicy("3,600 comparisons of the object", "compared", validating(`${LOOP}.all(a, ${LOOP}.all(b, object.data == {'k': 'v'} || object.data == dyn(object).data))`)),
  underPolicy("searches of all keys in all keys", "searched", validating("object.data.map(k, k).all(k, object.data.map(x, x).indexOf('none') < 0)")),
  underPolicy("sets of all keys", "sets", validating("sets.equivalent(object.data.map(k, k), object.data.map(k, k + ''))")),
  underPolicy("a pattern of 2,000 choices from the object", "pattern", validating(`object.data.map(k, k).join('').matches('${"(k|0)?".repeat(300)}x') || true`)),
  underPolicy("100 message expressions that take long", "messages", { validations: range(100).map(() => ({ expression: "false", messageExpression: `string(${LOOP}.all(a, ${LOOP}.all(b, a + b >= 0)))` })) }),
  underPolicy("30 validations that use their budget", "budget", { validations: range(30).map((i) => ({ expression: `${LOOP}.all(a, ${LOOP}.all(b, ${LOOP}.all(c, a + b + c >= ${-i})))` })) }),
  underPolicy("2,000 params", "manyparams", { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: `params.metadata.name != object.metadata.name && ${LOOP}.all(a, a >= 0)` }] }, makeParams),
  underMutation("a value of 25 levels", "mutated", `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": string(${doubled(25, "0")}.size())}}, JSONPatch{op: "add", path: "/data", value: dyn(${doubled(25, "0")})}]`),
  underMutation("a value of 45 levels", "mutatedmore", `[JSONPatch{op: "add", path: "/data", value: dyn(${doubled(45, "0")})}]`),
  underMutation("9,000 operations", "operations", `object.data.map(k, JSONPatch{op: "add", path: "/data/x" + k, value: "v"})`),
];
