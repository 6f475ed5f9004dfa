import { expect, test } from "vitest";
import { STRING } from "../types/type.ts";
import { equalValues, isEqualTo } from "./equal.ts";
import { ArrayList, ConcatList } from "./list.ts";
import { EntryMap } from "./map.ts";
import {
  Bytes,
  CelError,
  Double,
  ListValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.ts";

class Choosy extends ListValue {
  readonly size = 1;
  at(): Value {
    return 1;
  }
  override equalTo(): boolean {
    return true;
  }
}

class Moody extends OpaqueValue {
  readonly type = STRING;
  equalTo(): CelError {
    return new CelError("not now");
  }
}

const broken = new CelError("bad element");

// biome-ignore format: a table
test.each<{ name: string; left: Value; right: Value; equal: boolean | CelError }>([
  { name: "an int and a uint of one value",             left: 1,  right: new Uint(1),  equal: true },
  { name: "a uint and a double of one value",           left: new Uint(1), right: new Double(1), equal: true },
  { name: "large ints",                                 left: 2n ** 60n, right: 2n ** 60n, equal: true },
  { name: "an int and a double beyond exactness",       left: 9007199254740993n, right: new Double(9007199254740992), equal: true },
  { name: "the largest int and the double next to it",  left: 2n ** 63n - 1n, right: new Double(2 ** 63), equal: true },
  { name: "NaN and NaN",                                left: new Double(Number.NaN), right: new Double(Number.NaN), equal: false },
  { name: "a string and an int",                        left: "1", right: 1, equal: false },
  { name: "null and zero",                              left: null, right: 0, equal: false },
  { name: "bytes of one content",                       left: new Bytes(new Uint8Array([1])), right: new Bytes(new Uint8Array([1])), equal: true },
  { name: "one instant written with two offsets",       left: new Timestamp(0, 0), right: new Timestamp(0, 0, 3600), equal: true },
  { name: "empty optionals",                            left: OptionalValue.none, right: new OptionalValue(undefined), equal: true },
  { name: "an optional of null and an empty one",       left: new OptionalValue(null), right: OptionalValue.none, equal: false },
  { name: "an error and anything",                      left: broken, right: 1, equal: broken },
  { name: "lists that hold an error",                   left: new ArrayList([broken]), right: new ArrayList([1]), equal: true },
  { name: "joined lists that hold an error",            left: new ConcatList(new ArrayList([broken]), new ArrayList([2])), right: new ArrayList([1, 2]), equal: broken },
  { name: "a map and one with a key of another type",   left: EntryMap.of([[1, "a"]]), right: EntryMap.of([[new Uint(1), "a"]]), equal: true },
  { name: "a left operand with its own equality",       left: new Choosy(), right: new ArrayList([]), equal: true },
  { name: "a right operand with its own equality",      left: new ArrayList([]), right: new Choosy(), equal: false },
  { name: "an opaque value and null",                   left: new Moody(), right: null, equal: false },
  { name: "an opaque value whose equality is an error",           left: new Moody(), right: 1, equal: new CelError("not now") },
])("$name", ({ left, right, equal }) => {
  expect(equalValues(left, right)).toEqual(equal);
});

test("within an optional and in `in`, the opaque value compares itself with null", () => {
  expect(isEqualTo(new Moody(), null)).toBeInstanceOf(CelError);
  expect(equalValues(new OptionalValue(new Moody()), new OptionalValue(null))).toBeInstanceOf(CelError);
});
