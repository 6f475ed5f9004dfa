import { expect, test } from "vitest";
import { create, testKinds } from "../kind.testing.ts";

const parentRef = { resource: "services", namespace: "default", name: "s" };

testKinds({
  "networking.k8s.io/v1/Ingress": {
    valid: { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    wrong: {},
    errors: ["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"],
  },
  "networking.k8s.io/v1/IngressClass": {
    valid: { spec: { controller: "example.com/c" } },
    wrong: { spec: { controller: "c" } },
    errors: ['spec.controller: Invalid value: "c": must be a domain-prefixed path (such as "acme.io/foo")'],
  },
  "networking.k8s.io/v1/IPAddress": {
    valid: { metadata: { name: "10.0.0.1" }, spec: { parentRef } },
    wrong: { metadata: { name: "10.0.0.1" } },
    errors: ["spec.parentRef: Required value"],
  },
  "networking.k8s.io/v1/NetworkPolicy": {
    valid: { spec: { podSelector: {} } },
    wrong: { spec: { podSelector: {}, policyTypes: ["Both"] } },
    errors: ['spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"'],
  },
  "networking.k8s.io/v1/ServiceCIDR": {
    valid: { spec: { cidrs: ["10.0.0.0/24"] } },
    wrong: { spec: { cidrs: [] } },
    errors: ["spec.cidrs: Required value: at least one CIDR required"],
  },
});

test("an address must be named by its canonical form", () => {
  const { errors } = create("networking.k8s.io/v1/IPAddress", {
    metadata: { name: "2001:DB8::1" },
    spec: { parentRef },
  });
  expect(errors).toEqual([
    expect.stringContaining('metadata.name: Invalid value: "2001:DB8::1": must be in canonical'),
  ]);
});
