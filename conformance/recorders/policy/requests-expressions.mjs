/** What expressions, conditions, variables and annotations are made of. */
import { configMap, create, rule } from "./builders.mjs";

export const FALSE = { validations: [{ expression: "false", message: "m" }] };
export const data = { a: "1", b: "two", list: "x,y,z", n: "5", url: "https://example.com:80/p", empty: "", u: "äß🛡" };
export const long = "x".repeat(6000);

/** Errors at run time. */
export const errors = [
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
export const values = [
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

export const messages = [
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
export const inOwn = (labels = { case: "{{n}}" }, over = {}) =>
  create(configMap(data, { namespace: "{{n}}", labels, ...over }));
export const matchTable = [
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

export const conditions = [
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

export const variable = (name, expression) => ({ name, expression });
export const variables = [
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

/** Ways to access variables other than by name. */
const aAndB = [variable("a", "'x'"), variable("bad", "object.nope")];
export const variablesAsValue = [
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

export const withExtra = {
  user: { name: "{{n}}-extra", groups: ["g1", "g2"], extra: { scopes: ["a", "b"], "example.com/x": ["c"] } },
};
export const users = [
  ["name", "request.userInfo.username"],
  ["groups", "request.userInfo.groups.join(',')"],
  ["extra", "request.userInfo.extra['scopes'].join(',')"],
  ["extra keys", "request.userInfo.extra.map(k, k).sort().join(',')"],
  ["extra missing", "request.userInfo.extra['none'].join(',')"],
  ["no uid", "request.userInfo.uid"],
];

export const data2 = {
  f: 1.5,
  i: 7,
  big: 9007199254740991,
  neg: -3,
  t: true,
  z: null,
  l: [1, "a", { b: 2 }],
  m: { "k.l/x-y": 1 },
};
export const customValues = [
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

export const annotations = [
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
