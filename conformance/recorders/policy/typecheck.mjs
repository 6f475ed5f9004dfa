/** Policies to type check against the schemas of the kinds they match. */
import { policy, rule } from "./builders.mjs";

const text = { type: "string" };
const integer = { type: "integer", format: "int32" };
const labels = { type: "object", additionalProperties: text };
const metadata = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    labels,
    annotations: labels,
    creationTimestamp: { type: "string", format: "date-time" },
    finalizers: { type: "array", items: text },
  },
};
const resource = (properties, over = {}) => ({
  type: "object",
  properties: { apiVersion: text, kind: text, metadata, ...properties },
  ...over,
});
const container = {
  type: "object",
  required: ["name"],
  properties: {
    name: text,
    image: text,
    ports: { type: "array", items: { type: "object", properties: { containerPort: integer, protocol: text } } },
  },
};
const podSpec = {
  type: "object",
  properties: {
    containers: { type: "array", items: container },
    hostNetwork: { type: "boolean" },
    nodeSelector: labels,
    activeDeadlineSeconds: { type: "integer", format: "int64" },
  },
};

const schemas = {
  "/v1/Pod": resource({ spec: podSpec, status: { type: "object", properties: { phase: text } } }),
  "apps/v1/Deployment": resource({
    spec: {
      type: "object",
      properties: {
        replicas: integer,
        paused: { type: "boolean" },
        template: { type: "object", properties: { metadata, spec: podSpec } },
        ratio: { type: "number" },
        data: { type: "string", format: "byte" },
        timeout: { type: "string", format: "duration" },
        day: { type: "string", format: "date" },
      },
    },
  }),
  "/v1/ConfigMap": resource({
    data: labels,
    binaryData: { type: "object", additionalProperties: { type: "string", format: "byte" } },
    immutable: { type: "boolean" },
  }),
  "example.com/v1/Widget": {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          size: integer,
          port: { "x-kubernetes-int-or-string": true },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          any: { "x-kubernetes-preserve-unknown-fields": true },
          "with-dash": text,
          "with.dot": text,
          namespace: text,
          if: text,
          __odd__: text,
          "with space": text,
          list: { type: "array", items: { type: "array", items: integer } },
          map: { type: "object", additionalProperties: { type: "object", properties: { x: integer } } },
          untyped: {},
          listOfUntyped: { type: "array", items: {} },
          noItems: { type: "array" },
          mapOfUntyped: { type: "object", additionalProperties: {} },
          open: { type: "object", additionalProperties: true },
          embedded: { type: "object", "x-kubernetes-embedded-resource": true, properties: { x: integer } },
        },
      },
    },
  },
  "example.com/v2/Widget": { type: "object", properties: { spec: { type: "object", properties: { size: text } } } },
  "example.com/v1/Blob": { "x-kubernetes-preserve-unknown-fields": true },
  "example.com/v1/Bag": { type: "object", additionalProperties: { type: "integer" } },
};
const resources = {
  "/v1/pods": "Pod",
  "apps/v1/deployments": "Deployment",
  "/v1/configmaps": "ConfigMap",
  "example.com/v1/widgets": "Widget",
  "example.com/v2/widgets": "Widget",
  "example.com/v1/blobs": "Blob",
  "example.com/v1/bags": "Bag",
  "example.com/v1/ghosts": "Ghost",
};
for (let index = 0; index < 12; index++) {
  schemas[`many.io/v1/Kind${String.fromCharCode(97 + index)}`] = { type: "object", properties: { x: integer } };
  resources[`many.io/v1/kind${String.fromCharCode(97 + index)}s`] = `Kind${String.fromCharCode(97 + index)}`;
}

const pods = rule({ resources: ["pods"] });
const deployments = rule({ apiGroups: ["apps"], resources: ["deployments"] });
const configMaps = rule({ resources: ["configmaps"] });
const widgets = rule({ apiGroups: ["example.com"], resources: ["widgets"] });
const on = (rules, expression, over = {}) =>
  policy({ match: { resourceRules: [rules].flat() }, validations: [{ expression }], ...over });
const params = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const many = rule({
  apiGroups: ["many.io"],
  resources: Array.from({ length: 12 }, (_, index) => `kind${String.fromCharCode(97 + index)}s`),
});

const table = {
  fine: on(pods, "object.metadata.name == 'x'"),
  "undefined field": on(pods, "object.bar == 'x'"),
  "undefined nested field": on(pods, "object.spec.bar == 'x'"),
  "undefined field of two kinds": on([pods, deployments], "object.bar == 'x'"),
  "undefined field of one of two": on([pods, deployments], "object.spec.replicas > 1"),
  "two rules of the same kind": on([pods, pods], "object.bar == 'x'"),
  "several groups and versions": on(
    rule({ apiGroups: ["", "apps"], resources: ["pods", "deployments"] }),
    "object.bar == 'x'",
  ),
  "wrong type": on(deployments, "object.spec.replicas == 'x'"),
  "wrong type of a label": on(pods, "object.metadata.labels['a'] == 1"),
  "label by name": on(pods, "object.metadata.labels.a == 'b'"),
  "list element": on(pods, "object.spec.containers[0].image == 1"),
  "list element unknown": on(pods, "object.spec.containers[0].imag == 'x'"),
  all: on(pods, "object.spec.containers.all(c, c.image.startsWith('x'))"),
  "all wrong": on(pods, "object.spec.containers.all(c, c.image > 1)"),
  "all unknown": on(pods, "object.spec.containers.all(c, c.img == '')"),
  "map as list": on(pods, "object.metadata.labels.all(k, k > 1)"),
  "not a boolean is fine": on(pods, "object.metadata.name"),
  syntax: on(pods, "object.metadata.name =="),
  undeclared: on(pods, "nope == 1"),
  "params undeclared": on(pods, "params.x == 1"),
  "several problems": on(pods, "object.a == object.b"),
  "several lines": on(pods, "object.metadata.name == 'x' &&\n  object.spec.bar == 1"),
  has: on(pods, "has(object.spec.hostNetwork)"),
  "has unknown": on(pods, "has(object.spec.bar)"),
  "optional select": on(pods, "object.?spec.?bar.hasValue()"),
  oldObject: on(pods, "oldObject.spec.bar == 1"),
  "null comparison": on(pods, "oldObject == null || object != null"),
  "object with oldObject": on(pods, "object.spec == oldObject.spec"),
  request: on(pods, "request.nope == ''"),
  "request kind": on(pods, "request.kind.nope == ''"),
  namespaceObject: on(pods, "namespaceObject.metadata.uid == ''"),
  authorizer: on(pods, "authorizer.path('/').check('get').allowed()"),
  "request resource": on(pods, "authorizer.requestResource.check('get').allowed()"),
  timestamp: on(pods, "object.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')"),
  "timestamp as text": on(pods, "object.metadata.creationTimestamp == 'x'"),
  bytes: on(deployments, "object.spec.data == b'x'"),
  "bytes as text": on(deployments, "object.spec.data == 'x'"),
  duration: on(deployments, "object.spec.timeout < duration('1s')"),
  "duration as text": on(deployments, "object.spec.timeout == '1s'"),
  date: on(deployments, "object.spec.day < timestamp('2020-01-01T00:00:00Z')"),
  double: on(deployments, "object.spec.ratio < 1.5"),
  "double and int": on(deployments, "object.spec.ratio < 1"),
  "double equals int": on(deployments, "object.spec.ratio == 1"),
  "int or string": on(widgets, "object.spec.port == 1 || object.spec.port == 'x'"),
  "preserved object": on(widgets, "object.spec.free.x == 1"),
  "preserved anything": on(widgets, "object.spec.any == 1"),
  untyped: on(widgets, "object.spec.untyped == 1"),
  "list of untyped": on(widgets, "object.spec.listOfUntyped.size() == 1"),
  "list without items": on(widgets, "object.spec.noItems.size() == 1"),
  "map of untyped": on(widgets, "object.spec.mapOfUntyped.size() == 1"),
  "open object": on(widgets, "object.spec.open.x == 1"),
  "escaped dash": on(widgets, "object.spec.with__dash__dash == 'x'"),
  "escaped dot": on(widgets, "object.spec.with__dot__dot == 'x'"),
  keyword: on(widgets, "object.spec.namespace == 'x'"),
  "keyword escaped": on(widgets, "object.spec.__namespace__ == 'x'"),
  "keyword if": on(widgets, "object.spec.__if__ == 'x'"),
  "odd underscores": on(widgets, "object.spec.__underscores__odd__underscores__ == 'x'"),
  "nested lists": on(widgets, "object.spec.list[0][0] == 'x'"),
  "map of objects": on(widgets, "object.spec.map['a'].y == 1"),
  embedded: on(widgets, "object.spec.embedded.kind == 1 && object.spec.embedded.metadata.labels.size() == 1"),
  "metadata without schema": on(widgets, "object.metadata.name == object.metadata.generateName"),
  "metadata without schema: labels": on(widgets, "object.metadata.labels.size() == 0"),
  "type name in a message": on(widgets, "object.spec == 1"),
  "type name of a field": on(widgets, "object.spec.map == 1"),
  "type name of an element": on(pods, "object.spec.containers[0] == 'x'"),
  "type name of the root": on(pods, "object == 'x'"),
  "two versions": on(
    rule({ apiGroups: ["example.com"], apiVersions: ["v1", "v2"], resources: ["widgets"] }),
    "object.spec.size == 1",
  ),
  "versions in any order": on(
    rule({ apiGroups: ["example.com"], apiVersions: ["v2", "v1"], resources: ["widgets"] }),
    "object.nope == 1",
  ),
  "untyped root": on(rule({ apiGroups: ["example.com"], resources: ["blobs"] }), "object.whatever == 1"),
  "map root": on(rule({ apiGroups: ["example.com"], resources: ["bags"] }), "object.whatever == 'x'"),
  "no schema": on(rule({ apiGroups: ["example.com"], resources: ["ghosts"] }), "object.whatever == 1"),
  "no such resource": on(rule({ apiGroups: ["example.com"], resources: ["nothings"] }), "object.whatever == 1"),
  "wildcard group": on(rule({ apiGroups: ["*"], resources: ["pods"] }), "object.bar == 1"),
  "wildcard version": on(rule({ apiVersions: ["*"], resources: ["pods"] }), "object.bar == 1"),
  "wildcard resource": on(rule({ resources: ["*"] }), "object.bar == 1"),
  "wildcard subresource": on(rule({ resources: ["pods/*"] }), "object.bar == 1"),
  "wildcard beside a resource": on(rule({ resources: ["pods/*", "configmaps"] }), "object.bar == 1"),
  "wildcard rule beside another": on([rule({ apiGroups: ["*"] }), configMaps], "object.bar == 1"),
  subresource: on(rule({ resources: ["pods/status"] }), "object.bar == 1"),
  "twelve kinds": on(many, "object.y == 1"),
  "twelve kinds and one more": on([many, pods], "object.y == 1"),
  "excluded rules do not matter": on(pods, "object.bar == 1", {
    match: { resourceRules: [pods], excludeResourceRules: [pods] },
  }),
  "message expression": policy({
    match: { resourceRules: [pods] },
    validations: [{ expression: "true", messageExpression: "object.bar" }],
  }),
  "both expressions": policy({
    match: { resourceRules: [pods] },
    validations: [{ expression: "object.a == 1", messageExpression: "object.b" }, { expression: "object.c == 1" }],
  }),
  "message expression with authorizer": policy({
    match: { resourceRules: [pods] },
    validations: [{ expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" }],
  }),
  "conditions and annotations are not checked": on(pods, "true", {
    matchConditions: [{ name: "a", expression: "object.bar == 1" }],
    auditAnnotations: [{ key: "k", valueExpression: "object.bar" }],
  }),
  variable: on(pods, "variables.a == 'x'", { variables: [{ name: "a", expression: "object.metadata.name" }] }),
  "variable of a wrong type": on(pods, "variables.a == 1", {
    variables: [{ name: "a", expression: "object.metadata.name" }],
  }),
  "variable unknown": on(pods, "variables.b == 1", { variables: [{ name: "a", expression: "1" }] }),
  "variables without any": on(pods, "variables.b == 1"),
  "broken variable is dynamic": on(pods, "variables.a == 1", { variables: [{ name: "a", expression: "object.bar" }] }),
  "object variable is dynamic": on(pods, "variables.a.bar == 1", {
    variables: [{ name: "a", expression: "object.spec" }],
  }),
  "list variable": on(pods, "variables.a[0].bar == 1", {
    variables: [{ name: "a", expression: "object.spec.containers" }],
  }),
  "map variable": on(pods, "variables.a['x'] == 1", {
    variables: [{ name: "a", expression: "object.metadata.labels" }],
  }),
  params: on(pods, "params.data.x == 'y'", params),
  "params wrong": on(pods, "params.data.x == 1", params),
  "params unknown field": on(pods, "params.dat.x == 1", params),
  "params of an unknown kind": on(pods, "params.x == 1", {
    paramKind: { apiVersion: "example.com/v1", kind: "Ghost" },
  }),
  "params without metadata": on(pods, "params.metadata.labels.size() == 1", {
    paramKind: { apiVersion: "example.com/v1", kind: "Widget" },
  }),
  "params of the object's kind": on(configMaps, "params.data == object.data && params.nope == 1", params),
  unicode: on(pods, "object.metadata.name == 'ä' && object.bar == 1"),
};

/** Only what the policy can reach, to keep the corpus small. */
export const typecheckCases = Object.entries(table).map(([id, object]) => {
  const named = JSON.parse(JSON.stringify(object).replaceAll("{{n}}", "p"));
  const wanted = JSON.stringify(named);
  const groupOf = (name) => name.split("/")[0];
  const isUsed = (name) =>
    wanted.includes(`"${groupOf(name)}"`) ||
    wanted.includes(`"${groupOf(name)}/v1"`) ||
    wanted.includes('"apiVersion":"v1","kind":"ConfigMap"');
  const pick = (all) => Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)));
  return { id, policy: named, schemas: pick(schemas), resources: pick(resources) };
});
