import { expect, test } from "vitest";
import { decodeDefinition } from "../../crd/decode.ts";
import { jsonObject } from "../../crd/definition.testing.ts";
import { readDefinition } from "../../crd/definition.ts";
import { type CustomResource, compileResource } from "../../review/custom-resource/custom-resource.ts";
import { crdOf, ENGINE } from "../upgrade.testing.ts";
import { LocalCheck } from "./local-check.ts";
import { Replay } from "./replay.ts";
import { Sampler } from "./sample.ts";
import { WitnessCheck } from "./witness-check.ts";

const NAME_STAYS = "self.name == oldSelf.name";

function resourceWith(rules: readonly string[]): CustomResource {
  const kind = { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] };
  const spec = {
    type: "object",
    properties: { kind, name: { type: "string" } },
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  };
  const definition = readDefinition(decodeDefinition(crdOf({ type: "object", properties: { spec } })).value);
  const [version] = definition.versions;
  if (version === undefined) throw new Error("there is no version");
  return compileResource(definition, version, ENGINE);
}

test.each([
  { kind: "a", isShown: true },
  // An unchanged empty kind is forgiven, but nobody can have created it.
  { kind: "", isShown: false },
])("an update of an object of kind '$kind'", ({ kind, isShown }) => {
  const replay = new Replay(resourceWith([]), resourceWith([NAME_STAYS]));
  const check = new WitnessCheck(replay, new Sampler(new LocalCheck(36)), { budget: 100 });
  const named = (name: string) =>
    jsonObject({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "example" }, spec: { kind, name } });
  const target = { keyword: "x-kubernetes-validations", detail: "" };
  expect(check.transition(named("b"), named("a"), ["spec"], target) !== undefined).toBe(isShown);
});
