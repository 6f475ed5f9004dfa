/**
 * Builders for cases: small functions that make policies, bindings and requests.
 *
 * `{{n}}` is replaced by a unique name per case before anything is sent. A policy selects the objects labelled `case:
 * {{n}}` by default, so that hundreds of cases can be active at once.
 */
const GROUP = "admissionregistration.k8s.io/v1";

export const own = { matchLabels: { case: "{{n}}" } };
/** For bindings of policies that do not select by label: only the case's own objects in its own namespace. */
export const ownNamespace = {
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{{n}}" } },
  objectSelector: own,
};

export const rule = (over = {}) => ({
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["*"],
  resources: ["configmaps"],
  ...over,
});

export function policy(spec = {}, name = "{{n}}") {
  const { match, ...rest } = spec;
  const matchConstraints = { objectSelector: own, resourceRules: [rule()], ...match };
  return {
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints, ...rest },
  };
}

export function binding(spec = {}, name = "{{n}}") {
  return {
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: "{{n}}", validationActions: ["Deny"], ...spec },
  };
}

export const configMap = (data = {}, over = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "{{n}}", namespace: "default", labels: { case: "{{n}}" }, ...over },
  data,
});

export const namespace = (labels = {}, over = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "{{n}}", labels, ...over },
});

const CORE = { group: "", version: "v1" };
export const configMaps = { resource: { ...CORE, resource: "configmaps" }, kind: { ...CORE, kind: "ConfigMap" } };
export const namespaces = { resource: { ...CORE, resource: "namespaces" }, kind: { ...CORE, kind: "Namespace" } };
export const secrets = { resource: { ...CORE, resource: "secrets" }, kind: { ...CORE, kind: "Secret" } };

export const create = (object = configMap(), over = {}) => ({ operation: "CREATE", ...configMaps, object, ...over });
export const update = (oldObject, object, over = {}) => ({
  operation: "UPDATE",
  ...configMaps,
  oldObject,
  object,
  ...over,
});
export const remove = (oldObject, over = {}) => ({ operation: "DELETE", ...configMaps, oldObject, ...over });

/** A case of one policy with one binding. */
export function single(id, spec, request = create(), over = {}) {
  const { actions = ["Deny"], bind = {}, ...rest } = over;
  return {
    id,
    policies: [policy(spec)],
    bindings: [binding({ validationActions: actions, ...bind })],
    request,
    ...rest,
  };
}

/** One case per row: `[name, ...arguments]`. */
export const table = (topic, rows, make) =>
  rows.map(([name, ...args]) => ({ ...make(...args), id: `${topic}: ${name}` }));

/** Shows a value as a warning with its text. */
export const shown = (expression) => ({
  validations: [{ expression: "false", messageExpression: `string(${expression})`, message: "no message" }],
});

/** A custom resource of a group unique to the case. */
export const widgets = { group: "{{n}}.example.com", plural: "widgets", kind: "Widget" };
const OPEN = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
export const definition = (over = {}, versions = ["v1"]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.{{n}}.example.com" },
  spec: {
    group: "{{n}}.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: OPEN },
    })),
    ...over,
  },
});
export const widget = (fields = {}, over = {}, version = "v1") => ({
  apiVersion: `{{n}}.example.com/${version}`,
  kind: "Widget",
  metadata: { name: "{{n}}", namespace: "default", labels: { case: "{{n}}" }, ...over },
  ...fields,
});
export const widgetRequest = (version = "v1") => ({
  resource: { group: "{{n}}.example.com", version, resource: "widgets" },
  kind: { group: "{{n}}.example.com", version, kind: "Widget" },
});
export const widgetRule = (over = {}) => rule({ apiGroups: ["{{n}}.example.com"], resources: ["widgets"], ...over });
