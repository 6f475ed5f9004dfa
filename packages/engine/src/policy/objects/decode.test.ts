import { expect, test } from "vitest";
import { toPlain } from "../../value/copy.ts";
import { loadBinding } from "../binding.ts";
import { plainObject } from "../policy.testing.ts";
import { decodeBinding, decodePolicy } from "./decode.ts";

const spec = (object: { readonly [key: string]: unknown }) => toPlain(plainObject(object["spec"]));

test("a policy gets the defaults of its group", () => {
  const { value } = decodePolicy(
    plainObject({ spec: { matchConstraints: { resourceRules: [{}], excludeResourceRules: [{ scope: "Cluster" }] } } }),
  );
  expect(spec(value)).toEqual({
    failurePolicy: "Fail",
    matchConstraints: {
      resourceRules: [{ scope: "*" }],
      excludeResourceRules: [{ scope: "Cluster" }],
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
    },
  });
});

test("absent match constraints stay absent", () => {
  expect(spec(decodePolicy(plainObject({})).value)).toEqual({ failurePolicy: "Fail" });
});

test.each([
  { version: "v1", action: undefined },
  { version: "v1beta1", action: undefined },
  { version: "v1alpha1", action: "Deny" },
] as const)("$version defaults parameterNotFoundAction to $action", ({ version, action }) => {
  const json = plainObject({
    apiVersion: `admissionregistration.k8s.io/${version}`,
    spec: { paramRef: { name: "x" } },
  });
  expect(loadBinding(json).paramRef?.parameterNotFoundAction).toBe(action);
});

test("type errors name the version's own types", () => {
  const json = plainObject({ spec: { paramRef: { parameterNotFoundAction: 1 } } });
  expect(decodeBinding(json, "v1beta1").error).toBe(
    "json: cannot unmarshal number into Go struct field ParamRef.spec.paramRef.parameterNotFoundAction of type v1beta1.ParameterNotFoundActionType",
  );
});

test("unknown fields are listed in the order of the document", () => {
  const { unknown } = decodePolicy(plainObject({ spec: { b: 1, validations: [{ rule: "x" }], a: 1 }, extra: {} }));
  expect(unknown).toEqual(["spec.b", "spec.validations[0].rule", "spec.a", "extra"]);
});
