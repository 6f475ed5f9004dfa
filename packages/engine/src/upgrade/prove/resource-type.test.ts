/** Versions see different types of the same object: what one of them requires of `apiVersion` is asked for each. */
import { expect, test } from "vitest";
import { decodeDefinition } from "../../crd/decode.ts";
import type { JsonObject } from "../../value/json.ts";
import { compareDefinitions } from "../questions.ts";
import { crdOf, ENGINE, type PlainSchema } from "../upgrade.testing.ts";

const PLAIN: PlainSchema = { type: "object", properties: { spec: { type: "object" } } };

const ruled = (rule: string): PlainSchema => ({ ...PLAIN, "x-kubernetes-validations": [{ rule }] });
const named = (apiVersion: string): PlainSchema => ({
  type: "object",
  properties: { spec: { type: "object" }, apiVersion: { type: "string", enum: [apiVersion] } },
});

/** Two served versions with these schemas, without conversion. */
function twoVersions(v1: PlainSchema, v2: PlainSchema): JsonObject {
  const version = (name: string, schema: PlainSchema, storage: boolean): PlainSchema => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
  });
  return decodeDefinition(crdOf(PLAIN, {}, { versions: [version("v1", v1, true), version("v2", v2, false)] })).value;
}

/** What is refused between the versions after an upgrade from plain schemas. */
function refusals(v1: PlainSchema, v2: PlainSchema): string[] {
  const { findings } = compareDefinitions(twoVersions(PLAIN, PLAIN), twoVersions(v1, v2), ENGINE);
  return findings
    .filter(({ code }) => code === "upgrade/cross-version-refused")
    .map(({ verdict, version, path }) => `${verdict} in ${version} at ${path}`);
}

// biome-ignore format: a table
test.each([
  { name: "a rule about the version that an object was written in", v1: PLAIN, v2: ruled("self.apiVersion == 'example.com/v1'"), want: ["unsafe in v2 at ."] },
  { name: "a rule about the version that an object is read in", v1: PLAIN, v2: ruled("self.apiVersion == 'example.com/v2'"), want: [] },
  { name: "the same rule in both versions", v1: ruled("self.apiVersion.endsWith('/v1')"), v2: ruled("self.apiVersion.endsWith('/v1')"), want: ["unsafe in v2 at ."] },
  { name: "a rule that does not read the version", v1: ruled("self.kind == 'Widget'"), v2: ruled("self.kind == 'Widget'"), want: [] },
  { name: "an enum of the version itself", v1: PLAIN, v2: named("example.com/v2"), want: [] },
  { name: "an enum of another version", v1: PLAIN, v2: named("example.com/v1"), want: ["unsafe in v2 at .apiVersion"] },
])("$name", ({ v1, v2, want }) => {
  expect(refusals(v1, v2)).toEqual(want);
});

test("a schema that names its version and is repeated in another one refuses objects there", () => {
  expect(refusals(named("example.com/v1"), named("example.com/v1"))).not.toEqual([]);
});
