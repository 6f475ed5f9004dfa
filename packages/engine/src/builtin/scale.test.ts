import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { scaleOf, withScale } from "./scale.ts";
import { patchStrategically } from "./strategic.ts";

const deployment = object({
  kind: "Deployment",
  apiVersion: "apps/v1",
  metadata: { name: "d", namespace: "default", uid: "u", resourceVersion: "5", labels: { a: "b" } },
  spec: {
    replicas: 3,
    selector: {
      matchLabels: { app: "x" },
      matchExpressions: [
        { key: "b", operator: "In", values: ["2", "1"] },
        { key: "c", operator: "DoesNotExist" },
      ],
    },
  },
  status: { replicas: 2 },
});

test("a scale shows counts and the selector", () => {
  expect(canonicalJson(scaleOf(deployment))).toBe(
    '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d","namespace":"default","resourceVersion":"5","uid":"u"},"spec":{"replicas":3},"status":{"replicas":2,"selector":"app=x,b in (1,2),!c"}}',
  );
});

test("a scale without a count has zero replicas", () => {
  const scaled = withScale(deployment, object({ spec: {}, metadata: { resourceVersion: "7" } }));
  expect(scaled).toMatchObject({ spec: { replicas: 0 }, metadata: { resourceVersion: "7", name: "d" } });
});

test("a negative count is refused", () => {
  expect(() => withScale(deployment, object({ spec: { replicas: -1 } }))).toThrow(
    'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

const APPS = { group: "apps", version: "v1", kind: "Deployment" };

test.each([
  {
    patch: { spec: { replicas: "x" } },
    message: ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
  },
  {
    patch: { spec: [] },
    message: ' "" is invalid: patch: Invalid value: "map[spec:[]]": cannot restore struct from: slice',
  },
  {
    patch: { spec: { replicas: 3, unk: 1 } },
    message:
      ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:3 unk:1]]": strict decoding error: unknown field "spec.unk"',
  },
])("a strategic merge patch $patch is refused", ({ patch, message }) => {
  const request = { patch: object(patch), strictErrors: [], fieldValidation: "Strict" as const };
  expect(() => patchStrategically(deployment, APPS, request)).toThrow(message);
});

test("an unknown field in a patch is a warning by default", () => {
  const request = { patch: object({ spec: { unk: 1 } }), strictErrors: [], fieldValidation: "Warn" as const };
  expect(patchStrategically(deployment, APPS, request).warnings).toEqual(['unknown field "spec.unk"']);
});

function object(data: object): JsonObject {
  const value = fromPlain(data);
  return isObject(value) ? value : newObject();
}
