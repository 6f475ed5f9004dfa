import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { blamedField } from "./blame.ts";

const object = data({
  metadata: { name: "web", labels: { "example.com/team": "a" } },
  spec: { replicas: 3, template: { spec: { containers: [{ image: "a" }, { image: "b" }] } } },
});

const policy: AdmissionPolicy = loadPolicy(
  data({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      variables: [
        { name: "pod", expression: "object.spec.template.spec" },
        { name: "images", expression: "variables.pod.containers.map(c, c.image)" },
        { name: "max", expression: "5" },
      ],
    },
  }),
);

test.each([
  {
    name: "a path in the message",
    message: "spec.template.spec.containers[1].image has no tag",
    field: "spec.template.spec.containers[1].image",
  },
  { name: "a path with object in front", message: "wrong: object.spec.replicas", field: "spec.replicas" },
  {
    name: "a path that does not exist",
    message: "see docs.example.com",
    expression: "object.spec.replicas < 3",
    field: "spec.replicas",
  },
  { name: "what the expression reads", expression: "object.spec.replicas <= variables.max", field: "spec.replicas" },
  {
    name: "a list that a macro iterates over",
    expression: "object.spec.template.spec.containers.all(c, c.image != 'a')",
    field: "spec.template.spec.containers",
  },
  {
    name: "what several reads have in common",
    expression: "has(object.spec.replicas) && object.spec.template.x == 1",
    field: "spec",
  },
  { name: "nothing in common", expression: "object.metadata.name == object.spec.name", field: "" },
  {
    name: "keys in brackets",
    expression: `object.metadata.labels["example.com/team"] != ''`,
    field: "metadata.labels.example.com/team",
  },
  { name: "optional reads", expression: "object.?metadata.?labels[?'x'].hasValue()", field: "metadata.labels.x" },
  {
    name: "a variable that is a read",
    expression: "variables.pod.containers.size() < 3",
    field: "spec.template.spec.containers",
  },
  {
    name: "a variable that is computed from others",
    expression: "variables.images.all(i, i != '')",
    field: "spec.template.spec.containers",
  },
  { name: "no read at all", expression: "request.operation == 'CREATE' && variables.nope == 1", field: "" },
])("the field of $name", ({ message = "no", expression = "false", field }) => {
  expect(blamedField(message, expression, policy, object)).toBe(field);
});

function data(plain: object): JsonObject {
  const value = fromPlain(plain);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}
