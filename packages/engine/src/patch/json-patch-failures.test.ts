import { expect, test } from "vitest";
import { patchDocument, readOperations } from "./json-patch.ts";

test.each([
  [{ op: "add", path: "/no/a" }, 'add operation does not apply: doc is missing path: "/no/a": missing value'],
  [
    { op: "add", path: "/list/x" },
    `error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    { op: "add", path: "/list/9" },
    "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [
    { op: "remove", path: "/no" },
    "error in remove for path: '/no': Unable to remove nonexistent key: no: missing value",
  ],
  [{ op: "replace", path: "/list/9" }, "replace operation does not apply: doc is missing key: /list/9: missing value"],
  [{ op: "replace", path: "", value: 1 }, "replace operation value must be object or array: %!w(<nil>)"],
  [{ op: "move", path: "/a" }, "move operation failed to decode from: operation, missing from field: missing value"],
  [
    { op: "move", path: "/no/a", from: "/list" },
    "move operation does not apply: doc is missing destination path: /no/a: missing value",
  ],
  [
    { op: "copy", path: "/list/x", from: "/list/0" },
    `error while adding value during copy: value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    { op: "copy", path: "/a", from: "/list/9" },
    "error in copy for from: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [{ op: "test", path: "/no/a" }, "test operation does not apply: is missing path: /no/a: missing value"],
  [{ op: "set", path: "/a" }, "Unexpected kind: set"],
])("%j fails with the library's message", (operation, message) => {
  const { failure } = patchDocument('{"list":[1]}', readOperations(JSON.stringify([operation])));
  expect(failure).toEqual({ message, isTest: false });
});

test("a failed test operation differs from other failures", () => {
  const operations = readOperations('[{"op":"test","path":"/a","value":2}]');
  expect(patchDocument('{"a":1}', operations).failure?.isTest).toBe(true);
});
