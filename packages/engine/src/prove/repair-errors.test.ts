/** Objects after validation refused them. */
import { expect, test } from "vitest";
import { duplicate, forbidden, invalid, notSupported, required } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { repairedAfter } from "./repair-errors.ts";
import { skeletonOf } from "./sorts/skeletons.ts";
import { ANY } from "./sorts/sort.ts";

function objectOf(plain: object): JsonObject {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("an object");
  return made;
}

const context = {
  skeleton: skeletonOf({ group: "apps", version: "v1", kind: "Deployment" }),
  sort: ANY,
  old: undefined,
};
const at = newPath("spec");

test("a missing value is that of a valid object, or a plain text", () => {
  const repaired = repairedAfter(
    objectOf({ spec: {} }),
    [required(at.child("selector")), required(at.child("x"))],
    context,
  );
  expect(repaired?.["spec"]).toMatchObject({ selector: { matchLabels: { app: "web" } }, x: "example" });
});

test("a wrong text is replaced, also one that is missing", () => {
  const errors = [invalid(at.child("ref", "name"), "", "a lowercase RFC 1123 subdomain must consist of lower case")];
  expect(repairedAfter(objectOf({ spec: { ref: {} } }), errors, context)).toEqual({
    spec: { ref: { name: "example" } },
  });
});

test("duplicates get other names, and what is not supported the first supported value", () => {
  const errors = [
    duplicate(at.child("list").index(1).child("name"), "a"),
    notSupported(at.child("type"), "x", ["A", "B"]),
  ];
  const object = objectOf({ spec: { list: [{ name: "a" }, { name: "a" }], type: "x" } });
  expect(repairedAfter(object, errors, context)).toEqual({
    spec: { list: [{ name: "a" }, { name: "a2" }], type: "A" },
  });
});

test("what is forbidden goes, and what must not change stays as it was", () => {
  const old = objectOf({ spec: { fixed: 1 } });
  const errors = [forbidden(at.child("bad"), "not allowed"), invalid(at.child("fixed"), 2, "field is immutable")];
  const repaired = repairedAfter(objectOf({ spec: { bad: true, fixed: 2 } }), errors, { ...context, old });
  expect(repaired).toEqual({ spec: { fixed: 1 } });
});

test("an object without errors is not corrected, and no correction changes the given object", () => {
  const object = objectOf({ spec: { bad: true } });
  expect(repairedAfter(object, [], context)).toBeUndefined();
  repairedAfter(object, [forbidden(at.child("bad"), "no")], context);
  expect(object).toEqual({ spec: { bad: true } });
});
