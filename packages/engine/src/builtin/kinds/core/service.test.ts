import { expect, test } from "vitest";
import { create, testKinds, update } from "../kind.testing.ts";

testKinds({
  "v1/Service": {
    valid: { spec: { ports: [{ port: 80 }] } },
    wrong: { spec: { ports: [{ port: 80 }], type: "Internal" } },
    errors: [
      'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  },
});

test.each([
  {
    name: "fields that only node ports need are removed with them",
    from: { type: "NodePort" },
    to: { type: "ClusterIP" },
    gone: ["externalTrafficPolicy"],
  },
  {
    name: "fields that only load balancers need are removed with them",
    from: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
    to: { type: "NodePort" },
    gone: ["healthCheckNodePort"],
  },
  {
    name: "an external name has no addresses and no policy",
    from: { type: "ClusterIP" },
    to: { type: "ExternalName", externalName: "a.b" },
    gone: ["clusterIP", "clusterIPs", "internalTrafficPolicy"],
  },
])("a service that changes its type: $name", ({ from, to, gone }) => {
  const before = { spec: { ports: [{ port: 80 }], ...from } };
  const created = create("v1/Service", before).object["spec"];
  const changed = update("v1/Service", before, { spec: { ...toPlain(created), ...to } });
  expect(Object.keys(toPlain(created))).toEqual(expect.arrayContaining(gone));
  expect(changed.errors).toEqual([]);
  expect(Object.keys(toPlain(changed.object["spec"])).filter((key) => gone.includes(key))).toEqual([]);
});

test("changing the first address of a service changes the list of addresses", () => {
  const before = { spec: { ports: [{ port: 80 }], clusterIP: "None" } };
  const created = create("v1/Service", before).object["spec"];
  const { errors } = update("v1/Service", before, { spec: { ...toPlain(created), clusterIP: "x" } });
  expect(errors.map((error) => error.split(":")[0])).toEqual(["spec.clusterIPs[0]"]);
});

function toPlain(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
