import { expect, test } from "vitest";
import { applyMergePatch } from "./merge-patch.ts";

test.each<[string, string, string, string | undefined]>([
  ["members are set and removed", '{"b":1,"a":2}', '{"a":null,"c":3}', '{"b":1,"c":3}'],
  [
    "objects are merged, untouched ones keep their order",
    '{"o":{"z":1,"a":1},"p":{"z":1,"a":1}}',
    '{"o":{"b":2}}',
    '{"o":{"a":1,"b":2,"z":1},"p":{"z":1,"a":1}}',
  ],
  [
    "nulls are taken out of what is added",
    "{}",
    '{"o":{"a":null,"l":[{"b":null,"c":1},null]}}',
    '{"o":{"l":[{"c":1},null]}}',
  ],
  ["repeated keys of what is added are settled", "{}", '{"o":{"b":1,"a":1,"b":2}}', '{"o":{"a":1,"b":2}}'],
  [
    "a list in place of an object stays as it was sent",
    '{"o":{}}',
    '{"o":[{"b":null,"a":1,"a":2}]}',
    '{"o":[{"b":null,"a":1,"a":2}]}',
  ],
  ["a list in place of a list loses nulls of its objects", '{"l":[1]}', '{"l":[{"b":null,"a":1}]}', '{"l":[{"a":1}]}'],
  ["an object in place of a scalar", '{"s":1}', '{"s":{"b":null,"a":1}}', '{"s":{"a":1}}'],
  ["an object in place of null", '{"s":null}', '{"s":{"b":null,"a":1}}', '{"s":{"a":1}}'],
  ["a list replaces the document", '{"a":1}', '[{"b":null},1]', "[{},1]"],
  ["a scalar is refused", '{"a":1}', "1", undefined],
  ["null is refused", '{"a":1}', "null", undefined],
])("%s", (_, document, patch, expected) => {
  expect(applyMergePatch(document, patch)).toBe(expected);
});

test("depth needs no stack", () => {
  const deep = `${'{"a":'.repeat(9000)}{"b":null}${"}".repeat(9000)}`;
  expect(applyMergePatch("{}", deep)?.length).toBe(deep.length - '"b":null'.length);
  expect(applyMergePatch(`${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`, deep)).toContain("{}");
});
