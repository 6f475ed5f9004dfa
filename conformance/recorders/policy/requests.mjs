/** Policies and the requests they are put to. */
import {
  binding,
  configMap,
  create,
  definition,
  namespace,
  namespaces,
  own,
  ownNamespace,
  policy,
  remove,
  rule,
  secrets,
  shown,
  single,
  table,
  update,
  widget,
  widgetRequest,
  widgetRule,
} from "./builders.mjs";

const FALSE = { validations: [{ expression: "false", message: "m" }] };
const data = { a: "1", b: "two", list: "x,y,z", n: "5", url: "https://example.com:80/p", empty: "", u: "äß🛡" };
const long = "x".repeat(6000);

/** Errors at run time. */
const errors = [
  ["missing key", "object.data.nope == ''"],
  ["missing key deeper", "object.nope.x == 1"],
  ["index out of range", "object.data.list.split(',')[7] == 'x'"],
  ["negative index", "object.data.list.split(',')[-1] == 'x'"],
  ["conversion", "int(object.data.b) == 2"],
  ["no such overload", "object.data + 1 == 2"],
  ["not a boolean", "object.data.a && true"],
  ["bad pattern", "'x'.matches(object.data.b + '(')"],
  ["division by zero", "1 / (int(object.data.a) - 1) == 1"],
  ["overflow", "9223372036854775807 + int(object.data.a) == 0"],
  ["null member", "oldObject.data.a == 'x'"],
  ["bad quantity", "quantity(object.data.b).isGreaterThan(quantity('1'))"],
  ["bad url", "url(object.data.b).getHost() == ''"],
  ["bad ip", "ip(object.data.b).family() == 4"],
  ["bad cidr", "cidr(object.data.b).prefixLength() == 4"],
  ["bad timestamp", "timestamp(object.data.b) < timestamp('2020-01-01T00:00:00Z')"],
  ["bad duration", "duration(object.data.b) < duration('1s')"],
  ["substring", "object.data.b.substring(1, 9) == ''"],
  ["charAt", "object.data.b.charAt(9) == ''"],
  ["semver", "semver(object.data.b).major() == 1"],
  ["optional none", "object.?nope.value() == 1"],
  ["exists over a string", "object.data.a.exists(x, x == '1')"],
  ["all with an error", "['1', 'x'].all(x, int(x) == 1)"],
  ["map key type", "object.data[1] == 'x'"],
];

/** Values as messages show them. */
const values = [
  ["name", "object.metadata.name"],
  ["operation", "request.operation"],
  ["request name", "request.name"],
  ["request namespace", "request.namespace"],
  ["kind", "request.kind.group + '/' + request.kind.version + '/' + request.kind.kind"],
  ["resource", "request.resource.group + '/' + request.resource.version + '/' + request.resource.resource"],
  ["request kind", "request.requestKind.kind + request.requestResource.resource"],
  ["subresource absent", "string(has(request.subResource)) + string(has(request.requestSubResource))"],
  ["subresource read", "request.subResource"],
  ["dry run", "string(request.dryRun)"],
  ["options", "request.options.kind + ' ' + request.options.apiVersion"],
  ["options members", "string(request.options.map(k, k).size())"],
  ["user", "request.userInfo.username + ' ' + request.userInfo.uid"],
  ["groups", "request.userInfo.groups.join(',')"],
  ["extra absent", "string(has(request.userInfo.extra))"],
  ["extra read", "string(size(request.userInfo.extra))"],
  [
    "undeclared members of request",
    "string('uid' in dyn(request)) + string('object' in dyn(request)) + string(dyn(request).oldObject == null)",
  ],
  ["size of request", "string(size(dyn(request)))"],
  ["type of request", "string(type(request) == map)"],
  ["oldObject is null", "string(oldObject == null)"],
  ["namespaceObject name", "namespaceObject.metadata.name"],
  ["namespaceObject labels", "namespaceObject.metadata.labels['kubernetes.io/metadata.name']"],
  ["namespaceObject UID", "namespaceObject.metadata.UID"],
  ["namespaceObject annotations absent", "string(has(namespaceObject.metadata.annotations))"],
  ["namespaceObject annotations read", "string(size(namespaceObject.metadata.annotations))"],
  [
    "namespaceObject timestamp",
    "string(namespaceObject.metadata.creationTimestamp < timestamp('2100-01-01T00:00:00Z'))",
  ],
  ["namespaceObject timestamp as text", "string(type(dyn(namespaceObject.metadata.creationTimestamp)) == string)"],
  ["namespaceObject phase", "namespaceObject.status.phase"],
  ["namespaceObject finalizers", "namespaceObject.spec.finalizers.join(',')"],
  [
    "namespaceObject hidden",
    "string(has(dyn(namespaceObject).kind)) + string(has(dyn(namespaceObject).metadata.managedFields))",
  ],
  ["object kind", "object.kind + object.apiVersion"],
  ["object uid", "string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp))"],
  ["escaped property", "object.metadata.labels.x__dash__y"],
  ["size of data", "string(size(object.data))"],
  ["unicode", "object.data.u + string(size(object.data.u))"],
  ["number", "string(3 + int(object.data.a))"],
  ["double", "string(1.0 / 3.0)"],
  ["map iteration", "object.data.filter(k, object.data[k].size() == 1).size() == 3 ? 'three' : 'other'"],
  ["sorted keys", "object.data.map(k, k).sort().join(',')"],
  ["url host", "url(object.data.url).getHostname() + url(object.data.url).getPort()"],
  ["regex", "object.data.list.findAll('[a-z]').join('')"],
  ["sets", "string(sets.contains(['a', 'b'], ['a']))"],
  ["quantity", "string(quantity('1Gi').asInteger())"],
  ["format", "'%s %d %.2f'.format(['a', 1, 1.5])"],
  ["two variable", "['a', 'b'].transformList(i, v, v + string(i)).join(',')"],
  ["optional", "object.?data.?nope.orValue('none')"],
  ["trimmed", "'  padded  '"],
  ["blank", "'   '"],
  ["empty", "object.data.empty"],
  ["line break", "'a\\nb'"],
  ["carriage return", "'a\\rb'"],
  ["tab", "'a\\tb'"],
  ["quotes", "'say \"hi\" \\\\ there'"],
  ["too long", `'${"y".repeat(5121)}'`],
  ["at the limit", `'${"y".repeat(5120)}'`],
  ["bytes over the limit", `'${"é".repeat(2561)}'`],
  ["error", "string(object.nope)"],
  [
    "cost over the limit",
    "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(d, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(e, a + b + c + d + e))))).size() > 0 ? 'x' : 'y'",
  ],
];

const messages = [
  ["none", { expression: "false" }],
  ["trimmed expression", { expression: "  1 ==   2  " }],
  ["multi-line expression", { expression: "1 ==\n  2" }],
  ["message", { expression: "false", message: "because" }],
  ["message trimmed", { expression: "false", message: "  because  " }],
  ["message with quotes", { expression: "false", message: 'a "b" \\ <c> & é' }],
  ["reason Forbidden", { expression: "false", reason: "Forbidden" }],
  ["reason Invalid", { expression: "false", reason: "Invalid" }],
  ["reason RequestEntityTooLarge", { expression: "false", reason: "RequestEntityTooLarge" }],
  ["reason of an error is Invalid", { expression: "object.nope == 1", reason: "Forbidden" }],
  ["message expression wins", { expression: "false", message: "m", messageExpression: "'e'" }],
  ["message expression fails", { expression: "false", message: "m", messageExpression: "string(object.nope)" }],
  ["message expression fails without message", { expression: "false", messageExpression: "string(object.nope)" }],
  ["message expression empty without message", { expression: "1 == 2", messageExpression: "''" }],
  ["passing", { expression: "true", message: "m" }],
];

/** Rules, selectors, scopes: whether the policy applies to the creation of a ConfigMap in the case's namespace. */
const inOwn = (labels = { case: "{{n}}" }, over = {}) =>
  create(configMap(data, { namespace: "{{n}}", labels, ...over }));
const matchTable = [
  ["everything", { resourceRules: [rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] })] }],
  [
    "everything with subresources",
    { resourceRules: [rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] })] },
  ],
  ["exact", { resourceRules: [rule({ operations: ["CREATE"] })] }],
  ["another operation", { resourceRules: [rule({ operations: ["UPDATE", "DELETE", "CONNECT"] })] }],
  ["another group", { resourceRules: [rule({ apiGroups: ["apps"] })] }],
  ["another version", { resourceRules: [rule({ apiVersions: ["v2"] })] }],
  ["another resource", { resourceRules: [rule({ resources: ["secrets"] })] }],
  ["several resources", { resourceRules: [rule({ resources: ["secrets", "configmaps"] })] }],
  ["second rule", { resourceRules: [rule({ resources: ["secrets"] }), rule()] }],
  ["resource with any subresource", { resourceRules: [rule({ resources: ["configmaps/*"] })] }],
  ["resource with a subresource", { resourceRules: [rule({ resources: ["configmaps/status"] })] }],
  ["any resource with a subresource", { resourceRules: [rule({ resources: ["*/status"] })] }],
  ["any resource with any subresource", { resourceRules: [rule({ resources: ["*/*"] })] }],
  ["singular", { resourceRules: [rule({ resources: ["configmap"] })] }],
  ["upper case", { resourceRules: [rule({ resources: ["ConfigMaps"] })] }],
  ["scope Namespaced", { resourceRules: [rule({ scope: "Namespaced" })] }],
  ["scope Cluster", { resourceRules: [rule({ scope: "Cluster" })] }],
  ["scope *", { resourceRules: [rule({ scope: "*" })] }],
  ["resource name", { resourceRules: [rule({ resourceNames: ["{{n}}"] })] }],
  ["another resource name", { resourceRules: [rule({ resourceNames: ["other"] })] }],
  ["several resource names", { resourceRules: [rule({ resourceNames: ["other", "{{n}}"] })] }],
  ["excluded", { resourceRules: [rule()], excludeResourceRules: [rule()] }],
  ["excluded by name", { resourceRules: [rule()], excludeResourceRules: [rule({ resourceNames: ["{{n}}"] })] }],
  ["excluded by another name", { resourceRules: [rule()], excludeResourceRules: [rule({ resourceNames: ["other"] })] }],
  ["excluded operation", { resourceRules: [rule()], excludeResourceRules: [rule({ operations: ["CREATE"] })] }],
  ["another operation excluded", { resourceRules: [rule()], excludeResourceRules: [rule({ operations: ["UPDATE"] })] }],
  [
    "excluded wildcard",
    {
      resourceRules: [rule()],
      excludeResourceRules: [rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] })],
    },
  ],
  ["excluded scope", { resourceRules: [rule()], excludeResourceRules: [rule({ scope: "Cluster" })] }],
  ["namespace selector", { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{{n}}" } } }],
  [
    "namespace selector on another",
    { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } },
  ],
  [
    "namespace selector In",
    { namespaceSelector: { matchExpressions: [{ key: "env", operator: "In", values: ["test", "prod"] }] } },
  ],
  [
    "namespace selector NotIn",
    { namespaceSelector: { matchExpressions: [{ key: "env", operator: "NotIn", values: ["test"] }] } },
  ],
  [
    "namespace selector NotIn without the label",
    { namespaceSelector: { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["test"] }] } },
  ],
  ["namespace selector Exists", { namespaceSelector: { matchExpressions: [{ key: "env", operator: "Exists" }] } }],
  [
    "namespace selector DoesNotExist",
    { namespaceSelector: { matchExpressions: [{ key: "env", operator: "DoesNotExist" }] } },
  ],
  [
    "namespace selector of two",
    {
      namespaceSelector: {
        matchLabels: { env: "test" },
        matchExpressions: [{ key: "tier", operator: "DoesNotExist" }],
      },
    },
  ],
  ["object selector", { objectSelector: { matchLabels: { case: "{{n}}" } } }],
  ["object selector on another", { objectSelector: { matchLabels: { case: "x" } } }],
  [
    "object selector DoesNotExist",
    { objectSelector: { matchExpressions: [{ key: "nope", operator: "DoesNotExist" }] } },
  ],
  [
    "object selector NotIn",
    { objectSelector: { matchExpressions: [{ key: "case", operator: "NotIn", values: ["{{n}}"] }] } },
  ],
  ["match policy Exact", { matchPolicy: "Exact" }],
];

const conditions = [
  ["true", [["a", "true"]]],
  ["false", [["a", "false"]]],
  [
    "true and false",
    [
      ["a", "true"],
      ["b", "false"],
    ],
  ],
  ["error", [["a", "object.nope == 1"]]],
  [
    "error and false",
    [
      ["a", "object.nope == 1"],
      ["b", "false"],
    ],
  ],
  [
    "false and error",
    [
      ["a", "false"],
      ["b", "object.nope == 1"],
    ],
  ],
  [
    "error and true",
    [
      ["a", "object.nope == 1"],
      ["b", "true"],
    ],
  ],
  [
    "two errors",
    [
      ["a", "object.nope == 1"],
      ["b", "object.nada == 1"],
    ],
  ],
  [
    "two equal errors",
    [
      ["a", "object.nope == 1"],
      ["b", "object.nope == 1"],
    ],
  ],
  [
    "three errors of which two are equal",
    [
      ["a", "object.nope == 1"],
      ["b", "object.nope == 1"],
      ["c", "object.nada == 1"],
    ],
  ],
  ["on the user", [["a", "request.userInfo.username == 'admin'"]]],
  ["on groups", [["a", "!('system:masters' in request.userInfo.groups)"]]],
  ["on the object", [["a", "object.data.a == '1'"]]],
  ["namespaceObject is null", [["a", "namespaceObject == null"]]],
  ["namespaceObject read", [["a", "namespaceObject.metadata.name == 'default'"]]],
  ["namespaceObject guarded", [["a", "namespaceObject != null && namespaceObject.metadata.name == 'default'"]]],
  ["authorizer", [["a", "authorizer.group('').resource('pods').namespace('default').check('get').allowed()"]]],
  ["request resource check", [["a", "authorizer.requestResource.check('custom').allowed()"]]],
  [
    "budget",
    Array.from({ length: 8 }, (_, index) => [
      `a${index}`,
      "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed() || true",
    ]),
  ],
  [
    "within budget",
    Array.from({ length: 3 }, (_, index) => [
      `a${index}`,
      "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed() || true",
    ]),
  ],
  [
    "cost limit",
    [
      [
        "a",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(d, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(e, a + b + c + d + e > 0)))))",
      ],
    ],
  ],
];

const variable = (name, expression) => ({ name, expression });
const variables = [
  ["one", [variable("a", "object.data.a")], "string(variables.a)"],
  ["two", [variable("a", "object.data.a"), variable("b", "variables.a + '!'")], "string(variables.b)"],
  [
    "scalar types",
    [variable("i", "1"), variable("s", "'s'"), variable("b", "true"), variable("d", "1.5")],
    "string(variables.i + 1) + variables.s + string(variables.b) + string(variables.d)",
  ],
  ["list", [variable("l", "['a', 'b']")], "variables.l.join('-')"],
  ["map", [variable("m", "{'a': 1}")], "string(variables.m['a'] + 1)"],
  ["nested list", [variable("l", "[[1], [2, 3]]")], "string(variables.l[1][1])"],
  ["request becomes dynamic", [variable("r", "request")], "string(variables.r.name)"],
  ["optional becomes dynamic", [variable("o", "optional.of('x')")], "string(variables.o.orValue('y'))"],
  ["timestamp", [variable("t", "timestamp('2020-01-02T03:04:05Z')")], "string(variables.t.getFullYear())"],
  ["duration", [variable("d", "duration('90s')")], "string(variables.d.getMinutes())"],
  ["null", [variable("n", "null")], "string(variables.n == null)"],
  ["type", [variable("t", "type(1)")], "string(variables.t == int)"],
  ["duplicate: the last wins", [variable("a", "'first'"), variable("a", "'second'")], "variables.a"],
  ["unused error", [variable("bad", "object.nope.x")], "'fine'"],
  ["error", [variable("bad", "object.nope.x")], "string(variables.bad)"],
  ["error twice", [variable("bad", "object.nope.x")], "string(variables.bad) + string(variables.bad)"],
  ["nested error", [variable("bad", "object.nope.x"), variable("worse", "variables.bad")], "string(variables.worse)"],
  ["error absorbed", [variable("bad", "object.nope.x == 1")], "string(variables.bad || true)"],
  ["short circuit", [variable("bad", "object.nope.x == 1")], "string(true || variables.bad)"],
  ["has", [variable("a", "1")], "string(has(variables.a))"],
  ["has of an error", [variable("bad", "object.nope.x")], "string(has(variables.bad))"],
  [
    "conditional",
    [variable("bad", "object.nope.x"), variable("a", "'a'")],
    "true ? variables.a : string(variables.bad)",
  ],
  ["equal to itself", [variable("a", "1")], "string(variables == variables)"],
  ["escape in a name", [variable("a__dash__b", "'x'")], "variables.a__dash__b"],
  ["dots in a name", [variable("a__dot__b", "'x'")], "variables.a__dot__b"],
  ["reserved word escaped", [variable("__namespace__", "'x'")], "variables.__namespace__"],
  ["unknown escape", [variable("__foo__", "'x'")], "variables.__foo__"],
  ["underscores", [variable("_a_", "'x'")], "variables._a_"],
  ["authorizer", [variable("may", "authorizer.path('/x').check('get').allowed()")], "string(variables.may)"],
  ["namespaceObject", [variable("ns", "namespaceObject.metadata.name")], "variables.ns"],
  ["oldObject", [variable("old", "oldObject == null ? 'none' : oldObject.metadata.name")], "variables.old"],
  [
    "expensive",
    [
      variable(
        "big",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(d, a + b + c + d)))).size()",
      ),
    ],
    "string(variables.big)",
  ],
  [
    "too expensive",
    [
      variable(
        "big",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(d, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(e, a + b + c + d + e))))).size()",
      ),
    ],
    "string(variables.big)",
  ],
];

/** Ways to get at variables other than naming one. */
const aAndB = [variable("a", "'x'"), variable("bad", "object.nope")];
const variablesAsValue = [
  ["dynamic", aAndB, "dyn(variables).a"],
  ["dynamic, unknown", aAndB, "dyn(variables).c"],
  ["dynamic, has", aAndB, "has(dyn(variables).a)"],
  ["dynamic, has unknown", aAndB, "has(dyn(variables).c)"],
  ["dynamic, index", aAndB, "dyn(variables)['a']"],
  ["dynamic, index unknown", aAndB, "dyn(variables)['c']"],
  ["dynamic, in", aAndB, "'a' in dyn(variables)"],
  ["dynamic, in unknown", aAndB, "'c' in dyn(variables)"],
  ["dynamic, size", aAndB, "size(dyn(variables))"],
  ["dynamic, optional", aAndB, "dyn(variables).?a.orValue('none')"],
  ["dynamic, optional unknown", aAndB, "dyn(variables).?c.orValue('none')"],
  ["optional", aAndB, "variables.?a.orValue('none')"],
  ["type", aAndB, "type(variables) == type(dyn({}))"],
  ["in a list", aAndB, "[variables][0].a"],
  ["in a map", aAndB, "{'v': variables}['v'].a"],
  ["compared with a map", aAndB, "dyn(variables) == dyn({'a': 'x'})"],
  ["compared with text", aAndB, "dyn(variables) == dyn('x')"],
];

const withExtra = {
  user: { name: "{{n}}-extra", groups: ["g1", "g2"], extra: { scopes: ["a", "b"], "example.com/x": ["c"] } },
};
const users = [
  ["name", "request.userInfo.username"],
  ["groups", "request.userInfo.groups.join(',')"],
  ["extra", "request.userInfo.extra['scopes'].join(',')"],
  ["extra keys", "request.userInfo.extra.map(k, k).sort().join(',')"],
  ["extra missing", "request.userInfo.extra['none'].join(',')"],
  ["no uid", "request.userInfo.uid"],
];

const data2 = {
  f: 1.5,
  i: 7,
  big: 9007199254740991,
  neg: -3,
  t: true,
  z: null,
  l: [1, "a", { b: 2 }],
  m: { "k.l/x-y": 1 },
};
const customValues = [
  ["double", "object.data2.f + 0.5"],
  ["int", "object.data2.i / 2"],
  ["int and double compare", "object.data2.i < 7.5 && object.data2.f > 1"],
  ["int equals double", "object.data2.i == 7.0"],
  ["double plus int", "object.data2.f + 1"],
  ["large", "object.data2.big + 1"],
  ["negative", "-object.data2.neg"],
  ["boolean", "!object.data2.t"],
  ["null", "object.data2.z == null"],
  ["null present", "has(object.data2.z)"],
  ["null as text", "object.data2.z + 'x'"],
  ["list", "object.data2.l.size()"],
  ["list element", "object.data2.l[2].b"],
  ["list contains", "'a' in object.data2.l && !('b' in object.data2.l)"],
  ["list equality", "object.data2.l == dyn([dyn(1), dyn('a'), dyn({'b': 2})])"],
  ["map key", "object.data2.m['k.l/x-y']"],
  ["map equality", "object.data2.m == {'k.l/x-y': 1}"],
  ["type of a number", "type(object.data2.i) == int && type(object.data2.f) == double"],
  ["type of a map", "type(object.data2.m) == map"],
  ["conversion to text", "string(object.data2.f) + string(object.data2.i)"],
];

const annotations = [
  ["text", "'v'"],
  ["object", "string(object.data.b)"],
  ["trimmed", "'  v  '"],
  ["empty", "''"],
  ["blank", "'   '"],
  ["null", "null"],
  ["quotes", "'say \"hi\" <&> é'"],
  ["line break", "'a\\nb'"],
  ["error", "string(object.nope)"],
  ["long", "string(object.data.long + object.data.long)"],
  ["user", "request.userInfo.username"],
  ["authorizer", "authorizer.path('/x').check('get').allowed() ? 'yes' : 'no'"],
  ["request resource", "authorizer.requestResource.check('get').allowed() ? 'yes' : 'no'"],
  ["namespaceObject", "namespaceObject.metadata.name"],
  [
    "namespaceObject untrimmed",
    "string(has(dyn(namespaceObject).metadata.managedFields)) + string(has(dyn(namespaceObject).kind))",
  ],
  ["conditional", "object.data.a == '1' ? 'one' : ''"],
  [
    "cost limit",
    "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(c, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(d, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(e, a + b + c + d + e))))).size() > 0 ? 'x' : 'y'",
  ],
];

const CHECK = "authorizer.path('/a').check('get').allowed()";
const checks = (count) => Array.from({ length: count }, () => CHECK).join(" && ");
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
const user = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name });
const group = (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name });
const serviceAccount = (namespace, name) => ({ kind: "ServiceAccount", namespace, name });
const core = (resources, verbs, over = {}) => ({ apiGroups: [""], resources, verbs, ...over });
const asAlice = { user: { name: "{{n}}-alice", groups: ["{{n}}-devs"] } };
/** Without this alice could not make the request at all. */
const mayWrite = [
  { ...clusterRole([core(["configmaps"], ["create"])]), metadata: { name: "{{n}}-write" } },
  {
    ...clusterRoleBinding([user("{{n}}-alice")]),
    metadata: { name: "{{n}}-write" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{{n}}-write" },
  },
];

/** Who asks, the roles, the question. */
const authorization = [
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

/** Actions and failure policies crossed with what can go wrong. */
const ACTIONS = [["Deny"], ["Warn"], ["Audit"], ["Deny", "Audit"], ["Warn", "Audit"], ["Audit", "Deny"]];
const enforcement = ["Fail", "Ignore"].flatMap((failurePolicy) =>
  ACTIONS.flatMap((actions) => [
    [`false, ${failurePolicy}, ${actions}`, { failurePolicy, ...FALSE }, actions],
    [
      `error, ${failurePolicy}, ${actions}`,
      { failurePolicy, validations: [{ expression: "object.nope == 1" }] },
      actions,
    ],
    [
      `condition error, ${failurePolicy}, ${actions}`,
      { failurePolicy, matchConditions: [{ name: "a", expression: "object.nope == 1" }], ...FALSE },
      actions,
    ],
    [
      `audit error, ${failurePolicy}, ${actions}`,
      {
        failurePolicy,
        auditAnnotations: [{ key: "k", valueExpression: "string(object.nope)" }],
        validations: [{ expression: "true" }],
      },
      actions,
    ],
    [
      `two of three, ${failurePolicy}, ${actions}`,
      {
        failurePolicy,
        validations: [
          { expression: "true" },
          { expression: "object.nope == 1" },
          { expression: "false", message: "third" },
        ],
      },
      actions,
    ],
  ]),
);

const paramMap = (name = "{{n}}-p", over = {}, values = { max: "3" }) =>
  configMap(values, { name, namespace: "default", labels: { param: "{{n}}" }, ...over });
const withParams = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const byParams = {
  validations: [
    {
      expression: "int(object.data.n) <= int(params.data.max)",
      messageExpression: "'max is ' + params.data.max + ' in ' + params.metadata.name",
    },
  ],
};
const paramSelector = { selector: { matchLabels: { param: "{{n}}" } } };
/** The policy, the reference, the params, other parts of the case. */
const params = [
  ["by name", byParams, { name: "{{n}}-p", namespace: "default" }, [paramMap()]],
  ["in the request's namespace", byParams, { name: "{{n}}-p" }, [paramMap()]],
  ["kind and apiVersion", shown("params.kind + params.apiVersion"), { name: "{{n}}-p" }, [paramMap()]],
  ["missing, Deny", byParams, { name: "{{n}}-p" }, []],
  ["missing, Allow", byParams, { name: "{{n}}-p", parameterNotFoundAction: "Allow" }, []],
  ["missing, Deny, Ignore", { failurePolicy: "Ignore", ...byParams }, { name: "{{n}}-p" }, []],
  ["missing, Deny, Warn only", byParams, { name: "{{n}}-p" }, [], { actions: ["Warn"] }],
  ["another namespace", byParams, { name: "{{n}}-p", namespace: "kube-system" }, [paramMap()]],
  ["by selector", byParams, paramSelector, [paramMap()]],
  [
    "by selector, two",
    byParams,
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" }), paramMap("{{n}}-q", {}, { max: "3" })],
  ],
  ["by selector, none, Deny", byParams, paramSelector, []],
  ["by selector, none, Allow", byParams, { ...paramSelector, parameterNotFoundAction: "Allow" }, []],
  [
    "by selector, both pass",
    byParams,
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" }), paramMap("{{n}}-q", {}, { max: "8" })],
  ],
  [
    "by selector In",
    byParams,
    { selector: { matchExpressions: [{ key: "param", operator: "In", values: ["{{n}}"] }] } },
    [paramMap()],
  ],
  [
    "no reference: params are null",
    {
      validations: [
        { expression: "params == null", message: "not null" },
        { expression: "params != null", message: "null" },
      ],
    },
    undefined,
    [],
  ],
  ["no reference: read", byParams, undefined, []],
  [
    "error in params",
    { validations: [{ expression: "int(params.data.nope) > 1" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a condition",
    { ...byParams, matchConditions: [{ name: "a", expression: "params.data.max == '3'" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a condition that excludes",
    { ...byParams, matchConditions: [{ name: "a", expression: "params.data.max == '4'" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in a variable",
    {
      variables: [variable("max", "int(params.data.max)")],
      validations: [{ expression: "int(object.data.n) <= variables.max", messageExpression: "string(variables.max)" }],
    },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "in an annotation",
    { auditAnnotations: [{ key: "k", valueExpression: "string(params.data.max)" }] },
    { name: "{{n}}-p" },
    [paramMap()],
  ],
  [
    "annotations of two params",
    { auditAnnotations: [{ key: "k", valueExpression: "string(params.data.max)" }] },
    paramSelector,
    [paramMap("{{n}}-p", {}, { max: "9" })],
  ],
  [
    "equal annotations of two params",
    { auditAnnotations: [{ key: "k", valueExpression: "'same'" }] },
    paramSelector,
    [paramMap(), paramMap("{{n}}-q")],
  ],
  [
    "unknown kind",
    {
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
  ],
  [
    "unknown kind, Ignore",
    {
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
  ],
  [
    "unknown version",
    { paramKind: { apiVersion: "v7", kind: "ConfigMap" }, validations: [{ expression: "params != null" }] },
    { name: "x" },
    [],
  ],
  [
    "unknown kind, Warn only",
    {
      paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Nope" },
      validations: [{ expression: "params != null" }],
    },
    { name: "x" },
    [],
    { actions: ["Warn"] },
  ],
  ["without paramKind the reference is ignored", { paramKind: undefined, ...FALSE }, { name: "x" }, []],
];

const customParams = [
  ["namespaced custom kind", {}, widget({ max: 3 }), { name: "{{n}}" }],
  ["namespaced custom kind elsewhere", {}, widget({ max: 3 }), { name: "{{n}}", namespace: "kube-system" }],
  ["cluster-scoped custom kind", { scope: "Cluster" }, widget({ max: 3 }, { namespace: undefined }), { name: "{{n}}" }],
  [
    "cluster-scoped custom kind with a namespace",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { name: "{{n}}", namespace: "default" },
  ],
  [
    "cluster-scoped custom kind by selector",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { selector: { matchLabels: { case: "{{n}}" } } },
  ],
  [
    "cluster-scoped custom kind, all",
    { scope: "Cluster" },
    widget({ max: 3 }, { namespace: undefined }),
    { selector: {} },
  ],
  ["namespaced custom kind, all", {}, widget({ max: 3 }), { selector: {} }],
];

const old = configMap({ a: "1", n: "1" });
const isDelete = "request.operation == 'DELETE'";
const operations = [
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
const namespaceCases = [
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
const clusterCases = [
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

/** The versions served, what the rule names, which version is asked for. */
const seen = shown(
  "object.apiVersion + ' ' + request.kind.version + request.resource.version + request.requestKind.version + request.requestResource.version",
);
const equivalents = [
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

const budget = [
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

const several = [
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

const subresources = [
  ["status of a custom resource", ["widgets/status"], "status"],
  ["status is not the resource", ["widgets"], "status"],
  ["any subresource", ["widgets/*"], "status"],
  ["any resource's status", ["*/status"], "status"],
  ["everything", ["*/*"], "status"],
  ["all resources without subresources", ["*"], "status"],
  ["scale", ["widgets/scale"], "scale"],
];

export const requestCases = [
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`error under ${failurePolicy}`, errors, (expression) =>
      single("", { failurePolicy, validations: [{ expression }] }, create(configMap(data))),
    ),
  ),
  ...table("value", values, (expression) =>
    single("", shown(expression), create(configMap(data)), { actions: ["Warn"] }),
  ),
  ...table(
    "value denied",
    values.filter(([name]) => /line break|return|tab|quotes|long|limit|unicode|blank/.test(name)),
    (expression) => single("", shown(expression), create(configMap(data))),
  ),
  ...table("message", messages, (validation) => single("", { validations: [validation] })),
  ...table("message as warning", messages, (validation) =>
    single("", { validations: [validation] }, create(), { actions: ["Warn"] }),
  ),
  ...table("match", matchTable, (match) => ({
    ...single("", { match: { objectSelector: {}, ...match }, ...FALSE }, inOwn(), {
      bind: { matchResources: ownNamespace },
    }),
    namespaces: [namespace({ env: "test" })],
  })),
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`condition under ${failurePolicy}`, conditions, (list) =>
      single(
        "",
        { failurePolicy, matchConditions: list.map(([name, expression]) => ({ name, expression })), ...FALSE },
        create(configMap(data)),
      ),
    ),
  ),
  ...table("variable", variables, (list, expression) =>
    single("", { variables: list, ...shown(expression) }, create(configMap(data)), { actions: ["Warn"] }),
  ),
  ...table("variable in a validation", variables, (list, expression) =>
    single(
      "",
      { variables: list, validations: [{ expression: `(${expression}) == 'no'`, message: "m" }] },
      create(configMap(data)),
    ),
  ),
  ...table("variables as a value", variablesAsValue, (list, expression) =>
    single(
      "",
      { variables: list, validations: [{ expression: `{'': true}[string(${expression})]` }] },
      create(configMap(data)),
    ),
  ),
  ...table("user", users, (expression) => ({
    ...single(
      "",
      { validations: [{ expression: `{'': true}[string(${expression})]` }] },
      create(configMap(data), withExtra),
    ),
    rbac: [{ ...mayWrite[0] }, { ...mayWrite[1], subjects: [user("{{n}}-extra")] }],
  })),
  ...table("custom resource", customValues, (expression) => ({
    ...single(
      "",
      { match: { resourceRules: [widgetRule()] }, validations: [{ expression: `{'': true}[string(${expression})]` }] },
      { operation: "CREATE", ...widgetRequest(), object: widget({ data2 }) },
    ),
    definitions: [definition()],
  })),
  ...["Fail", "Ignore"].flatMap((failurePolicy) =>
    table(`annotation under ${failurePolicy}`, annotations, (valueExpression) =>
      single(
        "",
        { failurePolicy, auditAnnotations: [{ key: "k", valueExpression }], validations: [{ expression: "true" }] },
        create(configMap({ ...data, long })),
      ),
    ),
  ),
  ...table("authorizer", authorization, (who, objects, question) => ({
    ...single(
      "",
      { validations: [{ expression: `${question}.allowed()`, message: "not allowed" }] },
      create(configMap(data), who),
    ),
    rbac: [...(who.user !== undefined ? mayWrite : []), ...objects],
  })),
  ...table("authorizer reason", authorization, (who, objects, question) => ({
    // A missing key is quoted by the error, which is the only way to see a text that comes from the authorizer.
    ...single(
      "",
      { validations: [{ expression: `{'': true}[${question}.reason()]`, message: "m" }] },
      create(configMap(data), who),
    ),
    rbac: [...(who.user !== undefined ? mayWrite : []), ...objects],
  })),
  ...table("enforcement", enforcement, (spec, actions) => single("", spec, create(configMap(data)), { actions })),
  ...table("params", params, (spec, paramRef, objects, over = {}) => ({
    ...single("", { ...withParams, ...spec }, create(configMap(data)), {
      ...over,
      bind: paramRef && { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } },
    }),
    params: objects,
  })),
  ...table("params", customParams, (scope, object, paramRef) => ({
    ...single(
      "",
      {
        paramKind: { apiVersion: "{{n}}.example.com/v1", kind: "Widget" },
        validations: [{ expression: "params.max > 5", messageExpression: "string(params.max) + params.kind" }],
      },
      create(configMap(data)),
      { bind: { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } } },
    ),
    definitions: [definition(scope)],
    params: [object],
  })),
  ...table("operation", operations, (spec, request, over = {}) => ({
    ...single("", spec, request),
    ...(over.ownsNamespace && { namespaces: [namespace()] }),
  })),
  ...table("namespaces", namespaceCases, (spec, request, over = {}) => single("", spec, request, over)),
  ...table("cluster-scoped", clusterCases, (spec, request, over = {}) => single("", spec, request, over)),
  ...table("equivalent", equivalents, (versions, named, asked, match) => ({
    ...single(
      "",
      { match: { resourceRules: [widgetRule({ apiVersions: named })], ...match }, ...seen },
      { operation: "CREATE", ...widgetRequest(asked), object: widget({ x: 1 }, {}, asked) },
    ),
    definitions: [definition({}, versions)],
  })),
  ...table("budget", budget, (expressions, messageExpression) =>
    single(
      "",
      {
        validations: expressions.map((expression) => ({ expression, ...(messageExpression && { messageExpression }) })),
      },
      create(configMap(data)),
    ),
  ),
  ...several,
  ...table("subresource", subresources, (resources, subresource) => ({
    ...single(
      "",
      {
        match: { resourceRules: [widgetRule({ resources })] },
        ...shown(
          "request.kind.kind + request.resource.resource + '/' + request.subResource + request.requestSubResource + object.kind",
        ),
      },
      {
        operation: "UPDATE",
        ...widgetRequest(),
        subresource,
        ...(subresource === "scale" && { kind: { group: "autoscaling", version: "v1", kind: "Scale" } }),
        oldObject: widget({ spec: { replicas: 1 }, status: { replicas: 1 } }),
        object:
          subresource === "scale"
            ? {
                apiVersion: "autoscaling/v1",
                kind: "Scale",
                metadata: { name: "{{n}}", namespace: "default" },
                spec: { replicas: 2 },
              }
            : widget({ spec: { replicas: 1 }, status: { replicas: 2 } }),
      },
    ),
    definitions: [
      definition({
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
            },
            schema: {
              openAPIV3Schema: {
                type: "object",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: {
                  spec: { type: "object", properties: { replicas: { type: "integer" } } },
                  status: { type: "object", properties: { replicas: { type: "integer" } } },
                },
              },
            },
          },
        ],
      }),
    ],
    policies: [
      policy({
        match: { objectSelector: subresource === "scale" ? {} : own, resourceRules: [widgetRule({ resources })] },
        ...shown(
          "request.kind.kind + request.resource.resource + '/' + request.subResource + request.requestSubResource + object.kind",
        ),
      }),
    ],
  })),
];
