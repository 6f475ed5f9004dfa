import { expect, test } from "vitest";
import type { MergeType } from "../apply/types/types.ts";
import { builtinTypes } from "./apply-types.ts";

const deployment = builtinTypes.typeOf("apps/v1", "Deployment");
const service = builtinTypes.typeOf("v1", "Service");

test.each([
  { root: deployment, path: "spec.replicas", expected: { scalar: "numeric" } },
  { root: deployment, path: "spec.selector", expected: { map: "atomic" } },
  { root: deployment, path: "spec.template.spec.containers", expected: { list: "associative", keys: ["name"] } },
  {
    root: deployment,
    path: "spec.template.spec.containers.ports",
    expected: { list: "associative", keys: ["containerPort", "protocol"] },
  },
  { root: deployment, path: "spec.template.spec.containers.args", expected: { list: "atomic", keys: [] } },
  { root: deployment, path: "spec.template.spec.containers.resources.limits", expected: { map: "separable" } },
  { root: deployment, path: "metadata.finalizers", expected: { list: "associative", keys: [] } },
  { root: deployment, path: "metadata.creationTimestamp", expected: { scalar: "untyped" } },
  { root: service, path: "spec.ports", expected: { list: "associative", keys: ["port", "protocol"] } },
  { root: service, path: "spec.selector", expected: { map: "atomic" } },
])("$path is merged as in the schema", ({ root, path, expected }) => {
  const type = path.split(".").reduce(step, root);
  expect({ ...describeList(type), ...describeMap(type), ...describeScalar(type) }).toEqual(expected);
});

test("a key of a list has its default", () => {
  const ports = ["spec", "ports"].reduce(step, service);
  expect(ports?.list?.element?.map?.fields.get("protocol")?.default).toBe("TCP");
});

test("kinds that are not built in have no type", () => {
  expect(builtinTypes.typeOf("example.com/v1", "Widget")).toBeUndefined();
});

function step(type: MergeType | undefined, name: string): MergeType | undefined {
  const inner = type?.list?.element ?? type;
  return inner?.map?.fields.get(name)?.type;
}

function describeList(type: MergeType | undefined): object {
  return type?.list === undefined ? {} : { list: type.list.relationship, keys: [...type.list.keys] };
}

function describeMap(type: MergeType | undefined): object {
  return type?.map === undefined ? {} : { map: type.map.relationship };
}

function describeScalar(type: MergeType | undefined): object {
  return type?.scalar === undefined ? {} : { scalar: type.scalar };
}
