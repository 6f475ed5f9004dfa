/**
 * Pairs of policies that try to make a proof wrong: rounding, keys with dots, names that several policies share,
 * values that upstream accepts by accident, and every part of a request that may be absent. `some?` and `none?` may
 * also be unknown.
 */
import { expect, test } from "vitest";
import { CONFIG_MAP, comparePair, maximum, rule, type Side } from "./policy/proof-pair.ts";

const THINGS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.attack.example.com" },
  spec: {
    group: "attack.example.com",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  n: { type: "integer" },
                  even: { type: "integer", multipleOf: 2 },
                  low: { type: "number", minimum: 1.5 },
                  high: { type: "number", maximum: -1.5 },
                  letter: { "x-kubernetes-int-or-string": true, enum: ["A"] },
                  whole: { type: "number", enum: [1, 2] },
                  min: { type: "integer" },
                  max: { type: "integer" },
                  ints: { type: "array", items: { type: "integer" } },
                  words: { type: "array", items: { type: "string" } },
                  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

type Row = readonly [name: string, resource: string, old: Side, next: Side, denied: string, allowed: string];

const ref = (name: string, action = "Deny") => ({ name, namespace: "pp-a", parameterNotFoundAction: action });
const selecting = (labels: object, action = "Deny") => ({
  selector: { matchLabels: labels },
  namespace: "pp-a",
  parameterNotFoundAction: action,
});
const PROD = { namespaceSelector: { matchLabels: { env: "prod" } } };
const every = (resources: readonly string[], operations = ["*"], group = "*") => ({
  apiGroups: [group],
  apiVersions: ["*"],
  operations,
  resources,
});

// biome-ignore format: a table
const PAIRS: readonly Row[] = [
  // Numbers.
  ["an int is rounded to equal a double", "things", { e: "!has(object.spec.n) || object.spec.n != 9007199254740992.0" }, { e: "!has(object.spec.n) || object.spec.n != 9007199254740992" }, "none?", "some"],
  ["an int is rounded to be compared with a double", "things", { e: "!has(object.spec.n) || object.spec.n <= 9007199254740992.0" }, { e: "!has(object.spec.n) || object.spec.n <= 9007199254740992" }, "some", "none?"],
  ["a count equals an unsigned number", "widgets", { e: "!has(object.spec.tags) || dyn(size(object.spec.tags.filter(t, t == 'a'))) != 1u" }, { e: "true" }, "none", "some"],
  ["a count below an unsigned number", "widgets", { fp: "Ignore", e: "size(object.spec.tags.filter(t, t == 'a')) < 2u" }, { fp: "Ignore", e: "size(object.spec.tags.filter(t, t == 'a')) < 2" }, "none", "none"],
  ["a count below a fraction", "widgets", { fp: "Ignore", e: "size(object.spec.tags.filter(t, t == 'a')) < 1.5" }, { fp: "Ignore", e: "size(object.spec.tags.filter(t, t == 'a')) <= 1" }, "none", "none"],
  ["a count below infinity", "widgets", { fp: "Ignore", e: "size(object.spec.tags.filter(t, t == 'a')) < double('inf')" }, { e: "true", fp: "Ignore" }, "none?", "none?"],
  ["a size below an unsigned number", "widgets", { fp: "Ignore", e: "size(object.spec.tags) < 2u" }, { fp: "Ignore", e: "size(object.spec.tags) < 2" }, "none?", "none?"],
  ["a negative zero has a text of its own", "things", { e: "!has(object.spec.n) || string(object.spec.n) != '-0'" }, { e: "true" }, "none", "some?"],
  ["a minimum with a fraction", "things", { e: "!has(object.spec.low) || object.spec.low >= 1.5" }, { e: "true" }, "none", "some?"],
  ["a maximum with a fraction", "things", { e: "!has(object.spec.high) || object.spec.high <= -1.5" }, { e: "true" }, "none", "some?"],
  ["a multiple of two", "things", { fp: "Ignore", e: "!has(object.spec.even) || object.spec.even % 2 == 0" }, { fp: "Ignore", e: "true" }, "none", "none?"],
  ["an enum of strings and a code point", "things", { e: "!has(object.spec.letter) || object.spec.letter == 'A'" }, { e: "true" }, "none", "some?"],
  ["an enum of ints and a fraction", "things", { e: "!has(object.spec.whole) || object.spec.whole in [1, 2]" }, { e: "true" }, "none", "some?"],
  ["the sum overflows", "things", { e: "!has(object.spec.n) || type(object.spec.n) != int || object.spec.n + 1 > object.spec.n" }, { e: "true" }, "none", "some"],
  ["an overflow is ignored", "things", { fp: "Ignore", e: "!has(object.spec.n) || object.spec.n + 1 > object.spec.n" }, { fp: "Ignore", e: "true" }, "none", "none?"],
  ["a division by zero", "deployments", { e: "object.spec.replicas / 0 == 0" }, { e: "false" }, "none", "none"],
  ["a division of the least number", "things", { e: "!has(object.spec.n) || type(object.spec.n) != int || object.spec.n % -1 == 0" }, { e: "true" }, "none", "some?"],
  ["a whole double times two", "widgets", { e: "object.spec.replicas * 2 >= 0" }, { e: "true" }, "none", "some"],
  ["a whole double in a list", "things", { e: "!has(object.spec.ints) || object.spec.ints.map(i, i * 2).all(j, j > 0)" }, { e: "!has(object.spec.ints) || object.spec.ints.all(i, i > 0)" }, "none?", "some"],
  // Keys and names.
  ["a key with a dot", "things", { fp: "Ignore", e: "!('a.b' in object.spec.any && has(object.spec.any.a.b) && object.spec.any.a.b == 1)" }, { fp: "Ignore", e: "!('a.b' in object.spec.any && has(object.spec.any.a.b) && object.spec.any['a.b'] == 1)" }, "some", "some"],
  ["a key like an index", "things", { fp: "Ignore", e: "!(object.spec.any['[0]'] == 1)" }, { fp: "Ignore", e: "!(object.spec.any.exists(k, k != '[0]' && object.spec.any[k] == 1) && '[0]' in object.spec.any)" }, "some?", "some?"],
  ["a bound name in a loop", "things", { fp: "Ignore", e: "object.spec.?min.optMap(v, object.spec.ints.all(i, i > v)).orValue(true)" }, { fp: "Ignore", e: "object.spec.?max.optMap(v, object.spec.ints.all(i, i > v)).orValue(true)" }, "some?", "some?"],
  ["bound names in one expression", "things", { fp: "Ignore", e: "!(object.spec.?min.optMap(v, object.spec.ints.all(i, i > v)).orValue(false) && !object.spec.?max.optMap(v, object.spec.ints.all(i, i > v)).orValue(true))" }, { fp: "Ignore", e: "true" }, "none?", "some?"],
  ["two policies with a variable of one name", "things", { fp: "Ignore", e: "false" }, { fp: "Ignore", vars: [["lim", "3000017"]], e: "!object.spec.ints.all(i, i < variables.lim)", and: { fp: "Ignore", vars: [["lim", "9000011"]], e: "object.spec.ints.all(i, i < variables.lim)" } }, "none", "some"],
  ["two bindings with params of their own", "deployments", { e: "false" }, { paramKind: CONFIG_MAP, mc: ["int(params.data.max) == 3"], e: "false", bindings: [{ actions: ["Warn"], paramRef: ref("lim3") }, { paramRef: ref("lim5") }] }, "none", "some"],
  ["two bindings and a variable", "deployments", { paramKind: CONFIG_MAP, vars: [["max", "int(params.data.max)"]], e: "object.spec.replicas != variables.max", bindings: [{ paramRef: ref("lim3") }, { paramRef: ref("lim5") }] }, { e: "!(object.spec.replicas in [3, 5])" }, "none", "none"],
  ["the loop of a condition and of a validation", "pods", { mc: ["object.spec.containers.all(c, namespaceObject == null)"], e: "object.spec.containers.all(c, namespaceObject == null)" }, { e: "false" }, "none", "none"],
  // Params.
  ["several params", "deployments", { paramKind: CONFIG_MAP, paramRef: selecting({ lim: "yes" }), e: "object.spec.replicas <= int(params.data.max)" }, { e: "object.spec.replicas <= 3" }, "none", "none"],
  ["no param is selected", "deployments", { paramKind: CONFIG_MAP, paramRef: selecting({ lim: "no" }, "Allow"), e: "false" }, { paramKind: CONFIG_MAP, paramRef: selecting({ lim: "no" }), e: "true" }, "some", "none"],
  ["a missing param is allowed or denied", "deployments", { paramKind: CONFIG_MAP, paramRef: ref("absent", "Allow"), e: "false" }, { paramKind: CONFIG_MAP, paramRef: ref("absent"), e: "true" }, "some", "none"],
  ["a missing param is ignored", "deployments", { fp: "Ignore", paramKind: CONFIG_MAP, paramRef: ref("absent", "Allow"), e: "false" }, { fp: "Ignore", paramKind: CONFIG_MAP, paramRef: ref("absent"), e: "false" }, "none", "none"],
  ["a missing param only warns", "deployments", { e: "true" }, { actions: ["Warn"], paramKind: CONFIG_MAP, paramRef: ref("absent"), e: "true" }, "some", "none"],
  ["a missing key of a param", "deployments", { paramKind: CONFIG_MAP, paramRef: ref("lim3"), e: "object.spec.replicas <= int(params.data.least)" }, { fp: "Ignore", paramKind: CONFIG_MAP, paramRef: ref("lim3"), e: "object.spec.replicas <= int(params.data.least)" }, "none", "some"],
  // Conditions, variables, annotations, messages.
  ["a false condition beats a failed one", "configmaps", { mc: ["object.metadata.labels.a == 'b'", "false"], e: "false" }, { e: "true" }, "none", "none"],
  ["a failed condition denies", "configmaps", { mc: ["object.metadata.labels.a == 'b'"], e: "true" }, { e: "true" }, "none", "some"],
  ["a failed condition only warns", "configmaps", { actions: ["Warn"], mc: ["object.metadata.labels.a == 'b'"], e: "false" }, { e: "true" }, "none", "none"],
  ["a failed condition is ignored", "configmaps", { fp: "Ignore", mc: ["object.metadata.labels.a == 'b'"], e: "false" }, { mc: ["has(object.metadata.labels) && 'a' in object.metadata.labels && object.metadata.labels.a == 'b'"], e: "false" }, "none", "none"],
  ["the namespace of a condition is null", "configmaps", { mc: ["namespaceObject == null"], e: "false" }, { e: "false" }, "none", "none"],
  ["the namespace of a validation is not null", "configmaps", { e: "namespaceObject != null" }, { e: "true" }, "none", "none"],
  ["an unused variable fails", "configmaps", { vars: [["x", "object.metadata.labels.a"]], e: "true || variables.x == 'b'" }, { e: "true" }, "none", "none"],
  ["a failed variable on the left", "configmaps", { vars: [["x", "object.metadata.labels.a"]], e: "variables.x == 'b' || true" }, { e: "true" }, "none", "none"],
  ["a failed variable through another", "configmaps", { vars: [["x", "object.metadata.labels.a"], ["y", "variables.x + 'c'"]], e: "variables.y == 'bc'" }, { e: "has(object.metadata.labels) && 'a' in object.metadata.labels && object.metadata.labels.a == 'b'" }, "none?", "none?"],
  ["a failed message", "configmaps", { e: "has(object.data)", me: "'a' + object.data.a" }, { e: "has(object.data)" }, "none", "none"],
  ["a failed annotation only audits", "configmaps", { actions: ["Audit"], audit: "'a' + object.data.a" }, { e: "has(object.data) && 'a' in object.data" }, "none", "none"],
  ["a failed annotation after a skipped condition", "configmaps", { mc: ["has(object.data)"], audit: "'a' + object.data.a" }, { e: "!has(object.data) || 'a' in object.data" }, "none", "none"],
  // Matching.
  ["pods/* is also pods", "pods", { rules: [every(["pods/*"], ["CREATE"], "")], e: "has(request.subResource)" }, { rules: [every(["pods"], ["CREATE"], "")], e: "false" }, "none", "none"],
  ["an exclusion of everything below", "pods", { rules: [rule("pods"), rule("pods/status", ["UPDATE"])], match: { excludeResourceRules: [every(["pods/*"])] }, e: "false" }, { e: "true" }, "none", "none"],
  ["every scale", "deployments", { rules: [every(["*/scale"], ["UPDATE"], "apps")], e: "false" }, { rules: [every(["deployments/scale"], ["UPDATE"], "apps")], e: "false" }, "none", "some"],
  ["resources without subresources", "deployments", { rules: [every(["*/*"], ["UPDATE"], "apps")], e: "false" }, { rules: [every(["*"], ["UPDATE"], "apps")], e: "false" }, "none", "some"],
  ["a scope that nothing has", "pods", { rules: [{ ...rule("pods"), scope: "Cluster" }], e: "false" }, { e: "true" }, "none", "none"],
  ["a policy without a binding", "pods", { bindings: [], e: "false" }, { e: "false" }, "some", "none"],
  ["a binding that only warns beside one that denies", "pods", { e: "false", bindings: [{ actions: ["Warn"] }, { bmatch: PROD }] }, { e: "false", bmatch: PROD }, "none", "none"],
  ["warn and audit", "pods", { e: "false", actions: ["Warn", "Audit"] }, { e: "false", actions: ["Audit"] }, "none", "none"],
  ["an object selector on options", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "false" }, { rules: [rule("pods/exec", ["CONNECT"])], match: { objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } }, e: "false" }, "none", "some"],
  ["an object selector that the old object matches", "configmaps", { rules: [rule("configmaps", ["UPDATE"])], match: { objectSelector: { matchLabels: { a: "b" } } }, e: "false" }, { rules: [rule("configmaps", ["UPDATE"])], e: "!([object, oldObject].exists(o, has(o.metadata.labels) && 'a' in o.metadata.labels && o.metadata.labels.a == 'b'))" }, "none", "none"],
  ["an object selector on a deletion", "configmaps", { rules: [rule("configmaps", ["DELETE"])], match: { objectSelector: { matchLabels: { a: "b" } } }, e: "false" }, { rules: [rule("configmaps", ["DELETE"])], e: "!(has(oldObject.metadata.labels) && 'a' in oldObject.metadata.labels && oldObject.metadata.labels.a == 'b')" }, "none", "none"],
  ["a namespace selector on a cluster-scoped kind", "nodes", { match: PROD, e: "false" }, { e: "false" }, "none", "none"],
  ["a namespace selector on a new namespace", "namespaces", { rules: [rule("namespaces", ["CREATE"])], match: PROD, e: "false" }, { rules: [rule("namespaces", ["CREATE"])], e: "!('env' in object.metadata.labels) || object.metadata.labels.env != 'prod'" }, "none", "none"],
  ["a namespace selector on a deleted namespace", "namespaces", { rules: [rule("namespaces", ["DELETE"])], match: PROD, e: "false" }, { rules: [rule("namespaces", ["DELETE"])], e: "!('env' in oldObject.metadata.labels) || oldObject.metadata.labels.env != 'prod'" }, "none", "none"],
  ["a selected deletion of a namespace", "namespaces", { rules: [rule("namespaces", ["DELETE"])], match: PROD, e: "true" }, { rules: [rule("namespaces", ["DELETE"])], e: "true" }, "none", "none"],
  ["a namespace selector on the status of a namespace", "namespaces", { rules: [rule("namespaces/status", ["UPDATE"])], match: PROD, e: "false" }, { rules: [rule("namespaces/status", ["UPDATE"])], e: "!('env' in oldObject.metadata.labels) || oldObject.metadata.labels.env != 'prod'" }, "none", "none"],
  ["the version that a condition sees", "widgets", { rules: [rule("widgets", undefined, "v1beta1")], mc: ["request.resource.version == 'v1'"], e: "false" }, { rules: [rule("widgets", undefined, "v1")], match: { matchPolicy: "Exact" }, e: "false" }, "none", "none"],
  ["the version that a validation sees", "widgets", { rules: [rule("widgets", undefined, "v1beta1")], e: "request.resource.version == 'v1beta1' && object.apiVersion == 'pp.example.com/v1beta1'" }, { e: "true" }, "none", "none"],
  // Parts of the request.
  ["a subresource that is absent", "pods", { rules: [every(["pods", "pods/exec"], ["*"], "")], e: "!has(request.subResource) || request.subResource != 'exec'" }, { rules: [every(["pods", "pods/exec"], ["*"], "")], e: "request.subResource != 'exec'" }, "some", "none"],
  ["the name of a collection", "configmaps", { rules: [rule("configmaps", ["DELETE"])], e: "request.name != 'x'" }, { rules: [rule("configmaps", ["DELETE"])], e: "!has(request.name) || request.name != 'x'" }, "none", "some"],
  ["the name of a collection is ignored", "configmaps", { fp: "Ignore", rules: [rule("configmaps", ["DELETE"])], e: "request.name != 'x'" }, { fp: "Ignore", rules: [rule("configmaps", ["DELETE"])], e: "!has(request.name) || request.name != 'x'" }, "none", "none"],
  ["a generated name is known", "configmaps", { rules: [rule("configmaps", ["CREATE"])], e: "has(request.name) && request.name == object.metadata.name" }, { rules: [rule("configmaps", ["CREATE"])], e: "true" }, "none", "none"],
  ["a name beside a base for one", "configmaps", { e: "!has(object.metadata.generateName) || object.metadata.name.startsWith(object.metadata.generateName)" }, { e: "true" }, "none", "some?"],
  ["a generated namespace has its label", "namespaces", { rules: [rule("namespaces", ["CREATE"])], e: "object.metadata.labels['kubernetes.io/metadata.name'] == request.name" }, { rules: [rule("namespaces", ["CREATE"])], e: "true" }, "none", "none"],
  ["the namespace object of a namespace", "namespaces", { rules: [every(["namespaces", "namespaces/*"], ["*"], "")], e: "namespaceObject == null" }, { rules: [every(["namespaces", "namespaces/*"], ["*"], "")], e: "true" }, "none", "none"],
  ["a namespace of a deletion", "namespaces", { rules: [rule("namespaces", ["DELETE"])], e: "request.namespace == oldObject.metadata.name" }, { rules: [rule("namespaces", ["DELETE"])], e: "true" }, "none", "none"],
  ["a dry run", "configmaps", { e: "has(request.dryRun) && (request.dryRun || !request.dryRun)" }, { e: "true" }, "none", "none"],
  ["not a dry run", "configmaps", { e: "!request.dryRun" }, { e: "true" }, "none", "some"],
  ["a connection has no objects", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "oldObject == null && object.kind == 'PodExecOptions' && !has(object.metadata)" }, { rules: [rule("pods/exec", ["CONNECT"])], e: "true" }, "none", "none"],
  ["a connection has no options", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "request.options == null" }, { rules: [rule("pods/exec", ["CONNECT"])], e: "true" }, "none", "none"],
  ["nested loops with swapped names", "things", { fp: "Ignore", e: "object.spec.ints.all(x, object.spec.words.all(y, x < size(y)))" }, { fp: "Ignore", e: "object.spec.ints.all(y, object.spec.words.all(x, y < size(x)))" }, "none?", "none?"],
  ["nested loops with exchanged roles", "things", { fp: "Ignore", e: "object.spec.any.a.all(x, object.spec.any.b.all(y, x < y))" }, { fp: "Ignore", e: "object.spec.any.a.all(y, object.spec.any.b.all(x, x < y))" }, "some?", "some?"],
  ["a connection has a namespace", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "namespaceObject.metadata.name == request.namespace" }, { rules: [rule("pods/exec", ["CONNECT"])], e: "true" }, "none", "none"],
  ["a deletion has no object", "pods", { rules: [rule("pods", ["DELETE"])], e: "object == null && oldObject != null && request.options.kind == 'DeleteOptions'" }, { rules: [rule("pods", ["DELETE"])], e: "true" }, "none", "none"],
  ["the options of a deletion", "pods", { rules: [rule("pods", ["DELETE"])], e: "!has(request.options.propagationPolicy)" }, { rules: [rule("pods", ["DELETE"])], e: "true" }, "none", "some?"],
  ["somebody who is not authenticated", "pods", { e: "request.userInfo.groups.exists(g, g == 'system:authenticated')" }, { e: "true" }, "none", "some?"],
  ["a question for the authorizer does not fail", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "authorizer.group('').resource('pods').namespace(request.namespace).name(request.name).check('debug').allowed()" }, { fp: "Ignore", rules: [rule("pods/exec", ["CONNECT"])], e: "authorizer.group('').resource('pods').namespace(request.namespace).name(request.name).check('debug').allowed()" }, "none", "none"],
  ["a question for the authorizer about nothing", "pods", { rules: [rule("pods/exec", ["CONNECT"])], e: "authorizer.group('').resource('').check('debug').allowed()" }, { fp: "Ignore", rules: [rule("pods/exec", ["CONNECT"])], e: "authorizer.group('').resource('').check('debug').allowed()" }, "none", "some?"],
  ["permissions for different namespaces", "pods", { e: "authorizer.group('').resource('pods').namespace('a').check('get').allowed()" }, { e: "authorizer.group('').resource('pods').namespace('b').check('get').allowed()" }, "none", "none"],
  // Built-in kinds.
  ["a job in a cron job has no defaults", "cronjobs", { e: "has(object.spec.jobTemplate.spec.backoffLimit)" }, { e: "true" }, "none", "some"],
  ["a job in a cron job, guarded", "cronjobs", { e: "!has(object.metadata.labels) || !('zq' in object.metadata.labels) || object.spec.jobTemplate.spec.parallelism >= 0" }, { e: "true" }, "none", "some"],
  ["the claims of a stateful set", "statefulsets", { e: "!has(object.spec.volumeClaimTemplates) || object.spec.volumeClaimTemplates.all(c, has(c.spec.accessModes))" }, { e: "true" }, "none", "some?"],
  ["the time of a template", "deployments", { e: "!has(object.spec.template.metadata.creationTimestamp)" }, { e: "true" }, "none", "some?"],
  ["an unchanged selector", "deployments", { rules: [rule("deployments", ["UPDATE"])], e: "object.spec.selector == oldObject.spec.selector" }, { rules: [rule("deployments", ["UPDATE"])], e: "true" }, "none", "none"],
  ["no old object on create", "deployments", { rules: [rule("deployments", ["CREATE"])], e: "object.spec.selector == oldObject.spec.selector" }, { rules: [rule("deployments", ["CREATE"])], e: "false" }, "none", "none"],
  // Functions and strings.
  ["a prefix that is not a string", "things", { fp: "Ignore", e: "object.metadata.name.startsWith(object.spec.any.x) ? false : false" }, { fp: "Ignore", e: "!has(object.spec.any) || !has(object.spec.any.x)" }, "some", "none"],
  ["a replacement that is not a string", "things", { fp: "Ignore", e: "object.metadata.name.replace('a', object.spec.any.x) == '' ? false : false" }, { fp: "Ignore", e: "!has(object.spec.any) || !has(object.spec.any.x)" }, "some", "none?"],
  ["an optional value that is not zero", "configmaps", { e: "false" }, { e: "optional.ofNonZeroValue(object.metadata.name).hasValue()" }, "none", "some"],
  ["an optional value that is zero", "configmaps", { e: "has(object.data) && 'a' in object.data && optional.ofNonZeroValue(object.data.a).hasValue()" }, { e: "has(object.data) && 'a' in object.data" }, "none", "some?"],
  ["a letter in any case", "configmaps", { fp: "Ignore", e: "object.data.a.matches('(?i)^k$')" }, { fp: "Ignore", e: "object.data.a in ['k', 'K']" }, "some", "none"],
  ["a dot and a new line", "configmaps", { fp: "Ignore", e: "object.data.a.matches('^a.b$')" }, { fp: "Ignore", e: "object.data.a.size() == 3 && object.data.a.startsWith('a') && object.data.a.endsWith('b')" }, "none", "some"],
  ["one character beyond the basic plane", "configmaps", { fp: "Ignore", e: "object.data.a.size() <= 1" }, { fp: "Ignore", e: "object.data.a.matches('(?s)^.?$')" }, "none", "none"],
  ["escapes in strings", "configmaps", { fp: "Ignore", e: "object.data.a == '\\u00e9\\n\\x41\\101'" }, { fp: "Ignore", e: "object.data.a == 'é\\nAA'" }, "none", "none"],
  ["raw strings", "configmaps", { fp: "Ignore", e: "object.data.a.contains(r'\\n')" }, { fp: "Ignore", e: "object.data.a.contains('\\n')" }, "some", "some"],
  ["the end of a pattern", "configmaps", { fp: "Ignore", e: "object.data.a.matches('^a$')" }, { fp: "Ignore", e: "object.data.a.matches('(?m)^a$')" }, "none", "some"],
  ["the greatest of an empty list", "things", { e: "!has(object.spec.ints) || object.spec.ints.max() <= 5" }, { e: "!has(object.spec.ints) || object.spec.ints.all(i, i <= 5)" }, "none?", "some?"],
  ["the first of a list", "widgets", { e: "object.spec.?tags[?0].orValue('') == 'a'" }, { e: "has(object.spec.tags) && size(object.spec.tags) > 0 && object.spec.tags[0] == 'a'" }, "none", "none"],
  ["an optional element", "widgets", { fp: "Ignore", e: "[?object.spec.?title].all(t, t == 'a')" }, { fp: "Ignore", e: "!has(object.spec.title) || object.spec.title == 'a'" }, "none", "none"],
  ["an optional entry", "widgets", { fp: "Ignore", e: "{?'t': object.spec.?title} == {'t': 'a'}" }, { fp: "Ignore", e: "has(object.spec.title) && object.spec.title == 'a'" }, "none", "none"],
  ["keys of a map that is not there", "configmaps", { e: "object.data.all(k, k.startsWith('a'))" }, { e: "!has(object.data) || object.data.all(k, k.startsWith('a'))" }, "none", "some"],
  ["a list joined", "things", { fp: "Ignore", e: "object.spec.words.join(',') == 'a,b'" }, { fp: "Ignore", e: "object.spec.words == ['a', 'b']" }, "some?", "none?"],
];

const PARAMS = [maximum("lim3", "3", { lim: "yes" }), maximum("lim5", "5", { lim: "yes" })];

const CASES = PAIRS.map(([name, resource, old, next, denied, allowed]) => ({
  name,
  resource,
  old,
  next,
  want: { denied: possible(denied), allowed: possible(allowed) },
}));

function possible(verdict: string): readonly string[] {
  return verdict.endsWith("?") ? [verdict.slice(0, -1), "unknown"] : [verdict];
}

test.each(CASES)("$name ($resource)", async ({ resource, old, next, want }) => {
  const { newlyDenied, newlyAllowed } = await comparePair(resource, old, next, [THINGS, ...PARAMS]);
  expect(want.denied, `newly denied: ${reasonOf(newlyDenied)}`).toContain(newlyDenied.verdict);
  expect(want.allowed, `newly allowed: ${reasonOf(newlyAllowed)}`).toContain(newlyAllowed.verdict);
});

function reasonOf(verdict: { readonly verdict: string; readonly why?: string }): string {
  return verdict.why ?? verdict.verdict;
}

test("an autoscaler may start from zero on newer servers", async () => {
  const checked = { rules: [rule("horizontalpodautoscalers", undefined, "v2")], e: "object.spec.minReplicas >= 1" };
  const { newlyAllowed } = await comparePair(
    "horizontalpodautoscalers",
    checked,
    { ...checked, e: "true" },
    [],
    "1.37",
  );
  expect(["some", "unknown"]).toContain(newlyAllowed.verdict);
});
