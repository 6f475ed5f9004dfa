/** Random admission policies about ConfigMaps and Deployments, each for the objects that have its own label. */

const CONDITIONS = [
  "true",
  "false",
  "object.metadata.name.startsWith('n')",
  "has(object.data) && 'a' in object.data",
  "object.data.a == 'x'",
  "object.data['b'].size() > 1",
  "object.?data.?a.orValue('') != 'x'",
  "request.operation == 'CREATE'",
  "request.operation != 'DELETE' && object.data.size() < 3",
  "oldObject == null",
  "oldObject.data == object.data",
  "oldObject == null || oldObject.?data.a == object.?data.a",
  "request.userInfo.username == 'admin'",
  "'system:masters' in request.userInfo.groups",
  "request.dryRun",
  "request.name == object.metadata.name",
  "request.namespace == 'default'",
  "request.resource.resource == 'configmaps'",
  "request.kind.kind == 'Deployment'",
  "request.options.fieldManager == 'm'",
  "has(request.options) && has(request.options.dryRun)",
  "namespaceObject.metadata.name == 'default'",
  "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'",
  "namespaceObject.metadata.labels['nope'] == 'x'",
  "has(namespaceObject.status) && namespaceObject.status.phase == 'Active'",
  "authorizer.group('').resource('pods').namespace('default').check('create').allowed()",
  "authorizer.requestResource.check('delete').allowed()",
  "authorizer.serviceAccount('default', 'x').group('').resource('pods').check('get').allowed()",
  "authorizer.path('/healthz').check('get').reason() == ''",
  "authorizer.group('apps').resource('deployments').subresource('scale').name('x').check('update').errored()",
  "params == null",
  "params.data.limit == '1'",
  "int(params.data.limit) > object.data.size()",
  "has(params.data.nope)",
  "params.data.nope == 'x'",
  "variables.v == 'x'",
  "variables.v.size() > 0",
  "variables.w",
  "variables.list.all(x, x != 'x')",
  "object.spec.replicas > 1",
  "object.spec.template.spec.containers.all(c, c.image.contains('i'))",
  "object.spec.template.spec.containers[0].resources.limits['cpu'] == '1'",
  "quantity(object.spec.template.spec.containers[0].resources.limits.cpu).isLessThan(quantity('2'))",
  "object.spec.strategy.rollingUpdate.maxSurge == 1",
  "int(object.data.a) > 1",
  "1 / 0 == 1",
  "[1, 2, 3][object.data.size()] == 1",
  "object.metadata.labels.exists(k, k == 'nope')",
  "object.metadata.annotations['x'] == 'y'",
  "!has(object.metadata.annotations)",
  "object.metadata.managedFields.size() > 0",
  "object.metadata.uid != ''",
  "object.metadata.creationTimestamp < timestamp('2000-01-01T00:00:00Z')",
  "object.kind == 'ConfigMap' && object.apiVersion == 'v1'",
  "type(object.data) == map",
  "string(object.data) == ''",
  "object.nope == 1",
  "dyn(object).nope == 1",
  "object.data.map(k, k).isSorted()",
  "object.data.transformList(k, v, k + v).size() > 0",
  "ip('1.2.3.4').family() == 4",
  "self == 1",
  "",
  "1",
];
const VARIABLES = [
  { name: "v", expression: "object.?data.a.orValue('')" },
  { name: "v", expression: "object.data.a" },
  { name: "v", expression: "string(params.data.limit)" },
  { name: "w", expression: "has(object.data)" },
  { name: "w", expression: "variables.v == 'x'" },
  { name: "w", expression: "1 / 0 == 1" },
  { name: "list", expression: "object.?data.orValue({}).map(k, k)" },
  { name: "list", expression: "[object.metadata.name]" },
  { name: "v", expression: "'x" },
  { name: "x-y", expression: "1" },
];
const MESSAGES = [undefined, undefined, "m", "", "two\nlines", " "];
const EXPRESSIONS = [
  undefined,
  undefined,
  "'name ' + object.metadata.name",
  "object.data.a",
  "string(params.data.limit)",
  "variables.v",
  "string(1 / 0)",
  "''",
  "'  '",
  "'a\\nb'",
  "1",
  "'x'.repeat(2)",
  "'%s'.format([object.data])",
  `'${"y".repeat(5100)}'`,
  "string(authorizer.requestResource.check('get').allowed())",
];
const REASONS = [undefined, undefined, "Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge", "Other", ""];
const RULES = [
  { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE", "DELETE"], resources: ["configmaps"] },
  { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["deployments"] },
  { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] },
  { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments/scale", "deployments/*"] },
];

/** Three out of four use only what can be compiled there. */
export function randomPolicy(source, isMutating) {
  const hasParams = source.bool(0.35);
  const variables = source.bool(0.5)
    ? distinct(Array.from({ length: 1 + source.below(3) }, () => source.pick(VARIABLES)))
    : [];
  const random = source.bool(0.75) ? cleanRandom(source, hasParams, variables) : source;
  const kind = isMutating ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy";
  const spec = {
    failurePolicy: random.pick(["Fail", "Fail", "Ignore"]),
    matchConstraints: {
      resourceRules: random.bool(0.7) ? [random.pick(RULES)] : [RULES[0], RULES[1]],
      objectSelector: { matchLabels: { own: "{{n}}" } },
      ...(random.bool(0.1) && { matchPolicy: random.pick(["Exact", "Equivalent"]) }),
      ...(random.bool(0.1) && { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } }),
      ...(random.bool(0.1) && { excludeResourceRules: [{ ...RULES[0], operations: ["UPDATE"] }] }),
    },
    ...(hasParams && { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
    ...(variables.length > 0 && {
      variables: random.isClean ? variables.filter((each) => random.allows(each.expression)) : variables,
    }),
    ...(random.bool(0.3) && {
      matchConditions: Array.from({ length: 1 + random.below(2) }, (_, index) => ({
        name: random.isClean || random.bool(0.97) ? `c${index}` : "a b",
        expression: random.pick(CONDITIONS),
      })),
    }),
    ...(isMutating ? randomMutations(random) : randomValidations(random)),
  };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name: "{{n}}" }, spec };
}

const WRONG = new Set([
  "",
  " ",
  "1",
  "self == 1",
  "two\nlines",
  "Other",
  "'x",
  "object",
  "'x'",
  "x",
  "string(object.data) == ''",
  "type(object.data) == map",
  "[JSONPatch{path: '/data/n'}]",
]);

/** Leaves out what cannot be compiled; expressions that fail when they are evaluated stay. */
function cleanRandom(random, hasParams, variables) {
  const known = new Set(variables.map(({ name }) => name));
  const uses = (text, name) => new RegExp(`\\b${name}\\b`).test(text);
  const allows = (value) => {
    if (typeof value !== "string") return true;
    if (WRONG.has(value) || value.startsWith("'y") || (!hasParams && uses(value, "params"))) return false;
    const [, used] = /variables\.(\w+)/.exec(value) ?? [];
    return used === undefined || known.has(used);
  };
  const pick = (items) => random.pick(items.filter(allows));
  return { ...random, pick, allows, isClean: true };
}

function distinct(variables) {
  const valid = variables.filter(({ name, expression }) => name !== "x-y" && expression !== "'x");
  return valid.filter(({ name }, index) => valid.findIndex((other) => other.name === name) === index);
}

function randomValidations(random) {
  const validations = Array.from({ length: 1 + random.below(3) }, () =>
    compact({
      expression: random.pick(CONDITIONS),
      message: random.pick(MESSAGES),
      messageExpression: random.pick(EXPRESSIONS),
      reason: random.pick(REASONS),
    }),
  );
  const auditAnnotations = [{ key: "k", valueExpression: random.pick(EXPRESSIONS) ?? "'v'" }];
  return {
    ...((random.isClean || random.bool(0.95)) && { validations }),
    ...(random.bool(0.25) && { auditAnnotations }),
  };
}

function compact(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

const APPLY = [
  "Object{metadata: Object.metadata{labels: {'l': 'm'}}}",
  "Object{metadata: Object.metadata{annotations: {'a': object.metadata.name}}}",
  "Object{data: {'c': 'added'}}",
  "Object{data: {'a': variables.v}}",
  "Object{data: object.data}",
  "Object{spec: Object.spec{replicas: 3}}",
  "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers.item{name: 'a', image: 'new'}]}}}}",
  "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{hostNetwork: true}}}}",
  "Object{nope: 1}",
  "Object{metadata: Object.metadata{name: 'other'}}",
  "Object{metadata: Object.metadata{labels: {'own': 'x'}}}",
  "Object{data: {'c': params.data.limit}}",
  "has(object.data) ? Object{data: {'c': 'x'}} : Object{}",
  "Object{}",
  "object",
  "1",
  "Object{data: {'n': string(1 / 0)}}",
];
const JSON_PATCHES = [
  "[JSONPatch{op: 'add', path: '/metadata/labels/l', value: 'm'}]",
  "[JSONPatch{op: 'add', path: '/data', value: {'c': 'x'}}]",
  "[JSONPatch{op: 'add', path: '/data/c', value: object.metadata.name}]",
  "[JSONPatch{op: 'replace', path: '/data/a', value: 'r'}]",
  "[JSONPatch{op: 'remove', path: '/data/a'}]",
  "[JSONPatch{op: 'remove', path: '/data/nope'}]",
  "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'add', path: '/data/t', value: 'y'}]",
  "[JSONPatch{op: 'copy', from: '/data/a', path: '/data/z'}]",
  "[JSONPatch{op: 'move', from: '/data/a', path: '/data/z'}]",
  "[JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('a/b~c'), value: 'x'}]",
  "[JSONPatch{op: 'add', path: '/spec/replicas', value: 2}]",
  "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'z', image: 'j'}}]",
  "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 'x'}]",
  "[JSONPatch{op: 'add', path: '/nope', value: 'x'}]",
  "[JSONPatch{op: 'bad', path: '/data/a', value: 'x'}]",
  "[JSONPatch{op: 'add', path: 'data/a', value: 'x'}]",
  "[]",
  "has(object.data) ? [JSONPatch{op: 'add', path: '/data/h', value: 'x'}] : []",
  "object.data.map(k, JSONPatch{op: 'replace', path: '/data/' + k, value: 'all'})",
  "[JSONPatch{op: 'add', path: '/data/n', value: 1}]",
  "[JSONPatch{op: 'add', path: '/data/n', value: null}]",
  "[JSONPatch{path: '/data/n'}]",
  "'x'",
];

function randomMutations(random) {
  const mutations = Array.from({ length: 1 + random.below(2) }, () =>
    random.bool(0.5)
      ? { patchType: "ApplyConfiguration", applyConfiguration: { expression: random.pick(APPLY) } }
      : { patchType: "JSONPatch", jsonPatch: { expression: random.pick(JSON_PATCHES) } },
  );
  return { mutations, reinvocationPolicy: random.pick(["Never", "IfNeeded"]) };
}

export function randomBinding(random, { kind, spec: { paramKind } }) {
  const isMutating = kind === "MutatingAdmissionPolicy";
  const actions = [["Deny"], ["Deny"], ["Warn"], ["Audit"], ["Warn", "Audit"], ["Deny", "Audit"], ["Deny", "Warn"]];
  const reference = random.pick([
    { name: "params", namespace: "default" },
    { name: "params" },
    { name: "absent", namespace: "default" },
    { selector: { matchLabels: { p: "1" } } },
    { selector: { matchLabels: { p: "none" } }, namespace: "default" },
    { selector: {}, namespace: "kube-public" },
  ]);
  const spec = {
    policyName: "{{n}}",
    ...(!isMutating && { validationActions: random.pick(random.bool(0.95) ? actions.slice(0, 6) : actions) }),
    ...((paramKind !== undefined ? random.bool(0.95) : random.bool(0.03)) && {
      paramRef: { ...reference, parameterNotFoundAction: random.pick(["Allow", "Deny"]) },
    }),
    ...(random.bool(0.15) && {
      matchResources: random.pick([
        { resourceRules: [RULES[0]] },
        { objectSelector: { matchExpressions: [{ key: "own", operator: "Exists" }] } },
        { namespaceSelector: { matchLabels: { nope: "x" } } },
        { excludeResourceRules: [RULES[1]] },
      ]),
    }),
  };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind: `${kind}Binding`, metadata: { name: "{{n}}" }, spec };
}
