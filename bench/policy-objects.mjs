/** The input of the policy benchmark: a Deployment, its namespace, and any number of policies. */

export const namespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "shop", labels: { "kubernetes.io/metadata.name": "shop", environment: "production" } },
  spec: { finalizers: ["kubernetes"] },
  status: { phase: "Active" },
};

const container = (name) => ({
  name,
  image: `registry.example.com/shop/${name}:1.4.2`,
  resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
  ports: [{ containerPort: 8080, protocol: "TCP" }],
});

export const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { app: "web", team: "checkout" } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web", team: "checkout" } },
      spec: { containers: ["web", "proxy", "metrics"].map(container) },
    },
  },
};

const OTHERS = ["services", "configmaps", "secrets", "pods", "persistentvolumeclaims", "serviceaccounts"];

/** `which` selects how many match Deployments: "all" or "one". All of them hold, so that all are evaluated. */
export function manyPolicies(count, which) {
  const policies = Array.from({ length: count }, (_, index) => policy(index, which === "all" || index === 0));
  const bindings = policies.map(({ metadata: { name } }) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  }));
  return { policies, bindings };
}

function policy(index, isAboutIt) {
  const rule = isAboutIt ? ["apps", "deployments"] : ["", OTHERS[index % OTHERS.length]];
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: `policy-${String(index).padStart(4, "0")}.example.com` },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        matchPolicy: "Equivalent",
        namespaceSelector: { matchLabels: { environment: "production" } },
        objectSelector: {},
        resourceRules: [
          {
            apiGroups: [rule[0]],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE"],
            resources: [rule[1]],
            scope: "*",
          },
        ],
      },
      matchConditions: [{ name: "people", expression: "!('system:nodes' in request.userInfo.groups)" }],
      variables: [{ name: "containers", expression: "object.spec.template.spec.containers" }],
      validations: [
        {
          expression: `variables.containers.all(c, c.image.startsWith('registry.example.com/') && has(c.resources.limits))`,
          messageExpression: "'images of ' + object.metadata.name",
        },
        { expression: `object.spec.replicas <= ${100 + index}`, message: "too many" },
      ],
    },
  };
}
