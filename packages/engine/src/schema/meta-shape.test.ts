import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject } from "../value/json.ts";
import { decodeMeta, decodeMetaLeniently } from "./meta-shape.ts";

test("metadata errors are in the order of sorted keys", () => {
  const metadata = fromPlain({ zz: 1, name: "a", ownerReferences: [{ z: 1, b: 2 }], aa: 2 });
  const unknown = ["aa", "ownerReferences[0].b", "ownerReferences[0].z", "zz"];
  expect(decodeMeta(metadata).unknown).toEqual(unknown);
  if (isObject(metadata)) expect(decodeMetaLeniently(metadata).unknown).toEqual(unknown);
});

test.each([
  { metadata: { name: 0, labels: 1 }, field: "labels of type map[string]string" },
  { metadata: { name: 0, labels: { b: "x", a: 1 } }, field: "labels of type string" },
  { metadata: { name: 0 }, field: "name of type string" },
])("of $metadata the first error by key is reported", ({ metadata, field }) => {
  expect(decodeMeta(fromPlain(metadata)).error).toBe(
    `json: cannot unmarshal number into Go struct field ObjectMeta.${field}`,
  );
});
