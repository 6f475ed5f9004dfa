import { expect, test } from "vitest";
import { decodeDefinition } from "../../crd/decode.ts";
import type { JsonObject } from "../../value/json.ts";
import type { UpgradeFinding } from "../finding.ts";
import { compareDefinitions } from "../questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "../upgrade.testing.ts";

const X = { x: { type: "string" } };
const XY = { ...X, y: { type: "string" } };

/** `v1` has both fields and the rule, and `v2` has no `y`. */
function movedStorage(rule: string): readonly UpgradeFinding[] {
  const schemaOf = (spec: PlainSchema): PlainSchema => ({
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...spec } } },
  });
  const crd = (storage: string): JsonObject => {
    const v1 = schemaOf({ properties: XY, "x-kubernetes-validations": [{ rule }] });
    const versions = Object.entries({ v1, v2: schemaOf({ properties: X }) });
    return crdOf(
      {},
      {},
      {
        versions: versions.map(([name, schema]) => ({ name, served: true, storage: name === storage, schema })),
      },
    );
  };
  const sides = [crd("v1"), crd("v2")].map((json) => decodeDefinition(json).value) as [JsonObject, JsonObject];
  return compareDefinitions(...sides, ENGINE).findings.filter(({ code }) => code === "upgrade/rule");
}

test("a rule that reads what the new storage version prunes refuses stored objects", () => {
  const [finding] = movedStorage("!has(self.x) || has(self.y)");
  expect(finding).toMatchObject({ verdict: "unsafe", version: "v1", storedIn: ["v1", "v2"] });
  expect(finding?.witness?.errors).toEqual(["spec: Invalid value: failed rule: !has(self.x) || has(self.y)"]);
});

test("a rule that only allows what is pruned still holds", () => {
  expect(movedStorage("!has(self.y) || has(self.x)").filter(({ verdict }) => verdict !== "safe")).toEqual([]);
});
