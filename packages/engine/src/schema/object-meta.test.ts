import { expect, test } from "vitest";
import { formatFieldError } from "../field/format.ts";
import { newPath } from "../field/path.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { pathSegmentName, validateMeta } from "./object-meta.ts";

function errorsOf(plain: unknown): string[] {
  const meta = fromPlain(plain) as JsonObject;
  if (!isObject(meta)) throw new Error("not an object");
  return validateMeta(meta, { namespaced: false, checkName: pathSegmentName }, newPath("metadata")).map(
    formatFieldError,
  );
}

test("owners are printed in the order of the API's fields", () => {
  const owner = (uid: string) => ({ uid, controller: true, name: "n", kind: "K", apiVersion: "v1" });
  expect(errorsOf({ name: "a", ownerReferences: [owner("1"), owner("2")] })).toEqual([
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"K","name":"n","uid":"1","controller":true},{"apiVersion":"v1","kind":"K","name":"n","uid":"2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for K/n and K/n',
  ]);
});

test("more errors than a call can have arguments are all found", () => {
  const labels = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`a${index}`, "-"]));
  expect(errorsOf({ name: "a", labels })).toHaveLength(150_000);
});
