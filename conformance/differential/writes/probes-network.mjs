/** Services, ingresses, network policies, endpoints and autoscalers with typical mistakes. */
import { apis, cluster, core, meta, nameMistakes } from "./mistakes.mjs";

const backend = { service: { name: "s", port: { number: 80 } } };
const scale = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };
const cpu = (target) => ({ type: "Resource", resource: { name: "cpu", target } });

export const networkProbes = [
  {
    path: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { selector: { a: "b" }, ports: [{ port: 80 }] },
    },
    mistakes: {
      "metadata.annotations": [
        { "service.kubernetes.io/topology-aware-hints": "auto" },
        { "service.kubernetes.io/topology-aware-hints": "auto", "service.kubernetes.io/topology-mode": "x" },
        { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8" },
      ],
      "spec.externalIPs": [["1.2.3.4"], ["010.1.1.1"], ["2001:DB8::1"], ["fe80::1"]],
      "spec.sessionAffinity": ["ClientIP"],
      "spec.ipFamilyPolicy": ["SingleStack", "PreferDualStack", "RequireDualStack"],
      "spec.ipFamilies": [["IPv4"], ["IPv6"], ["IPv4", "IPv6"]],
      "spec.clusterIP": ["300.1.1.1", "None"],
      "spec.loadBalancerIP": ["x", "1.2.3.4"],
      "spec.type": ["NodePort", "LoadBalancer"],
    },
    changes: {
      "spec.type": ["NodePort", "LoadBalancer", "ExternalName"],
      "spec.clusterIP": ["None", undefined],
      "spec.ipFamilies": [["IPv6"]],
      "spec.ipFamilyPolicy": ["RequireDualStack"],
      "spec.ports": [[], [{ port: 81 }]],
      "spec.loadBalancerClass": ["a"],
    },
    statuses: { "status.loadBalancer": [{ ingress: [{ ip: "1.2.3.4" }] }] },
  },
  {
    path: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    },
    changes: { "spec.loadBalancerClass": ["a"], "spec.externalTrafficPolicy": ["Local"], "spec.type": ["ClusterIP"] },
    statuses: {
      "status.loadBalancer": [
        { ingress: [{ ip: "1.2.3.4" }] },
        { ingress: [{ ip: "x" }] },
        { ingress: [{ hostname: "Bad_" }] },
        { ingress: [{ hostname: "1.2.3.4" }] },
        { ingress: [{ hostname: "a.b", ipMode: "VIP" }] },
        { ingress: [{ ip: "1.2.3.4", ipMode: "Foo" }] },
      ],
    },
  },
  {
    path: apis("networking.k8s.io/v1", "ingresses"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: meta(),
      spec: { defaultBackend: backend },
    },
    mistakes: {
      ...nameMistakes,
      "metadata.annotations": [{ "kubernetes.io/ingress.class": "x" }],
      "spec.ingressClassName": ["", "a.b"],
      "spec.defaultBackend": [
        { service: { name: "s", port: { number: 70000 } } },
        { service: { name: "s", port: { name: "Bad_" } } },
        { service: { name: "1s", port: { number: 1 } } },
        { resource: { kind: "K", name: "n" } },
        { resource: { apiGroup: "Bad_", kind: "", name: "a/b" } },
        { ...backend, resource: { kind: "K", name: "n" } },
      ],
      "spec.rules": [
        [{ host: "*.a.b" }],
        [{ host: "*" }],
        [{ host: "a.*.b" }],
        [{ http: { paths: [{ path: "/a//b", pathType: "Exact", backend }] } }],
        [{ http: { paths: [{ path: "/a/..", pathType: "Prefix", backend }] } }],
        [{ http: { paths: [{ path: "", pathType: "Exact", backend }] } }],
        [{ http: { paths: [{ path: "x", pathType: "ImplementationSpecific", backend }] } }],
        [{ http: { paths: [{ pathType: "ImplementationSpecific", backend }] } }],
      ],
      "spec.tls": [[{ secretName: "Bad_" }], [{ hosts: ["*.a.b", "*"] }]],
    },
    changes: {
      "spec.defaultBackend": [{}],
      "metadata.annotations": [{ "kubernetes.io/ingress.class": "x" }],
      "spec.ingressClassName": ["x"],
    },
    statuses: {
      "status.loadBalancer": [{ ingress: [{ ip: "1.2.3.4" }] }, { ingress: [{ ip: "x", hostname: "1.2.3.4" }] }],
    },
  },
  {
    path: cluster("networking.k8s.io/v1", "ingressclasses"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "IngressClass",
      metadata: meta(),
      spec: { controller: "a.b/c" },
    },
    mistakes: {
      ...nameMistakes,
      spec: [undefined, {}],
      "spec.controller": ["", "a", "a/", "Bad_/c", "a.b/c d", `a.b/${"c".repeat(250)}`],
      "spec.parameters": [
        { kind: "K", name: "n" },
        { kind: "", name: "" },
        { apiGroup: "Bad_", kind: "a/b", name: "n" },
        { kind: "K", name: "n", scope: "Foo" },
        { kind: "K", name: "n", scope: "Namespace" },
        { kind: "K", name: "n", scope: "Namespace", namespace: "Bad_" },
        { kind: "K", name: "n", scope: "Cluster", namespace: "x" },
      ],
    },
    changes: { "spec.controller": ["x.y/z", ""], "spec.parameters": [{ kind: "K", name: "n" }] },
  },
  {
    path: apis("networking.k8s.io/v1", "networkpolicies"),
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: meta(),
      spec: { podSelector: {}, egress: [{}] },
    },
    mistakes: {
      ...nameMistakes,
      spec: [undefined, {}],
      "spec.egress.0.to": [
        [{ ipBlock: { cidr: "" } }],
        [{ ipBlock: { cidr: "10.0.0.1/8" } }],
        [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8", "x"] } }],
        [{ ipBlock: { cidr: "2001:DB8::/32" } }],
        [{ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }],
        [{ namespaceSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }],
      ],
      "spec.egress.0.ports": [[{ port: "Bad_" }], [{ port: "http", endPort: 80 }], [{ port: 80, endPort: 70000 }]],
    },
    changes: { "spec.egress": [[{ to: [{}] }]], "spec.policyTypes": [["Foo"], ["Ingress"]] },
  },
  {
    path: core("endpoints"),
    object: {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: meta(),
      subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 80 }] }],
    },
    mistakes: {
      "subsets.0.addresses": [
        [],
        [{ ip: "010.1.1.1" }],
        [{ ip: "127.0.0.1" }],
        [{ ip: "1.2.3.4", hostname: "Bad_" }],
        [{ ip: "1.2.3.4", nodeName: "Bad_" }],
        [{ ip: "2001:DB8::1" }],
      ],
      "subsets.0.ports": [
        [{ port: 0 }],
        [{ port: 80 }, { port: 81 }],
        [{ port: 80, protocol: "X" }],
        [{ port: 80, appProtocol: "a b" }],
        [{ name: "Bad_", port: 80 }],
      ],
    },
    changes: { "subsets.0.addresses": [[{ ip: "x" }]], "metadata.labels": [{ a: "b" }] },
  },
  {
    path: apis("discovery.k8s.io/v1", "endpointslices"),
    object: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: meta(),
      addressType: "IPv4",
      endpoints: [{ addresses: ["1.2.3.4"] }],
      ports: [{ port: 80 }],
    },
    mistakes: {
      "endpoints.0.addresses": [["010.1.1.1"], ["0.0.0.0"], ["fe80::1"]],
      "endpoints.0.hints": [
        { forZones: [{ name: "a" }, { name: "a" }] },
        { forZones: [{ name: "b d" }] },
        { forNodes: [{ name: "Bad_" }] },
      ],
      "endpoints.0.deprecatedTopology": [{ "b d": "x" }],
      "endpoints.0.zone": ["z"],
      ports: [
        [{ name: "a" }, { name: "a" }],
        [{ name: "Bad_" }],
        [{ appProtocol: "a b" }],
        [{ port: 70000 }],
        undefined,
      ],
      addressType: ["FQDN"],
    },
    changes: { "endpoints.0.addresses": [["x"], ["1.2.3.5"]], "metadata.labels": [{ "b d": "x" }] },
  },
  {
    path: apis("discovery.k8s.io/v1", "endpointslices"),
    object: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: meta(),
      addressType: "FQDN",
      endpoints: [{ addresses: ["a.b"] }],
    },
    mistakes: { "endpoints.0.addresses": [["a"], ["A_"], ["a.b."], [""]] },
  },
  {
    path: apis("autoscaling/v2", "horizontalpodautoscalers"),
    object: {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: meta(),
      spec: { maxReplicas: 3, scaleTargetRef: scale },
    },
    mistakes: {
      ...nameMistakes,
      spec: [undefined],
      "spec.scaleTargetRef": [
        { ...scale, apiVersion: "a/b/c" },
        { ...scale, apiVersion: "v1" },
        { ...scale, apiVersion: "" },
        { kind: "ReplicationController", name: "r", apiVersion: "v1" },
      ],
      "spec.metrics": [
        [{}],
        [cpu({ type: "Utilization", averageUtilization: 0 })],
        [cpu({ type: "Foo", averageValue: "1" })],
        [cpu({ type: "AverageValue", averageValue: "-1" })],
        [cpu({ type: "Utilization", averageUtilization: 50, averageValue: "1" })],
        [cpu({})],
        [{ type: "Pods", pods: { metric: { name: "" }, target: { type: "AverageValue" } } }],
        [
          {
            type: "Object",
            object: { metric: { name: "a/b" }, describedObject: { kind: "", name: "" }, target: { type: "Value" } },
          },
        ],
        [
          {
            type: "External",
            external: { metric: { name: "m" }, target: { type: "Value", value: "1", averageValue: "1" } },
          },
        ],
        [
          {
            type: "ContainerResource",
            containerResource: {
              name: "foo",
              container: "Bad_",
              target: { type: "Utilization", averageUtilization: 1 },
            },
          },
        ],
        [{ type: "Resource", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } } }],
        [
          {
            ...cpu({ type: "Utilization", averageUtilization: 5 }),
            pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } },
          },
        ],
      ],
      "spec.behavior": [
        { scaleUp: { stabilizationWindowSeconds: -1 } },
        { scaleUp: { stabilizationWindowSeconds: 4000 } },
        { scaleDown: { selectPolicy: "Foo" } },
        { scaleDown: { policies: [] } },
        { scaleDown: { policies: [{ type: "Foo", value: 0, periodSeconds: 0 }] } },
        { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 2000 }] } },
        { scaleDown: { tolerance: "-1" } },
        {},
      ],
    },
    changes: { "spec.maxReplicas": [0], "spec.minReplicas": [0], "spec.scaleTargetRef.name": [""] },
    statuses: { "status.currentReplicas": [-1, 1], "status.desiredReplicas": [-1], "spec.maxReplicas": [9] },
  },
  {
    path: apis("autoscaling/v1", "horizontalpodautoscalers"),
    object: {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: meta(),
      spec: { maxReplicas: 3, scaleTargetRef: scale },
    },
    mistakes: { "spec.targetCPUUtilizationPercentage": [0, 50], "spec.maxReplicas": [0], "spec.minReplicas": [5] },
    changes: { "spec.targetCPUUtilizationPercentage": [70] },
  },
];
