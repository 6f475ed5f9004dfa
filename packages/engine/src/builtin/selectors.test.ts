import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { builtinResources } from "./builtin.ts";
import { DEFAULT_FIELDS, type FieldSelectors } from "./selectors.ts";

const pod = object({ spec: { nodeName: "n", hostNetwork: true }, status: { phase: "Running" } });

test.each([
  { group: "", kind: "Pod", field: "spec.nodeName", of: pod, value: "n" },
  { group: "", kind: "Pod", field: "spec.host", of: pod, value: "n" },
  { group: "", kind: "Pod", field: "spec.hostNetwork", of: pod, value: "true" },
  { group: "", kind: "Pod", field: "spec.hostNetwork", of: newObject(), value: "false" },
  { group: "", kind: "Pod", field: "status.podIP", of: pod, value: "" },
  { group: "batch", kind: "Job", field: "status.successful", of: newObject(), value: "0" },
  { group: "", kind: "Event", field: "source", of: object({ source: { component: "c" } }), value: "c" },
])("$field of a $kind reads $value", ({ group, kind, field, of, value }) => {
  const fields = selectorsOf({ group, kind });
  expect(fields.has(field)).toBe(true);
  expect(fields.read(of, field)).toBe(value);
});

test.each([
  { group: "", kind: "ConfigMap", field: "data" },
  { group: "apps", kind: "ReplicaSet", field: "status.replicas" },
  { group: "events.k8s.io", kind: "Event", field: "involvedObject.name" },
])("$field of a $kind cannot be selected", ({ group, kind, field }) => {
  expect(selectorsOf({ group, kind }).has(field)).toBe(false);
});

function object(data: object): JsonObject {
  const value = fromPlain(data);
  return isObject(value) ? value : newObject();
}

function selectorsOf(kind: { readonly group: string; readonly kind: string }): FieldSelectors {
  const found = builtinResources().find((each) => each.group === kind.group && each.kind === kind.kind);
  return found?.fieldSelectors ?? DEFAULT_FIELDS;
}
