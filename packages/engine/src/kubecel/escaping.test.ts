import { expect, test } from "vitest";
import { escapeName, unescapeName } from "./escaping.ts";

test.each([
  ["a", "a"],
  ["a1", "a1"],
  ["_", "_"],
  ["__", "__underscores__"],
  ["___", "__underscores___"],
  ["____", "__underscores____underscores__"],
  ["x-y.z/w__v", "x__dash__y__dot__z__slash__w__underscores__v"],
  [".", "__dot__"],
  ["namespace", "__namespace__"],
  ["Namespace", "Namespace"],
  ["true", "__true__"],
  ["int", "int"],
  ["package-x", "package__dash__x"],
  ["__namespace__", "__underscores__namespace__underscores__"],
])("the property %j is written %j, and back", (name, escaped) => {
  expect(escapeName(name)).toBe(escaped);
  expect(unescapeName(escaped)).toBe(name);
});

test.each(["", "1a", "a b", "é", "a\nb"])("the property %j cannot be written", (name) => {
  expect(escapeName(name)).toBeUndefined();
});

test.each([
  ["namespace", "namespace"],
  ["a__b", "a__b"],
  ["____", "____"],
  ["___dot___", "_._"],
  ["__dot_", "__dot_"],
  ["é__dot__", "é."],
])("the identifier %j is the property %j", (escaped, name) => {
  expect(unescapeName(escaped)).toBe(name);
});

test.each(["__foo__", "a__namespace__", "__namespace__x", "a__x__b"])(
  "the identifier %j stands for nothing",
  (name) => {
    expect(unescapeName(name)).toBeUndefined();
  },
);
