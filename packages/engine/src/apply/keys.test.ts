import { expect, test } from "vitest";
import { parseSchema } from "../schema/parse.ts";
import { fromPlain } from "../value/copy.ts";
import type { JsonObject } from "../value/json.ts";
import type { KubernetesVersion } from "../value/server-version.ts";
import { MergeError } from "./merge-error.ts";
import { customResourceTypes } from "./types/custom-resource-types.ts";
import { asTyped, typesOfServer } from "./types/typed.ts";

const text = { type: "string" };
const item = { type: "object", properties: { name: text, port: { type: "integer" } } };
const LIST = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name", "port"],
  items: item,
};
const types = customResourceTypes({
  group: "example.com",
  kind: "Widget",
  preserveUnknownFields: false,
  versions: [{ name: "v1", schema: parseSchema(fromPlain({ type: "object", properties: { list: LIST } })) }],
});

function problem(version: KubernetesVersion, list: unknown): string {
  const object = fromPlain({ apiVersion: "example.com/v1", kind: "Widget", list } as never) as JsonObject;
  try {
    asTyped(typesOfServer(types, version), object, { allowDuplicates: false });
    return "";
  } catch (error) {
    if (error instanceof MergeError) return error.message;
    throw error;
  }
}

test.each<[KubernetesVersion, string]>([
  [
    "1.33",
    '.list: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
  ],
  ["1.34", ""],
  ["1.37", ""],
])("an item with one of two keys in %s", (version, message) => {
  expect(problem(version, [{ name: "a" }])).toBe(message);
});

test("an item without any key is refused by all versions", () => {
  expect(problem("1.33", [{}])).toContain('omits key field "name"');
  expect(problem("1.34", [{}])).toContain('omits all key fields ["name" "port"]');
});
