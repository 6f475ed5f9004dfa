import { expect, test } from "vitest";
import { readDefinition } from "../../crd/definition.ts";
import { StatusError, statusBody } from "../../status/error.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { compileResource } from "./custom-resource.ts";
import type { WriteRequest } from "./request.ts";
import { createObject, updateObject } from "./resource.testing.ts";

function object(plain: unknown): JsonObject {
  const value = fromPlain(plain);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

const definition = readDefinition(
  object({
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  required: ["size"],
                  properties: {
                    size: { type: "integer", "x-kubernetes-validations": [{ rule: "self % 2 == 0" }] },
                    mode: { type: "string", default: "fast", enum: ["fast", "slow"] },
                  },
                  "x-kubernetes-validations": [
                    { rule: "self.size < 10", messageExpression: "'too big: ' + string(self.size)" },
                  ],
                },
              },
            },
          },
        },
      ],
    },
  }),
);
const version = definition.versions[0];
if (version === undefined) throw new Error("no version");
const resource = compileResource(definition, version, {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
});

function request(warnings: string[]): WriteRequest {
  return {
    resource,
    namespace: "default",
    fieldValidation: "Warn",
    system: { uid: () => "u1", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" },
    warn: (text) => warnings.push(text),
    refuse: (refusal) => {
      throw refusal;
    },
  };
}

function widget(spec: unknown): JsonObject {
  return object({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, spec });
}

function messageOf(run: () => unknown): string {
  try {
    run();
    return "accepted";
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    return String(statusBody(refusal)["message"]);
  }
}

test("a valid object is defaulted and pruned, and unknown fields are warned about", () => {
  const warnings: string[] = [];
  const { object: made } = createObject(widget({ size: 2, bogus: 1 }), request(warnings));
  expect(made["spec"]).toEqual(object({ size: 2, mode: "fast" }));
  expect(warnings).toEqual(['unknown field "spec.bogus"']);
});

test("a false rule refuses with its own message", () => {
  const refusal = messageOf(() => createObject(widget({ size: 13 }), request([])));
  expect(refusal).toBe(
    'Widget.example.com "a" is invalid: [spec: Invalid value: too big: 13, spec.size: Invalid value: 13: failed rule: self % 2 == 0]',
  );
});

test("another kind hides what the schema finds, but not what rules find", () => {
  const other = object({ ...widget({ size: 13, mode: "other" }), kind: "Other" });
  expect(messageOf(() => createObject(other, request([])))).toBe(
    'Other.example.com "a" is invalid: [kind: Invalid value: "Other": must be Widget, spec: Invalid value: too big: 13, spec.size: Invalid value: 13: failed rule: self % 2 == 0]',
  );
});

test("an update keeps unchanged values and warns about the rule", () => {
  const warnings: string[] = [];
  const old = widget({ size: 3, mode: "fast" });
  const next = widget({ size: 3, mode: "slow" });
  for (const each of [old, next])
    Object.assign(each["metadata"] as JsonObject, { namespace: "default", uid: "u", resourceVersion: "1" });
  const reviewed = updateObject(next, old, request(warnings));
  expect(warnings).toEqual(["spec.size: Invalid value: 3: failed rule: self % 2 == 0"]);
  expect(reviewed.ratcheting?.forgiven).toHaveLength(1);
});
