/** The objects that are read: two custom kinds, one of them in two versions, and a few built-in ones. */
const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { size: { type: "integer", default: 1 }, color: { type: "string" }, replicas: { type: "integer" } },
      },
      status: { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } },
    },
  },
};

const columns = [
  { name: "Size", type: "integer", jsonPath: ".spec.size" },
  { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1 },
];

function version(name, storage, more = {}) {
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, description: name } },
    additionalPrinterColumns: columns,
    ...more,
  };
}

const subresources = {
  status: {},
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
};

function definition(plural, kind, scope, versions) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.{{g}}` },
    spec: {
      group: "{{g}}",
      scope,
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions,
    },
  };
}

export const definitions = [
  definition("widgets", "Widget", "Namespaced", [
    version("v1", true, { subresources, selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] }),
    // Versions with equal schemas and columns are stored as if there were one, and then fields cannot be selected.
    version("v2", false, { subresources, deprecated: true, additionalPrinterColumns: [] }),
  ]),
  definition("gadgets", "Gadget", "Cluster", [version("v1", true)]),
];

const WIDGETS = "/apis/{{g}}/v1/namespaces/{{ns}}/widgets";

export const objects = [
  ...["a", "b", "c"].map((name, index) => ({
    path: WIDGETS,
    object: {
      apiVersion: "{{g}}/v1",
      kind: "Widget",
      metadata: { name, labels: { app: name, tier: String(index) } },
      spec: { color: ["red", "blue"][index % 2], size: index, replicas: index },
    },
  })),
  { path: "/apis/{{g}}/v1/gadgets", object: { apiVersion: "{{g}}/v1", kind: "Gadget", metadata: { name: "a" } } },
  ...["a", "b"].map((name) => ({
    path: "/api/v1/namespaces/{{ns}}/configmaps",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { app: name } }, data: { x: "y" } },
  })),
  {
    path: "/api/v1/namespaces/{{ns}}/secrets",
    object: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, stringData: { x: "y" } },
  },
  {
    path: "/apis/apps/v1/namespaces/{{ns}}/deployments",
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a", labels: { app: "a" } },
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    },
  },
];
