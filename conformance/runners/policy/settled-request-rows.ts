/** The request, its user and namespace, params, variables, annotations and failures. Settled by reasoning; see `proof-pair.ts` for the short form. */
import { CONFIG_MAP, rule } from "./proof-pair.ts";
import type { ServerRow } from "./proof-rows.ts";

const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });
const R = (groups: string[], versions: string[], ops: string[], resources: string[], more = {}) => ({
  apiGroups: groups,
  apiVersions: versions,
  operations: ops,
  resources,
  ...more,
});
const N = "object.metadata.name";
const IG = { fp: "Ignore" };
const F = "false",
  T = "true";
const C = (r: string) => on(r, "CREATE"),
  U = (r: string) => on(r, "UPDATE"),
  D = (r: string) => on(r, "DELETE");
const AUTH = "authorizer.requestResource.check";

// biome-ignore format: a table
export const REQUEST_ROWS: readonly ServerRow[] = [
  ["who creates may create", "configmaps", { e: `${AUTH}('create').allowed()`, ...C("configmaps") }, { e: T, ...C("configmaps") }, "none", "none"],
  ["who deletes may delete", "configmaps", { e: `${AUTH}('delete').allowed() || ${AUTH}('deletecollection').allowed()`, ...D("configmaps") }, { e: T, ...D("configmaps") }, "none", "none"],
  ["who updates may update or patch", "configmaps", { e: `${AUTH}('update').allowed() || ${AUTH}('patch').allowed()`, ...U("configmaps") }, { e: T, ...U("configmaps") }, "none", "none"],
  ["breakglass for carol", "configmaps", { e: "authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed()" }, { e: "request.userInfo.username == 'carol'" }, "some", "none"],
  ["breakglass replaces a group", "configmaps", { e: "object.metadata.name != 'x' || 'dev' in request.userInfo.groups" }, { e: "object.metadata.name != 'x' || authorizer.group('pp.example.com').resource('breakglasses').check('use').allowed()" }, "some", "some"],
  ["the same check in long form", "configmaps", { e: "authorizer.group('').resource('configmaps').namespace(request.namespace).name(request.name).check('create').allowed()", ...C("configmaps") }, { e: `${AUTH}('create').allowed()`, ...C("configmaps") }, "none", "none"],
  ["a check with a subresource", "configmaps", { e: "authorizer.group('').resource('pods').subresource('').check('get').allowed()" }, { e: "authorizer.group('').resource('pods').check('get').allowed()" }, "none", "none"],
  // request
  ["request.operation on create", "configmaps", { e: "request.operation == 'CREATE'", ...C("configmaps") }, { e: T, ...C("configmaps") }, "none", "none"],
  ["operations of the rule", "configmaps", { e: "request.operation in ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']", ...on("configmaps", "*") }, { e: T, ...on("configmaps", "*") }, "none", "none"],
  ["oldObject is null on create", "configmaps", { e: "oldObject == null || request.operation == 'UPDATE'" }, { e: T }, "none", "none"],
  ["has of oldObject", "configmaps", { e: "has(oldObject.metadata)" }, { e: "request.operation == 'UPDATE'" }, "none", "none"],
  ["oldObject null means create", "configmaps", { e: "oldObject != null || has(object.data)" }, { e: "request.operation != 'CREATE' || has(object.data)" }, "none", "none"],
  ["the kind in the request", "configmaps", { e: "request.kind.kind == 'ConfigMap' && request.kind.group == '' && request.kind.version == 'v1'" }, { e: T }, "none", "none"],
  ["the kind of a scale", "deployments", { e: "request.kind.kind == 'Scale' && request.kind.group == 'autoscaling'", rules: [rule("deployments/scale", ["UPDATE"])] }, { e: T, rules: [rule("deployments/scale", ["UPDATE"])] }, "none", "none"],
  ["the resource in the request", "configmaps", { e: "request.resource.resource == 'configmaps' && request.resource.group == ''" }, { e: T }, "none", "none"],
  ["subResource guarded", "pods", { e: "!has(request.subResource) || request.subResource != 'status'", rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, { e: "!has(request.subResource)", rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, "none", "none"],
  ["subResource unguarded", "pods", { e: "request.subResource == 'status'", rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, { e: "has(request.subResource)", rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, "none", "none"],
  ["subResource unguarded, negated", "pods", { e: "request.subResource != 'status'", rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, { e: F, rules: [R([""], ["v1"], ["UPDATE"], ["pods", "pods/status"])] }, "none", "none"],
  ["request.namespace of namespaced", "configmaps", { e: "request.namespace == object.metadata.namespace" }, { e: T }, "none", "none"],
  ["request.namespace of cluster-scoped", "clusterroles", { e: "has(request.namespace)" }, { e: F }, "none", "none"],
  ["a dry run is exempt", "configmaps", { e: F }, { e: "request.dryRun" }, "none", "some"],
  ["dryRun in a condition", "configmaps", { e: F, mc: ["!request.dryRun"] }, { e: "request.dryRun" }, "none", "none"],
  ["options of create", "configmaps", { e: "request.options.kind == 'CreateOptions'", ...C("configmaps") }, { e: T, ...C("configmaps") }, "none", "none"],
  ["a grace period", "pods", { e: "!has(request.options.gracePeriodSeconds) || request.options.gracePeriodSeconds > 0", ...D("pods") }, { e: T, ...D("pods") }, "none", "some"],
  ["propagation", "deployments", { e: "!has(request.options.propagationPolicy) || request.options.propagationPolicy != 'Orphan'", ...D("deployments") }, { e: "!has(request.options.propagationPolicy) || request.options.propagationPolicy in ['Background', 'Foreground']", ...D("deployments") }, "none", "none"],
  ["the user's groups", "configmaps", { e: "request.userInfo.groups.all(g, g != 'system:masters')" }, { e: "!('system:masters' in request.userInfo.groups)" }, "none", "none"],
  ["extra of a user", "configmaps", { e: "has(request.userInfo.extra) && 'scopes' in request.userInfo.extra" }, { e: "'scopes' in request.userInfo.extra" }, "none", "none"],
  ["extra of a user, ignored", "configmaps", { ...IG, e: "has(request.userInfo.extra) && 'scopes' in request.userInfo.extra" }, { ...IG, e: "'scopes' in request.userInfo.extra" }, "none", "some"],
  ["username or groups", "configmaps", { e: "request.userInfo.username == 'bob' || 'dev' in request.userInfo.groups" }, { e: "'dev' in request.userInfo.groups || request.userInfo.username in ['bob']" }, "none", "none"],
  // namespaceObject
  ["the name of the namespace", "configmaps", { e: "namespaceObject.metadata.name == request.namespace" }, { e: T }, "none", "none"],
  ["the server's label", "configmaps", { e: "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == object.metadata.namespace" }, { e: T }, "none", "none"],
  ["has labels of a namespace", "configmaps", { e: "has(namespaceObject.metadata.labels)" }, { e: T }, "none", "none"],
  ["annotations of a namespace", "configmaps", { e: "'pp.example.com/owner' in namespaceObject.metadata.annotations" }, { e: "namespaceObject.metadata.?annotations[?'pp.example.com/owner'].hasValue()" }, "none", "none"],
  ["annotations of a namespace, ignored", "configmaps", { ...IG, e: "'pp.example.com/owner' in namespaceObject.metadata.annotations" }, { ...IG, e: "namespaceObject.metadata.?annotations[?'pp.example.com/owner'].hasValue()" }, "some", "none"],
  ["the owner of a namespace is the user", "configmaps", { e: "namespaceObject.metadata.?annotations[?'owner'].orValue('') == request.userInfo.username" }, { e: "has(namespaceObject.metadata.annotations) && 'owner' in namespaceObject.metadata.annotations && namespaceObject.metadata.annotations['owner'] == request.userInfo.username" }, "none", "none"],
  ["a team label must match", "configmaps", { e: "has(object.metadata.labels) && 'team' in object.metadata.labels && object.metadata.labels.team == namespaceObject.metadata.labels.team" }, { e: "object.metadata.labels.team == namespaceObject.metadata.labels.team" }, "none", "none"],
  ["a team label must match, reverse", "configmaps", { ...IG, e: "object.metadata.labels.team == namespaceObject.metadata.labels.team" }, { ...IG, e: "namespaceObject.metadata.labels.team == object.metadata.labels.team" }, "none", "none"],
  ["namespaceObject of a deployment", "deployments", { e: "namespaceObject != null" }, { e: T }, "none", "none"],
  ["the status of a namespace", "configmaps", { e: "namespaceObject.status.phase == 'Active'", ...C("configmaps") }, { e: T, ...C("configmaps") }, "none", "none"],
  ["the status of a namespace, updated", "configmaps", { e: "namespaceObject.status.phase == 'Active'", ...U("configmaps") }, { e: T, ...U("configmaps") }, "none", "some"],
  ["wrong uid", "configmaps", { e: "has(namespaceObject.metadata.UID)" }, { e: F }, "none", "none"],
  ["the creation time of a namespace", "configmaps", { e: "namespaceObject.metadata.creationTimestamp > timestamp('1970-01-01T00:00:00Z')" }, { e: F }, "none", "none"],
  // params
  ["params absent in a binding", "configmaps", { e: "params == null", paramKind: CONFIG_MAP }, { e: T }, "none", "none"],
  ["params absent in a binding, read", "configmaps", { e: "params.data.x == '1'", paramKind: CONFIG_MAP }, { e: F }, "none", "none"],
  ["param selected by an expression", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { selector: { matchExpressions: [{ key: "lim", operator: "In", values: ["yes"] }] }, namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { selector: { matchLabels: { lim: "yes" } }, namespace: "pp-a", parameterNotFoundAction: "Deny" } }, "none", "none"],
  ["missing param, allowed or denied", "configmaps", { e: T, paramKind: CONFIG_MAP, paramRef: { name: "nope", namespace: "pp-a", parameterNotFoundAction: "Allow" } }, { e: T, paramKind: CONFIG_MAP, paramRef: { name: "nope", namespace: "pp-a", parameterNotFoundAction: "Deny" } }, "some", "none"],
  ["param in the request's namespace", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { name: "lim5", parameterNotFoundAction: "Allow" } }, { e: `size(${N}) <= 5 || request.namespace != 'pp-a'` }, "none", "none"],
  ["param in the request's namespace, missing is denied", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { name: "lim5", parameterNotFoundAction: "Deny" } }, { e: `size(${N}) <= 5 && request.namespace == 'pp-a'` }, "none", "none"],
  ["a param kind that does not exist", "configmaps", { e: T, paramKind: { apiVersion: "nope.example.com/v1", kind: "Nope" }, paramRef: { name: "x", parameterNotFoundAction: "Allow" } }, { e: T }, "none", "some"],
  ["a param kind that does not exist, ignored", "configmaps", { ...IG, e: F, paramKind: { apiVersion: "nope.example.com/v1", kind: "Nope" }, paramRef: { name: "x", parameterNotFoundAction: "Allow" } }, { ...IG, e: T }, "none", "none"],
  ["int of a param's text", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { name: "lim3", namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { e: `size(${N}) <= 3` }, "none", "none"],
  ["two bindings, stricter wins", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, bindings: [{ paramRef: { name: "lim3", namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { paramRef: { name: "lim5", namespace: "pp-a", parameterNotFoundAction: "Deny" } }] }, { e: `size(${N}) < 4` }, "none", "none"],
  ["a paramRef without a paramKind", "configmaps", { e: F, paramRef: { name: "x", parameterNotFoundAction: "Allow" } }, { e: F }, "none", "none"],
  ["a namespaced param for namespaces", "namespaces", { e: F, paramKind: CONFIG_MAP, paramRef: { name: "lim5", parameterNotFoundAction: "Allow" } }, { e: "object.metadata.name != 'pp-a'" }, "none", "none"],
  ["params of all by an empty selector", "configmaps", { e: `size(${N}) <= int(params.data.max)`, paramKind: CONFIG_MAP, paramRef: { selector: {}, namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { e: `size(${N}) <= 3` }, "none", "none"],
  ["a condition reads params", "configmaps", { e: F, mc: ["params.data.max == '3'"], paramKind: CONFIG_MAP, paramRef: { selector: {}, namespace: "pp-a", parameterNotFoundAction: "Deny" } }, { e: F }, "none", "none"],
  // variables
  ["unused failing variable", "configmaps", { e: "has(object.data)", vars: [["a", "object.nope.nope"]] }, { e: "has(object.data)" }, "none", "none"],
  ["a variable used twice", "configmaps", { e: "variables.n > 3 && variables.n < 10", vars: [["n", `size(${N})`]] }, { e: `size(${N}) > 3 && size(${N}) < 10` }, "none", "none"],
  ["a variable across validations", "configmaps", { e: ["variables.n > 3", "variables.n < 10"], vars: [["n", `size(${N})`]] }, { e: `size(${N}) > 3 && size(${N}) < 10` }, "none", "none"],
  ["a variable with a list", "pods", { e: "variables.all.all(c, has(c.image) && c.image.startsWith('r/'))", vars: [["all", "object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])"]] }, { e: "object.spec.containers.all(c, has(c.image) && c.image.startsWith('r/')) && (!has(object.spec.initContainers) || object.spec.initContainers.all(c, has(c.image) && c.image.startsWith('r/'))) && (!has(object.spec.ephemeralContainers) || object.spec.ephemeralContainers.all(c, has(c.image) && c.image.startsWith('r/')))" }, "none", "none"],
  ["a variable absorbs", "configmaps", { e: "variables.x || true", vars: [["x", "object.data.a == '1'"]] }, { e: T }, "none", "none"],
  ["a message too long", "configmaps", { e: "has(object.data)", me: "'x' + object.metadata.name" }, { e: "has(object.data)" }, "none", "none"],
  ["an audit annotation by optional", "configmaps", { e: T, audit: "object.?data[?'a'].orValue('none')" }, { e: T }, "none", "none"],
  ["failurePolicy without failures", "deployments", { e: "object.spec.replicas < 5" }, { ...IG, e: "object.spec.replicas < 5" }, "none", "none"],
  ["failurePolicy with failures", "widgets", { e: "object.spec.replicas * 2 < 5" }, { ...IG, e: "object.spec.replicas * 2 < 5" }, "none", "some"],
  ["error then false", "configmaps", { ...IG, e: ["object.data.a == 'x'", F] }, { e: F }, "none", "none"],
  ["two policies against one", "configmaps", { e: "has(object.data)", and: { e: "has(object.metadata.labels)" } }, { e: "has(object.data) && has(object.metadata.labels)" }, "none", "none"],
  ["two policies of which one warns", "configmaps", { e: "has(object.data)", and: { e: "has(object.metadata.labels)", actions: ["Warn"] } }, { e: "has(object.data)" }, "none", "none"],
  ["reason and message do not matter", "configmaps", { e: "has(object.data)" }, { e: "object.data.size() >= 0" }, "none", "none"],
  ["no overflow of an int32", "deployments", { e: "object.spec.replicas * 4294967296 >= 0" }, { e: T }, "none", "none"],
  ["index out of range", "pods", { e: "object.spec.containers[1].name == 'b'" }, { e: "object.spec.containers.size() > 1 && object.spec.containers[1].name == 'b'" }, "none", "none"],
  ["index out of range, ignored", "pods", { ...IG, e: "object.spec.containers[1].name == 'b'" }, { ...IG, e: "object.spec.containers.size() > 1 && object.spec.containers[1].name == 'b'" }, "some", "none"],
  ["no matching overload", "configmaps", { e: "dyn(object.metadata.name) > 5" }, { e: F }, "none", "none"],
  ["no matching overload, ignored", "configmaps", { ...IG, e: "dyn(object.metadata.name) > 5" }, { e: T }, "none", "none"],
  ["ternary with an error in one branch", "configmaps", { e: "has(object.data) ? object.data.a == 'x' : true" }, { e: "!has(object.data) || ('a' in object.data && object.data.a == 'x')" }, "none", "none"],
];
