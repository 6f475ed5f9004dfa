import { expect, test } from "vitest";
import { decodeDefinition } from "../crd/decode.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { beginUpgrade, compareDefinitions } from "./questions.ts";
import type { UpgradeOptions } from "./upgrade-case.ts";

const OPTIONS: UpgradeOptions = {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};

const FIRST = { size: { type: "integer", maximum: 5 } };

test.each<[string, object, boolean]>([
  ["another description", { size: { type: "integer", maximum: 5, description: "how large" } }, true],
  ["another title", { size: { type: "integer", maximum: 5, title: "Size" } }, true],
  ["another bound", { size: { type: "integer", maximum: 6 } }, false],
  ["another default", { size: { type: "integer", maximum: 5, default: 3 } }, false],
  ["another order", { other: { type: "string" }, ...FIRST }, false],
  ["a property that is called description", { ...FIRST, description: { type: "string" } }, false],
  ["another rule", { size: { type: "integer", maximum: 5, ...rule("no") } }, false],
])("what was found before serves for %s only where it still holds", (_, properties, isReused) => {
  const old = oldDefinition();
  const [before] = compareDefinitions(old, definition(FIRST), OPTIONS).findings;
  const again = compareDefinitions(old, definition(properties), OPTIONS);
  expect(again).toEqual(compareDefinitions(oldDefinition(), definition(properties), OPTIONS));
  expect(again.findings[0] === before).toBe(isReused);
});

test("another version of Kubernetes is compared again", () => {
  const next = definition({ size: { type: "integer", maximum: 5 } });
  const old = oldDefinition();
  const [newest] = compareDefinitions(old, next, OPTIONS).findings;
  const [older] = compareDefinitions(old, next, { ...OPTIONS, version: "1.30" }).findings;
  expect(older).toEqual(newest);
  expect(older).not.toBe(newest);
});

test("findings come one at a time, after the answer of the server", () => {
  const next = definition({ size: { type: "integer", maximum: 5 }, name: { type: "string", maxLength: 3 } });
  const upgrade = beginUpgrade(oldDefinition(), next, OPTIONS);
  expect(upgrade.acceptance).toEqual({ errors: [], warnings: [] });
  const findings = upgrade.findings();
  expect(findings.next().value?.code).toBe("upgrade/maximum");
  expect([...findings].map((finding) => finding?.message)).toContain("`maxLength: 3` was added");
});

/** A new object each time, so that nothing is cached for it. */
function oldDefinition(): JsonObject {
  return definition({ size: { type: "integer", maximum: 10 }, name: { type: "string", description: "a name" } });
}

function rule(message: string): object {
  return { "x-kubernetes-validations": [{ rule: "self > 0", message }] };
}

function definition(properties: object): JsonObject {
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const value = fromPlain({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  if (!isObject(value)) throw new Error("a definition is an object");
  return decodeDefinition(value).value;
}
